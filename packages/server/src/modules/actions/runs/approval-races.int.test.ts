import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { createEntity, unique } from '../../../../test/catalog-fixtures.ts';
import { type Receiver, startReceiver } from '../../../../test/receiver.ts';
import { rounds } from '../../../../test/rounds.ts';

let app: TestApp;
let receiver: Receiver;
let second: string;
beforeAll(async () => {
  app = await createTestApp();
  receiver = await startReceiver();
  const properties = { status: 'Active', port_role: 'Member' };
  await createEntity(app.request, '_user', { identifier: 'second@example.com', title: 'Second', properties });
  second = await app.organization.personToken('second@example.com');
});
afterAll(async () => {
  await app.close();
  await receiver.close();
});
beforeEach(async () => {
  await app.app.jobs.drain();
  receiver.received.length = 0;
});

const runs = '/v1/actions/runs';
const action = () => ({
  trigger: {
    type: 'self-service',
    operation: 'CREATE',
    userInputs: { properties: { n: { type: 'number' } }, required: ['n'] },
  },
  invocationMethod: {
    type: 'WEBHOOK',
    url: `${receiver.url}/run`,
    body: { run: '{{ .run.id }}', n: '{{ .inputs.n }}' },
  },
});

interface Drafted {
  readonly id: string;
  readonly hash: string;
}

/** A draft that an agent proposes through the whole product, with the built-in planner as its model. */
async function proposed(name: string, agent: string): Promise<Drafted> {
  const asked = await app.request('POST', `/v1/agent/${agent}/invoke?stream=false`, {
    body: { query: `run ${name} n=1` },
  });
  const { identifier } = asked.body.invocation;
  let result: { status?: string; runs?: { runId: string }[] } = {};
  await expect
    .poll(
      async () => {
        result = (await app.request('GET', `/v1/ai/invoke/${identifier}`)).body.result;
        return result.status;
      },
      { timeout: 20_000, interval: 5 },
    )
    .toBe('Completed');
  const [made] = result.runs ?? [];
  expect(made, JSON.stringify(result)).toBeDefined();
  const { run } = (await app.request('GET', `${runs}/${made?.runId}`)).body;
  expect(run).toMatchObject({ status: 'DRAFT', draft: { agent, invocation: identifier } });
  return { id: run.id, hash: run.draft.inputsHash };
}

async function drafted(name: string): Promise<Drafted> {
  const { run } = (await app.request('POST', `/v1/actions/${name}/runs?draft=true`, { body: { properties: { n: 1 } } }))
    .body;
  return { id: run.id, hash: run.draft.inputsHash };
}

const decide = ({ id, hash }: Drafted, status: string, token?: string) =>
  app.request('PATCH', `${runs}/${id}/approval`, { body: { status, inputsHash: hash }, ...(token ? { token } : {}) });
const edit = async ({ id }: Drafted, n: number): Promise<Drafted | undefined> => {
  const answer = await app.request('PATCH', `${runs}/${id}/draft`, { body: { properties: { n } } });
  return answer.status === 200 ? { id, hash: answer.body.run.draft.inputsHash } : undefined;
};

/** A deterministic generator, so that the number of a failing round reproduces it. */
const below = (round: number, step: number, max: number): number =>
  ((Math.imul(round * 31 + step, 2_654_435_761) >>> 8) & 0xffff) % max;

const races = rounds(40);

test.each([
  ['people', 3],
  ['agents', 1],
])(
  '%s: however decisions, edits and switches race, only what was approved runs, and once',
  async (who, times) => {
    let ran = 0;
    for (let round = 0; round < races * times; round++) {
      const name = unique('race');
      const agent = unique('ops');
      await app.request('POST', '/v1/actions', { body: { identifier: name, ...action() } });
      if (who === 'agents') {
        const properties = {
          prompt: 'Runs.',
          status: 'active',
          execution_mode: 'Approval Required',
          tools: [`run_${name}$`],
        };
        await createEntity(app.request, '_ai_agent', { identifier: agent, title: 'Ops', properties });
      }
      const draft = who === 'agents' ? await proposed(name, agent) : await drafted(name);
      const approvals: string[] = [];
      const approve = async (of: Drafted, token?: string) => {
        if ((await decide(of, 'APPROVE', token)).status === 201) approvals.push(of.hash);
      };
      let isOff = false;
      const moves = [
        () => approve(draft),
        () => approve(draft, second),
        () => approve(draft, second),
        () => decide(draft, 'DECLINE'),
        async () => {
          const changed = await edit(draft, 2);
          if (changed) await approve(changed, second);
        },
        () => edit(draft, 3),
        async () => {
          if (who !== 'agents') return;
          await app.request('PATCH', `/v1/blueprints/_ai_agent/entities/${agent}`, {
            body: { properties: { status: 'inactive' } },
          });
          isOff = true;
          // from here on no draft of the agent may start
          const before = (await app.request('GET', `${runs}/${draft.id}`)).body.run.status;
          if (before === 'DRAFT') expect((await decide(draft, 'APPROVE')).status).not.toBe(201);
        },
        () => app.request('PUT', `/v1/actions/${name}`, { body: { identifier: name, title: 'Changed', ...action() } }),
        () => app.app.jobs.drain(),
      ];
      const chosen = Array.from({ length: 5 }, (_, step) => moves[below(round, step, moves.length)]!);
      await Promise.all(chosen.map((move) => move()));
      await app.app.jobs.drain();
      const { run } = (await app.request('GET', `${runs}/${draft.id}`)).body;
      const sent = receiver.received.map(({ body }) => JSON.parse(body)).filter((each) => each.run === draft.id);
      const told = `round ${round}: ${JSON.stringify({ sent, approvals, status: run.status, isOff })}`;
      expect(sent.length, told).toBe(approvals.length === 0 ? 0 : 1);
      if (sent.length > 0) {
        ran += 1;
        expect(new Set(approvals), told).toEqual(new Set([run.draft.inputsHash]));
        expect(sent[0].n, told).toBe(run.properties.n);
      }
      receiver.received.length = 0;
    }
    expect(ran).toBeGreaterThan(races / 4);
  },
  300_000,
);

test('a draft of an agent that was switched off is declined by itself; others stay', async () => {
  const name = unique('void');
  await app.request('POST', '/v1/actions', { body: { identifier: name, ...action() } });
  const made: Drafted[] = [];
  for (const agent of [unique('off'), unique('on')]) {
    const properties = { prompt: 'Runs.', status: 'active', tools: [`run_${name}$`] };
    await createEntity(app.request, '_ai_agent', { identifier: agent, title: 'Ops', properties });
    made.push(await proposed(name, agent));
    if (made.length > 1) continue;
    const body = { properties: { status: 'inactive' } };
    expect((await app.request('PATCH', `/v1/blueprints/_ai_agent/entities/${agent}`, { body })).status).toBe(200);
  }
  // the first drain only registers the schedule
  await app.app.jobs.drain();
  app.clock.advance(10 * 60_000);
  await app.app.jobs.drain();
  const after = await Promise.all(made.map(({ id }) => app.request('GET', `${runs}/${id}`)));
  expect(after.map(({ body }) => body.run.status)).toEqual(['DECLINED', 'DRAFT']);
  expect(after[0]?.body.run.statusLabel).toContain('is not active any more');
  expect(receiver.received).toEqual([]);
});
