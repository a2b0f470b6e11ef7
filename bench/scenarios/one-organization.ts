import pg from 'pg';
import type { Environment } from '../harness/environment.ts';
import { requestBytes } from '../harness/http-connection.ts';
import { type Contender, compare, type Load, throughputRatio } from '../harness/load.ts';
import type { Finding } from '../harness/table.ts';
import { compareLedgers } from './one-organization.ledgers.ts';
import type { Scenario } from './scenario.ts';
import { formatNote } from './streams.ts';

const callers = 50;
/** The `packages/server/dist/main.js` of an older build, measured in the same rounds. */
const older = process.env['PORTOLAN_BENCH_BEFORE'];
const short = { firstMs: 0, gapMs: 0, tokens: 1 };

/**
 * Short streams that all belong to one organization: how much of the throughput is left when each start and each end
 * waits for the disk, against the same server whose commits do not wait. Then the same without server and streams: bare
 * transactions that are counted in themselves, beside themselves, and not at all.
 */
export const oneOrganization: Scenario = {
  name: 'one-organization',
  async run(environment, size) {
    await environment.setPace(short);
    const contenders = [
      await streaming(environment, 'ours, commits not awaited', 'relaxed', {}),
      await streaming(environment, 'ours', 'durable', {}),
      ...(older ? [await streaming(environment, 'before', 'older', { serverMain: older })] : []),
    ];
    const loads = await compare(contenders, { ...size, connections: callers });
    const [relaxed] = loads as [Load];
    const path = `${callers} streams of one organization`;
    return [
      ...loads.map(
        (load): Finding => ({
          path,
          contender: load.name,
          figure: 'streams per second',
          value: load.perSecond,
          unit: '/s',
          ...(load === relaxed ? {} : { ratio: throughputRatio(relaxed, load) }),
          ...(load.name === 'ours' ? { budget: { of: 'ratio', least: 0.8 } } : {}),
          note: `${formatNote(load)}, ${load.cpuMs.toFixed(1)} ms CPU`,
        }),
      ),
      ...(await compareLedgers(environment.databaseUrl('bench'), callers, size)),
    ];
  },
};

async function streaming(
  environment: Environment,
  name: string,
  database: string,
  build: { readonly serverMain?: string },
): Promise<Contender> {
  const settings = { PORTOLAN_DEMO: '0' };
  const server = await environment.startOurs({ dataDir: environment.folder(database), database, settings, ...build });
  const headers = await environment.headersFor(server);
  if (database === 'relaxed') await relaxCommits(environment, database);
  const request = requestBytes('POST', '/v1/ai/invoke', { headers, body: { userPrompt: 'How are you?' } });
  return {
    name,
    server,
    async operate(connection) {
      const { text } = await connection.stream(request, /event: execution/);
      if (!text.includes('"status":"Completed"')) throw new Error(`${name} gave a broken stream:\n${text}`);
    },
  };
}

/** Sessions that are open already keep waiting for the disk, so they are ended. */
async function relaxCommits(environment: Environment, database: string): Promise<void> {
  const client = await openClient(environment);
  await client.query(`alter database ${database} set synchronous_commit = off`);
  await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [database]);
  await client.end();
}

async function openClient(environment: Environment): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: environment.databaseUrl('bench') });
  await client.connect();
  return client;
}
