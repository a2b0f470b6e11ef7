import { decodeEventStream } from '@portolan/contract/invocation-stream-decoder';
import type { LiveEvents } from '@portolan/contract/live';
import { errorStatus, open } from './api.ts';
import { publishLive, setLiveState } from './live.ts';
import { pause, readChunks } from './stream-chunks.ts';

const waitsMs = [500, 1_000, 2_000, 5_000, 10_000, 20_000] as const;
/** A page that nobody looks at gives its connection back: browsers have few of them for each host. */
const hiddenMs = 60_000;

/** Follows what changes while the page is looked at, through lost connections, until the signal aborts. */
export async function followLive(signal: AbortSignal): Promise<void> {
  let lastId: string | undefined;
  for (let failures = 0; !signal.aborted; ) {
    await shown(signal);
    if (signal.aborted) return;
    const leave = whenHidden(signal);
    try {
      const response = await open('followChanges', {
        ...(lastId === undefined ? {} : { headers: { 'last-event-id': lastId } }),
        signal: leave.signal,
      });
      for await (const { id, event, data } of decodeEventStream(readChunks(response))) {
        failures = 0;
        lastId = id ?? lastId;
        take(event as keyof LiveEvents, data);
      }
    } catch (error) {
      // what the server does not have, or refuses for good, is not asked for again; the screens look by time
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

function take(event: keyof LiveEvents, data: string): void {
  if (event === 'ready') setLiveState({ kind: 'open' });
  if (event === 'reload') publishLive(undefined);
  if (event === 'changes') publishLive((JSON.parse(data) as LiveEvents['changes']).changes);
}

/** Resolves once somebody looks at the page. */
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

/** A signal that aborts once nobody has looked at the page for a while. */
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
