import { parseArgs } from 'node:util';
import { readOfflineConfig } from './config.ts';
import { explainStart } from './explain-start.ts';
import { openPostgresEngine } from './platform/db/postgres-engine.ts';
import { distribute, readDistribution } from './platform/distribution/distribute.ts';
import { distributionText } from './platform/distribution/distribution-text.ts';
import { StartError } from './platform/start-error.ts';
import { applicationName } from './platform/upgrade/upgrade.store.ts';

/**
 * What `portolan distribute` does. The command line starts this program; the database is named by DATABASE_URL, so that its
 * password does not stand in the list of processes.
 */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { json: { type: 'boolean' } } });
  const config = readOfflineConfig({ ...process.env }, process.cwd());
  if (!config.databaseUrl) throw new StartError('Only a PostgreSQL database with Citus can be distributed.');
  const engine = await openPostgresEngine({
    connectionString: config.databaseUrl,
    poolSize: 2,
    applicationName,
    // moving a table takes as long as its rows do
    statementTimeoutMs: 24 * 60 * 60 * 1000,
  });
  try {
    const isApply = positionals[0] === 'apply';
    const found = await (isApply ? distribute(engine) : readDistribution(engine));
    process.stdout.write(values.json ? `${JSON.stringify(found)}\n` : distributionText(found, isApply));
  } finally {
    await engine.close();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`portolan: ${explainStart(error)}\n`);
  process.exitCode = 1;
});
