import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { withinMs } from '../../platform/within.ts';
import {
  countDeliveries,
  countJobs,
  countMarks,
  countReceivers,
  countSources,
  countWebhooks,
} from './backlog.store.ts';

export interface BacklogDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: { warn(details: object, message: string): void };
}

export type Backlog = Awaited<ReturnType<typeof readBacklog>>;

/** How long what was read is good enough for another scrape, and how long a scrape waits for it. */
const freshMs = 5_000;
const patienceMs = 3_000;

const consumers = ['automations', 'changelog'];

/** Reads what waits, at most once in five seconds; undefined while the database does not answer in time. */
export function createBacklogReader(deps: BacklogDeps): () => Promise<Backlog | undefined> {
  const { engine } = deps.database;
  let last: { readonly atMs: number; readonly read: Promise<Backlog | undefined> } | undefined;
  const read = async (): Promise<Backlog | undefined> => {
    if (engine.presence.absence()) return undefined;
    try {
      const asked = engine.inClass('control', () => readBacklog(deps));
      return await withinMs(asked, patienceMs, `The backlog was not read within ${patienceMs} ms`);
    } catch (error) {
      deps.log.warn({ error }, 'what waits could not be read for the metrics');
      return undefined;
    }
  };
  return () => {
    const nowMs = performance.now();
    if (last === undefined || nowMs - last.atMs > freshMs) last = { atMs: nowMs, read: read() };
    return last.read;
  };
}

/** One statement after the other, so that a scrape takes one connection. */
async function readBacklog({ database, clock }: Pick<BacklogDeps, 'database' | 'clock'>) {
  const now = clock.now();
  const jobs = await countJobs(database, now);
  const deliveries = await countDeliveries(database);
  const found = new Map(deliveries.map((each) => [each.consumer, each]));
  return {
    jobs: jobs.map((each) => ({ ...each, state: each.state === 'waiting' ? 'due' : each.state })),
    // those without any are 0 and not absent
    deliveries: consumers.map((consumer) => found.get(consumer) ?? { consumer, count: 0, oldest: null }),
    receivers: await countReceivers(database),
    marks: await countMarks(database),
    sources: await countSources(database),
    webhooks: await countWebhooks(database),
    /** Seconds since a moment; 0 for none. */
    age: (since: Date | null): number => (since === null ? 0 : Math.max(0, (now.getTime() - since.getTime()) / 1000)),
  };
}
