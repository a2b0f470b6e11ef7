import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { decodeEventStream } from '../packages/contract/src/invocation-stream-decoder.ts';
import { startBalancer } from '../packages/server/test/balancer.ts';
import { startPostgres } from '../packages/server/test/database-server.ts';
import { startMockModelServer } from '../packages/server/test/mock-model-server.ts';
import { fetchToken, type Replica, send, startReplica } from './harness/replicas.ts';
import { percentile } from './harness/statistics.ts';

/**
 * npm run roll -w @portolan/bench -- --before <built checkout of the release before> [--built] [--port 4330] [--streams 4]
 *
 * Three replicas of the release before are replaced one by one by this one, under reads, writes and event streams, behind a balancer
 * that passes connections on, asks `/ready` every two seconds and repeats nothing. Prints what failed; ends with 1 if anything did.
 */
const { values } = parseArgs({
  args: process.argv.slice(2).filter((word) => word !== '--'),
  options: {
    before: { type: 'string' },
    built: { type: 'boolean', default: false },
    port: { type: 'string', default: '4330' },
    streams: { type: 'string', default: '4' },
  },
});
if (values.before === undefined) throw new Error('Say where the release before is: --before <built checkout>');
const before = resolve(process.env['INIT_CWD'] ?? process.cwd(), values.before);
const firstPort = Number(values.port);
const probeMs = 2_000;
const callers = 6;
const pauseMs = 50;

const folder = await mkdtemp(join(tmpdir(), 'portolan-roll-'));
const postgres = await startPostgres({ isDurable: true });
const model = await startMockModelServer();
model.respondWith(() => ({ text: Array.from({ length: 12 }, (_, index) => `Word ${index}. `), gapMs: 250 }));
const balancer = await startBalancer(probeMs);
const balancerPort = Number(new URL(balancer.url).port);
const replicas: Replica[] = [];
const failures: string[] = [];
const latencies: number[] = [];
const written: string[] = [];
let streams = 0;
let resumed = 0;
let isEnding = false;
let phase = 'before';

const fail = (what: string): void => void failures.push(`${phase}: ${what}`);

