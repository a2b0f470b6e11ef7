import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { takeBackup } from '../src/modules/backups/index.ts';
import { openPostgresEngine } from '../src/platform/db/postgres-engine.ts';
import { startPostgres } from './database-server.ts';
import { type RecordedAnswer, readPaths, releaseCredentials, seeds } from './release-data.ts';

/**
 * npx tsx --conditions=portolan-source packages/server/test/record-release-data.ts --release <built checkout> --port <free port>
 *
 * Has a release fill a database over its API, and keeps the database and what the release answers in `data/`, for
 * `release-data.int.test.ts`. Done once for a release whose data must stay readable.
 */
const { values } = parseArgs({ options: { release: { type: 'string' }, port: { type: 'string', default: '4350' } } });
if (values.release === undefined) throw new Error('Say which release: --release <built checkout>');
const checkout = resolve(values.release);
const url = `http://127.0.0.1:${values.port}`;
const folder = await mkdtemp(join(tmpdir(), 'portolan-release-'));
const postgres = await startPostgres();
const child = spawn(process.execPath, [join(checkout, 'packages/server/dist/main.js')], {
  cwd: checkout,
  env: {
    PATH: process.env['PATH'],
    PORT: values.port,
    DATABASE_URL: postgres.url,
    PORTOLAN_DATA_DIR: folder,
    PORTOLAN_PUBLIC_URL: 'http://127.0.0.1:3000',
    PORTOLAN_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    PORTOLAN_OPERATOR_TOKEN: 'operator-token-of-the-record',
    PORTOLAN_CLIENT_ID: releaseCredentials.clientId,
    PORTOLAN_CLIENT_SECRET: releaseCredentials.clientSecret,
    PORTOLAN_ADMIN_PASSWORD: 'correct horse battery',
    PORTOLAN_DEMO: '0',
    PORTOLAN_LLM_PROVIDER: 'built-in',
    PORTOLAN_ALLOW_PRIVATE_NETWORK: '1',
    PORTOLAN_LOG_LEVEL: 'warn',
  },
  stdio: ['ignore', 'ignore', 'inherit'],
});

/** Without what moves by being read. */
function writeLine(answer: RecordedAnswer): string {
  return `${JSON.stringify(answer, (key, value) => (key === 'lastUsedAt' ? undefined : value))}\n`;
}

const ask = async (method: string, path: string, body?: unknown, token?: string) => {
  const answer = await fetch(url + path, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text };
};

try {
  for (let tries = 0; (await ask('GET', '/ready').catch(() => undefined))?.status !== 200; tries += 1) {
    if (tries > 300) throw new Error('The release did not start');
    await new Promise((done) => setTimeout(done, 100));
  }
  const { accessToken } = (await ask('POST', '/v1/auth/access_token', releaseCredentials)).body;
  for (const [method, path, body] of seeds) {
    const answer = await ask(method, path, body, accessToken);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  }
  // jobs and what they change have ended
  await new Promise((done) => setTimeout(done, 8_000));
  const document = (await ask('GET', '/openapi.json')).body;
  const recorded: RecordedAnswer[] = [];
  for (const path of readPaths(document)) {
    const { status, body } = await ask('GET', path, undefined, accessToken);
    if (status === 200 && typeof body === 'object') recorded.push({ path, body });
    else process.stdout.write(`not recorded: ${path} (${status})\n`);
  }
  const ended = new Promise((done) => child.once('exit', done));
  child.kill('SIGINT');
  await ended;
  const engine = await openPostgresEngine({ connectionString: postgres.url, poolSize: 2 });
  const name = (
    await engine.connect().then(async (connection) => {
      const { rows } = await connection.query('select max(name) as name from schema_migrations');
      connection.release();
      return String(rows[0]?.['name']);
    })
  ).slice(0, 4);
  const into = fileURLToPath(new URL(`data/release-${name}`, import.meta.url));
  const file = createWriteStream(`${into}.ptb`);
  await takeBackup(engine, file, new Date());
  await engine.close();
  await writeFile(`${into}.ndjson`, recorded.map(writeLine).join(''));
  process.stdout.write(`${recorded.length} answers and the database in ${into}\n`);
} finally {
  child.kill('SIGKILL');
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}
process.exit();
