import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { top } from '../lib/source-files.ts';

// What somebody gets who has no clone: the packed file, installed into an empty folder. Tests run in the order written.

const run = promisify(execFile);
const running = new Set<ChildProcess>();
let folder = '';

const installed = () => join(folder, 'node_modules/portolan');
/** The settings and keys of whoever runs this must not decide what is checked. */
const environment = {
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  PORT: '0',
  PORTOLAN_DEMO: '0',
  PORTOLAN_DRAIN_SECONDS: '0',
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'portolan-installed-'));
  const { stdout } = await run(process.execPath, [join(top, 'tools/package.mjs')], { cwd: top });
  const file = /^output\/(\S+\.tgz):/m.exec(stdout)?.[1] ?? '';
  const quiet = ['--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund', '--prefer-offline'];
  await run('npm', ['install', ...quiet, join(top, 'output', file)], { cwd: folder });
});

afterAll(() => {
  for (const child of running) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** What is in the package, and nothing else. Names with a hash or a number are patterns. */
const contents = [
  'LICENSE',
  'NOTICE',
  'README.md',
  'THIRD-PARTY-LICENSES.txt',
  'bin/portolan.mjs',
  /^docs\/(guides|reference|reference\/errors)\/[A-Za-z0-9_-]+\.md$/,
  'docs/reference/errors/README.md',
  'docs/reference/openapi.json',
  'package.json',
  /^packages\/cli\/dist\/[A-Za-z0-9_-]+\.js$/,
  'packages/cli/dist/main.js',
  /^packages\/portal\/dist\/assets\/[\w.-]+\.(js|css|woff2|json)(\.br|\.gz)?$/,
  /^packages\/portal\/dist\/(index\.html|preloads\.json|\.vite\/manifest\.json)$/,
  /^packages\/server\/data\/(packs|source-types)\/[\w./-]+$/,
  /^packages\/server\/demo\/([a-z-]+\.jsonl|README\.md)$/,
  /^packages\/server\/dist\/[\w.-]+\.js$/,
  'packages/server/dist/embedded-worker.js',
  'packages/server/dist/main.js',
  'packages/server/dist/worker.js',
  /^packages\/server\/migrations\/\d{4}-[a-z0-9-]+\.sql$/,
  'sbom.cdx.json',
];

test('the package holds the product, its guides and its bill of materials, and nothing else', () => {
  const entries = readdirSync(installed(), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map(({ parentPath, name }) =>
    relative(installed(), join(parentPath, name)).split(sep).join('/'),
  );
  const isNamed = (path: string) =>
    contents.some((each) => (typeof each === 'string' ? each === path : each.test(path)));
  expect(paths.filter((path) => !isNamed(path))).toEqual([]);
  const isThere = (each: string | RegExp) =>
    paths.some((path) => (typeof each === 'string' ? each === path : each.test(path)));
  expect(contents.filter((each) => !isThere(each)).map(String)).toEqual([]);
});

test('only what cannot be bundled is installed beside it, and nothing with an install script', () => {
  const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { hasInstallScript?: boolean; optional?: boolean }>;
  };
  const required = Object.entries(lock.packages).filter(([path, { optional }]) => path !== '' && !optional);
  expect(required.map(([path]) => path.replace('node_modules/', '')).sort()).toEqual([
    '@electric-sql/pglite',
    '@node-rs/argon2',
    'portolan',
  ]);
  expect(Object.values(lock.packages).filter(({ hasInstallScript }) => hasInstallScript)).toEqual([]);
});

test('it starts in an empty folder, signs in, takes an entity, passes doctor and has the entity after a second start', async () => {
  const first = await start();
  const secrets = JSON.parse(readFileSync(join(folder, '.portolan/secrets.json'), 'utf8')) as Record<string, string>;
  expect((await fetch(first.address, { headers: { accept: 'text/html' } })).status).toBe(200);
  const signedIn = await send(first.address, '/v1/auth/sign-in', {
    email: secrets['adminEmail'],
    password: secrets['adminPassword'],
  });
  expect(signedIn.status).toBeLessThan(300);
  const token = await accessToken(first.address, secrets);
  const blueprint = { identifier: 'service', title: 'Service', schema: { properties: {} } };
  expect((await send(first.address, '/v1/blueprints', blueprint, token)).status).toBe(201);
  const upsert = '/v1/blueprints/service/entities?upsert=true';
  expect((await send(first.address, upsert, { identifier: 'checkout', title: 'Checkout' }, token)).ok).toBe(true);
  const doctor = await run(command(), ['doctor', '--url', first.address], { cwd: folder, env: environment });
  expect(doctor.stdout).not.toContain('FAILED');
  await stop(first.child);

  const second = await start();
  const again = await accessToken(second.address, secrets);
  const read = await fetch(`${second.address}/v1/blueprints/service/entities/checkout`, {
    headers: { authorization: `Bearer ${again}` },
  });
  expect(await read.json()).toMatchObject({ entity: { identifier: 'checkout', title: 'Checkout' } });
  await stop(second.child);
});

test('with nothing named and no terminal it says what there is, and does not start', async () => {
  const call = run(command(), [], { cwd: folder, env: environment });
  await expect(call).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('Usage: portolan <command>') });
});

function command(): string {
  return join(folder, 'node_modules/.bin/portolan');
}

async function start(): Promise<{ readonly child: ChildProcess; readonly address: string }> {
  const child = spawn(command(), ['start'], { cwd: folder, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  let said = '';
  return new Promise((resolve, reject) => {
    const hear = (chunk: Buffer): void => {
      said += chunk.toString();
      const address = /Portolan is running at (\S+)/.exec(said)?.[1];
      if (address) resolve({ child, address });
    };
    child.stdout?.on('data', hear);
    child.stderr?.on('data', hear);
    child.on('close', () => reject(new Error(`It ended before it was ready:\n${said}`)));
  });
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, 'close');
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  running.delete(child);
}

function send(address: string, path: string, body: object, token?: string): Promise<Response> {
  return fetch(`${address}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
    body: JSON.stringify(body),
  });
}

async function accessToken(address: string, secrets: Record<string, string>): Promise<string> {
  const { clientId, clientSecret } = secrets;
  const answer = await send(address, '/v1/auth/access_token', { clientId, clientSecret });
  return ((await answer.json()) as { accessToken: string }).accessToken;
}
