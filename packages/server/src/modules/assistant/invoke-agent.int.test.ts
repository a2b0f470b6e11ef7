import { randomUUID } from 'node:crypto';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type AssistantHarness,
  readEvents,
  send,
  startAssistantHarness,
  type TestOrganization,
  until,
} from '../../../test/assistant-harness.ts';

let harness: AssistantHarness;
let organization: TestOrganization;

beforeAll(async () => {
  harness = await startAssistantHarness();
});
afterAll(() => harness.close());
beforeEach(async () => {
  organization = await harness.organization();
  harness.model.respondWith(() => ({ text: 'Fine.' }));
});

const question = { query: 'Which services have no owner?' };

async function agent(identifier: string, properties: object = {}, more: object = {}, of = organization) {
  const body = { identifier, properties: { prompt: `You are ${identifier}.`, ...properties }, ...more };
  const answer = await of.call('POST', '/v1/blueprints/_ai_agent/entities', body);
  expect(answer.status, await answer.clone().text()).toBe(201);
}

async function entity(id: string, of = organization) {
  const answer = await of.call('GET', `/v1/blueprints/_ai_invocations/entities/${id}`);
  // biome-ignore lint/suspicious/noExplicitAny: answers of any shape
  return ((await answer.json()) as any).entity;
}

async function count(of = organization): Promise<number> {
  const row = await harness.database.first<{ count: number }>(
    sql`select count(*)::int as count from invocations where org_id = ${of.id}`,
  );
  return row?.count ?? 0;
}

// biome-ignore lint/suspicious/noExplicitAny: answers of any shape
const json = async (answer: Response): Promise<any> => answer.json();

async function ended(id: string, of = organization) {
  let result: Record<string, unknown> = {};
  await until(`invocation ${id} ends`, async () => {
    result = (await json(await of.call('GET', `/v1/ai/invoke/${id}`))).result;
    return result['status'] !== 'In Progress';
  });
  return result;
}

const toolNames = (index: number): string[] =>
  (harness.model.requests.at(index)?.body.tools ?? []).map(
    (tool: { function: { name: string } }) => tool.function.name,
  );

