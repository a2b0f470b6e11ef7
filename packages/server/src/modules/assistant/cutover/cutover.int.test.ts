import sql from 'sql-template-tag';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type AssistantHarness,
  readEvents,
  send,
  startAssistantHarness,
  type TestOrganization,
  until,
} from '../../../../test/assistant-harness.ts';

let harness: AssistantHarness;

beforeAll(async () => {
  harness = await startAssistantHarness();
});
afterAll(() => harness.close());
beforeEach(() => {
  harness.model.respondWith(() => ({ text: 'Fine.' }));
});

const at = (stage: string, more: object = {}) => harness.organization({ cutover: { stage }, ...more });
const question = { query: 'Which services have no owner?' };
const agents = '/v1/blueprints/_ai_agent/entities';

// biome-ignore lint/suspicious/noExplicitAny: answers of any shape
const json = async (answer: Response | Promise<Response>): Promise<any> => (await answer).json();

async function agent(of: TestOrganization, identifier: string, properties: object) {
  const answer = await of.call('POST', agents, { identifier, properties });
  expect(answer.status, await answer.clone().text()).toBe(201);
}

async function create(of: TestOrganization, properties: object) {
  const answer = await of.call('POST', agents, { identifier: 'tried', properties });
  const { details } = await json(answer);
  return [answer.status, Array.isArray(details) ? details.map(({ path }: { path: string }) => path) : []];
}

function operator(method: string, of: TestOrganization, path = '', body?: unknown) {
  return send(harness.url, harness.operatorToken, method, `/v1/operator/organizations/${of.id}${path}`, body);
}

const move = (of: TestOrganization, cutover: object, more: object = {}) =>
  operator('PATCH', of, '', { cutover, ...more });
const report = async (of: TestOrganization) => (await json(of.call('GET', '/v1/ai/cutover'))).cutover;

async function properties(of: TestOrganization, identifier: string) {
  return (await json(of.call('GET', `${agents}/${identifier}`))).entity.properties;
}

const offered = (): string[] =>
  (harness.model.requests.at(-1)?.body.tools ?? []).map((tool: { function: { name: string } }) => tool.function.name);

async function ask(of: TestOrganization, path: string, body: object = question): Promise<string> {
  const answer = await of.call('POST', path, body);
  if (answer.headers.get('content-type')?.startsWith('text/event-stream')) {
    return (await readEvents(answer))[0]?.data as string;
  }
  expect(answer.status, await answer.clone().text()).toBe(202);
  const { identifier } = (await json(answer)).invocation;
  await until('it ends', async () => {
    const { result } = await json(of.call('GET', `/v1/ai/invoke/${identifier}`));
    return result.status === 'Completed';
  });
  return identifier;
}

const old = { prompt: 'Help.', status: 'active', allowed_blueprints: ['_ai_agent'], allowed_actions: ['deploy.x'] };

describe('the fields of agents', () => {
  test.each(['legacy', 'transition'])('at %s are those of before', async (stage) => {
    const of = await at(stage);
    expect(await create(of, { prompt: 'x', tools: ['a'], model: 'b' })).toEqual([
      422,
      expect.arrayContaining(['/properties/tools', '/properties/model']),
    ]);
    expect(await create(of, { ...old, prompt: 'x'.repeat(2501) })).toEqual([201, []]);
  });

  test('at schema_testing are both', async () => {
    const of = await at('schema_testing');
    expect(await create(of, { prompt: 'x', tools: ['('] })).toEqual([422, ['/properties/tools/0']]);
    expect(await create(of, { ...old, tools: ['a'] })).toEqual([201, []]);
  });

  test('at cutover are the new ones, and an old one is refused with what took its place', async () => {
    const of = await at('cutover');
    const answer = await of.call('POST', agents, {
      identifier: 'a',
      properties: { prompt: 'x', allowed_actions: ['d'] },
    });
    expect(answer.status).toBe(422);
    expect(await answer.text()).toContain('write `tools`');
    const added = { schema: { properties: { allowed_blueprints: { type: 'array', title: 'Mine' } } } };
    const extended = await of.call('PATCH', '/v1/blueprints/_ai_agent', added);
    expect([extended.status, (await json(extended)).error]).toEqual([422, 'managed_field']);
  });

  test.each(['legacy', 'transition', 'schema_testing', 'cutover'])(
    'at %s can be read and written back',
    async (stage) => {
      const of = await at(stage);
      for (const name of ['_ai_agent', '_ai_invocations']) {
        const { blueprint } = await json(of.call('GET', `/v1/blueprints/system/${name}/structure`));
        expect((await of.call('PUT', `/v1/blueprints/${name}`, blueprint)).status).toBe(200);
      }
    },
  );
});

