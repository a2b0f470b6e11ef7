import { createReadStream, existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readOfflineConfig } from './config.ts';
import { explainStart } from './explain-start.ts';
import {
  BackupError,
  type Change,
  explainFile,
  exportOrganization,
  exportOrganizationFile,
  freezeOrganization,
  importOrganization,
  thawOrganization,
  verifyOrganizationFile,
} from './modules/backups/index.ts';
import { connectorSealedColumns } from './modules/connectors/index.ts';
import { identitySealedColumns } from './modules/identity/index.ts';
import { webhookSealedColumns } from './modules/integrations/index.ts';
import { signInSealedColumns } from './modules/sign-in/index.ts';
import { sourceSealedColumns } from './modules/sources/index.ts';
import { withOfflineEngine } from './offline-engine.ts';
import { systemClock } from './platform/clock.ts';
import type { Engine } from './platform/db/engine.ts';
import { findMasterKey } from './secrets.ts';

/**
 * What `portolan org export`, `import`, `verify`, `freeze` and `thaw` do, with a database that servers may have open if it is PostgreSQL. The
 * command line starts this program; the database is named by DATABASE_URL, so that its password does not stand in the list of
 * processes.
 */
const sealedColumns = [
  ...identitySealedColumns,
  ...signInSealedColumns,
  ...webhookSealedColumns,
  ...sourceSealedColumns,
  ...connectorSealedColumns,
];

interface Given {
  readonly subject: string;
  readonly to: string;
  readonly passphrase: string | undefined;
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly masterKey: string | undefined;
  readonly isPlan: boolean;
  readonly isFreeze: boolean;
  readonly isJson: boolean;
}

const verbs: Readonly<Record<string, (given: Given) => Promise<void>>> = {
  export: async (given) => {
    const options = { ...moveOptions(given), orgId: given.subject, takenAt: systemClock.now() };
    const { header, rows, changes } = await withEngine(given, async (engine) => {
      const orgId = given.subject;
      const { wasFrozen } = given.isFreeze ? await freezeOrganization(engine, { orgId }) : { wasFrozen: true };
      try {
        return given.to === '-'
          ? await exportOrganization(engine, () => process.stdout, options)
          : await exportOrganizationFile(engine, given.to, options);
      } catch (error) {
        // nobody has a file of it, so it goes on here
        if (!wasFrozen) await thawOrganization(engine, orgId);
        throw error;
      }
    });
    // the file itself goes to stdout
    const tell = given.to === '-' ? warn : say;
    if (given.isJson) return tell(JSON.stringify({ organization: header.organization, rows, changes }));
    tell(`Exported ${rows} rows of ${header.organization.name} (${given.subject}) as of ${header.takenAt}.`);
    for (const change of changes) tell(lineOf(change));
    tell(
      given.isFreeze
        ? `It takes no changes here until you delete it (portolan org delete) or thaw it (portolan org thaw).`
        : 'What is written to it from now on is not in the file; --freeze has it take no changes.',
    );
  },
  freeze: async (given) => {
    await withEngine(given, (engine) => freezeOrganization(engine, { orgId: given.subject }));
    say(
      given.isJson
        ? JSON.stringify({ frozen: given.subject })
        : `${given.subject} takes no changes until it is thawed.`,
    );
  },
  thaw: async (given) => {
    await withEngine(given, (engine) => thawOrganization(engine, given.subject));
    say(given.isJson ? JSON.stringify({ thawed: given.subject }) : `${given.subject} takes changes again.`);
  },
  import: async (given) => {
    await requireFile(given.subject);
    const { header, tables, rows, changes } = await withEngine(given, (engine) =>
      importOrganization(engine, () => createReadStream(given.subject), {
        ...moveOptions(given),
        isPlan: given.isPlan,
      }),
    );
    const { organization, takenAt } = header;
    if (given.isJson) return say(JSON.stringify({ organization, tables, rows, changes, isPlan: given.isPlan }));
    const done = given.isPlan ? 'Could import' : 'Imported';
    say(`${done} ${rows} rows of ${organization.name} (${organization.id}) as of ${takenAt}, in ${tables} tables.`);
    if (changes.length > 0) say('What to do now, or to know:');
    for (const change of changes) say(lineOf(change));
  },
  verify: async ({ subject, passphrase, isJson }) => {
    await requireFile(subject);
    const { header, tables, sha256 } = await verifyOrganizationFile(createReadStream(subject), passphrase);
    const { organization, takenAt, release } = header;
    const isProved = passphrase !== undefined;
    if (isJson) return say(JSON.stringify({ organization, takenAt, release, tables, sha256, isProved }));
    say(`${subject}: ${organization.name} (${organization.id}) as of ${takenAt}, by release ${release}.`);
    for (const { table, rows } of tables) say(`  ${table}: ${rows} ${rows === 1 ? 'row' : 'rows'}`);
    say(`The file is whole; its rows have the checksum ${sha256}.`);
    if (!isProved) say('Who wrote it was not looked at: give --passphrase-file for that.');
  },
};

function moveOptions({ passphrase, masterKey }: Given) {
  if (passphrase === undefined) throw new BackupError('Give the passphrase of the file: --passphrase-file <file>.');
  return { passphrase, masterKey, sealedColumns };
}

function lineOf({ count, message }: Change): string {
  return `  ${count} ${message}`;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function warn(line: string): void {
  process.stderr.write(`${line}\n`);
}

async function requireFile(path: string): Promise<void> {
  const found = await stat(path).catch((error: unknown) => {
    throw explainFile(error, path);
  });
  if (!found.isFile()) throw new BackupError(`${path} is no file. Name a file: it is read twice.`);
}

async function readPassphrase(path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw explainFile(error, path);
  });
  return text.trim();
}

/** @throws BackupError for a data folder without a database: none is made */
async function withEngine<T>(
  { databaseUrl, dataDir }: Pick<Given, 'databaseUrl' | 'dataDir'>,
  use: (engine: Engine) => Promise<T>,
): Promise<T> {
  if (!databaseUrl && !existsSync(join(dataDir, 'db'))) {
    throw new BackupError(`${dataDir} has no database. Name another folder, or start Portolan with it once.`);
  }
  return withOfflineEngine({ databaseUrl, dataDir, poolSize: 2, applicationName: 'portolan org' }, use);
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      to: { type: 'string' },
      'passphrase-file': { type: 'string' },
      'data-dir': { type: 'string' },
      database: { type: 'boolean' },
      'dry-run': { type: 'boolean' },
      freeze: { type: 'boolean' },
      json: { type: 'boolean' },
    },
  });
  const [verb = '', subject = ''] = positionals;
  const run = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
  if (!run) throw new BackupError(`"${verb}" is not known. There are: ${Object.keys(verbs).join(', ')}.`);
  const dataDir = values['data-dir'];
  const named = dataDir === undefined ? {} : { PORTOLAN_DATA_DIR: dataDir };
  const config = readOfflineConfig({ ...process.env, ...named }, process.cwd());
  await run({
    subject,
    to: values.to ?? '',
    passphrase: await readPassphrase(values['passphrase-file']),
    dataDir: config.dataDir,
    databaseUrl: values.database ? config.databaseUrl : undefined,
    masterKey: await findMasterKey(config),
    isPlan: values['dry-run'] === true,
    isFreeze: values.freeze === true,
    isJson: values.json === true,
  });
}

main().catch((error: unknown) => {
  warn(`portolan: ${error instanceof BackupError ? error.message : explainStart(error)}`);
  process.exitCode = 1;
});
