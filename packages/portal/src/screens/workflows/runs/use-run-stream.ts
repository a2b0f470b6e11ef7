import { decodeEventStream } from '@portolan/contract/invocation-stream-decoder';
import type { WorkflowRunEvents } from '@portolan/contract/workflow-run-events';
import { useEffect } from 'react';
import { errorStatus, open } from '../../../api/api.ts';
import { useRefresh } from '../../../api/query.ts';
import { pause, readChunks } from '../../../api/stream-chunks.ts';

const waitsMs = [500, 1_000, 2_000, 5_000, 10_000] as const;
/** Reads follow a burst of events once. */
const gatherMs = 100;

/** Reads a run anew with each event of its own stream, and goes on where the stream broke off, until the run has ended. */
export function useRunStream(run: string, isOver: boolean): void {
  const refresh = useRefresh();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the function is made anew with each drawing
  useEffect(() => {
    if (isOver) return;
    const leave = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onEvent = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        void refresh(['getWorkflowRun', 'getWorkflowRunLogs']);
      }, gatherMs);
    };
    void followRun(run, onEvent, leave.signal);
    return () => {
      clearTimeout(timer);
      leave.abort();
    };
  }, [run, isOver]);
}

/** Calls for each event that comes after those that there were, until the end or the signal. */
export async function followRun(run: string, onEvent: () => void, signal: AbortSignal): Promise<void> {
  let lastId: string | undefined;
  for (let failures = 0; !signal.aborted; failures += 1) {
    try {
      const response = await open('streamWorkflowRunEvents', {
        params: { run_id: run },
        ...(lastId === undefined ? {} : { headers: { 'last-event-id': lastId } }),
        signal,
      });
      if (response.status === 204) return;
      for await (const { id, event, data } of decodeEventStream(readChunks(response))) {
        failures = 0;
        lastId = id ?? lastId;
        if (event === 'transition') onEvent();
        if (event === 'end' && (JSON.parse(data) as WorkflowRunEvents['end']).reason !== 'restart') return;
      }
    } catch (error) {
      // what is refused stays so, and the screen reads now and then
      if (errorStatus(error) >= 400 && errorStatus(error) < 500) return;
    }
    if (!signal.aborted) await pause(waitsMs[Math.min(failures, waitsMs.length - 1)] ?? 0, signal);
  }
}