describe('an agent of its own path', () => {
  test.each(['/v1/agent/guide/invoke', '/agent/guide/invoke'])('POST %s streams and is recorded', async (path) => {
    await agent('guide', { tools: ['^count_.*'], labels: { area: 'x' } });
    const response = await organization.call('POST', path, { ...question, labels: { pr: 7 } });
    const events = await readEvents(response);

    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(response.headers.get('x-ignored-parameters')).toBeNull();
    expect(events.map(({ event }) => event)).toEqual(['invocationIdentifier', 'execution', 'done']);
    const id = events[0]?.data as string;
    expect(await entity(id)).toMatchObject({
      title: question.query,
      properties: {
        status: 'Completed',
        response: 'Fine.',
        labels: { pr: 7 },
        prompt: `## User Request\n\n${question.query}\n\n## Agent Prompt\n\nYou are guide.`,
      },
      relations: { agent: 'guide' },
    });
    const sent = harness.model.requests.at(-1)?.body.messages;
    expect(sent[0].content).toContain('Instructions of the agent\nYou are guide.');
    expect(sent[1].content).toContain(question.query);
    expect(toolNames(-1)).toEqual(['count_entities']);
    expect(await ended(id)).toMatchObject({ selectedAgent: 'guide', message: 'Fine.', invocationIdentifier: id });
  });

  test.each(['userPrompt', 'prompt', 'query', 'message'])('takes the question from %s', async (name) => {
    await agent('guide');
    const events = await readEvents(await organization.call('POST', '/agent/guide/invoke', { [name]: 'Hello?' }));
    expect((await entity(events[0]?.data as string)).title).toBe('Hello?');
  });

  test.each([
    ['', 'stream', ''],
    ['?stream=true&use_mcp=true', 'stream', ''],
    ['?stream=false', '202', ''],
    ['?stream=false&use_mcp=true', '202', ''],
    ['?stream=false&use_mcp=false', 'stream', 'stream, use_mcp'],
    ['?useMCP=false', 'stream', 'use_mcp'],
    ['?stream=0x1', 'stream', ''],
  ])('with "%s" answers %s', async (query, answer, ignored) => {
    await agent('guide');
    const response = await organization.call('POST', `/v1/agent/guide/invoke${query}`, question, {
      accept: 'application/json',
    });
    expect(response.headers.get('x-ignored-parameters') ?? '').toBe(ignored);
    if (answer === 'stream') {
      expect(response.status).toBe(200);
      expect((await readEvents(response)).at(-1)?.event).toBe('done');
      return;
    }
    expect(response.status).toBe(202);
    const body = await json(response);
    expect(body).toEqual({ ok: true, invocation: { identifier: expect.any(String) } });
    expect(await ended(body.invocation.identifier)).toMatchObject({ status: 'Completed', message: 'Fine.' });
    for (const path of ['/v1/agent/invoke', '/agent/invoke', '/ai/invoke']) {
      const read = await organization.call('GET', `${path}/${body.invocation.identifier}`);
      expect(await json(read)).toMatchObject({ ok: true, result: { status: 'Completed' } });
    }
  });

  test('what a stock workflow node sends is a stream, and its extras are named', async () => {
    await agent('guide');
    const response = await organization.call(
      'POST',
      '/v1/agent/guide/invoke?stream=false&use_mcp=false',
      { prompt: 'Hello?', context: {}, labels: {}, provider: 'port', model: 'gpt-5' },
      { accept: 'application/json' },
    );
    expect(response.headers.get('x-ignored-fields')).toBe('provider, model');
    expect((await readEvents(response)).at(-1)?.event).toBe('done');
  });

  test('narrows its tools to those of the request, and never widens them', async () => {
    await agent('guide', { tools: ['^(list|count)_entities$'] });
    const ask = async (tools?: string[]) => {
      await readEvents(
        await organization.call('POST', '/agent/guide/invoke', { ...question, ...(tools ? { tools } : {}) }),
      );
      return toolNames(-1).sort();
    };
    expect(await ask()).toEqual(['count_entities', 'list_entities']);
    expect(await ask(['count_.*', 'search_.*'])).toEqual(['count_entities']);
    expect(await ask(['.*'])).toEqual(['count_entities', 'list_entities']);
    expect(await ask([])).toEqual([]);
    await agent('mute', { tools: [] });
    await readEvents(await organization.call('POST', '/agent/mute/invoke', { ...question, tools: ['.*'] }));
    expect(toolNames(-1)).toEqual([]);
  });

  test('has instructions of its own: those of a request are named as ignored', async () => {
    await agent('guide');
    const response = await organization.call('POST', '/agent/guide/invoke', { ...question, systemPrompt: 'Sing.' });
    expect(response.headers.get('x-ignored-fields')).toBe('systemPrompt');
    await readEvents(response);
    expect(harness.model.requests.at(-1)?.body.messages[0].content).not.toContain('Sing.');
  });

  test('chooses its model among those that the operator offers; a request may choose another', async () => {
    await agent('guide', { provider: 'openai-compatible', model: 'mock-large' });
    await agent('dreamer', { provider: 'openai', model: 'no-such-model' });
    const ask = async (name: string, hints: object = {}) => {
      const response = await organization.call('POST', `/agent/${name}/invoke`, { ...question, ...hints });
      const events = await readEvents(response);
      const { provider, model } = (await entity(events[0]?.data as string)).properties;
      return [harness.model.requests.at(-1)?.body.model, provider, model, response.headers.get('x-ignored-fields')];
    };
    expect(await ask('guide')).toEqual(['mock-large', 'openai-compatible', 'mock-large', null]);
    expect(await ask('dreamer')).toEqual(['mock', 'openai-compatible', 'mock', null]);
    expect(await ask('guide', { provider: 'port', model: 'mock' })).toEqual([
      'mock',
      'openai-compatible',
      'mock',
      null,
    ]);
    expect(await ask('dreamer', { provider: 'openai', model: 'claude-sonnet-4-20250514' })).toEqual([
      'mock',
      'openai-compatible',
      'mock',
      'provider, model',
    ]);
  });

  test('counts its invocations', async () => {
    await agent('guide');
    for (const _ of [1, 2]) await readEvents(await organization.call('POST', '/agent/guide/invoke', question));
    await until('the aggregation sees both', async () => {
      const answer = await organization.call('GET', '/v1/blueprints/_ai_agent/entities/guide');
      return (await json(answer)).entity.properties.total_invocations === 2;
    });
  });

  test('asks once for one key, also when it turned inactive in between', async () => {
    await agent('guide');
    const headers = { 'idempotency-key': randomUUID() };
    const path = '/v1/agent/guide/invoke?stream=false';
    const first = await json(await organization.call('POST', path, question, headers));
    await organization.call('PATCH', '/v1/blueprints/_ai_agent/entities/guide', { properties: { status: 'inactive' } });
    expect(await json(await organization.call('POST', path, question, headers))).toEqual(first);
    const other = await organization.call('POST', path, { query: 'Something else?' }, headers);
    expect([other.status, (await json(other)).error]).toEqual([409, 'idempotency_key_reused']);
    await agent('other');
    const elsewhere = await organization.call('POST', '/v1/agent/other/invoke', question, headers);
    expect(elsewhere.status).toBe(409);
    expect(await count()).toBe(1);
  });

  test('takes the identifier that the caller chose', async () => {
    await agent('guide');
    const id = randomUUID();
    const path = `/v1/agent/guide/invoke?stream=false&invocation_identifier=${id}`;
    expect(await json(await organization.call('POST', path, question))).toMatchObject({
      invocation: { identifier: id },
    });
    expect(await ended(id)).toMatchObject({ status: 'Completed' });
  });

  test('may be called invoke', async () => {
    await agent('invoke');
    const events = await readEvents(await organization.call('POST', '/agent/invoke/invoke', question));
    expect((await entity(events[0]?.data as string)).relations.agent).toBe('invoke');
  });
});

