import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startPostgres } from '../packages/server/test/database-server.ts';
import { fetchToken, type Replica, send, startReplica } from './harness/replicas.ts';
import { percentile } from './harness/statistics.ts';

/**
 * npm run rolling-restart -w @portolan/bench [-- --built]
 *
 * Three replicas are restarted in turn under load, behind a proxy that asks `/ready` every five seconds and repeats nothing.
 */
const isBuilt = process.argv.includes('--built');
const proxyPort = 4310;
const ports = [4311, 4312, 4313];
const probeMs = 5_000;
const callers = 8;
const pauseMs = 20;

const folder = await mkdtemp(join(tmpdir(), 'portolan-roll-'));
const postgres = await startPostgres({ isDurable: true });
const replicas = new Map<number, Replica>();
const ready = new Set<number>();
const agent = new Agent({ keepAlive: true });
let turn = 0;

/** Passes each request on once, to the replicas in turn that were ready when they were last asked. */
const proxy = createServer((asked, answer) => {
  const list = [...ready];
  turn += 1;
  const port = list[turn % Math.max(1, list.length)];
  if (port === undefined) return void answer.writeHead(502).end('no replica is ready');
  const passed = request(
    { host: '127.0.0.1', port, method: asked.method, path: asked.url, headers: asked.headers, agent },
    (from) => {
      const { connection: _connection, ...headers } = from.headers;
      answer.writeHead(from.statusCode ?? 502, headers);
      from.pipe(answer);
    },
  );
  passed.on('error', (error) => answer.writeHead(502).end(`replica ${port}: ${error.message}`));
  asked.pipe(passed);
});

const probe = async (): Promise<void> => {
  await Promise.all(
    ports.map(async (port) => {
      const isReady = await send(port, 'GET', '/ready').then(
        ({ status }) => status === 200,
        () => false,
      );
      if (isReady) ready.add(port);
      else ready.delete(port);
    }),
  );
};

const failures: string[] = [];
const latencies: number[] = [];
let isEnding = false;

async function call(token: string, caller: number): Promise<void> {
  for (let count = 0; !isEnding; count += 1) {
    const body = { identifier: `e-${caller}`, title: String(count) };
    const asked =
      count % 4 === 0
        ? send(proxyPort, 'POST', '/v1/blueprints/service/entities?upsert=true', { token, body })
        : send(proxyPort, 'GET', '/v1/blueprints/service', { token });
    await asked.then(
      ({ status, body: text, ms }) => {
        latencies.push(ms);
        if (status >= 300) failures.push(`${status} ${text.slice(0, 200)}`);
      },
      (error: Error) => failures.push(error.message),
    );
    await sleep(pauseMs);
  }
}

try {
  const start = async (port: number): Promise<void> =>
    void replicas.set(port, await startReplica(port, { databaseUrl: postgres.url, folder, isBuilt }));
  for (const port of ports) await start(port);
  await new Promise<void>((resolve) => proxy.listen(proxyPort, '127.0.0.1', resolve));
  await probe();
  const probing = setInterval(() => void probe(), probeMs);
  const token = await fetchToken(proxyPort);
  await send(proxyPort, 'POST', '/v1/blueprints', {
    token,
    body: { identifier: 'service', title: 'Service', schema: { properties: {} } },
  });
  const calling = Promise.all(Array.from({ length: callers }, (_, caller) => call(token, caller)));
  const stops: string[] = [];
  for (const port of ports) {
    await sleep(probeMs);
    const stopped = await replicas.get(port)?.stop();
    stops.push(`${((stopped?.ms ?? Number.NaN) / 1000).toFixed(1)} s (exit ${stopped?.code})`);
    await start(port);
    while (!ready.has(port)) await sleep(100);
  }
  isEnding = true;
  await calling;
  clearInterval(probing);
  console.log(`stops: ${stops.join(', ')}`);
  console.log(`requests: ${latencies.length}, p95 ${percentile(latencies, 0.95).toFixed(1)} ms`);
  console.log(`failed: ${failures.length}${failures.length > 0 ? `\n${failures.slice(0, 10).join('\n')}` : ''}`);
  process.exitCode = failures.length > 0 || latencies.length === 0 ? 1 : 0;
} finally {
  proxy.closeAllConnections();
  proxy.close();
  await Promise.all([...replicas.values()].map(({ child }) => child.exitCode === null && child.kill('SIGKILL')));
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}
process.exit();
