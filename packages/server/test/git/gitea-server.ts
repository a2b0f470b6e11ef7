import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';

/** A Gitea of its own on loopback, with an administrator. */
export interface GiteaServer {
  readonly url: string;
  readonly token: string;
  /** Calls its API; fails for any status but 2xx. */
  call<Answer = unknown>(method: string, path: string, body?: unknown): Promise<Answer>;
  stop(): Promise<void>;
}

const run = promisify(execFile);
const startMs = 60_000;

/** Starts the program that `PORTOLAN_TEST_GITEA` names, with its templates. */
export async function startGitea(): Promise<GiteaServer> {
  const { binary, files } = JSON.parse(process.env['PORTOLAN_TEST_GITEA'] ?? '{}') as {
    binary?: string;
    files?: string;
  };
  if (!binary || !files || !existsSync(binary)) {
    throw new Error('There is no Gitea to test with. Run "npm test -- --only gitea", which builds one first.');
  }
  const folder = mkdtempSync(join(tmpdir(), 'portolan-gitea-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const config = join(folder, 'app.ini');
  mkdirSync(join(folder, 'data'));
  writeFileSync(config, settings(folder, files, port, url));
  const environment = { ...process.env, GITEA_WORK_DIR: folder, USER: process.env['USER'] ?? 'root', ...asRoot };
  const server = spawn(binary, ['web', '-c', config], { env: environment, stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  const stop = async (): Promise<void> => {
    server.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await untilReady(url, ended);
    const user = ['--username', 'boss', '--password', 'Passw0rd!x', '--email', 'boss@acme.example'];
    const rights = ['--admin', '--must-change-password=false', '--access-token', '--access-token-scopes', 'all'];
    const made = await run(
      binary,
      ['admin', 'user', 'create', '-c', config, ...user, ...rights, '--access-token-name', 't'],
      {
        env: environment,
      },
    );
    const token = /\b[0-9a-f]{40}\b/.exec(made.stdout + made.stderr)?.[0];
    if (!token) throw new Error(`Gitea made no token: ${made.stdout}${made.stderr}`);
    return { url, token, call: (method, path, body) => call(url, token, method, path, body), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** It refuses to run as root, which containers do, unless told in these words. */
const asRoot = { GITEA_I_AM_BEING_UNSAFE_RUNNING_AS_ROOT: 'true' };

function settings(folder: string, files: string, port: number, url: string): string {
  return `RUN_MODE = prod
WORK_PATH = ${folder}
[server]
STATIC_ROOT_PATH = ${files}
HTTP_ADDR = 127.0.0.1
HTTP_PORT = ${port}
ROOT_URL = ${url}/
DISABLE_SSH = true
OFFLINE_MODE = true
[database]
DB_TYPE = sqlite3
PATH = ${folder}/data/gitea.db
[repository]
ROOT = ${folder}/repositories
DEFAULT_BRANCH = main
[security]
INSTALL_LOCK = true
SECRET_KEY = only-for-tests-only-for-tests-only
[webhook]
ALLOWED_HOST_LIST = loopback
[indexer]
ISSUE_INDEXER_TYPE = db
[actions]
ENABLED = false
[cron]
ENABLED = false
[log]
LEVEL = Error
`;
}

async function call<Answer>(url: string, token: string, method: string, path: string, body: unknown): Promise<Answer> {
  const answer = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: { authorization: `token ${token}`, 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`Gitea answers ${answer.status} for ${method} ${path}: ${text}`);
  return (text ? JSON.parse(text) : undefined) as Answer;
}

async function untilReady(url: string, ended: Promise<void>): Promise<void> {
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  const until = performance.now() + startMs;
  while (performance.now() < until && !isOver) {
    const answer = await fetch(`${url}/api/v1/version`).catch(() => undefined);
    if (answer?.ok) return;
    await wait(100);
  }
  throw new Error('Gitea did not start');
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as { port: number };
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
