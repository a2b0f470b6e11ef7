import { streamWorkflowRunEvents, type WorkflowRunEvents } from '@portolan/contract/workflow-run-events';
import type { Database } from '../../../platform/db/database.ts';
import { AppError, invalidRequest } from '../../../platform/errors.ts';
import { RawAnswer, type RequestInfo, type Route, route } from '../../../platform/http/route.ts';
import type { SseEvent } from '../../../platform/http/sse.ts';
import { writeEventStream } from '../../../platform/http/sse-writer.ts';
import { actorNow, createOpenStreams, type LiveFeed } from '../../journal/index.ts';
import { getRun } from './read-runs.ts';
import { listRunEvents, type RunEvent } from './run-event.store.ts';
import type { StoredWorkflowRun } from './workflow-run.ts';

export interface RunStreamDeps {
  readonly database: Database;
  readonly feed: LiveFeed;
}

const batchSize = 500;
/** Longest interval between two looks: at the credentials, and for what nobody was told of. */
const recheckMs = 5_000;

/**
 * Streams the events of a run from the first, or after the last that a reader has, until the run has ended. Their numbers
 * have no gaps, so that whoever misses one would notice. Any replica answers for all.
 */
function createRunStreaming(deps: RunStreamDeps): (request: RequestInfo, runId: string) => Promise<RawAnswer> {
  const streams = createOpenStreams();
  return async (request, runId) => {
    const { actor } = request;
    const run = await getRun(deps.database, actor, runId);
    const after = readLast(request, run);
    // an EventSource stops at an empty answer
    if (run.status === 'COMPLETED' && after === run.rev) {
      return new RawAnswer(async (response) => {
        response.writeHead(204).end();
      });
    }
    return streams(actor, (response) =>
      writeEventStream(response, (signal) => batches(deps, request, runId, after, signal)),
    );
  };
}

export function streamRoute(deps: RunStreamDeps): Route {
  const stream = createRunStreaming(deps);
  return route(streamWorkflowRunEvents, ({ params }, request) => stream(request, params.run_id));
}

async function* batches(
  { database, feed }: RunStreamDeps,
  request: RequestInfo,
  runId: string,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<SseEvent[]> {
  const { orgId } = request.actor;
  // what is committed from here on wakes the reader
  const reader = await feed.open(orgId);
  let last = after;
  const end = (reason: WorkflowRunEvents['end']['reason']): SseEvent[] => [
    { id: nameEvent(runId, Math.max(last, 0)), event: 'end', data: { reason } },
  ];
  try {
    while (!signal.aborted) {
      const events = await listRunEvents(database, orgId, runId, last, batchSize);
      if (events.length > 0) {
        last = events.at(-1)?.seq ?? last;
        yield events.map((each) => toSse(runId, each));
        if (events.at(-1)?.data.status === 'COMPLETED') return yield end('run-ended');
        if (events.length === batchSize) continue;
      }
      await reader.wait(recheckMs, signal);
      reader.pending.take();
      if (signal.aborted) return;
      if (feed.isClosed) return yield end('restart');
      const actor = await actorNow(request);
      if (!actor) return yield end('session-ended');
      if (!(await isSeen(() => getRun(database, actor, runId)))) return yield end('gone');
    }
  } finally {
    reader.leave();
  }
}

async function isSeen(read: () => Promise<unknown>): Promise<boolean> {
  try {
    await read();
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return false;
    throw error;
  }
}

function toSse(runId: string, { seq, kind, nodeRunId, data, at }: RunEvent): SseEvent {
  const told: WorkflowRunEvents['transition'] = {
    sequence: seq,
    kind,
    at: at.toISOString(),
    status: data.status,
    result: data.result,
    nodeRunIdentifier: nodeRunId,
    nodeIdentifier: data.node ?? null,
    nodeStatus: data.phase == null ? null : data.phase === 'ENDED' ? 'COMPLETED' : 'IN_PROGRESS',
    nodeResult: data.nodeResult ?? null,
    outlet: data.outlet ?? null,
  };
  return { id: nameEvent(runId, seq), event: 'transition', data: told };
}

function nameEvent(runId: string, sequence: number): string {
  return `${runId}:${sequence}`;
}

/** The last event that the reader has; -1 for none. @throws AppError `invalid_request` */
function readLast({ headers }: RequestInfo, run: StoredWorkflowRun): number {
  const given = headers['last-event-id'];
  const text = Array.isArray(given) ? given.at(-1) : given;
  if (text === undefined || text === '') return -1;
  const [, id, digits] = /^(.+):(\d{1,9})$/.exec(text) ?? [];
  if (id !== run.id) throw badLast(`is no event of ${run.id}`);
  const sequence = Number(digits);
  if (sequence > run.rev) throw badLast(`is ahead: the last event so far is ${nameEvent(run.id, run.rev)}`);
  return sequence;
}

function badLast(message: string): AppError {
  return invalidRequest([{ path: '{header}/last-event-id', message }]);
}
