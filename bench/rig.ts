import { rmSync } from 'node:fs';
import { chmod, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startMockModelServer } from '../packages/server/test/mock-model-server.ts';
import { freePort } from './harness/processes.ts';
import { fetchToken, liftQuotas, type Replica, send, startReplica } from './harness/replicas.ts';
import { renderTable, verdict } from './harness/table.ts';
import { type Cluster, type Node, type Setup, startCluster } from './rig/cluster.ts';
import { beginLoad, blueprint, follow } from './rig/load.ts';
import { findAll, type ProgramName } from './rig/programs.ts';
import { findings, type Happened, readBack } from './rig/report.ts';

/**
 * npm run rig -w @portolan/bench -- --setup patroni|multihost|pgbouncer --event kill-leader|switchover|stall-standby|restart-pooler
 *   [--times 1] [--streams 200] [--writers 9] [--readers 9] [--pgbouncer path] [--keep] [--json file]
 *
 * Three replicas of the built product on a cluster of three PostgreSQL, all on loopback, under load while the event
 * happens. Prints what became of every request; ends with 1 where a promise was broken. Needs Debian's packages patroni,
 * etcd-server, haproxy and postgresql, and pgbouncer for its setup. One etcd member is enough here: no machine fails.
 */
const { values } = parseArgs({
  args: process.argv.slice(2).filter((word) => word !== '--'),
  options: {
    setup: { type: 'string', default: 'multihost' },
    event: { type: 'string', default: 'kill-leader' },
    times: { type: 'string', default: '1' },
    streams: { type: 'string', default: '200' },
    writers: { type: 'string', default: '9' },
    readers: { type: 'string', default: '9' },
    pgbouncer: { type: 'string' },
    keep: { type: 'boolean', default: false },
    json: { type: 'string' },
  },
});
const setups = ['patroni', 'multihost', 'pgbouncer'];
const events = ['kill-leader', 'switchover', 'stall-standby', 'restart-pooler'];
if (!setups.includes(values.setup)) throw new Error(`--setup is one of ${setups.join(', ')}`);
if (!events.includes(values.event)) throw new Error(`--event is one of ${events.join(', ')}`);
const setup = values.setup as Setup;
if (values.event === 'restart-pooler' && setup !== 'pgbouncer') throw new Error('Only --setup pgbouncer has a pooler');

