import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { freePort } from './harness/processes.ts';
import { newOrganization, send, startReplica } from './harness/replicas.ts';

/** Load of several organizations on one process of the product, over the database in DATABASE_URL. See docs/guides/scaling.md. */
const { values } = parseArgs({
  options: {
    organizations: { type: 'string', default: '10' },
    entities: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '20' },
    built: { type: 'boolean' },
  },
});
const [organizations, entities, seconds] = [values.organizations, values.entities, values.seconds].map(Number) as [
  number,
  number,
  number,
];
const databaseUrl = process.env['DATABASE_URL'];
if (!databaseUrl) throw new Error('Set DATABASE_URL.');

const folder = await mkdtemp(join(tmpdir(), 'portolan-organizations-'));
const port = await freePort();
const replica = await startReplica(port, { databaseUrl, folder, isBuilt: values.built === true });

/** One request that must succeed. */
async function sendWell(token: string, method: string, path: string, body?: unknown): Promise<void> {
  const answer = await send(port, method, path, { token, body });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.body.slice(0, 300)}`);
}

async function prepare(index: number): Promise<string> {
  const accessToken = await newOrganization(port, `Organization ${index}`);
  const properties = { language: { type: 'string' } };
  await sendWell(accessToken, 'POST', '/v1/blueprints', {
    identifier: 'service',
    title: 'Service',
    schema: { properties },
  });
  for (let first = 0; first < entities; first += 20) {
    const rows = Array.from({ length: 20 }, (_, at) => entity(first + at, 'go'));
    await sendWell(accessToken, 'POST', '/v1/blueprints/service/entities/bulk', { entities: rows });
  }
  return accessToken;
}

function entity(index: number, language: string) {
  return { identifier: `s-${index}`, title: `Service ${index}`, properties: { language } };
}

const base = '/v1/blueprints/service/entities';
const kinds: Readonly<Record<string, (token: string, at: number) => Promise<unknown>>> = {
  'point read': (token, at) => sendWell(token, 'GET', `${base}/s-${at}`),
  'page of 20': (token) => sendWell(token, 'GET', `${base}?limit=20`),
  write: (token, at) => sendWell(token, 'POST', `${base}?upsert=true`, entity(at, `v${Math.random()}`)),
};

try {
  const tokens: string[] = [];
  for (let index = 0; index < organizations; index += 1) tokens.push(await prepare(index));
  for (const [kind, run] of Object.entries(kinds)) {
    const times: number[] = [];
    const endMs = performance.now() + seconds * 1_000;
    const cpu = process.cpuUsage();
    await Promise.all(
      tokens.map(async (token) => {
        while (performance.now() < endMs) {
          const begunMs = performance.now();
          await run(token, Math.floor(Math.random() * entities));
          times.push(performance.now() - begunMs);
        }
      }),
    );
    times.sort((a, b) => a - b);
    const at = (part: number): string => (times[Math.floor(times.length * part)] ?? 0).toFixed(1);
    const own = process.cpuUsage(cpu).user / 1e6 / seconds;
    const line = `${(times.length / seconds).toFixed(0)} /s, p50 ${at(0.5)}, p95 ${at(0.95)} ms`;
    process.stdout.write(`${kind}: ${line} (sending took ${own.toFixed(2)} cores)\n`);
  }
} finally {
  await replica.stop();
  await rm(folder, { recursive: true, force: true });
}
