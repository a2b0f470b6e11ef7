import type { Sql } from 'sql-template-tag';
import type { Clock } from '../../../platform/clock.ts';
import type { Database, Reader } from '../../../platform/db/database.ts';
import type { Connection } from '../../../platform/db/engine.ts';
import { listBlueprintRows } from '../../blueprints/index.ts';
import { type IndexedValue, indexName, indexText, isCurrent } from '../../entity-query/index.ts';
import {
  cancelBackend,
  fade,
  forget,
  hasEntities,
  listIndexes,
  listStatistics,
  listUsed,
  plainName,
  setIndex,
  type UsedValue,
} from './search-index.store.ts';

/**
 * Thresholds for creating and dropping indexes. Every index slows each plan and each entity write a little (decision
 * 0016).
 */
export interface IndexLimits {
  /** Uses, halved at each run, from which a value gets an index. */
  readonly usesMin: number;
  /** Smaller blueprints are fast enough without an index. */
  readonly entitiesMin: number;
  /** An index unused for this long is dropped. */
  readonly keptMs: number;
  readonly perBlueprint: number;
  readonly perOrganization: number;
  readonly inAll: number;
}

const dayMs = 24 * 60 * 60 * 1000;

export const indexLimits: IndexLimits = {
  usesMin: 10,
  entitiesMin: 2_000,
  keptMs: 7 * dayMs,
  perBlueprint: 8,
  perOrganization: 24,
  inAll: 64,
};

export interface MaintainedIndexes {
  readonly made: readonly string[];
  readonly dropped: readonly string[];
}

/** Advisory lock: one run at a time over all replicas. No other code uses this number. */
const lockKey = 4_771_005;

/**
 * Creates indexes for values that are often searched or sorted by; drops unused, orphaned and half-built ones. Does
 * nothing while another replica runs. On PostgreSQL reads and writes go on meanwhile; the embedded engine blocks while
 * it builds.
 * @throws AggregateError if some index could not be created or dropped; the others were
 */
export async function maintainSearchIndexes(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  limits: IndexLimits,
  signal: AbortSignal,
): Promise<MaintainedIndexes> {
  const connection = await database.engine.connectDirectly();
  let stopCancelling: (() => void) | undefined;
  try {
    stopCancelling = await cancelOn(signal, connection, database);
    await connection.query('set statement_timeout = 0');
    const { rows } = await connection.query('select pg_try_advisory_lock($1) as "isMine"', [lockKey]);
    if (rows[0]?.['isMine'] !== true) return { made: [], dropped: [] };
    try {
      return await maintain(
        { connection, reader: toReader(connection), how: concurrentlyClause(database), limits, signal },
        clock.now(),
      );
    } finally {
      await connection.query('select pg_advisory_unlock($1)', [lockKey]);
    }
  } finally {
    stopCancelling?.();
    const isBroken = await connection.query('reset statement_timeout').then(
      () => false,
      () => true,
    );
    connection.release(isBroken);
  }
}

interface MaintenanceInput {
  readonly connection: Connection;
  readonly reader: Reader;
  readonly how: string;
  readonly limits: IndexLimits;
  readonly signal: AbortSignal;
}

