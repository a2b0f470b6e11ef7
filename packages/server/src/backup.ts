import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readOfflineConfig } from './config.ts';
import { explainStart } from './explain-start.ts';
import {
  BackupError,
  type BackupHeader,
  type DatabaseCheck,
  explainFile,
  planRestore,
  restoreBackup,
  restoreFolder,
  takeBackup,
  takeBackupFile,
  verifyDatabase,
} from './modules/backups/index.ts';
import { masterKeyId } from './modules/identity/index.ts';
import { withOfflineEngine } from './offline-engine.ts';
import { systemClock } from './platform/clock.ts';
import type { Engine } from './platform/db/engine.ts';
import { derivedChecker } from './restored-app.ts';
import { findMasterKey } from './secrets.ts';

/**
 * What `portolan backup` and `portolan restore` do with a database that no server of ours has open. The command line starts
 * this program and hands on what it was given; the database of a server is named by DATABASE_URL, so that its password does
 * not stand in the list of processes.
 */
const migrationsFolder = fileURLToPath(new URL('../migrations', import.meta.url));

interface Given {
  readonly file: string;
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly masterKey: string | undefined;
  readonly isPlan: boolean;
  readonly isJson: boolean;
}

const verbs: Readonly<Record<string, (given: Given) => Promise<boolean>>> = {
  take: async ({ file, ...given }) => {
    const header = await withEngine(given, (engine) =>
      file === '-'
        ? takeBackup(engine, process.stdout, systemClock.now())
        : takeBackupFile(engine, file, systemClock.now()),
    );
    if (file !== '-') say(`Backed up to ${file} (${told(header)}).`);
    return true;
  },
  restore: async ({ file, isPlan, ...given }) => {
    const options = { migrationsFolder, masterKeyId: keyIdOf(given.masterKey) };
    const reading = openFile(file);
    if (isPlan) {
      const { header, tables, migrations } = await planRestore(reading, options);
      say(`${file}: ${told(header)}.`);
      for (const { table, rows } of tables) say(`  ${table}: ${rows} ${rows === 1 ? 'row' : 'rows'}`);
      if (migrations.length > 0) say(`Then these migrations are applied: ${migrations.join(', ')}.`);
      return true;
    }
    const { databaseUrl, dataDir } = given;
    const restored = databaseUrl
      ? await withEngine(given, (engine) => restoreBackup(engine, reading, options))
      : await restoreFolder(dataDir, reading, options);
    say(`Restored ${restored.rows} rows of ${restored.tables} tables (${told(restored.header)}).`);
    if (restored.migrated.length > 0) say(`Applied then: ${restored.migrated.join(', ')}.`);
    const { masterKey } = restored.header;
    if (masterKey !== null && given.masterKey === undefined) {
      say(
        `Before you start it, set PORTOLAN_MASTER_KEY to the master key ${masterKey}: its secrets are sealed with it.`,
      );
    }
    return true;
  },
  check: async ({ file, ...given }) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'portolan-verified-'));
    try {
      const { header, rows } = await restoreFolder(dataDir, openFile(file), { migrationsFolder });
      if (!given.isJson) say(`${file}: ${told(header)}; ${rows} rows could be restored.`);
      return await verify({ ...given, dataDir, databaseUrl: undefined });
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  },
  verify,
};

async function verify(given: Omit<Given, 'file'>): Promise<boolean> {
  const { masterKey, isJson } = given;
  const checks = await withEngine(given, async (engine) => {
    const derived = derivedChecker(engine);
    try {
      const now = systemClock.now();
      return await verifyDatabase(engine, { migrationsFolder, masterKey, now, checkDerived: derived.check });
    } finally {
      await derived.close();
    }
  });
  const isRight = checks.every(({ status }) => status !== 'failed');
  if (isJson) say(JSON.stringify({ ok: isRight, checks }));
  else for (const check of checks) say(lineOf(check));
  return isRight;
}

const words = { ok: 'ok    ', failed: 'FAILED', unknown: '?     ' } as const;

function lineOf({ name, status, message }: DatabaseCheck): string {
  return `${words[status]}  ${name.padEnd(14)}  ${message}`;
}

function told({ release, engine, takenAt }: BackupHeader): string {
  return `taken ${takenAt} by release ${release} from ${engine}`;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function openFile(file: string): Readable {
  return file === '-' ? process.stdin : createReadStream(file);
}

function keyIdOf(masterKey: string | undefined): string | undefined {
  return masterKey === undefined ? undefined : masterKeyId(Buffer.from(masterKey, 'base64'));
}

function withEngine<T>(
  { databaseUrl, dataDir }: Pick<Given, 'databaseUrl' | 'dataDir'>,
  use: (engine: Engine) => Promise<T>,
): Promise<T> {
  return withOfflineEngine({ databaseUrl, dataDir, poolSize: 3, applicationName: 'portolan backup' }, use);
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      'data-dir': { type: 'string' },
      database: { type: 'boolean' },
      plan: { type: 'boolean' },
      json: { type: 'boolean' },
    },
  });
  const [verb = '', file = ''] = positionals;
  const dataDir = values['data-dir'];
  const named = dataDir === undefined ? {} : { PORTOLAN_DATA_DIR: dataDir };
  const config = readOfflineConfig({ ...process.env, ...named }, process.cwd());
  const given = {
    file,
    dataDir: config.dataDir,
    databaseUrl: values.database ? config.databaseUrl : undefined,
    masterKey: await findMasterKey(config),
    isPlan: values.plan === true,
    isJson: values.json === true,
  };
  const run = verbs[verb];
  if (!run) throw new BackupError(`"${verb}" is not known. There are: ${Object.keys(verbs).join(', ')}.`);
  try {
    process.exitCode = (await run(given)) ? 0 : 1;
  } catch (error) {
    throw explainFile(error, file || given.dataDir);
  }
}

// whoever reads our lines may have read enough
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

main().catch((error: unknown) => {
  process.stderr.write(`portolan: ${error instanceof BackupError ? error.message : explainStart(error)}\n`);
  process.exitCode = 1;
});