describe('refused without a record', () => {
  const refused = async (answer: Promise<Response>) => {
    const response = await answer;
    return [response.status, (await json(response)).error];
  };

  test('an agent that is not there, and one that the caller may not read, look alike', async () => {
    await agent('hidden');
    const token = await organization.member();
    await grantAi();
    await organization.call('PATCH', '/v1/blueprints/_ai_agent/permissions', {
      entities: { read: { roles: ['Admin'] } },
    });
    const ask = async (name: string) => {
      const answer = await send(harness.url, token, 'POST', `/v1/agent/${name}/invoke`, question);
      return [answer.status, (await answer.text()).replaceAll(name, 'x')];
    };
    const hidden = await ask('hidden');
    expect(hidden[0]).toBe(404);
    expect(hidden).toEqual(await ask('nobody'));
    expect(await count()).toBe(0);
  });

  test('an inactive agent is 409', async () => {
    await agent('guide', { status: 'inactive' });
    expect(await refused(organization.call('POST', '/agent/guide/invoke', question))).toEqual([409, 'agent_inactive']);
    expect(await count()).toBe(0);
    const list = await json(await organization.call('GET', '/v1/blueprints/_ai_invocations/entities'));
    expect(list.entities).toEqual([]);
  });

  test('a caller without the right is 403 before anything is said of the agent or the body', async () => {
    const token = await organization.member();
    const ask = send(harness.url, token, 'POST', '/v1/agent/nobody/invoke', { nonsense: 1 });
    expect(await refused(ask)).toEqual([403, 'ai_not_allowed']);
    expect(await refused(send(harness.url, undefined, 'POST', '/agent/nobody/invoke', question))).toEqual([
      401,
      'unauthorized',
    ]);
  });

  test('an agent of another organization is not there', async () => {
    const other = await harness.organization();
    await agent('theirs', {}, {}, other);
    expect(await refused(organization.call('POST', '/agent/theirs/invoke', question))).toEqual([404, 'not_found']);
    expect(await count(other)).toBe(0);
  });

  test('a body that is wrong names every issue', async () => {
    await agent('guide');
    const answer = await organization.call('POST', '/agent/guide/invoke', { querry: 'x', tools: ['('], agent_id: 7 });
    expect(answer.status).toBe(400);
    const { details } = await json(answer);
    expect(details.map(({ path }: { path: string }) => path).sort()).toEqual([
      '/agent_id',
      '/querry',
      '/query',
      '/tools/0',
    ]);
    const twice = organization.call('POST', '/agent/guide/invoke', { query: 'a', prompt: 'b' });
    expect(await refused(twice)).toEqual([400, 'conflicting_fields']);
    const named = organization.call('POST', '/agent/guide/invoke', { query: 'a', agent_id: 'other' });
    expect(await refused(named)).toEqual([400, 'conflicting_fields']);
    expect(await count()).toBe(0);
  });
});