async function maintain(
  { connection, reader, how, limits, signal }: MaintenanceInput,
  now: Date,
): Promise<MaintainedIndexes> {
  const failures: unknown[] = [];
  const attemptTo = async (change: () => Promise<unknown>): Promise<boolean> => {
    signal.throwIfAborted();
    try {
      await change();
      return true;
    } catch (error) {
      failures.push(error);
      return false;
    }
  };
  const attempt = (statement: string): Promise<boolean> => attemptTo(() => connection.query(statement));
  const drop = (name: string): Promise<boolean> => attempt(`drop index${how} if exists ${plainName(name)}`);

  const before = new Date(now.getTime() - limits.keptMs);
  const present = await listIndexes(reader);
  const used = await listUsed(reader, limits.usesMin);
  const current = await findCurrent(reader, used);
  const wanted = new Map(
    used.filter((value) => current.has(value) && value.usedAt >= before).map((value) => [indexName(value), value]),
  );

  const dropped: string[] = [];
  const held = new Map<string, UsedValue>();
  for (const { name, isValid } of present) {
    const value = wanted.get(name);
    if (isValid && value) held.set(name, value);
    else if (await drop(name)) dropped.push(name);
  }
  for (const value of used) {
    const name = indexName(value);
    if (!current.has(value)) await attemptTo(() => forget(reader, value));
    else if ((value.indexName !== null) !== held.has(name)) {
      await attemptTo(() => setIndex(reader, value, held.has(name) ? name : null));
    }
  }

  const made: string[] = [];
  for (const [name, value] of wanted) {
    const text = indexText(value);
    const isDue = !held.has(name) && value.uses >= limits.usesMin && hasRoom([...held.values()], value, limits);
    if (!isDue || !text || !(await hasEntities(reader, value, limits.entitiesMin))) continue;
    if (await attempt(`create index${how} ${plainName(name)} on entities ${text.index}`)) {
      await attemptTo(() => setIndex(reader, value, name));
      held.set(name, value);
      made.push(name);
    } else {
      await drop(name);
    }
  }
  const hasNew = await followStatistics(reader, held, attempt);
  if (made.length > 0 || hasNew) await attempt('analyze entities');
  await fade(reader, before);
  if (failures.length > 0) {
    throw new AggregateError(failures, 'Some indexes could not be made or dropped', { cause: failures[0] });
  }
  return { made, dropped };
}

/** Creates one statistics object per index, of the same name. Returns true if any is new. */
async function followStatistics(
  reader: Reader,
  held: ReadonlyMap<string, IndexedValue>,
  attempt: (statement: string) => Promise<boolean>,
): Promise<boolean> {
  const known = await listStatistics(reader);
  for (const name of known) if (!held.has(name)) await attempt(`drop statistics if exists ${plainName(name)}`);
  let hasNew = false;
  for (const [name, value] of held) {
    const text = indexText(value);
    if (known.has(name) || !text) continue;
    if (await attempt(`create statistics ${plainName(name)} ${text.statistics}`)) hasNew = true;
  }
  return hasNew;
}

function hasRoom(held: readonly IndexedValue[], { orgId, blueprintKey }: IndexedValue, limits: IndexLimits): boolean {
  const ofOrganization = held.filter((each) => each.orgId === orgId);
  const ofBlueprint = ofOrganization.filter((each) => each.blueprintKey === blueprintKey);
  return (
    held.length < limits.inAll &&
    ofOrganization.length < limits.perOrganization &&
    ofBlueprint.length < limits.perBlueprint
  );
}

async function findCurrent(reader: Reader, values: readonly UsedValue[]): Promise<ReadonlySet<UsedValue>> {
  const current = new Set<UsedValue>();
  for (const orgId of new Set(values.map((value) => value.orgId))) {
    const blueprints = new Map((await listBlueprintRows(reader, orgId)).map((each) => [each.key, each]));
    for (const value of values) {
      if (value.orgId === orgId && isCurrent(blueprints.get(value.blueprintKey), value.slot)) current.add(value);
    }
  }
  return current;
}

/** The embedded engine has a single connection and does not support `concurrently`. */
function concurrentlyClause({ engine }: Database): string {
  return engine.kind === 'postgres' ? ' concurrently' : '';
}

/** The server keeps building after its client disconnects, so a stop cancels the build explicitly. */
async function cancelOn(signal: AbortSignal, connection: Connection, database: Database): Promise<() => void> {
  if (database.engine.kind !== 'postgres') return () => undefined;
  const { rows } = await connection.query('select pg_backend_pid() as pid');
  const cancel = (): void => {
    cancelBackend(database, rows[0]?.['pid']).catch(() => undefined);
  };
  signal.addEventListener('abort', cancel, { once: true });
  return () => signal.removeEventListener('abort', cancel);
}

function toReader(connection: Connection): Reader {
  const rows = async <Row>(statement: Sql): Promise<Row[]> =>
    (await connection.query(statement.text, statement.values)).rows as unknown as Row[];
  return { rows, first: async <Row>(statement: Sql) => (await rows<Row>(statement))[0] };
}
