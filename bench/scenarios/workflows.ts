import pg from 'pg';
import { type Environment, fetchJson } from '../harness/environment.ts';
import type { StartedProcess } from '../harness/processes.ts';
import { median } from '../harness/statistics.ts';
import type { Finding } from '../harness/table.ts';
import type { Scenario } from './scenario.ts';

const stepsEach = 5;
const runsAtOnce = 10;
const rounds = 3;

/**
 * Steps a second of workflows that record each step, beside a plain chain of jobs on a table of the same shape that
 * records nothing: the least that a durable step costs. Rounds alternate, so that both see the same machine.
 */
export const workflows: Scenario = {
  name: 'workflows',
  async run(environment, size) {
    const runs = size.rounds < 5 ? 60 : 400;
    const { ours, headers } = environment;
    await createFlow(ours, headers);
    const chain = await openChain(environment);
    const measured: { readonly plain: number; readonly ours: number }[] = [];
    try {
      for (let round = 0; round < rounds; round += 1) {
        const plain = await perSecond(runs, () => chain.run(runs));
        measured.push({ plain, ours: await perSecond(runs, () => runFlows(ours, headers, runs)) });
      }
    } finally {
      await chain.close();
    }
    const path = `${runs} runs of ${stepsEach} steps`;
    const unit = '/s';
    const ratio = median(measured.map((each) => each.ours / each.plain));
    return [
      { path, contender: 'plain job chain', figure: 'steps', value: median(measured.map(({ plain }) => plain)), unit },
      { path, contender: 'ours', figure: 'steps', value: median(measured.map((each) => each.ours)), unit, ratio },
    ] satisfies Finding[];
  },
};

async function perSecond(runs: number, work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return (runs * stepsEach * 1_000) / (performance.now() - began);
}

type Headers = Readonly<Record<string, string>>;

async function createFlow({ port }: StartedProcess, headers: Headers): Promise<void> {
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
}

async function runFlows({ port }: StartedProcess, headers: Headers, runs: number): Promise<void> {
  const start = async (): Promise<void> => {
    for (let turn = 0; turn < runs / runsAtOnce; turn += 1) {
      await fetchJson(port, 'POST', '/v1/workflows/bench_flow/runs', headers, {});
    }
  };
  await Promise.all(Array.from({ length: runsAtOnce }, start));
  const active = '/v1/workflows/runs?active=true&limit=1';
  for (;;) {
    const { runs: open } = (await fetchJson(port, 'GET', active, headers)) as { readonly runs: readonly unknown[] };
    if (open.length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Jobs that each leave the next one, taken by as many workers as our server has. */
async function openChain(environment: Environment) {
  const pool = new pg.Pool({ connectionString: environment.databaseUrl('trivial'), max: runsAtOnce });
  await pool.query(`
    create table if not exists chain (id bigint generated always as identity primary key, left_over integer not null)`);
  const step = async (): Promise<boolean> => {
    const client = await pool.connect();
    try {
      await client.query('begin');
      const taken = await client.query<{ left_over: number }>(`
        delete from chain where id = (select id from chain order by id limit 1 for update skip locked) returning left_over`);
      const left = taken.rows[0]?.left_over ?? 0;
      if (left > 1) await client.query('insert into chain (left_over) values ($1)', [left - 1]);
      await client.query('commit');
      return taken.rows.length > 0;
    } finally {
      client.release();
    }
  };
  const isEmpty = async () => (await pool.query('select 1 from chain limit 1')).rows.length === 0;
  const work = async (): Promise<void> => {
    while ((await step()) || !(await isEmpty()));
  };
  return {
    async run(runs: number): Promise<void> {
      await pool.query('insert into chain (left_over) select $1 from generate_series(1, $2)', [stepsEach, runs]);
      await Promise.all(Array.from({ length: runsAtOnce }, work));
    },
    close: () => pool.end(),
  };
}
