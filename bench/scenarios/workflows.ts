import { openDbos } from '../harness/dbos.ts';
import { type Environment, fetchJson } from '../harness/environment.ts';
import { openJobChain, type StepRunner } from '../harness/job-chain.ts';
import { median } from '../harness/statistics.ts';
import type { Finding } from '../harness/table.ts';
import type { Scenario } from './scenario.ts';

const stepsEach = 5;
const atOnce = 10;
const rounds = 3;

/**
 * Steps a second of workflows that record each step, beside a plain chain of jobs that records nothing and, with
 * `PORTOLAN_BENCH_DBOS` naming a folder that has `@dbos-inc/dbos-sdk` installed, beside DBOS; all on one PostgreSQL with
 * durable commits. Rounds alternate, so that all see the same machine; a ratio is the median of those within rounds.
 */
export const workflows: Scenario = {
  name: 'workflows',
  async run(environment, size) {
    const runs = size.rounds < 5 ? 60 : 400;
    const contenders = [
      await openOurs(environment),
      await openJobChain(environment.databaseUrl('bench'), { stepsEach, atOnce }),
    ];
    const folder = process.env['PORTOLAN_BENCH_DBOS'];
    if (folder) contenders.push(await openDbos(folder, environment.databaseUrl('dbos'), { stepsEach, atOnce }));
    try {
      for (const contender of contenders) await contender.run(atOnce);
      const speeds = new Map(contenders.map(({ name }) => [name, [] as number[]]));
      for (let round = 0; round < rounds; round += 1) {
        for (const contender of contenders) speeds.get(contender.name)?.push(await stepsPerSecond(runs, contender));
      }
      const ours = speeds.get('ours') ?? [];
      const path = `${runs} runs of ${stepsEach} steps`;
      return [...speeds].flatMap(([contender, each]): Finding[] => {
        const finding = { path, contender, figure: 'steps', value: median(each), unit: '/s' };
        if (contender === 'ours') return [finding];
        const ratio = median(each.map((speed, round) => (ours[round] ?? 0) / speed));
        const budget = { of: 'ratio', least: contender === 'DBOS' ? 1.4 : 0.7 } as const;
        return [
          finding,
          { ...finding, contender: 'ours', figure: `steps over ${contender}`, value: median(ours), ratio, budget },
        ];
      });
    } finally {
      for (const contender of contenders) await contender.close();
    }
  },
};

async function stepsPerSecond(runs: number, contender: StepRunner): Promise<number> {
  const began = performance.now();
  await contender.run(runs);
  return (runs * stepsEach * 1_000) / (performance.now() - began);
}

async function openOurs({ ours: { port }, headers }: Environment): Promise<StepRunner> {
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
  await fetchJson(port, 'POST', '/v1/workflows', headers, { identifier: 'bench_flow', nodes, connections });
  const start = async (runs: number): Promise<void> => {
    for (let count = 0; count < runs; count += 1) {
      await fetchJson(port, 'POST', '/v1/workflows/bench_flow/runs', headers, {});
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
