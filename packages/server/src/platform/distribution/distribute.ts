import type { Connection, Engine } from '../db/engine.ts';
import { migrationLock } from '../db/migrate.ts';
import { StartError } from '../start-error.ts';
import { countConnected } from '../upgrade/upgrade.store.ts';
import {
  copyFunction,
  copyTable,
  divideTable,
  freeCoordinator,
  listDistributed,
  listFunctions,
  listTables,
  makeKnown,
  readCitusVersion,
  readNodes,
} from './distribution.store.ts';
import { type PlannedTable, planDistribution } from './plan-distribution.ts';

const majorMin = 13;

export interface Distribution {
  readonly citus: string;
  readonly workers: number;
  readonly tables: readonly PlannedTable[];
  /** Those that the workers lack. */
  readonly functions: readonly string[];
}

/**
 * What is to be moved, without moving it.
 * @throws StartError where the database is not one that can be distributed
 */
export function readDistribution(engine: Engine): Promise<Distribution> {
  return withConnection(engine, read);
}

/**
 * Moves what is not in its place yet, and returns what it moved. Every table is moved by itself: after a failure the rest
 * is moved by the next call.
 * @throws StartError as `readDistribution`, and while servers use the database
 */
export function distribute(engine: Engine): Promise<Distribution> {
  return withConnection(engine, async (connection) => {
    await connection.query('set statement_timeout = 0');
    await connection.query('select pg_advisory_lock($1)', [migrationLock]);
    try {
      const plan = await read(connection);
      const open = plan.tables.filter(({ isDone }) => !isDone);
      if (open.length > 0 && (await countConnected(connection)) > 0) {
        throw new StartError('Servers use this database. Stop them first: every table is locked while its rows move.');
      }
      for (const signature of plan.functions) await copyFunction(connection, signature);
      await moveTables(connection, plan.tables);
      return { ...plan, tables: open };
    } finally {
      await connection.query('select pg_advisory_unlock($1)', [migrationLock]);
      await connection.query('reset statement_timeout');
    }
  });
}

async function moveTables(connection: Connection, tables: readonly PlannedTable[]): Promise<void> {
  let beside = tables.find(({ place, isDone }) => place === 'organization' && isDone)?.name;
  const moved: string[] = [];
  for (const { name, place, isDone } of tables) {
    if (isDone) continue;
    if (place === 'joined') await makeKnown(connection, name);
    if (place === 'reference') await copyTable(connection, name);
    if (place === 'organization') {
      await divideTable(connection, name, beside);
      beside ??= name;
    }
    if (place !== 'joined') moved.push(name);
  }
  // those that others name last: a table is not emptied before what names it
  for (const name of moved.reverse()) await freeCoordinator(connection, name);
}

async function read(connection: Connection): Promise<Distribution> {
  const citus = await readCitusVersion(connection);
  if (citus === undefined) {
    throw new StartError('This database has no Citus. Create the extension first: create extension citus.');
  }
  if (Number.parseInt(citus, 10) < majorMin) {
    throw new StartError(`Citus ${citus} is too old: Portolan is distributed by Citus ${majorMin} or newer.`);
  }
  const { workers, hasCoordinator } = await readNodes(connection);
  if (workers === 0) {
    throw new StartError("Citus knows no workers. Add them first: select citus_add_node('<host>', 5432).");
  }
  if (!hasCoordinator) {
    throw new StartError(
      "The workers do not know the coordinator. Name it first: select citus_set_coordinator_host('<host>', 5432).",
    );
  }
  const tables = planDistribution(await listTables(connection), await listDistributed(connection));
  return { citus, workers, tables, functions: await listFunctions(connection) };
}

async function withConnection<T>(engine: Engine, work: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await engine.connectDirectly();
  try {
    return await work(connection);
  } finally {
    connection.release();
  }
}
