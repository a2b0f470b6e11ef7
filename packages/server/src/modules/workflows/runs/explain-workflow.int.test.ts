import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { createBlueprint, createEntity, unique } from '../../../../test/catalog-fixtures.ts';
import { approval, approved, createWorkflowWorld, form, upsert } from '../../../../test/workflow-world.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of any shape
type Answer = any;

let app: TestApp;
let world: ReturnType<typeof createWorkflowWorld>;
let blueprint: string;

beforeAll(async () => {
  app = await createTestApp();
  world = createWorkflowWorld(app);
  blueprint = await createBlueprint(app.request, 'explained', { properties: {} });
});
afterAll(() => app.close());

const explain = async (flow: string, user?: string, token?: string): Promise<Answer> => {
  const query = user === undefined ? '' : `?user=${encodeURIComponent(user)}`;
  return app.request('GET', `/v1/workflows/${flow}/explain${query}`, token === undefined ? {} : { token });
};
const verdicts = async (flow: string, user: string): Promise<Answer> => {
  const answer = await explain(flow, user);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.explanation;
};

describe('what is explained is what happens', () => {
  const lists: Record<string, (who: { person: string; team: string }) => object> = {
    'a user': ({ person }) => ({ users: [person] }),
    'a role': () => ({ roles: ['Member'] }),
    'a team': ({ team }) => ({ teams: [team] }),
    'somebody else': () => ({ users: ['nobody@example.com'] }),
    nobody: () => ({}),
  };

  test.each(Object.keys(lists))('where %s is named', async (what) => {
    const team = unique('team');
    await createEntity(app.request, '_team', { identifier: team });
    const named = await world.person('mia');
    const put = { properties: { status: 'Active', port_role: 'Member' }, team: [team] };
    await app.request('PATCH', `/v1/blueprints/_user/entities/${named}`, { body: put });
    const boss = await world.person('boss', 'Admin');
    const list = lists[what]?.({ person: named, team }) ?? {};
    const flow = await world.workflow(
      [form({ permissions: list }), approval(1, { responders: list }), upsert(blueprint)],
      approved(),
    );
    for (const who of [named, boss]) {
      const token = await app.organization.personToken(who);
      const { start, respond, see, change } = await verdicts(flow, who);
      const started = await app.request('POST', `/v1/workflows/${flow}/runs`, {
        token,
        body: { inputs: { name: 'x' } },
      });
      expect([start[0].allowed, start[0].rule, start[0].why], what).toEqual([
        started.status === 200 ? 'yes' : 'no',
        started.status === 200 ? expect.any(String) : null,
        expect.any(String),
      ]);
      const read = await app.request('GET', `/v1/workflows/${flow}`, { token });
      expect(see.allowed).toBe(read.status === 200 ? 'yes' : 'no');
      const { nodeRun } = await world.waiting(flow, { name: unique('thing') });
      const answer = await world.respond(nodeRun, token);
      expect(respond[0].allowed, `${what} ${answer.status}`).toBe(answer.status === 200 ? 'yes' : 'no');
      const saved = await app.request('POST', `/v1/workflows/${flow}/pause`, { token, body: {} });
      expect(change.allowed).toBe(saved.status === 200 ? 'yes' : 'no');
      if (saved.status === 200) await app.request('POST', `/v1/workflows/${flow}/resume`, { body: {} });
    }
  });
});

test('tells apart what no list, a policy, a query and the requester decide', async () => {
  const policy = {
    combinator: 'and',
    rules: [{ property: { context: 'form', property: 'name' }, operator: '=', value: 'a' }],
  };
  const query = { combinator: 'and', rules: [{ property: 'port_role', operator: '=', value: 'Admin' }] };
  const mia = await world.person('mia');
  const flow = await world.workflow(
    [
      form({ permissions: { policy } }),
      { ...form({ published: false }), identifier: 'closed' },
      approval(1, { responders: { usersQuery: query } }),
      upsert(blueprint),
    ],
    [...approved(), { sourceIdentifier: 'closed', targetIdentifier: 'ask' }],
  );
  const { start, respond, seeRuns } = await verdicts(flow, mia);
  expect(start.map(({ allowed, rule }: Answer) => [allowed, rule])).toEqual([
    ['depends', 'policy'],
    ['no', null],
  ]);
  expect(respond[0]).toMatchObject({ allowed: 'depends', rule: 'query' });
  expect(seeRuns).toMatchObject({ allowed: 'depends', rule: 'starter' });
  const four = await world.workflow(
    [form(), approval(1, { responders: { users: [mia] }, excludeRequester: true }), upsert(blueprint)],
    approved(),
    { allowAnyoneToViewRuns: true },
  );
  const eyes = await verdicts(four, mia);
  expect(eyes.respond[0]).toMatchObject({ allowed: 'depends', rule: 'user' });
  expect(eyes.seeRuns).toMatchObject({ allowed: 'yes', rule: 'everybody' });
});

test('others are asked about by administrators alone, and nobody learns of a workflow that they may not see', async () => {
  const mia = await world.person('mia');
  const flow = await world.workflow([form({ permissions: { users: [mia] } }), upsert(blueprint)]);
  const hidden = await world.workflow([form(), upsert(blueprint)]);
  const token = await app.organization.personToken(mia);
  expect((await explain(flow, undefined, token)).body.explanation.start[0]).toMatchObject({
    allowed: 'yes',
    rule: 'user',
  });
  expect((await explain(flow, mia.toUpperCase(), token)).status).toBe(200);
  for (const other of ['nobody@example.com', await world.person('bo')]) {
    expect((await explain(flow, other, token)).status).toBe(403);
  }
  expect((await explain(hidden, undefined, token)).status).toBe(404);
  expect((await explain(flow, 'nobody@example.com')).status).toBe(404);
});
