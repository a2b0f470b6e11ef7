import sql from 'sql-template-tag';
import { settlement } from '../../packages/server/src/modules/assistant/settlement.store.ts';
import { startOfMinute, startOfMonth } from '../../packages/server/src/modules/assistant/usage.store.ts';
import { createUsageLedger } from '../../packages/server/src/modules/assistant/usage-ledger.ts';
import { createDatabase, type Database, type Tx } from '../../packages/server/src/platform/db/database.ts';
import { openPostgresEngine } from '../../packages/server/src/platform/db/postgres-engine.ts';
import { median, percentile } from '../harness/statistics.ts';
import type { Finding } from '../harness/table.ts';
import type { Size } from './scenario.ts';

/** How starts and ends are counted. */
interface Way {
  readonly name: string;
  start(body: (tx: Tx) => Promise<void>): Promise<void>;
  end(body: (tx: Tx) => Promise<void>): Promise<void>;
  close?(): Promise<void>;
}

const orgId = 'bench-of-ledgers';
const use = { tokens: 120, costUsd: 0.001, isRefunded: false };

/** A start and an end, each a durable transaction that stores two rows, by so many callers over the connections of a server. */
export async function compareLedgers(connectionString: string, callers: number, size: Size): Promise<Finding[]> {
  const database = createDatabase(await openPostgresEngine({ connectionString }));
  await prepare(database);
  const ways = [notCounted(database), countedInside(database), countedBeside(database)];
  const rounds = ways.map((): Round[] => []);
  for (let round = -1; round < size.rounds; round += 1) {
    for (const [index, way] of ways.entries()) {
      const figures = await drive(way, callers, size.roundMs);
      if (round >= 0) rounds[index]!.push(figures);
    }
  }
  for (const way of ways) await way.close?.();
  await database.close();
  const [floor] = rounds as [Round[]];
  return ways.map(({ name }, index): Finding => {
    const all = rounds[index]!;
    const starts = all.flatMap(({ startMs }) => startMs);
    return {
      path: `${callers} starts and ends of one organization`,
      contender: name,
      figure: 'pairs per second',
      value: median(all.map(({ perSecond }) => perSecond)),
      unit: '/s',
      ...(index === 0 ? {} : { ratio: median(all.map((each, round) => each.perSecond / floor[round]!.perSecond)) }),
      note: `start p50 ${median(starts).toFixed(1)} ms, p95 ${percentile(starts, 0.95).toFixed(1)} ms`,
    };
  });
}

interface Round {
  readonly perSecond: number;
  readonly startMs: readonly number[];
}

async function drive(way: Way, callers: number, ms: number): Promise<Round> {
  const startMs: number[] = [];
  const startedAt = performance.now();
  const call = async (): Promise<void> => {
    for (let now = startedAt; now - startedAt < ms; now = performance.now()) {
      await way.start(store);
      startMs.push(performance.now() - now);
      await way.end(store);
    }
  };
  await Promise.all(Array.from({ length: callers }, call));
  return { perSecond: (startMs.length * 1_000) / (performance.now() - startedAt), startMs };
}

async function store(tx: Tx): Promise<void> {
  const content = 'x'.repeat(1_000);
  await tx.execute(sql`insert into stored_by_bench (content) values (${content}), (${content})`);
}

async function prepare(database: Database): Promise<void> {
  const most = 1_000_000_000;
  const quotas = JSON.stringify({ monthlyInvocations: most, hourlyRequests: most, hourlyTokens: most });
  await database.executeAlone(sql`
    create table stored_by_bench (id bigint generated always as identity primary key, content text)`);
  await database.executeAlone(sql`
    insert into organizations (id, name, model, plan, quotas, cutover, created_at, updated_at)
    values (${orgId}, 'Bench', 'blueprints', 'enterprise', ${quotas}, '{}', now(), now())`);
}

function notCounted(database: Database): Way {
  const transact = (body: (tx: Tx) => Promise<void>): Promise<void> => database.transaction(body);
  return { name: 'not counted', start: transact, end: transact };
}

/** The month's row is locked until the commit is on disk: how starts and ends were counted before decision 0157. */
function countedInside(database: Database): Way {
  return {
    name: 'counted inside',
    start: (body) =>
      database.transaction(async (tx) => {
        await body(tx);
        const now = new Date();
        await tx.execute(addTo('month', startOfMonth(now), 1, 0));
        await tx.execute(addTo('minute', startOfMinute(now), 1, 0));
      }),
    end: (body) =>
      database.transaction(async (tx) => {
        await body(tx);
        const now = new Date();
        tx.send(addTo('month', startOfMonth(now), 0, use.tokens));
        tx.send(addTo('minute', startOfMinute(now), 0, use.tokens));
      }),
  };
}

function addTo(period: 'month' | 'minute', startsAt: Date, requests: number, tokens: number) {
  return sql`
    insert into ai_usage as u (org_id, period, starts_at, requests, tokens)
    values (${orgId}, ${period}, ${startsAt}, ${requests}, ${tokens})
    on conflict (org_id, period, starts_at) do update
      set requests = u.requests + excluded.requests, tokens = u.tokens + excluded.tokens`;
}

function countedBeside(database: Database): Way {
  const ledger = createUsageLedger({ database, log: console });
  return {
    name: 'counted beside',
    async start(body) {
      const reservation = await ledger.reserve(orgId, new Date());
      await database.transaction(async (tx) => {
        await body(tx);
        await ledger.claim(tx, reservation);
      });
    },
    async end(body) {
      await database.transaction(async (tx) => {
        await body(tx);
        const now = new Date();
        tx.send(sql`with ended as (select 1) ${settlement(orgId, { ...use, askedAt: now, now })} select 1`);
      });
      ledger.settled(orgId);
    },
    close: () => ledger.close(),
  };
}
