import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../packages/server/test/database-server.ts';
import { beginFlood, writeTwenty } from './harness/flood.ts';
import { atPace, type Outcome } from './harness/paced.ts';
import { canPin, loadCore, pinSelf, serverCore } from './harness/processes.ts';
import { fetchToken, newOrganization, type Replica, send, startReplica, type TimedAnswer } from './harness/replicas.ts';
import { percentile } from './harness/statistics.ts';
import { type Finding, renderTable, verdict } from './harness/table.ts';

/**
 * npm run overload -w @portolan/bench [-- --built --quick]
 *
 * One organization floods bulk writes at ten times what one core does, while people of another read. PostgreSQL syncs.
 */
const isQuick = process.argv.includes('--quick');
const isBuilt = process.argv.includes('--built');
const phaseMs = isQuick ? 5_000 : 15_000;
const readsPerSecond = 40;
const floodFactor = 10;
const deadlineMs = { interactive: 10_000, bulk: 30_000 };

const folder = await mkdtemp(join(tmpdir(), 'portolan-overload-'));
const postgres = await startPostgres({ isDurable: true });
let replica: Replica | undefined;
try {
  if (canPin()) pinSelf(serverCore);
  replica = await startReplica(4300, { databaseUrl: postgres.url, folder, isBuilt });
  if (canPin()) pinSelf(loadCore);
  const failed = await run(replica.port);
  process.exitCode = failed ? 1 : 0;
} finally {
  await replica?.stop();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}

async function run(port: number): Promise<boolean> {
  const readers = await fetchToken(port);
  const flooder = await newOrganization(port, 'Flood');
  const blueprint = { identifier: 'service', title: 'Service', schema: { properties: {} } };
  for (const token of [readers, flooder]) await send(port, 'POST', '/v1/blueprints', { token, body: blueprint });
  await send(port, 'POST', '/v1/blueprints/service/entities', {
    token: readers,
    body: { identifier: 'one', title: 'One' },
  });

  const read = () => send(port, 'GET', '/v1/blueprints/service/entities/one', { token: readers });
  const flood = { port, token: flooder };
  const write = () => writeTwenty(flood);

  for (const deadline = performance.now() + 3_000; performance.now() < deadline; ) await Promise.all([read(), write()]);
  const idle = await atPace('interactive', readsPerSecond, phaseMs, read);
  const capacity = await closedLoop(4, phaseMs / 2, write);
  const { outcomes } = await beginFlood({ ...flood, perSecond: capacity * floodFactor, milliseconds: phaseMs });
  const flooded = [...(await atPace('interactive', readsPerSecond, phaseMs, read)), ...(await outcomes)];
  const endedMs = Date.now();
  const after = (
    await Promise.all([atPace('interactive', readsPerSecond, 5_000, read), atPace('bulk', 2, 5_000, write)])
  ).flat();

  const answers = [...flooded, ...after];
  const wrong = answers.filter(({ sent }) => sent instanceof Error || !isExpected(sent.status));
  const bare = answers.filter(
    ({ sent }) => !(sent instanceof Error) && isRefusal(sent) && !(Number(sent.headers['retry-after']) > 0),
  );
  const late = answers.filter(({ kind, sent }) => !(sent instanceof Error) && sent.ms > deadlineMs[kind]);
  const p95 = (list: readonly Outcome[]): number =>
    percentile(
      served(list, 'interactive').map(({ ms }) => ms),
      0.95,
    );
  const refused = (list: readonly Outcome[], kind: Outcome['kind']): number => {
    const all = list.filter((each) => each.kind === kind);
    return (100 * all.filter(({ sent }) => !(sent instanceof Error) && isRefusal(sent)).length) / all.length;
  };
  const lastBad = Math.max(
    0,
    ...after.filter(({ sent }) => sent instanceof Error || isRefusal(sent)).map(({ atMs }) => atMs - endedMs),
  );
  const goodput = (20 * served(flooded, 'bulk').length * 1000) / phaseMs;
  const line = (figure: string, value: number, unit: string, rest: Partial<Finding> = {}): Finding => ({
    path: 'overload',
    contender: 'ours',
    figure,
    value,
    unit,
    ...rest,
  });
  const findings = [
    line('bulk of 20, capacity', capacity * 20, 'entities/s'),
    line('bulk of 20, while flooded', goodput, 'entities/s', {
      ratio: goodput / (capacity * 20),
      budget: { of: 'ratio', least: 0.5 },
    }),
    line('read p95, idle', p95(idle), 'ms'),
    line('read p95, while flooded', p95(flooded), 'ms', { budget: { of: 'value', most: 2 * p95(idle) } }),
    line('reads refused', refused(flooded, 'interactive'), '%', { budget: { of: 'value', most: 0 } }),
    line('bulk refused', refused(flooded, 'bulk'), '%'),
    line('neither 2xx, 429 nor 503', wrong.length, '', { budget: { of: 'value', most: 0 }, note: describe(wrong) }),
    line('refusals without Retry-After', bare.length, '', { budget: { of: 'value', most: 0 } }),
    line('answers after their deadline', late.length, '', { budget: { of: 'value', most: 0 } }),
    line('last refusal after the flood', lastBad, 'ms', { budget: { of: 'value', most: 2_000 } }),
  ];
  console.log(renderTable(findings));
  return findings.some((finding) => verdict(finding) === 'short');
}

function served(list: readonly Outcome[], kind: Outcome['kind']): TimedAnswer[] {
  return list.flatMap((each) =>
    each.kind === kind && !(each.sent instanceof Error) && each.sent.status < 300 ? [each.sent] : [],
  );
}

function isRefusal({ status }: TimedAnswer): boolean {
  return status === 429 || status === 503;
}

function isExpected(status: number): boolean {
  return status < 300 || status === 429 || status === 503;
}

function describe(wrong: readonly Outcome[]): string {
  return wrong
    .slice(0, 3)
    .map(({ sent }) => (sent instanceof Error ? sent.message : `${sent.status} ${sent.body.slice(0, 120)}`))
    .join('; ');
}

/** How many a second so many senders get done, each waiting for its answer. */
async function closedLoop(senders: number, milliseconds: number, make: () => Promise<TimedAnswer>): Promise<number> {
  const begunMs = performance.now();
  let done = 0;
  await Promise.all(
    Array.from({ length: senders }, async () => {
      while (performance.now() - begunMs < milliseconds) {
        const { status, body } = await make();
        if (status >= 300) throw new Error(`A write was answered ${status}: ${body}`);
        done += 1;
      }
    }),
  );
  return (done * 1000) / (performance.now() - begunMs);
}
