import type { Connection, Engine } from '../../platform/db/engine.ts';
import { readMigrations } from '../../platform/db/migration-files.ts';
import { masterKeyId, opensKeyCheck } from '../identity/index.ts';
import { beginSnapshot, findKeyCheck, listMigrations, listSequences, listTables, rollBack } from './tables.store.ts';
import {
  countSealed,
  findLastChange,
  listBehind,
  listDangling,
  listOrganizationIds,
  listStrays,
  listUnsound,
} from './verify.store.ts';

/** One thing that was looked at; `unknown` where something was missing to look at it. */
export interface DatabaseCheck {
  readonly name: string;
  readonly status: 'ok' | 'failed' | 'unknown';
  /** What was found, and what to do if it is not right. */
  readonly message: string;
}

export interface VerifyOptions {
  readonly migrationsFolder: string;
  /** In base64; undefined where it is not known. */
  readonly masterKey: string | undefined;
  /** Computes the derived values of an organization anew, changing nothing. */
  readonly checkDerived: (orgId: string) => Promise<{ readonly checked: number; readonly differing: number }>;
  readonly now: Date;
}

const otherCopy = 'Restore another backup';

/**
 * Examines a database that was restored, whichever way, and changes nothing: whether its schema is whole, its keys go on,
 * its rows name rows that are there, its secrets can be opened, and what was computed is what its sources give.
 */
export async function verifyDatabase(engine: Engine, options: VerifyOptions): Promise<readonly DatabaseCheck[]> {
  const connection = await engine.connect();
  let organizations: readonly string[] = [];
  const checks: DatabaseCheck[] = [];
  try {
    await beginSnapshot(connection);
    const migrations = await checkMigrations(connection, options.migrationsFolder);
    checks.push(migrations);
    // what else is looked at stands in tables that may not be there
    if (migrations.status === 'ok') {
      checks.push(...(await checkRows(connection)), await checkSealed(connection, options.masterKey));
      checks.push(await checkAge(connection, options.now));
      organizations = await listOrganizationIds(connection);
    }
  } finally {
    await rollBack(connection).catch(() => undefined);
    connection.release();
  }
  if (checks.every(({ status }) => status !== 'failed')) checks.push(await checkValues(organizations, options));
  return checks;
}

async function checkMigrations(connection: Connection, folder: string): Promise<DatabaseCheck> {
  const name = 'migrations';
  const migrations = await readMigrations(folder);
  const known = migrations.map((each) => each.name);
  const applied = await listMigrations(connection).catch(() => undefined);
  if (!applied) return failed(name, `The database has no tables of Portolan. ${otherCopy}, or name another database.`);
  const later = applied.filter((each) => !known.includes(each));
  if (later.length > 0) return failed(name, `It is of a newer release (${later.join(', ')}). Use that release.`);
  // what contracts may wait for long
  const due = migrations.filter(({ phase }) => phase.kind === 'expand').map((each) => each.name);
  const missing = due.filter((each) => !applied.includes(each));
  if (missing.length === 0) return ok(name, `all ${due.length} are applied`);
  return failed(name, `${missing.join(', ')} are not applied. Start this release once, or verify with the one before.`);
}

async function checkRows(connection: Connection): Promise<readonly DatabaseCheck[]> {
  const tables = await listTables(connection);
  const behind = await listBehind(connection, tables, await listSequences(connection));
  const wrong = [...(await listDangling(connection)), ...(await listStrays(connection, tables))];
  const unsound = await listUnsound(connection);
  return [
    behind.length === 0
      ? ok('sequences', 'every one is past the keys that are taken')
      : failed('sequences', `${behind.join(', ')} would give keys that are taken. ${otherCopy}.`),
    wrong.length === 0
      ? ok('references', 'no row names one that is not there')
      : failed('references', `Rows name others that are not there (${wrong.join(', ')}). ${otherCopy}.`),
    unsound.length === 0
      ? ok('constraints', 'all are validated')
      : failed(
          'constraints',
          `${unsound.join(', ')} are not valid. Reindex or validate them, or restore another backup.`,
        ),
  ];
}

async function checkSealed(connection: Connection, masterKey: string | undefined): Promise<DatabaseCheck> {
  const name = 'sealed values';
  const kept = await findKeyCheck(connection);
  if (kept === undefined) return { name, status: 'unknown', message: 'No master key was used with this database yet.' };
  const own = kept.split('.')[1];
  if (masterKey === undefined) {
    return { name, status: 'unknown', message: `They need the master key ${own}. Set PORTOLAN_MASTER_KEY to try it.` };
  }
  const given = masterKeyId(Buffer.from(masterKey, 'base64'));
  if (!opensKeyCheck(masterKey, kept)) {
    return failed(
      name,
      `They need the master key ${own}, and ${given} is set. Set PORTOLAN_MASTER_KEY to that of before.`,
    );
  }
  const { sealed, foreign } = await countSealed(connection, given);
  if (foreign.length === 0) return ok(name, `the master key opens them (${sealed})`);
  return failed(name, `Another master key sealed some of ${foreign.join(', ')}. Enter those secrets again.`);
}

async function checkAge(connection: Connection, now: Date): Promise<DatabaseCheck> {
  const last = await findLastChange(connection);
  if (!last) return ok('last change', 'none is recorded');
  const minutes = Math.round((now.getTime() - last.getTime()) / 60_000);
  return ok('last change', `${last.toISOString()}, ${minutes} minutes ago: what came after is not in it`);
}

async function checkValues(organizations: readonly string[], { checkDerived }: VerifyOptions): Promise<DatabaseCheck> {
  let [checked, differing] = [0, 0];
  for (const orgId of organizations) {
    const report = await checkDerived(orgId);
    checked += report.checked;
    differing += report.differing;
  }
  if (differing === 0) return ok('derived values', `those of ${checked} entities are what their sources give`);
  return failed(
    'derived values',
    `${differing} are not what their sources give. Start it, and see "portolan doctor --derived" for which.`,
  );
}

function ok(name: string, message: string): DatabaseCheck {
  return { name, status: 'ok', message };
}

function failed(name: string, message: string): DatabaseCheck {
  return { name, status: 'failed', message };
}
