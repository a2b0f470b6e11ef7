import { statfs } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readOfflineConfig } from './config.ts';
import { explainStart } from './explain-start.ts';
import { openEmbeddedEngine } from './platform/db/embedded-engine.ts';
import type { Engine } from './platform/db/engine.ts';
import { migrate } from './platform/db/migrate.ts';
import { openPostgresEngine } from './platform/db/postgres-engine.ts';
import { release } from './platform/release.ts';
import { StartError } from './platform/start-error.ts';
import { planUpgrade } from './platform/upgrade/plan-upgrade.ts';
import { rehearseUpgrade } from './platform/upgrade/rehearse-upgrade.ts';
import { applicationName } from './platform/upgrade/upgrade.store.ts';
import { planText, rehearsalText } from './platform/upgrade/upgrade-text.ts';

/**
 * What `portolan upgrade` does, by the release that is to come. The command line starts this program; the database is named by
 * DATABASE_URL, so that its password does not stand in the list of processes.
 */
const migrationsFolder = fileURLToPath(new URL('../migrations', import.meta.url));

/** Exit codes of `check`, documented in docs/guides/upgrade.md. */
const codes = { rolling: 0, stop: 3, refused: 4 } as const;

const verbs: Readonly<Record<string, (engine: Engine, isJson: boolean, freeBytes: number | null) => Promise<number>>> =
  {
    check: async (engine, isJson, freeBytes) => {
      const plan = await planUpgrade(engine, migrationsFolder, release, freeBytes);
      say(isJson ? `${JSON.stringify(plan)}\n` : planText(plan));
      return codes[plan.verdict];
    },
    rehearse: async (engine, isJson) => {
      const migrations = await rehearseUpgrade(engine, migrationsFolder, release);
      say(isJson ? `${JSON.stringify({ release, migrations })}\n` : rehearsalText(migrations));
      return 0;
    },
    finish: async (engine, isJson) => {
      const applied = await migrate(engine, migrationsFolder, { isFinish: true });
      if (isJson) say(`${JSON.stringify({ release, applied })}\n`);
      else say(applied.length > 0 ? `Applied: ${applied.join(', ')}.\n` : 'Nothing was left to apply.\n');
      return 0;
    },
  };

function say(text: string): void {
  process.stdout.write(text);
}

async function readFree(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      'data-dir': { type: 'string' },
      database: { type: 'boolean' },
      free: { type: 'string' },
      json: { type: 'boolean' },
    },
  });
  const run = verbs[positionals[0] ?? ''];
  if (!run) throw new StartError(`"${positionals[0] ?? ''}" is not known. There are: ${Object.keys(verbs).join(', ')}`);
  const dataDir = values['data-dir'];
  const named = dataDir === undefined ? {} : { PORTOLAN_DATA_DIR: dataDir };
  const config = readOfflineConfig({ ...process.env, ...named }, process.cwd());
  // whoever builds an index for long is not ended for it
  const statementTimeoutMs = 24 * 60 * 60 * 1000;
  const url = values.database ? config.databaseUrl : undefined;
  const free = values.free === undefined ? undefined : Number(values.free);
  const engine =
    url !== undefined
      ? await openPostgresEngine({
          connectionString: url,
          poolSize: 3,
          applicationName,
          statementTimeoutMs,
        })
      : await openEmbeddedEngine({ dataDir: config.dataDir, statementTimeoutMs });
  try {
    process.exitCode = await run(engine, values.json === true, free ?? (url ? null : await readFree(config.dataDir)));
  } finally {
    await engine.close();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`portolan: ${explainStart(error)}\n`);
  process.exitCode = 1;
});
