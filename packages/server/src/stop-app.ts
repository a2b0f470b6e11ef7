import type { FastifyInstance } from 'fastify';
import type { Admission } from './platform/admission/admission.ts';
import type { Presence } from './platform/db/presence.types.ts';
import { pauseUntil } from './platform/pause.ts';

/** How long what was begun may go on, unless a drain gives it longer: the whole stop then ends within ten seconds. */
export const finishMs = 6_000;
/** How long connections may linger after the last run has ended. */
const lingerMs = 500;

interface Stopped {
  readonly http: FastifyInstance;
  readonly admission: Pick<Admission, 'close' | 'idle'>;
  readonly presence: Presence;
  readonly feed: { close(): Promise<void> };
  readonly assistant: { close(waitMs: number): Promise<void> };
  readonly jobs: { stop(waitMs: number): Promise<void> };
  /** What is closed when nothing is left that would use it, in this order. */
  readonly last: readonly { close(): unknown }[];
}

/**
 * Closes the listener and ends what people and jobs have begun: requests within `forMs`, runs of the assistant a second
 * before, so that their streams still say how they ended, and jobs in half of it, because another worker takes them up.
 */
export async function stopApp(
  { http, admission, presence, feed, assistant, jobs, last }: Stopped,
  forMs: number,
): Promise<void> {
  if (presence.absence()) {
    // nobody will be let in any more: whoever is held learns it now
    admission.close();
    presence.close();
  }
  await feed.close();
  const closed = http.close();
  await Promise.all([assistant.close(forMs - 1_000), jobs.stop(forMs / 2), pauseUntil(admission.idle(), forMs)]);
  // streams have ended; what is left are connections that never asked, or readers that do not read
  const patience = setTimeout(() => http.server.closeAllConnections(), lingerMs);
  await closed;
  clearTimeout(patience);
  admission.close();
  for (const each of last) await each.close();
}