async function grantAi() {
  const grant = { entities: { register: { roles: ['Admin', 'Member'] } } };
  const answer = await organization.call('PATCH', '/v1/blueprints/_ai_invocations/permissions', grant);
  expect(answer.status, await answer.clone().text()).toBe(200);
}

describe('the rules of an agent', () => {
  const create = async (properties: object) => {
    const body = { identifier: `a-${randomUUID()}`, properties };
    const answer = await organization.call('POST', '/v1/blueprints/_ai_agent/entities', body);
    const { details } = await json(answer.clone());
    return [answer.status, (Array.isArray(details) ? details : []).map(({ path }: { path: string }) => path)];
  };

  test('fills in what it may leave out, and wants a prompt of up to 2500 characters', async () => {
    expect(await create({ prompt: 'x'.repeat(2500) })).toEqual([201, []]);
    expect(await create({ prompt: '😀'.repeat(2500) })).toEqual([201, []]);
    expect(await create({ prompt: 'x'.repeat(2501) })).toEqual([422, ['/properties/prompt']]);
    expect(await create({})).toEqual([422, ['/properties/prompt']]);
  });

  test('refuses tools that are no regular expressions, naming each', async () => {
    expect(await create({ prompt: 'x', tools: ['^list_', '(', 'a)(b'] })).toEqual([
      422,
      ['/properties/tools/1', '/properties/tools/2'],
    ]);
    expect(await create({ prompt: 'x', tools: Array(51).fill('a') })).toEqual([422, ['/properties/tools']]);
    expect(await create({ prompt: 'x', tools: '^list_' })).toEqual([422, ['/properties/tools']]);
    expect(await create({ prompt: 'x', execution_mode: 'Never' })).toEqual([422, ['/properties/execution_mode']]);
    expect(await create({ prompt: 'x', status: 'paused' })).toEqual([422, ['/properties/status']]);
  });

  test.each([
    ['Manual Approval', 'Approval Required'],
    ['approval_required', 'Approval Required'],
    ['automatic', 'Automatic'],
  ])('keeps the mode %s as %s', async (written, kept) => {
    await agent('guide', { execution_mode: written });
    const answer = await organization.call('GET', '/v1/blueprints/_ai_agent/entities/guide');
    expect((await json(answer)).entity.properties.execution_mode).toBe(kept);
  });

  test('keeps the starters of conversations', async () => {
    await agent('guide', { conversation_starters: ['Who is on call?'] });
    const answer = await organization.call('GET', '/v1/blueprints/_ai_agent/entities/guide');
    expect((await json(answer)).entity.properties.conversation_starters).toEqual(['Who is on call?']);
  });
});

