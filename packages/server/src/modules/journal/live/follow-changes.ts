import type { LiveChange, LiveEvents } from '@portolan/contract/live';
import type { Actor } from '../../../platform/actor.ts';
import { isUnlimited } from '../../../platform/actor.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/db/database.ts';
import type { RawAnswer, RequestInfo } from '../../../platform/http/route.ts';
import type { SseEvent } from '../../../platform/http/sse.ts';
import { writeEventStream } from '../../../platform/http/sse-writer.ts';
import { pause } from '../../../platform/pause.ts';
import { selectChangesSince } from './live.store.ts';
import type { LiveFeed } from './live-feed.ts';
import { actorNow, createOpenStreams } from './open-streams.ts';
import { type ChangePorts, readableChanges, withoutNoticesOfOthers } from './readable-changes.ts';

export interface LiveDeps extends ChangePorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly feed: LiveFeed;
}

/** Shortest interval between batches; rights are checked once per batch. */
const gapMs = 250;
/** Longest interval between two checks of the credentials. */
const recheckMs = 5_000;
/** Window for resuming. */
const resumeMs = 15 * 60_000;
/** The overlap covers transactions that were open when the reader disconnected, */
const overlapMs = 30_000;
/** and when a page was read, which happens all the time: longer ones are told once they commit, mostly after that. */
const firstOverlapMs = 3_000;
const resumedMax = 500;

/** Streams changes that the caller may see, until the credentials end, or server or client disconnect. */
export function createFollowing(deps: LiveDeps): (request: RequestInfo, since: number | undefined) => RawAnswer {
  const streams = createOpenStreams();
  return (request, since) =>
    streams(request.actor, (response) => writeEventStream(response, (signal) => batches(deps, request, since, signal)));
}

async function* batches(
  deps: LiveDeps,
  request: RequestInfo,
  since: number | undefined,
  signal: AbortSignal,
): AsyncGenerator<SseEvent[]> {
  const { clock, feed } = deps;
  // no change is missed from here on; duplicates are harmless
  const reader = await feed.open(request.actor.orgId);
  try {
    let id = String(clock.now().getTime());
    yield [event(id, 'ready', {}), ...(await missed(deps, request, since, id))];
    while (!signal.aborted) {
      await reader.wait(recheckMs, signal);
      if (signal.aborted) return;
      if (feed.isClosed) return yield [event(id, 'end', { reason: 'restart' })];
      const actor = await actorNow(request);
      if (!actor) return yield [event(id, 'end', { reason: 'session-ended' })];
      if (reader.pending.isEmpty) continue;
      id = String(clock.now().getTime());
      const { changes, gap } = reader.pending.take();
      const events = gap === undefined ? [] : [event(id, 'reload', { reason: gap })];
      yield [...events, ...(await readableEvents(deps, actor, changes, id))];
      await pause(gapMs, signal);
    }
  } finally {
    reader.leave();
  }
}

/** Changes on any replica since the reader's last event, or since it read what it shows. */
async function missed(
  deps: LiveDeps,
  { actor, headers }: RequestInfo,
  shownSince: number | undefined,
  id: string,
): Promise<SseEvent[]> {
  const last = headers['last-event-id'];
  const isFirst = last === undefined || last === '';
  const since = isFirst ? shownSince : readId(last);
  if (since === undefined) return [];
  const now = deps.clock.now().getTime();
  if (since > now || now - since > resumeMs) return [event(id, 'reload', { reason: 'too-old' })];
  const from = new Date(since - (isFirst ? firstOverlapMs : overlapMs));
  const [recorded, announced] = await Promise.all([
    selectChangesSince(deps.database, actor.orgId, from, resumedMax),
    deps.announcedSince(actor, from),
  ]);
  if (recorded === undefined) return [event(id, 'reload', { reason: 'too-many' })];
  return readableEvents(deps, actor, [...recorded, ...announced], id);
}

function readId(last: string | readonly string[]): number {
  return typeof last === 'string' && /^\d{1,15}$/.test(last) ? Number(last) : 0;
}

async function readableEvents(
  deps: LiveDeps,
  actor: Actor,
  changes: readonly LiveChange[],
  id: string,
): Promise<SseEvent[]> {
  const own = withoutNoticesOfOthers(actor, changes);
  const readable = isUnlimited(actor) ? own : await readableChanges(deps, actor, own);
  return readable.length === 0 ? [] : [event(id, 'changes', { changes: readable })];
}

function event<Name extends keyof LiveEvents>(id: string, name: Name, data: LiveEvents[Name]): SseEvent {
  return { id, event: name, data };
}