const calmMs = 15_000;
const stallMs = 20_000;
/** What an answer of the model takes: longer than a failover. */
const words = 40;
const gapMs = 1_000;
const folder = await mkdtemp(join(tmpdir(), 'portolan-rig-'));
await chmod(folder, 0o777);
const names: ProgramName[] = ['patroni', 'etcd', 'haproxy', ...(setup === 'pgbouncer' ? (['pgbouncer'] as const) : [])];
const replicas: Replica[] = [];
const model = await startMockModelServer();
model.respondWith(() => ({ text: Array.from({ length: words }, (_, index) => `Word ${index}.\n\n`), gapMs }));
// one for each program
process.setMaxListeners(50);
let cluster: Cluster | undefined;
process.once('exit', () => {
  if (!values.keep) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
const say = (text: string): void => console.error(`${new Date().toISOString().slice(11, 19)} ${text}`);

try {
  const programs = await findAll(names, { ...(values.pgbouncer && { pgbouncer: values.pgbouncer }) }, folder);
  for (const name of names) say(`${name} ${await programs.version(name)}`);
  cluster = await startCluster(programs, setup, folder);
  say('the cluster stands');
  const { DATABASE_URL = '', ...more } = cluster.settings;
  const settings = {
    ...more,
    PORTOLAN_LOG_LEVEL: 'error',
    PORTOLAN_LLM_PROVIDER: 'openai-compatible',
    PORTOLAN_LLM_BASE_URL: model.url,
  };
  for (let count = 0; count < 3; count += 1) {
    replicas.push(await startReplica(await freePort(), { databaseUrl: DATABASE_URL, folder, isBuilt: true, settings }));
  }
  const ports = replicas.map(({ port }) => port);
  const token = await prepare(ports[0] as number);
  const undisturbed = await follow('undisturbed', () => ports[0] as number, token);
  say(`an undisturbed stream has ${undisturbed.events.length} events`);

  const load = beginLoad({
    ...{ ports, token, pauseMs: 50 },
    ...{ writers: Number(values.writers), readers: Number(values.readers), streams: Number(values.streams) },
  });
  await sleep(calmMs);
  const calm = [Date.now(), Date.now() + calmMs] as const;
  await sleep(calmMs);
  const happened: Happened[] = [];
  for (let count = 1; count <= Number(values.times); count += 1) {
    const leader = await cluster.untilWhole();
    say(`${values.event} ${count}: ${leader.name} leads, ${load.open()} streams are open`);
    const one = await happen(cluster, leader);
    happened.push(one);
    say(`over after ${((one.overMs - one.atMs) / 1000).toFixed(1)} s`);
    await sleep(5_000);
  }
  await sleep(5_000);
  say('reading to the end');
  const progress = setInterval(() => say(`${load.open()} streams are open, ${load.pending()} requests`), 10_000);
  await load.end();
  clearInterval(progress);
  await sleep(5_000);
  const client = await cluster.connect(await cluster.leader());
  const stored = await readBack(client);
  await client.end();
  const found = findings({ event: values.event, happened, load, undisturbed, stored, calm });
  console.log(`${setup}, ${values.event} × ${values.times}`);
  console.log(renderTable(found));
  if (values.json) await writeFile(values.json, JSON.stringify({ setup, happened, found }, null, 2));
  process.exitCode = found.some((finding) => verdict(finding) === 'short') ? 1 : 0;
} finally {
  for (const { child } of replicas) if (child.exitCode === null) child.kill('SIGKILL');
  await cluster?.close();
  await model.close();
}
process.exit();

/** An organization without quotas, with something to read, and work for jobs: sums that writes change. */
async function prepare(port: number): Promise<string> {
  await liftQuotas(port);
  const token = await fetchToken(port);
  const must = async (path: string, body: unknown): Promise<void> => {
    const answer = await send(port, 'POST', path, { token, body });
    if (answer.status !== 201) throw new Error(`POST ${path} was answered ${answer.status}: ${answer.body}`);
  };
  await must('/v1/blueprints', { identifier: 'system', title: 'System', schema: { properties: {} } });
  await must('/v1/blueprints', {
    ...{ identifier: blueprint, title: 'Service' },
    schema: { properties: { size: { type: 'number', title: 'Size' } } },
    relations: { system: { title: 'System', target: 'system', required: false, many: false } },
  });
  const count = { title: 'Services', target: blueprint, calculationSpec: { func: 'count', calculationBy: 'entities' } };
  const added = await send(port, 'PATCH', '/v1/blueprints/system', {
    token,
    body: { aggregationProperties: { services: count } },
  });
  if (added.status !== 200) throw new Error(`The sum was not made: ${added.status} ${added.body}`);
  await must('/v1/blueprints/system/entities', { identifier: 'all', title: 'All' });
  await must(`/v1/blueprints/${blueprint}/entities`, { identifier: 'first', title: 'First' });
  return token;
}

async function happen(on: Cluster, leader: Node): Promise<Happened> {
  const others = on.nodes.filter((node) => node !== leader);
  const atMs = Date.now();
  if (values.event === 'kill-leader' || values.event === 'switchover') {
    const next = watch(on, others);
    if (values.event === 'kill-leader') on.kill(leader);
    else await on.switchOver(leader);
    const { leadsMs, commitMs } = await next;
    // callers get a while with two nodes before the third one comes back
    await sleep(3_000);
    if (values.event === 'kill-leader') await on.startAgain(leader);
    return { atMs, overMs: leadsMs, commitMs };
  }
  if (values.event === 'stall-standby') {
    for (const node of others) on.stall(node);
    await sleep(stallMs);
    for (const node of others) on.resume(node);
  } else await on.restartPooler();
  return { atMs, overMs: Date.now() };
}

/** When one of the nodes leads, and when it took a commit of ours. */
async function watch(on: Cluster, nodes: readonly Node[]): Promise<{ leadsMs: number; commitMs: number }> {
  for (;;) {
    for (const node of nodes) {
      const client = await on.connect(node).catch(() => undefined);
      const answer = await client
        ?.query<{ standby: boolean }>('select pg_is_in_recovery() as standby')
        .catch(() => undefined);
      if (client && answer?.rows[0]?.standby === false) {
        const leadsMs = Date.now();
        await client.query('create table if not exists rig_commits (at timestamptz)');
        await client.query('insert into rig_commits values (now())');
        const commitMs = Date.now();
        await client.end();
        return { leadsMs, commitMs };
      }
      await client?.end().catch(() => undefined);
    }
    await sleep(50);
  }
}
