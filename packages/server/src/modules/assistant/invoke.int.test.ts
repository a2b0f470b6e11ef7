import sql from 'sql-template-tag';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type AssistantHarness,
  readEvents,
  send,
  startAssistantHarness,
  type TestOrganization,
} from '../../../test/assistant-harness.ts';

let harness: AssistantHarness;
let organization: TestOrganization;

beforeAll(async () => {
  harness = await startAssistantHarness({ firstContentMs: 1_600, betweenContentsMs: 400, totalMs: 5_000 });
});
afterAll(() => harness.close());
beforeEach(async () => {
  organization = await harness.organization();
  harness.model.respondWith(() => undefined);
});

const ask = (body: Record<string, unknown>, headers?: Record<string, string>, query = ''): Promise<Response> =>
  organization.call('POST', `/v1/ai/invoke${query}`, body, headers);

const question = { userPrompt: 'Which agents are there?' };

async function entity(id: string): Promise<Record<string, unknown>> {
  const answer = await organization.call('GET', `/v1/blueprints/_ai_invocations/entities/${id}`);
  return ((await answer.json()) as { entity: Record<string, unknown> }).entity;
}

async function invocations(): Promise<number> {
  const row = await harness.database.first<{ count: number }>(
    sql`select count(*)::int as count from invocations where org_id = ${organization.id}`,
  );
  return row?.count ?? 0;
}

describe('a question that is answered', () => {
  test('streams tool calls over the catalog and the answer, and is an entity afterwards', async () => {
    harness.model.script(
      { calls: [{ name: 'list_entities', arguments: { blueprint: '_ai_agent' } }] },
      { text: 'There are none.', usage: { input: 120, output: 5 } },
    );

    const response = await ask({ ...question, systemPrompt: 'Be brief.', labels: { team: 'core', level: 3 } });
    const events = await readEvents(response);

    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(events.map(({ event }) => event)).toEqual([
      'invocationIdentifier',
      'tool_call',
      'tool_result',
      'execution',
      'done',
    ]);
    const id = events[0]?.data as string;
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/);
    expect(events.map((event) => event.id)).toEqual(events.map((_, index) => `${id}:${index + 1}`));
    expect(JSON.parse(events[2]?.data as string)).toMatchObject({ id: 'call_0', lastChunk: true });
    expect(JSON.parse(JSON.parse(events[2]?.data as string).content)).toEqual({ total: 0, entities: [] });
    expect(JSON.parse(events[4]?.data as string)).toMatchObject({
      status: 'Completed',
      rateLimitUsage: { maxRequests: 12_000, remainingRequests: 11_999, maxTokens: 30_000_000 },
      monthlyQuotaUsage: { monthlyLimit: 20_000, remainingQuota: 19_999 },
    });

    const stored = await entity(id);
    expect(stored).toMatchObject({
      title: 'Which agents are there?',
      createdBy: expect.any(String),
      properties: {
        status: 'Completed',
        prompt: '## User Request\n\nWhich agents are there?\n\n## System Prompt\n\nBe brief.',
        response: 'There are none.',
        error: null,
        labels: { team: 'core', level: 3 },
        provider: 'openai-compatible',
        model: 'mock',
        quota: { monthlyLimit: 20_000, remainingQuota: 19_999 },
        agent_title: null,
      },
      relations: { agent: null, asked_by: null },
    });
    const logs = (stored['properties'] as Record<string, string>)['execution_logs'] ?? '';
    expect(logs.startsWith('1. Called list_entities with blueprint _ai_agent: answered')).toBe(true);
    expect(logs.trimEnd().endsWith('```')).toBe(true);

    const result = await organization.call('GET', `/v1/ai/invoke/${id}`);
    expect(await result.json()).toMatchObject({
      ok: true,
      result: {
        status: 'Completed',
        message: 'There are none.',
        invocationIdentifier: id,
        usage: { steps: 2, toolCalls: 1, isLanguageModel: true },
      },
    });
  });

  test('offers the read-only tools unless asked otherwise, and none for an empty list', async () => {
    await readEvents(await ask(question));
    await readEvents(await ask({ ...question, tools: [] }));
    await readEvents(await ask({ ...question, tools: ['count_.*', '(?!list)\\w+_blueprint$'] }));

    const names = harness.model.requests
      .slice(-3)
      .map(({ body }) => (body.tools ?? []).map((tool: { function: { name: string } }) => tool.function.name).sort());
    expect(names[0]).toEqual([
      'describe_user_details',
      'get_action',
      'get_action_permissions',
      'get_blueprint',
      'get_blueprint_permissions',
      'get_campaign',
      'get_entities_by_identifiers',
      'get_entity',
      'get_figures',
      'get_page',
      'get_page_permissions',
      'get_scorecard',
      'get_team',
      'get_user',
      'get_workflow_run',
      'list_action_runs',
      'list_actions',
      'list_blueprints',
      'list_campaigns',
      'list_entities',
      'list_pages',
      'list_scorecards',
      'list_self_service_triggers',
      'list_skills',
      'list_teams',
      'list_users',
      'search_audit_log',
      'search_entities',
      'search_knowledge_sources',
      'track_action_run',
    ]);
    expect(names[1]).toEqual([]);
    expect(names[2]).toEqual(['count_entities', 'get_blueprint']);
  });

  test('keeps what is sent before the question small: at most 5,000 tokens with the default tools', async () => {
    await readEvents(await ask(question));
    const { messages, tools } = harness.model.requests.at(-1)!.body;
    const largest = tools.map((tool: object) => JSON.stringify(tool).length).sort((a: number, b: number) => b - a)[0];
    // providers count about one token per four characters of English and JSON
    const tokens = (JSON.stringify(tools).length + messages[0].content.length) / 4;
    expect(tokens).toBeLessThan(5_000);
    expect(largest).toBeLessThan(2_500);
  });

  test('reads every generation of field names, and says which fields had no effect', async () => {
    const response = await ask({
      prompt: 'Hello?',
      execution_mode: 'approval_required',
      provider: 'port',
      context: {},
    });

    expect(response.status).toBe(200);
    expect(response.headers.get('x-ignored-fields')).toBe('provider');
    await readEvents(response);
  });

  test('gives letters to whoever asks for them, and the whole segments to all', async () => {
    harness.model.script({ text: ['It ', 'is ', 'so.'] });
    const events = await readEvents(await ask(question, {}, '?deltas=true'));
    const id = events[0]?.data as string;
    const plain = await readEvents(await organization.call('GET', `/v1/ai/invoke/${id}/events`));

    expect(events.filter(({ event }) => event === 'text_delta').length).toBeGreaterThan(1);
    expect(plain.map(({ event }) => event)).toEqual(['invocationIdentifier', 'execution', 'done']);
    expect(plain.at(-1)?.id).toBe(events.at(-1)?.id);
  });

  test('does not stream for whoever prefers not to wait', async () => {
    const response = await ask(question, { prefer: 'respond-async' });
    expect(response.status).toBe(202);
    const { ok, invocation } = (await response.json()) as { ok: boolean; invocation: { identifier: string } };
    expect(ok).toBe(true);
    const events = await readEvents(await organization.call('GET', `/v1/ai/invoke/${invocation.identifier}/events`));
    expect(events.at(-1)?.event).toBe('done');
  });

  test('keeps text that a database cannot hold out of the entity, not out of the way', async () => {
    harness.model.script({ text: 'before\u0000after \ud800 end' });
    const events = await readEvents(await ask(question));
    const stored = await entity(events[0]?.data as string);
    expect((stored['properties'] as Record<string, string>)['status']).toBe('Completed');
    expect((stored['properties'] as Record<string, string>)['response']).toContain('before\ufffdafter');
  });
});

