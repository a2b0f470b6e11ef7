import { decodeEventStream } from '@portolan/contract/invocation-stream-decoder';
import type { LiveEvents } from '@portolan/contract/live';
import { errorStatus, expectNews, open } from './api.ts';
import './heard-changes.ts';
import { publishLive, setLiveState } from './live.ts';
import { firstAnsweredAt } from './session-fetch.ts';
import { pause, readChunks } from './stream-chunks.ts';

const waitsMs = [500, 1_000, 2_000, 5_000, 10_000, 20_000] as const;
/** A hidden page closes its stream after this time: browsers allow few connections per host. */
const hiddenMs = 60_000;

/**
 * Follows the live stream while the page is visible and reconnects after failures, until the signal aborts. It begins
 * with what has changed since the first answer that the page got.
 */
export async function followLive(signal: AbortSignal): Promise<void> {
  const since = firstAnsweredAt() ?? 0;
  let firstId: string | undefined;
  let lastId: string | undefined;
  for (let failures = 0; !signal.aborted; ) {
    await shown(signal);
    if (signal.aborted) return;
    const leave = whenHidden(signal);
    try {
      const response = await open('followChanges', {
        ...(lastId === undefined ? { query: { since } } : { headers: { 'last-event-id': lastId } }),
        signal: leave.signal,
      });
      for await (const { id, event, data } of decodeEventStream(readChunks(response))) {
        failures = 0;
        firstId ??= id;
        lastId = id ?? lastId;
        // what was missed comes with the id of the first event
        take(event as keyof LiveEvents, data, id !== undefined && id === firstId);
      }
    } catch (error) {
      // 403 and 404 are final: the live stream stays off and the screens poll
      if ([403, 404].includes(errorStatus(error))) return setLiveState({ kind: 'resting' });
    } finally {
      leave.done();
    }
    if (signal.aborted) return;
    if (leave.signal.aborted) {
      setLiveState({ kind: 'resting' });
      continue;
    }
    setLiveState({ kind: 'lost', since: Date.now() });
    await pause(waitsMs[Math.min(failures, waitsMs.length - 1)] ?? 0, signal);
    failures += 1;
  }
}

function take(event: keyof LiveEvents, data: string, isCatchUp: boolean): void {
  // a standby may not know of it yet
  if (event === 'reload' || event === 'changes') expectNews();
  if (event === 'ready') setLiveState({ kind: 'open' });
  if (event === 'reload') publishLive(undefined, isCatchUp);
  if (event === 'changes') publishLive((JSON.parse(data) as LiveEvents['changes']).changes, isCatchUp);
}

/** Resolves once the page is visible. */
function shown(signal: AbortSignal): Promise<void> {
  if (!document.hidden) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      if (document.hidden && !signal.aborted) return;
      document.removeEventListener('visibilitychange', end);
      signal.removeEventListener('abort', end);
      resolve();
    };
    document.addEventListener('visibilitychange', end);
    signal.addEventListener('abort', end);
  });
}

/** A signal that aborts once the page has been hidden for `hiddenMs`. */
function whenHidden(signal: AbortSignal): { readonly signal: AbortSignal; done(): void } {
  const leave = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = () => {
    clearTimeout(timer);
    if (document.hidden) timer = setTimeout(() => leave.abort(), hiddenMs);
  };
  const end = () => leave.abort();
  document.addEventListener('visibilitychange', look);
  signal.addEventListener('abort', end);
  look();
  return {
    signal: leave.signal,
    done: () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', look);
      signal.removeEventListener('abort', end);
    },
  };
}
