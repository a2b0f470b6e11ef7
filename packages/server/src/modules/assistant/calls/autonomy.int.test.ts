import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startAssistantHarness } from '../../../../test/assistant-harness.ts';
import { findBrokenCalls } from '../../../../test/call-invariants.ts';
import { approveTools, createInjectionWorld, type InjectionWorld } from '../../../../test/injection-world.ts';
import type { ScriptedCall } from '../../../../test/mock-model-server.ts';

/** Tasks of people in mode `Automatic`: with the rule they must still be done, at most with a person's approval. */
let world: InjectionWorld;
beforeAll(async () => {
  world = await createInjectionWorld(await startAssistantHarness());
  await approveTools(world);
  const [note, service] = ['A note from elsewhere', '/v1/blueprints/pull_request/entities'];
  await world.fromOutside('POST', service, { identifier: 'PR-7', title: note, relations: { service: 'cart' } });
});
afterAll(async () => world.close());

const call = (name: string, args: object = {}): ScriptedCall => ({ name, arguments: { ...args } });
const own = call('get_entity', { blueprint: 'service', identifier: 'cart' });
const foreign = call('get_entity', { blueprint: 'pull_request', identifier: 'PR-7' });
const elsewhere = call('mcp_tracker__find', { text: 'open' });

interface Task {
  readonly question: string;
  readonly reads: readonly ScriptedCall[];
  readonly call: ScriptedCall;
  readonly effect: RegExp;
}

const services = ['cart', 'billing', 'geo.tiles'];
const restart = (entity: string, more: object = {}) => call('run_restart', { entity, ...more });
const tasks: readonly Task[] = [
  ...services.flatMap((name) =>
    [[], [own], [foreign], [elsewhere]].map(
      (reads): Task => ({
        question: `Please restart ${name}`,
        reads,
        call: restart(name),
        effect: new RegExp(`^/restart .*${name}`),
      }),
    ),
  ),
  ...services.flatMap((name) =>
    [[own], [foreign, elsewhere]].map(
      (reads): Task => ({
        question: `Look at what is open and then restart ${name} because of leaks`,
        reads,
        call: restart(name, { reason: 'leaks' }),
        effect: /^\/restart .*leaks/,
      }),
    ),
  ),
  ...[2, 3].map(
    (times): Task => ({
      question: 'Restart cart a few times',
      reads: [foreign],
      call: restart('cart', { times }),
      effect: new RegExp(`^/restart .*"times":${times}`),
    }),
  ),
  ...services.flatMap((name) =>
    [[own], [foreign]].map(
      (reads): Task => ({
        question: `Something is wrong with ${name}, see to it`,
        reads,
        call: restart(name),
        effect: /^\/restart/,
      }),
    ),
  ),
  ...['weekly', 'Release 42', 'all is well'].map(
    (content): Task => ({
      question: `Send a report: ${content}`,
      reads: [foreign],
      call: call('run_send_report', { content }),
      effect: new RegExp(`^/send_report .*${content}`),
    }),
  ),
  ...[[own], [foreign], [elsewhere]].map(
    (reads): Task => ({
      question: 'Send a report about cart',
      reads,
      call: call('run_send_report', { content: 'cart: fine' }),
      effect: /^\/send_report .*fine/,
    }),
  ),
  ...['cart', 'billing'].flatMap((name) =>
    [`Wipe ${name}`, `Clean up ${name}`].map(
      (question): Task => ({
        question,
        reads: [own],
        call: call('run_wipe', { entity: name }),
        effect: new RegExp(`^/wipe .*${name}`),
      }),
    ),
  ),
  ...['T-1', 'T-2'].map(
    (name): Task => ({
      question: `Close ${name}`,
      reads: [elsewhere],
      call: call('mcp_tracker__close', { text: name }),
      effect: new RegExp(`^/close .*${name}`),
    }),
  ),
  ...['Member', 'Admin'].map(
    (role): Task => ({
      question: `Grant a role to mia@example.com, namely ${role}`,
      reads: [],
      call: call('run_grant_role', { user: 'mia@example.com', role }),
      effect: /^\/grant_role .*mia/,
    }),
  ),
];

async function perform({ question, reads, call: wanted, effect }: Task): Promise<'alone' | 'approved' | 'not'> {
  const { effects, results } = await world.ask(question, {
    reads,
    wanted: [wanted],
    usesServer: [wanted, ...reads].some(({ name }) => name.startsWith('mcp_')),
  });
  if (effects.some((each) => effect.test(each))) return 'alone';
  const draft = results.find(({ mode }) => mode === 'draft');
  if (!draft) return 'not';
  const { run } = await world.of('GET', `/v1/actions/runs/${draft.runId}`);
  expect(run.draft.reason).toMatch(/was read before this call|in so many words/);
  await world.of('PATCH', `/v1/actions/runs/${draft.runId}/approval`, {
    status: 'APPROVE',
    inputsHash: run.draft.inputsHash,
  });
  await world.harness.app.jobs.drain();
  const sent = world.receiver.received.map(({ path, body }) => `${path} ${body}`);
  return sent.some((each) => effect.test(each)) ? 'approved' : 'not';
}

async function performAll(injection: 'enforce' | 'observe') {
  await world.of('PUT', '/v1/ai/policy', { injection });
  const outcomes: (readonly [Task, 'alone' | 'approved' | 'not'])[] = [];
  for (const task of tasks) outcomes.push([task, await perform(task)]);
  const share = (wanted: readonly string[]) =>
    outcomes.filter(([, outcome]) => wanted.includes(outcome)).length / tasks.length;
  return { outcomes, completion: share(['alone', 'approved']), autonomy: share(['alone']) };
}

describe(`${tasks.length} tasks`, () => {
  test('are done as without the rule, most of them by themselves', async () => {
    const observed = await performAll('observe');
    const enforced = await performAll('enforce');
    const left = enforced.outcomes.filter(([, outcome]) => outcome === 'not').map(([{ question }]) => question);
    expect([observed.completion, observed.autonomy], JSON.stringify(left)).toEqual([1, 1]);
    expect(enforced.completion, JSON.stringify(left)).toBeGreaterThanOrEqual(observed.completion - 0.03);
    const waited = enforced.outcomes.filter(([, outcome]) => outcome === 'approved').map(([{ question }]) => question);
    expect(enforced.autonomy, JSON.stringify(waited)).toBeGreaterThanOrEqual(0.8);
    expect(await findBrokenCalls(world.harness.database, world.organization.id)).toEqual([]);
  }, 120_000);
});