describe('an agent with old fields, before the cutover', () => {
  test('is narrowed to them unless the new assistant is asked for', async () => {
    const of = await at('transition');
    await agent(of, 'guide', old);
    harness.model.respondWith(() => undefined);
    const calls = [
      { name: 'list_entities', arguments: { blueprint: '_ai_invocations' } },
      { name: 'search_entities', arguments: {} },
      { name: 'list_entities', arguments: { blueprint: '_ai_agent' } },
    ];
    const results = async (query: string) => {
      harness.model.script({ calls }, { text: 'Done.' });
      const answer = await of.call('POST', `/agent/guide/invoke?stream=true${query}`, question);
      return (await readEvents(answer))
        .filter(({ event }) => event === 'tool_result')
        .map(({ data }) => JSON.parse(data).isError ?? false);
    };
    expect(await results('')).toEqual([true, true, false]);
    expect(await results('&use_mcp=true')).toEqual([false, false, false]);
  });
});

describe('the move to the cutover', () => {
  test('brings agents over, keeps what people added, and a second time there is nothing to do', async () => {
    const of = await at('transition');
    const own = { schema: { properties: { tier: { type: 'string', title: 'Tier' } } } };
    expect((await of.call('PATCH', '/v1/blueprints/_ai_agent', own)).status).toBe(200);
    await agent(of, 'guide', { ...old, tier: 'one' });
    await agent(of, 'silent', { prompt: 'Help.' });
    await agent(of, 'long', { prompt: 'x'.repeat(2501), status: 'active' });
    await agent(of, 'empty', { status: 'active' });
    const asked = await ask(of, '/agent/guide/invoke');

    const before = await report(of);
    expect(before.agents.find(({ identifier }: { identifier: string }) => identifier === 'guide')).toMatchObject({
      state: 'behind',
      findings: [
        { code: 'action_missing', blocks: false },
        { code: 'blueprints_widened', blocks: false },
      ],
    });
    expect((await move(of, { stage: 'cutover' }, { force: true })).status).toBe(200);

    expect(await properties(of, 'guide')).toMatchObject({
      tools: ['^(list|get|search|track|describe)_.*'],
      status: 'active',
      execution_mode: 'Approval Required',
      tier: 'one',
    });
    expect(await properties(of, 'guide')).not.toHaveProperty('allowed_blueprints');
    expect(await properties(of, 'silent')).toMatchObject({ status: 'inactive' });
    const { blueprint } = await json(of.call('GET', '/v1/blueprints/_ai_agent'));
    const fresh = (await json((await at('cutover')).call('GET', '/v1/blueprints/_ai_agent'))).blueprint;
    expect(blueprint.schema.properties.tier).toEqual(own.schema.properties.tier);
    delete blueprint.schema.properties.tier;
    expect(blueprint.schema).toEqual(fresh.schema);
    const refused = async (name: string) => {
      const answer = await of.call('POST', `/agent/${name}/invoke`, question);
      return [answer.status, (await json(answer)).error];
    };
    expect(await refused('silent')).toEqual([409, 'agent_inactive']);
    expect(await refused('long')).toEqual([409, 'agent_schema_outdated']);
    expect(await refused('empty')).toEqual([409, 'agent_schema_outdated']);
    await ask(of, '/agent/guide/invoke');
    expect((await of.call('PATCH', `${agents}/long`, { properties: { prompt: 'Short.' } })).status).toBe(200);
    await ask(of, '/agent/long/invoke');
    await harness.app.jobs.start();
    await until('the invocation of before is brought over', async () => {
      const { entity } = await json(of.call('GET', `/v1/blueprints/_ai_invocations/entities/${asked}`));
      return entity.properties.asked_at !== null && entity.properties.model === 'mock';
    });
    const { steps } = await report(of);
    expect((await move(of, { stage: 'cutover' }, { force: true })).status).toBe(200);
    expect((await report(of)).steps).toEqual(steps);
    expect(steps.map(({ kind }: { kind: string }) => kind)).toEqual(
      expect.arrayContaining(['stage', 'schema', 'agent']),
    );
  });

  test('keeps the actions that exist, by their exact names', async () => {
    const of = await at('schema_testing');
    const action = {
      identifier: 'deploy.x',
      title: 'Deploy',
      trigger: { type: 'self-service', operation: 'CREATE', userInputs: { properties: {}, required: [] } },
      invocationMethod: { type: 'KAFKA', payload: {} },
    };
    expect((await of.call('POST', '/v1/actions', action)).status).toBe(201);
    await agent(of, 'guide', { ...old, execution_mode: 'Automatic' });
    expect((await move(of, { stage: 'cutover' })).status).toBe(200);
    expect((await properties(of, 'guide')).tools).toEqual(['^(list|get|search|track|describe)_.*', 'run_deploy\\.x$']);
  });

  test('is refused while callers use old forms, and free once they have moved on', async () => {
    const of = await at('transition');
    await agent(of, 'guide', { prompt: 'Help.', status: 'active' });
    await ask(of, '/agent/invoke', { ...question, agent_id: 'guide' });
    await ask(of, '/agent/guide/invoke');
    const blocked = await move(of, { stage: 'schema_testing' });
    expect(blocked.status).toBe(409);
    const body = await json(blocked);
    expect(body.error).toBe('cutover_blocked');
    expect(body.details.blockers.map(({ kind }: { kind: string }) => kind)).toEqual(['caller', 'caller']);
    expect((await json(operator('GET', of))).organization.cutover.stage).toBe('transition');

    await ask(of, '/agent/guide/invoke?stream=true&use_mcp=true');
    expect((await report(of)).blockers).toEqual([]);
    expect((await move(of, { stage: 'schema_testing' })).status).toBe(200);
  });

  test('is refused while automations call old forms, unless forced', async () => {
    const of = await at('transition');
    const automation = (identifier: string, url: string) => ({
      identifier,
      trigger: { type: 'automation', event: { type: 'ANY_ENTITY_CHANGE', blueprintIdentifier: '_ai_agent' } },
      invocationMethod: { type: 'WEBHOOK', url, synchronized: true },
    });
    for (const [name, url] of [
      ['old', 'http://localhost/v1/agent/guide/invoke'],
      ['fresh', 'http://localhost/v1/agent/guide/invoke?stream=true&use_mcp=true'],
    ] as const) {
      const made = await of.call('POST', '/v1/actions', automation(name, url));
      expect(made.status, await made.clone().text()).toBe(201);
    }
    const { details } = await json(move(of, { stage: 'cutover' }));
    expect(details.blockers).toMatchObject([{ kind: 'automation', subject: 'old' }]);
    expect((await move(of, { stage: 'cutover', force: true })).status).toBe(200);
  });

  test('switches every agent widget that is still off, records it and lists it', async () => {
    const of = await at('transition');
    const widget = (id: string, more: object) => ({ id, type: 'ai-agent', agentIdentifier: 'guide', ...more });
    const page = {
      identifier: 'ask',
      title: 'Ask',
      type: 'dashboard',
      widgets: [
        {
          id: 'board',
          type: 'dashboard-widget',
          layout: [],
          widgets: [
            widget('plain', {}),
            widget('off', { use_mcp: false }),
            widget('camel', { useMcp: false }),
            widget('on', { useMCP: true }),
            { id: 'text', type: 'markdown', use_mcp: false },
          ],
        },
      ],
    };
    const made = await of.call('POST', '/v1/pages', page);
    expect(made.status, await made.clone().text()).toBe(201);
    const { details } = await json(move(of, { stage: 'cutover' }));
    expect(details.blockers.map(({ kind }: { kind: string }) => kind)).toEqual(['widget', 'widget', 'widget']);
    expect((await move(of, { stage: 'cutover' }, { force: true })).status).toBe(200);

    const after = (await json(of.call('GET', '/v1/pages/ask'))).page.widgets[0].widgets;
    expect(after).toMatchObject([
      { use_mcp: true },
      { use_mcp: true },
      { useMcp: true },
      { useMCP: true },
      { use_mcp: false },
    ]);
    expect(after[2]).not.toHaveProperty('use_mcp');
    const { steps } = await report(of);
    const switched = steps.filter(({ kind }: { kind: string }) => kind === 'widget');
    expect(switched.map(({ details: { widget: id } }: { details: { widget: string } }) => id).sort()).toEqual([
      'camel',
      'off',
      'plain',
    ]);
    const events = await harness.database.rows(
      sql`select 1 from journal where org_id = ${of.id} and event = 'page.updated' and identifier = 'ask'`,
    );
    expect(events.length).toBe(1);
  });

  test('back keeps the new fields beside the old ones', async () => {
    const of = await at('cutover');
    await agent(of, 'guide', { prompt: 'Help.' });
    expect((await move(of, { stage: 'transition' })).status).toBe(200);
    expect((await properties(of, 'guide')).tools).toEqual(['^(list|get|search|track|describe)_.*']);
    expect(await create(of, old)).toEqual([201, []]);
    expect((await of.call('POST', '/agent/invoke?stream=true', { ...question, agent_id: 'guide' })).status).toBe(200);
  });
});

