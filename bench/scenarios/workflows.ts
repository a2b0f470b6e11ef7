import { openDbos } from '../harness/dbos.ts';
import { type Environment, fetchJson } from '../harness/environment.ts';
import { openJobChain, type StepRunner } from '../harness/job-chain.ts';
import { median } from '../harness/statistics.ts';
import type { Finding } from '../harness/table.ts';
import type { Scenario } from './scenario.ts';

const lengths = [5, 20];
const atOnce = 10;
const rounds = 3;

/**
 * Steps a second of workflows that record each step, beside a plain chain of jobs that records nothing and, with
 * `PORTOLAN_BENCH_DBOS` naming a folder that has `@dbos-inc/dbos-sdk` installed, beside DBOS; all on one PostgreSQL with
 * durable commits. Runs of ours are started over HTTP, those of the others by a call in their own process. Rounds alternate, so that all see the same machine; a ratio is the median of those within rounds.
 */
export const workflows: Scenario = {
  name: 'workflows',
  async run(environment, size) {
    const findings: Finding[] = [];
    for (const stepsEach of lengths)
      findings.push(...(await measure(environment, stepsEach, size.rounds < 5 ? 60 : 400)));
    return findings;
  },
};

async function measure(environment: Environment, stepsEach: number, runs: number): Promise<Finding[]> {
  const shape = { stepsEach, atOnce };
  const contenders = [
    await openOurs(environment, stepsEach),
    await openJobChain(environment.databaseUrl('bench'), shape),
  ];
  const folder = process.env['PORTOLAN_BENCH_DBOS'];
  if (folder) contenders.push(await openDbos(folder, environment.databaseUrl('dbos'), shape));
  try {
    for (const contender of contenders) await contender.run(atOnce);
    const speeds = new Map(contenders.map(({ name }) => [name, [] as number[]]));
    const spent: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      for (const contender of contenders) {
        const before = await environment.ours.cpuMs();
        const seconds = await secondsOf(() => contender.run(runs));
        if (contender.name === 'ours') spent.push(((await environment.ours.cpuMs()) - before) / runs);
        speeds.get(contender.name)?.push((runs * stepsEach) / seconds);
      }
    }
    const path = `${runs} runs of ${stepsEach} steps, started over HTTP`;
    const cpu = { path, contender: 'ours', figure: 'CPU per run', value: median(spent), unit: 'ms' };
    return [...compare(path, speeds), cpu];
  } finally {
    for (const contender of contenders) await contender.close();
  }
}

function compare(path: string, speeds: ReadonlyMap<string, readonly number[]>): Finding[] {
  const ours = speeds.get('ours') ?? [];
  return [...speeds].flatMap(([contender, each]): Finding[] => {
    const finding = { path, contender, figure: 'steps', value: median(each), unit: '/s' };
    if (contender === 'ours') return [finding];
    const ratio = median(each.map((speed, round) => (ours[round] ?? 0) / speed));
    const budget = { of: 'ratio', least: contender === 'DBOS' ? 1.4 : 0.7 } as const;
    const figure = `steps over ${contender}`;
    return [finding, { ...finding, contender: 'ours', figure, value: median(ours), ratio, budget }];
  });
}

async function secondsOf(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1_000;
}

async function openOurs({ ours: { port }, headers }: Environment, stepsEach: number): Promise<StepRunner> {
  const nodes = [
    { identifier: 'form', config: { type: 'SELF_SERVE_TRIGGER' } },
    ...Array.from({ length: stepsEach }, (_none, index) => ({
      identifier: `step-${index}`,
      config: { type: 'TRANSFORM', expression: '{n: 1}' },
    })),
  ];
  const connections = nodes
    .slice(1)
    .map(({ identifier }, index) => ({ sourceIdentifier: nodes[index]?.identifier, targetIdentifier: identifier }));
  await fetchJson(port, 'POST', '/v1/workflows', headers, { identifier: `flow_${stepsEach}`, nodes, connections });
  const start = async (runs: number): Promise<void> => {
    for (let count = 0; count < runs; count += 1) {
      await fetchJson(port, 'POST', `/v1/workflows/flow_${stepsEach}/runs`, headers, {});
    }
  };
  return {
    name: 'ours',
    async run(runs) {
      await Promise.all(Array.from({ length: atOnce }, () => start(runs / atOnce)));
      const active = '/v1/workflows/runs?active=true&limit=1';
      for (;;) {
        const { runs: open } = (await fetchJson(port, 'GET', active, headers)) as { readonly runs: readonly unknown[] };
        if (open.length === 0) return;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    close: async () => undefined,
  };
}