describe('the list of invocations', () => {
  test('is filtered by label, status, agent, person and time, and paged', async () => {
    await agent('guide');
    await agent('scribe');
    const ask = async (path: string, body: object) => {
      const answer = await organization.call('POST', path, body);
      return (await readEvents(answer))[0]?.data as string;
    };
    const a = await ask('/agent/guide/invoke', { query: 'a', labels: { env: 'prod', n: 1 } });
    const b = await ask('/agent/scribe/invoke', { query: 'b', labels: { env: 'prod', n: 2 } });
    harness.model.respondWith(() => ({ status: 401 }));
    const c = await ask('/v1/ai/invoke', { userPrompt: 'c', labels: { env: 'dev' } });
    const list = async (query: string) => {
      const body = await json(await organization.call('GET', `/v1/ai/invocations?${query}`));
      return body.invocations.map(({ identifier }: { identifier: string }) => identifier);
    };
    expect(await list('')).toEqual([c, b, a]);
    expect(await list('label=env=prod')).toEqual([b, a]);
    expect(await list('label=env=prod&label=n=1')).toEqual([a]);
    expect(await list('label=n=1&label=n=2')).toEqual([]);
    expect(await list('agent=scribe')).toEqual([b]);
    expect(await list('status=Failed')).toEqual([c]);
    expect(await list('user=nobody')).toEqual([]);
    expect(await list(`from=${new Date(Date.now() + 60_000).toISOString()}`)).toEqual([]);
    expect(await list(`to=${new Date(Date.now() + 60_000).toISOString()}`)).toEqual([c, b, a]);
    const page = await json(await organization.call('GET', '/v1/ai/invocations?limit=2'));
    expect(page.invocations.length).toBe(2);
    expect(await list(`limit=2&next=${page.next}`)).toEqual([a]);
    expect((await organization.call('GET', '/v1/ai/invocations?label=env')).status).toBe(400);
    const other = await harness.organization();
    expect((await json(await other.call('GET', '/v1/ai/invocations'))).invocations).toEqual([]);
  });

  test('shows members their own, whomever they ask for', async () => {
    await grantAi();
    const token = await organization.member();
    await readEvents(await organization.call('POST', '/v1/ai/invoke', { userPrompt: 'mine' }));
    const own = await readEvents(await send(harness.url, token, 'POST', '/v1/ai/invoke', { userPrompt: 'theirs' }));
    const list = async (query = '') =>
      (await json(await send(harness.url, token, 'GET', `/v1/ai/invocations${query}`))).invocations;
    const [first, ...others] = await list();
    expect(first.identifier).toBe(own[0]?.data);
    expect(others).toEqual([]);
    const all = (await json(await organization.call('GET', '/v1/ai/invocations'))).invocations;
    const administrator = all.find(({ prompt }: { prompt: string }) => prompt === 'mine').askedBy;
    expect(await list(`?user=${encodeURIComponent(administrator)}`)).toEqual([]);
  });
});

describe('the deprecated router, before the cutover', () => {
  beforeEach(async () => {
    organization = await harness.organization({ cutover: { stage: 'transition' } });
  });

  test.each(['/v1/agent/invoke', '/agent/invoke'])('POST %s answers 202 and says that it goes', async (path) => {
    await agent('guide');
    const answer = await organization.call('POST', path, { ...question, agent_id: 'guide' });
    expect(answer.status).toBe(202);
    expect(answer.headers.get('deprecation')).toBe('@1759276800');
    expect(answer.headers.get('sunset')).toBe('Thu, 16 Oct 2025 00:00:00 GMT');
    expect(answer.headers.get('link')).toBe('</v1/agent/guide/invoke>; rel="successor-version"');
    const { invocation } = await json(answer);
    expect(await ended(invocation.identifier)).toMatchObject({ status: 'Completed', selectedAgent: 'guide' });
  });

  test('streams if asked, and tells which agent it chose', async () => {
    await agent('scribe', { description: 'Writes summaries of incidents' });
    await agent('guide', { description: 'Knows services and their owners' });
    const answer = await organization.call('POST', '/agent/invoke?stream=true', question);
    expect(answer.headers.get('sunset')).not.toBeNull();
    const events = await readEvents(answer);
    expect(events.map(({ event }) => event)).toEqual(['invocationIdentifier', 'agentSelection', 'execution', 'done']);
    expect(JSON.parse(events[1]?.data as string)).toMatchObject({ type: 'SELECTED_AGENT', identifier: 'guide' });
    expect(events.map(({ id }) => id)).toEqual(events.map((_, index) => `${events[0]?.data}:${index + 1}`));
  });

  test('fails where no agent is active, or none fits, and keeps that', async () => {
    const ask = async () => {
      const answer = await organization.call('POST', '/agent/invoke', { prompt: 'Write a poem' });
      return ended((await json(answer)).invocation.identifier);
    };
    expect(await ask()).toMatchObject({ status: 'Failed', error: 'no_agent_available' });
    await agent('guide', { description: 'Services' });
    await agent('scribe', { description: 'Incidents' });
    expect(await ask()).toMatchObject({ status: 'Failed', error: 'no_agent_match' });
    const quota = await json(await organization.call('GET', '/v1/quota/ai-invocations'));
    expect(quota.monthlyQuotaUsage.remainingQuota).toBe(quota.monthlyQuotaUsage.monthlyLimit);
  });
});