describe('the report', () => {
  test('of a stage can be rehearsed by administrators, and nothing moves', async () => {
    const of = await at('transition');
    const rehearse = (token: string, body: object) => send(harness.url, token, 'POST', '/v1/ai/cutover/rehearse', body);
    const rehearsed = await json(rehearse(of.token, { stage: 'cutover', operatorUpdated: true }));
    expect(rehearsed.cutover).toMatchObject({ stage: 'cutover', operatorUpdated: true });
    expect(await report(of)).toMatchObject({ stage: 'transition' });
    expect((await rehearse(await of.member(), { stage: 'cutover' })).status).toBe(403);
    expect((await rehearse(of.token, { stage: 'never' })).status).toBe(400);
    expect((await rehearse(of.token, { force: true })).status).toBe(400);
  });

  test('is for administrators and the operator, of their own organization', async () => {
    const of = await at('transition');
    const member = await of.member();
    expect((await send(harness.url, member, 'GET', '/v1/ai/cutover')).status).toBe(403);
    expect((await send(harness.url, of.token, 'GET', `/v1/operator/organizations/${of.id}/cutover`)).status).toBe(401);
    expect((await json(operator('GET', of, '/cutover'))).cutover).toEqual(await report(of));
    expect(
      (await send(harness.url, harness.operatorToken, 'GET', '/v1/operator/organizations/org_x/cutover')).status,
    ).toBe(404);
  });

  test('says that the assistant is in beta, and that the chat application stopped', async () => {
    const of = await at('legacy');
    const { notice, chatApplication, stage, operatorUpdated } = await report(of);
    expect(notice).toMatch(/open beta and not recommended for production-critical/);
    expect(chatApplication).toMatchObject({ stopped: true, since: '2025-10-01T00:00:00.000Z' });
    expect([stage, operatorUpdated]).toEqual(['legacy', false]);
  });

  test('rehearses a stage without moving', async () => {
    const of = await at('transition');
    await agent(of, 'guide', old);
    const { cutover } = await json(operator('POST', of, '/cutover/simulate', { stage: 'cutover' }));
    const answer = (endpoint: string, stream: boolean | null) =>
      cutover.endpoints.find(
        (each: { endpoint: string; stream: boolean | null; useMcp: boolean | null }) =>
          each.endpoint === endpoint && each.stream === stream && each.useMcp === null,
      ).answer;
    expect([cutover.stage, cutover.operatorUpdated]).toEqual(['cutover', true]);
    expect([answer('router', true), answer('agent', null), answer('agent', false)]).toEqual([
      'endpoint_removed',
      'stream',
      'identifier',
    ]);
    expect(cutover.agents).toMatchObject([{ identifier: 'guide', state: 'behind' }]);
    expect((await report(of)).stage).toBe('transition');
    expect(await properties(of, 'guide')).toMatchObject({ allowed_blueprints: ['_ai_agent'] });
    expect((await operator('POST', of, '/cutover/simulate', { stage: 'never' })).status).toBe(422);
  });
});