describe('a stream that breaks', () => {
  test('continues after the last event that was seen, byte for byte', async () => {
    harness.model.script({ calls: [{ name: 'list_blueprints' }] }, { text: 'Many.' });
    const response = await ask(question);
    const whole = await response.text();
    const id = /data: (\S+)/.exec(whole)?.[1] as string;
    const blocks = whole.split('\n\n').filter((block) => block.startsWith('id: '));

    for (const after of [0, 1, 3, blocks.length - 1]) {
      const headers: Record<string, string> = after === 0 ? {} : { 'last-event-id': `${id}:${after}` };
      const resumed = await organization.call('GET', `/v1/ai/invoke/${id}/events`, undefined, headers);
      const expected = blocks.slice(after).map((block) => `${block}\n\n`);
      expect(withoutComments(await resumed.text())).toBe(expected.join(''));
    }
    const posted = await ask(question, { 'last-event-id': `${id}:2` });
    expect(withoutComments(await posted.text())).toBe(
      blocks
        .slice(2)
        .map((block) => `${block}\n\n`)
        .join(''),
    );
    expect(await invocations()).toBe(1);
  });

  test('does not stop the run: the answer is there when the reader comes back', async () => {
    harness.model.script({ text: ['Slowly', ' but', ' surely.'], firstMs: 150, gapMs: 100 });
    const stop = new AbortController();
    const response = await fetch(`${harness.url}/v1/ai/invoke`, {
      method: 'POST',
      headers: { authorization: `Bearer ${organization.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(question),
      signal: stop.signal,
    });
    const id = response.headers.get('x-invocation-id') as string;
    stop.abort();

    const events = await readEvents(await organization.call('GET', `/v1/ai/invoke/${id}/events`));
    expect(
      events
        .filter(({ event }) => event === 'execution')
        .map(({ data }) => data)
        .join(''),
    ).toBe('Slowly but surely.');
    expect(events.at(-1)?.event).toBe('done');
  });

  test('refuses an id that is none, and one of a run that is not the caller’s', async () => {
    expect((await ask(question, { 'last-event-id': 'nonsense' })).status).toBe(400);
    const events = await readEvents(await ask(question));
    const other = await harness.organization();
    const answer = await other.call('POST', '/v1/ai/invoke', question, { 'last-event-id': `${events[0]?.data}:1` });
    expect(answer.status).toBe(404);
  });
});

function withoutComments(text: string): string {
  return text
    .split('\n\n')
    .filter((block) => !block.startsWith(':'))
    .join('\n\n');
}

describe('a failure', () => {
  test.each([
    ['refuses the key', { status: 401 }, 'llm_provider_refused'],
    ['is broken', { status: 500 }, 'llm_provider_unavailable'],
    ['never answers', { silent: true }, 'llm_provider_timeout'],
    ['stops in the middle', { text: 'Half', stalls: true }, 'llm_provider_timeout'],
    ['sends nonsense', { text: 'Half', malformed: true }, 'llm_provider_unavailable'],
  ])('of a model that %s is told in the stream and kept', async (_what, turn, code) => {
    harness.model.respondWith(() => turn);
    const events = await readEvents(await ask(question));

    expect(events.slice(-2).map(({ event }) => event)).toEqual(['error', 'done']);
    const told = JSON.parse(events.at(-2)?.data as string);
    expect(told).toMatchObject({ ok: false, error: code });
    expect(JSON.parse(events.at(-1)?.data as string)).toMatchObject({ status: 'Failed' });
    const id = events[0]?.data as string;
    const { properties } = (await entity(id)) as { properties: Record<string, string> };
    expect(properties).toMatchObject({ status: 'Failed', error: told.message });
    expect(JSON.stringify(properties)).not.toContain('sk-never-shown');
    const result = await (await organization.call('GET', `/v1/ai/invoke/${id}`)).json();
    expect(result).toMatchObject({ ok: true, result: { status: 'Failed', error: code } });
  });

  test('of a tool is an answer to the model, and the run goes on', async () => {
    harness.model.script(
      {
        calls: [{ name: 'get_entity', arguments: { blueprint: 'nope', identifier: 'x' } }, { name: 'drop_everything' }],
      },
      { text: 'It is not there.' },
    );
    const events = await readEvents(await ask(question));
    const results = events.filter(({ event }) => event === 'tool_result').map(({ data }) => JSON.parse(data));
    expect(results.map(({ isError }) => isError)).toEqual([true, true]);
    expect(results[0].content).toContain('not_found');
    expect(JSON.parse(events.at(-1)?.data as string)).toMatchObject({ status: 'Completed' });
  });

  test('of the request is refused with every issue, and nothing is recorded or counted', async () => {
    const refused = await ask({
      userPromt: 'typo',
      executionMode: 'Whatever',
      tools: ['ok', '(', 5],
      labels: [],
    });
    expect(refused.status).toBe(400);
    const body = (await refused.json()) as { error: string; details: { path: string }[] };
    expect(body.error).toBe('invalid_request');
    expect(body.details.map(({ path }) => path).sort()).toEqual(
      expect.arrayContaining(['/executionMode', '/labels', '/tools/2', '/userPromt']),
    );
    expect((await ask({ userPrompt: 'a', prompt: 'b' })).status).toBe(400);
    expect((await ask({ ...question, tools: ['('] })).status).toBe(400);
    expect((await organization.call('POST', '/v1/ai/invoke', '{"userPrompt":')).status).toBe(400);
    expect(
      (await organization.call('POST', '/v1/ai/invoke', JSON.stringify({ userPrompt: 'x'.repeat(1 << 20) }))).status,
    ).toBe(413);
    expect((await send(harness.url, undefined, 'POST', '/v1/ai/invoke', question)).status).toBe(401);
    expect((await send(harness.url, 'a.b.c', 'POST', '/v1/ai/invoke', question)).status).toBe(401);
    expect(await invocations()).toBe(0);
    const quota = await (await organization.call('GET', '/v1/quota/ai-invocations')).json();
    expect(quota).toMatchObject({ ok: true, monthlyQuotaUsage: { monthlyLimit: 20_000, remainingQuota: 20_000 } });
  });
});
