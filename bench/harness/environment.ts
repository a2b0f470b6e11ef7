import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { startPostgres } from '../../packages/server/test/database-server.ts';
import type { Pace } from '../mock-model.ts';
import { openConnection, requestBytes } from './http-connection.ts';
import { canPin, loadCore, pinSelf, type StartedProcess, serverCore, startNode } from './processes.ts';
import { credentials, fetchToken, liftQuotas, operatorToken } from './replicas.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Our server as `npm run build` makes it. */
export const builtServer = join(root, 'packages/server/dist/main.js');

/** What stands in a run: a PostgreSQL that syncs each commit to its disk, the mock model, the servers, and a token of ours. */
export interface Environment {
  readonly mock: StartedProcess;
  readonly ours: StartedProcess;
  /** Headers of a request to our server. */
  readonly headers: Readonly<Record<string, string>>;
  setPace(pace: Pace): Promise<void>;
  /** One of the programs beside `run.ts`, on the core of servers; started when it is first asked for. */
  startContender(file: string): Promise<StartedProcess>;
  /** Starts our server once more, with its own database or, without `DATABASE_URL`, the embedded engine. */
  startOurs(options: OursOptions): Promise<StartedProcess>;
  /** A token of the first organization of a server of ours, with its limits lifted. */
  headersFor(server: StartedProcess): Promise<Readonly<Record<string, string>>>;
  /** The address of a database of this run; whoever is first to use one of another's makes it. */
  databaseUrl(name: 'bench' | 'trivial' | 'dbos'): string;
  /** A folder for this run. */
  folder(name: string): string;
  close(): Promise<void>;
}

export interface OursOptions {
  readonly dataDir: string;
  /** Made if it is not there yet. */
  readonly database?: string;
  /** Settings beside those of the run. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The program of another build; that of the run unless told. */
  readonly serverMain?: string;
}

export interface EnvironmentOptions {
  /** The program of our server; the built one is built first if need be. */
  readonly serverMain: string;
  /** Arguments for the node of our server: `--cpu-prof` and the like. */
  readonly nodeArgs: readonly string[];
}

/** Builds the server, starts everything, and lifts the limits of the organization. */
export async function openEnvironment({ serverMain, nodeArgs }: EnvironmentOptions): Promise<Environment> {
  if (serverMain === builtServer) {
    execFileSync(process.execPath, [join(root, 'tools/start.mjs'), '--build-only'], { stdio: 'inherit' });
  }
  if (canPin()) pinSelf(loadCore);
  const run = await mkdtemp(join(tmpdir(), 'portolan-bench-'));
  const folder = (name: string): string => join(run, name);
  const logFile = folder('log');
  const postgres = await startPostgres({ isDurable: true });
  const started: StartedProcess[] = [];
  const keep = (one: StartedProcess): StartedProcess => {
    started.push(one);
    return one;
  };
  const program = (file: string): string[] => ['--import', 'tsx', join(root, 'bench', file)];
  const close = async (): Promise<void> => {
    await Promise.all(started.map((one) => one.stop()));
    await postgres.stop();
    await rm(run, { recursive: true, force: true, maxRetries: 3 });
  };
  try {
    const mock = keep(await startNode({ args: program('mock-model.ts'), core: loadCore, probe: '/', logFile }));
    const modelUrl = `http://127.0.0.1:${mock.port}/v1`;
    const startOurs: Environment['startOurs'] = async ({
      dataDir,
      database,
      settings,
      serverMain: other = serverMain,
    }) => {
      const env = {
        ...(database ? { DATABASE_URL: await createDatabase(postgres.url, database) } : {}),
        PORTOLAN_DATA_DIR: dataDir,
        PORTOLAN_DRAIN_SECONDS: '0',
        PORTOLAN_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
        PORTOLAN_OPERATOR_TOKEN: operatorToken,
        PORTOLAN_CLIENT_ID: credentials.clientId,
        PORTOLAN_CLIENT_SECRET: credentials.clientSecret,
        PORTOLAN_LLM_PROVIDER: 'openai-compatible',
        PORTOLAN_LLM_BASE_URL: modelUrl,
        ...settings,
      };
      const args = [...nodeArgs, '--enable-source-maps', other];
      return keep(await startNode({ args, env, core: serverCore, probe: '/health', logFile }));
    };
    const contenders = new Map<string, Promise<StartedProcess>>();
    const startProgram = async (file: string): Promise<StartedProcess> => {
      const env = { MODEL_URL: modelUrl, BENCH_DATABASE_URL: await createDatabase(postgres.url, 'trivial') };
      return keep(await startNode({ args: program(file), env, core: serverCore, probe: '/health', logFile }));
    };
    const ours = await startOurs({ dataDir: folder('data'), database: 'bench' });
    const token = await liftLimits(ours.port);
    return {
      mock,
      ours,
      headers: { authorization: `Bearer ${token}` },
      setPace: async (pace) => void (await fetchJson(mock.port, 'POST', '/pace', {}, pace)),
      startContender: (file) => {
        const known = contenders.get(file) ?? startProgram(file);
        contenders.set(file, known);
        return known;
      },
      startOurs,
      headersFor: async ({ port }) => ({ authorization: `Bearer ${await liftLimits(port)}` }),
      databaseUrl: (name) => databaseUrl(postgres.url, name),
      folder,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A token of the first organization, whose quotas are set so high that no run meets them. */
async function liftLimits(port: number): Promise<string> {
  await liftQuotas(port);
  return fetchToken(port);
}

/** One request outside any measurement. @throws Error for every status that is not a success */
export async function fetchJson(
  port: number,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: unknown,
): Promise<Record<string, unknown>> {
  const connection = await openConnection(port);
  try {
    const answer = await connection.send(requestBytes(method, path, { headers, body }));
    const text = answer.body.toString('utf8');
    if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
    return JSON.parse(text) as Record<string, unknown>;
  } finally {
    connection.close();
  }
}

async function createDatabase(serverUrl: string, name: string): Promise<string> {
  const admin = new pg.Client({ connectionString: serverUrl });
  await admin.connect();
  try {
    const { rowCount } = await admin.query('select 1 from pg_database where datname = $1', [name]);
    if (rowCount === 0) await admin.query(`create database ${name} encoding 'UTF8' template template0`);
  } finally {
    await admin.end();
  }
  return databaseUrl(serverUrl, name);
}

function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}