test('the chat application answers 410, whatever the stage', async () => {
  for (const path of ['/v1/slack/events', '/slack/events', '/v1/chat-application/commands']) {
    const answer = await send(harness.url, undefined, 'POST', path, { text: 'hi' });
    expect([answer.status, (await json(answer)).error]).toEqual([410, 'endpoint_removed']);
  }
});

test('a clock that passes the scheduled instant moves agents too', async () => {
  const of = await harness.organization({ cutover: { scheduledAt: new Date(Date.now() + 600_000).toISOString() } });
  expect((await report(of)).stage).toBe('schema_testing');
  await agent(of, 'guide', old);
  await harness.database.transaction((tx) =>
    tx.execute(sql`
      update organizations set cutover = ${JSON.stringify({ scheduledAt: new Date(Date.now() - 1000).toISOString() })}::jsonb
      where id = ${of.id}`),
  );
  // the request itself updates the agent, before the schedule has run
  await ask(of, '/agent/guide/invoke');
  expect(offered()).toContain('list_entities');
  // registers the schedule, then makes it due
  await harness.app.jobs.drain();
  await harness.database.transaction((tx) =>
    tx.execute(sql`update job_schedules set next_run_at = now() where name = 'assistant.follow-clock'`),
  );
  await harness.app.jobs.drain();
  expect(await properties(of, 'guide')).toMatchObject({ tools: expect.any(Array), status: 'active' });
  expect(await properties(of, 'guide')).not.toHaveProperty('allowed_actions');
});