/** A request over the kept-alive connection of the agent, not repeated whatever becomes of it. */
function open(
  agent: Agent,
  token: string,
  method: string,
  path: string,
  body?: unknown,
  more = {},
): Promise<IncomingMessage> {
  return new Promise((done, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...more };
    const asked = request({ host: '127.0.0.1', port: balancerPort, agent, method, path, headers }, done);
    asked.on('error', reject);
    asked.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

async function call(token: string, caller: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (let count = 0; !isEnding; count += 1) {
    const identifier = `e-${caller}-${count}`;
    const kinds = [
      ['POST', '/v1/blueprints/service/entities', { identifier, title: `Entity ${count}` }],
      ['GET', '/v1/blueprints/service'],
      ['GET', '/v1/blueprints/service/entities?limit=20'],
      ['POST', '/v1/blueprints/service/entities?upsert=true', { identifier: `kept-${caller}`, title: String(count) }],
      ['GET', '/v1/pages'],
    ] as const;
    const [method, path, body] = kinds[count % kinds.length]!;
    const begunMs = performance.now();
    try {
      const answer = await open(agent, token, method, path, body);
      let text = '';
      for await (const chunk of answer) text += String(chunk);
      latencies.push(performance.now() - begunMs);
      if ((answer.statusCode ?? 0) >= 300) fail(`${method} ${path}: ${answer.statusCode} ${text.slice(0, 200)}`);
      else if (count % kinds.length === 0) written.push(identifier);
    } catch (error) {
      fail(`${method} ${path}: ${(error as Error).message}`);
    }
    await sleep(pauseMs);
  }
  agent.destroy();
}

/** Asks the assistant again and again; a stream that breaks off is continued where it was, as clients do. */
async function ask(token: string): Promise<void> {
  while (!isEnding) {
    const agent = new Agent({ keepAlive: true });
    const ids: number[] = [];
    try {
      let answer = await open(agent, token, 'POST', '/v1/ai/invoke?deltas=true', { userPrompt: 'Count to twelve.' });
      const id = answer.headers['x-invocation-id'];
      for (let last = ''; last !== 'done'; ) {
        if (answer.statusCode !== 200) throw new Error(`status ${answer.statusCode}`);
        try {
          for await (const event of decodeEventStream(answer)) {
            if (event.id) ids.push(Number(event.id));
            last = event.event;
            if (event.event === 'error') fail(`stream: ${event.data.slice(0, 200)}`);
          }
        } catch {
          // the connection broke; what is missing is asked for below
        }
        if (last === 'done') break;
        resumed += 1;
        answer = await open(agent, token, 'GET', `/v1/ai/invoke/${id}/events?deltas=true`, undefined, {
          'last-event-id': String(ids.at(-1) ?? 0),
        });
      }
      streams += 1;
      if (ids.some((each, index) => index > 0 && each <= (ids[index - 1] ?? 0))) fail('stream: events came twice');
    } catch (error) {
      fail(`stream: ${(error as Error).message}`);
      await sleep(500);
    }
    agent.destroy();
  }
}

try {
  let port = firstPort;
  const start = async (release: string | undefined): Promise<Replica> => {
    const settings = {
      PORTOLAN_DRAIN_SECONDS: '5',
      PORTOLAN_LLM_PROVIDER: 'openai-compatible',
      PORTOLAN_LLM_BASE_URL: model.url,
    };
    const replica = await startReplica(port, {
      databaseUrl: postgres.url,
      folder,
      isBuilt: values.built,
      release,
      settings,
    });
    port += 1;
    replicas.push(replica);
    const url = `http://127.0.0.1:${replica.port}`;
    balancer.add(url);
    await balancer.untilReady(url);
    return replica;
  };
  const old: Replica[] = [];
  for (let count = 0; count < 3; count += 1) old.push(await start(before));
  const token = await fetchToken(balancerPort);
  const made = await send(balancerPort, 'POST', '/v1/blueprints', {
    token,
    body: { identifier: 'service', title: 'Service', schema: { properties: {} } },
  });
  if (made.status !== 201) throw new Error(`The blueprint was not made: ${made.status} ${made.body}`);
  const calling = [
    ...Array.from({ length: callers }, (_, caller) => call(token, caller)),
    ...Array.from({ length: Number(values.streams) }, () => ask(token)),
  ];
  await sleep(5_000);
  const stops: string[] = [];
  for (const [index, replica] of old.entries()) {
    phase = `replacing ${index + 1}`;
    await start(undefined);
    phase = `stopping ${index + 1}`;
    const { ms, code } = await replica.stop();
    stops.push(`${(ms / 1000).toFixed(1)} s (exit ${code})`);
  }
  phase = 'after';
  await sleep(5_000);
  isEnding = true;
  await Promise.all(calling);
  let missing = 0;
  for (const identifier of written) {
    const { status } = await send(balancerPort, 'GET', `/v1/blueprints/service/entities/${identifier}`, { token });
    if (status !== 200) missing += 1;
  }
  console.log(`stops of the release before: ${stops.join(', ')}`);
  console.log(
    `requests: ${latencies.length}, p95 ${percentile(latencies, 0.95).toFixed(1)} ms, p99 ${percentile(latencies, 0.99).toFixed(1)} ms`,
  );
  console.log(`streams: ${streams} whole, ${resumed} times continued elsewhere`);
  console.log(`acknowledged writes: ${written.length}, lost: ${missing}`);
  console.log(`failed: ${failures.length}${failures.length > 0 ? `\n${failures.slice(0, 20).join('\n')}` : ''}`);
  process.exitCode = failures.length > 0 || missing > 0 || latencies.length === 0 ? 1 : 0;
} finally {
  await balancer.close();
  for (const { child } of replicas) if (child.exitCode === null) child.kill('SIGKILL');
  await model.close();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}
process.exit();
