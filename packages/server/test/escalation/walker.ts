import type { Answer } from '../build-test-app.ts';
import { type Attacker, makeAttacker, type Start } from './attacker.ts';
import { type Authority, join, nothing } from './authority.ts';
import { harvest } from './harvest.ts';
import { readHoldings } from './holdings.ts';
import { judge } from './judge.ts';
import { type Rows, sameRows } from './rows.ts';
import { fillIn, type Step } from './steps.ts';
import { exporter, type World } from './world.ts';

export interface Walker {
  readonly attacker: Attacker;
  /** The steps that changed something. */
  readonly taken: readonly Step[];
  /** Every answer so far, of refused steps too. */
  answers(): readonly Answer[];
  /** Whether the step was let through and, if it is meant to, wrote something. */
  take(step: Step): Promise<boolean>;
  judge(): Promise<string[]>;
  changedTables(): string[];
  /** What others do anyway meets what the sequence left behind. */
  letTheWorldGoOn(): Promise<string[]>;
}

/** Brings the world back and makes the attacker; then steps are taken one by one. */
export async function createWalker(world: World, start: Start, failures: Set<string>): Promise<Walker> {
  await world.reset();
  const attacker = await makeAttacker(world, start);
  const taken: Step[] = [];
  const answers: Answer[] = [];
  let rows = attacker.rows;
  let accomplice: Authority = nothing;
  const ask = async (step: Step, token: string): Promise<Answer | undefined> => {
    const request = fillIn(step, rows);
    if (!request) return undefined;
    const answer = await world.ask(
      step.method,
      request.path,
      token,
      request.body,
      step.by === 'exporter' ? exporter : undefined,
    );
    answers.push(answer);
    if (answer.status === 500) failures.add(`${step.method} ${request.path} ${JSON.stringify(request.body)}`);
    return answer;
  };
  const judged = async (others: Authority): Promise<string[]> => {
    const claims = judge(attacker, rows, join(accomplice, others));
    return [...claims, ...(await harvest(world, attacker, rows, answers))];
  };
  return {
    attacker,
    taken,
    answers: () => answers,
    changedTables: () => Object.keys(rows).filter((table) => !sameRows(rows[table], attacker.rows[table])),
    take: async (step) => {
      const tokens = { attacker: attacker.token, mia: world.tokens.mia, exporter: world.tokens.root };
      const answer = await ask(step, tokens[step.by]);
      if (!answer || answer.status >= 300 || answer.body?.result?.isError) return false;
      if (step.by === 'mia') accomplice = readHoldings(attacker.rows).get('user mia@example.com') ?? nothing;
      if (step.method === 'GET') return true;
      await world.app.app.jobs.drain();
      world.app.clock.advance(1500);
      const before = rows;
      rows = await world.listener.read();
      // what wrote nothing leads nowhere
      const hasWritten = Object.keys(rows).some(
        (table) => table !== 'journal' && !sameRows(rows[table], before[table]),
      );
      if (hasWritten) taken.push(step);
      return hasWritten;
    },
    judge: () => judged(nothing),
    letTheWorldGoOn: async () => {
      rows = await world.listener.read();
      const left = ['actions', 'webhooks'].filter((table) => !sameRows(rows[table], attacker.rows[table]));
      // what was refused may have left something behind too
      if (left.length === 0) return judged(nothing);
      await goOn(world, rows);
      rows = await world.listener.read();
      return judged(ordinary);
    },
  };
}

/** What the others may do by themselves in `goOn`. */
const ordinary: Authority = new Map([
  ['entities:service:update', new Set(['update:entities'])],
  ['Member', new Set(['execute:actions'])],
]);

/** An administrator changes an entity, and a member runs whatever there is to run. */
async function goOn({ app, ask, tokens }: World, rows: Rows): Promise<void> {
  const note = { properties: { note: 'Something happened' } };
  await ask('PATCH', '/v1/blueprints/service/entities/portal', tokens.root, note);
  await app.app.jobs.drain();
  for (const action of new Set(['scaffold', ...(rows['actions'] ?? []).map((row) => String(row['identifier']))])) {
    await ask('POST', `/v1/actions/${encodeURIComponent(action)}/runs`, tokens.mia, { properties: {} });
    await app.app.jobs.drain();
  }
}