describe('the stages', () => {
  test('the router is gone at the cutover, and says where to go, to those who may be told', async () => {
    for (const path of ['/v1/agent/invoke', '/agent/invoke']) {
      const answer = await organization.call('POST', path, { ...question, agent_id: 'guide' });
      expect(answer.status).toBe(410);
      const body = await json(answer);
      expect(body.error).toBe('endpoint_removed');
      expect(body.message).toMatch(/Path A.*Path B/);
      expect(body.details).toMatchObject({
        pathA: { path: '/v1/agent/{agent_identifier}/invoke' },
        pathB: { path: '/v1/ai/invoke' },
      });
      expect((await send(harness.url, undefined, 'POST', path, question)).status).toBe(401);
    }
    expect(await count()).toBe(0);
  });

  test('in legacy there is no assistant, agents answer 202, and the new limits do not count', async () => {
    const legacy = await harness.organization({ cutover: { stage: 'legacy' }, quotas: { monthlyInvocations: 0 } });
    await agent('guide', {}, {}, legacy);
    const assistant = await legacy.call('POST', '/v1/ai/invoke', { userPrompt: 'x' });
    expect([assistant.status, (await json(assistant)).error]).toEqual([404, 'ai_not_enabled']);
    const answer = await legacy.call('POST', '/agent/guide/invoke', question);
    expect(answer.status).toBe(202);
    expect(await ended((await json(answer)).invocation.identifier, legacy)).toMatchObject({ status: 'Completed' });
    const router = await legacy.call('POST', '/agent/invoke', { ...question, agent_id: 'guide' });
    expect(router.status).toBe(202);
    expect(router.headers.get('deprecation')).toBeNull();
  });

  test('the new limits count for agents from the first moment outside legacy', async () => {
    const limited = await harness.organization({ cutover: { stage: 'transition' }, quotas: { monthlyInvocations: 1 } });
    await agent('guide', {}, {}, limited);
    expect((await limited.call('POST', '/agent/guide/invoke', question)).status).toBe(202);
    const second = await limited.call('POST', '/agent/guide/invoke?stream=true&use_mcp=true', question);
    expect([second.status, (await json(second)).error]).toEqual([429, 'ai_quota_exceeded']);
  });

  test('at the cutover, before the operator updated the organization, streaming has to be asked for', async () => {
    const waiting = await harness.organization({ cutover: { stage: 'cutover', operatorUpdated: false } });
    await agent('guide', {}, {}, waiting);
    expect((await waiting.call('POST', '/agent/guide/invoke', question)).status).toBe(202);
    expect((await waiting.call('POST', '/agent/guide/invoke?use_mcp=true', question)).status).toBe(202);
    const streamed = await waiting.call('POST', '/agent/guide/invoke?stream=true', question);
    expect((await readEvents(streamed)).at(-1)?.event).toBe('done');
    expect((await waiting.call('POST', '/agent/invoke', { ...question, agent_id: 'guide' })).status).toBe(410);
  });
});
