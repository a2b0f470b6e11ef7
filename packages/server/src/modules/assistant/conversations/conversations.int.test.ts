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
let organization: TestOrganization;

beforeAll(async () => {
  harness = await startAssistantHarness();
});
afterAll(() => harness.close());
beforeEach(async () => {
  organization = await harness.organization();
  harness.model.respondWith(() => undefined);
});

// biome-ignore lint/suspicious/noExplicitAny: answers of any shape
type Body = any;

async function ask(question: string, more: Record<string, unknown> = {}, token = organization.token) {
  const answer = await send(harness.url, token, 'POST', '/v1/ai/invoke', { userPrompt: question, ...more });
  if (answer.status !== 200)
    return { status: answer.status, body: (await answer.json()) as Body, headers: answer.headers };
  const events = await readEvents(answer);
  const done = JSON.parse(events.at(-1)?.data ?? '{}') as Body;
  return { status: 200, events, id: events[0]?.data as string, done, headers: answer.headers, body: undefined };
}

async function get(path: string, token = organization.token): Promise<Body> {
  return (await send(harness.url, token, 'GET', path)).json();
}

const shown = () =>
  (harness.model.requests.at(-1)!.body.messages as Body[]).map(({ role, content }) => [
    role,
    typeof content === 'string' ? content : content.map((part: Body) => part.text).join('\n'),
  ]);

describe('a question that stands alone', () => {
  test('has no trace of a conversation in stream, headers, list or prompt', async () => {
    const { events, done, headers } = await ask('Which agents are there?');

    expect(events?.map(({ event }) => event)).toEqual(['invocationIdentifier', 'execution', 'done']);
    expect(Object.keys(done).sort()).toEqual(['monthlyQuotaUsage', 'rateLimitUsage', 'status']);
    expect(headers.has('x-conversation-id')).toBe(false);
    expect((await get('/v1/ai/conversations')).conversations).toEqual([]);
    expect(shown()[0]?.[1]).toContain('Today is ');
    expect(shown()[1]).toEqual(['user', 'Which agents are there?']);
  });
});

describe('a conversation', () => {
  test('names itself second in the stream, and tells the next turn what was said and read', async () => {
    await organization.call('POST', '/v1/blueprints', {
      identifier: 'service',
      title: 'Service',
      schema: { properties: {} },
    });
    for (const name of ['cart', 'billing'])
      await organization.call('POST', '/v1/blueprints/service/entities', {
        identifier: name,
        title: name.toUpperCase(),
      });
    harness.model.script(
      { calls: [{ name: 'list_entities', arguments: { blueprint: 'service' } }] },
      { text: 'Two: CART and BILLING.' },
    );
    const first = await ask('Which services are there?', { conversation: 'new' });
    expect(first.events?.slice(0, 2)).toMatchObject([
      { event: 'invocationIdentifier', data: first.id },
      { event: 'conversationIdentifier', data: first.id },
    ]);
    expect(first.headers.get('x-conversation-id')).toBe(first.id);
    expect(first.done.contextUsage).toEqual({ usedTokens: 0, maxTokens: 12_000, turns: 0, turnsCompacted: 0 });

    const second = await ask('And the second one?', { conversation: first.id });
    expect(second.events?.[1]).toMatchObject({ event: 'conversationIdentifier', data: first.id });
    expect(second.done.contextUsage).toMatchObject({ turns: 1, turnsCompacted: 0 });
    const [system, ...rest] = shown();
    expect(system?.[1]).not.toContain('Today is ');
    expect(rest.slice(0, 2)).toEqual([
      ['user', 'Which services are there?'],
      ['assistant', 'Two: CART and BILLING.'],
    ]);
    expect(rest[2]?.[1]).toMatch(/^And the second one\?\n[\s\S]*"r1","service"[\s\S]*"r2","service"[\s\S]*Today is /);
  });

  test('continues a question that stood alone, with what that had read', async () => {
    const single = await ask('Which agents are there?');
    const next = await ask('And now?', { conversation: single.id });

    expect(next.done.contextUsage.turns).toBe(1);
    const { conversation, messages } = await get(`/v1/ai/conversations/${single.id}`);
    expect(conversation).toMatchObject({ title: 'Which agents are there?', turns: 2, head: next.id, running: false });
    expect(messages.map((each: Body) => [each.role, each.invocationIdentifier])).toEqual([
      ['user', single.id],
      ['assistant', single.id],
      ['user', next.id],
      ['assistant', next.id],
    ]);
  });

  test('edits, repeats and branches beside what was there, and walks between the siblings', async () => {
    const first = await ask('One?', { conversation: 'new' });
    const second = await ask('Two?', { conversation: first.id });
    const edited = await ask('Two, but better?', { conversation: first.id, replaces: second.id });
    const branch = await ask('Three?', { conversation: first.id, parent: second.id });
    const anew = await ask('Zero?', { conversation: first.id, parent: null });

    const path = async (leaf?: string) =>
      (await get(`/v1/ai/conversations/${first.id}${leaf ? `?leaf=${leaf}` : ''}`)).messages
        .filter(({ role }: Body) => role === 'user')
        .map((each: Body) => [each.content, each.siblings]);
    expect(await path(edited.id)).toEqual([
      ['One?', [first.id, anew.id]],
      ['Two, but better?', [second.id, edited.id]],
    ]);
    expect(await path(branch.id)).toEqual([
      ['One?', [first.id, anew.id]],
      ['Two?', [second.id, edited.id]],
      ['Three?', [branch.id]],
    ]);
    expect(await path()).toEqual([['Zero?', [first.id, anew.id]]]);
    const moved = await organization.call('PATCH', `/v1/ai/conversations/${first.id}`, { head: edited.id });
    expect(((await moved.json()) as Body).conversation.head).toBe(edited.id);
    await ask('Next?', { conversation: first.id });
    expect(
      shown()
        .filter(([role]) => role === 'user')
        .map(([, text]) => text?.split('\n')[0]),
    ).toEqual(['One?', 'Two, but better?', 'Next?']);
  });

  test('lets one of two follow-ups at once go on, and tells the other whom to wait for', async () => {
    const first = await ask('One?', { conversation: 'new' });
    harness.model.respondWith(() => ({ text: 'Slowly.', firstMs: 300 }));
    const both = await Promise.all([1, 2].map((n) => ask(`Again ${n}?`, { conversation: first.id })));
    const [good, bad] = both.sort((a, b) => a.status - b.status);

    expect([good?.status, bad?.status]).toEqual([200, 409]);
    expect(bad?.body).toMatchObject({ error: 'conversation_busy', details: { invocation: good?.id } });
    expect(bad?.headers.get('retry-after')).toBe('1');
    expect((await get(`/v1/ai/conversations/${first.id}`)).conversation.turns).toBe(2);
    expect((await get('/v1/ai/invocations')).invocations).toHaveLength(2);
  });

  test('keeps the question of a failed turn, and not its text', async () => {
    const first = await ask('One?', { conversation: 'new' });
    harness.model.script({ text: 'Half of an', truncated: true });
    const failed = await ask('Two?', { conversation: first.id });
    expect(failed.done.status).toBe('Failed');
    await ask('Three?', { conversation: first.id });

    expect(
      shown()
        .map(([, text]) => text)
        .join('\n'),
    ).not.toContain('Half of an');
    expect(shown().slice(3, 5)).toEqual([
      ['user', 'Two?'],
      ['assistant', '(This turn ended without an answer.)'],
    ]);
  });

  test('is not there for others: every operation answers as for an unknown one', async () => {
    await organization.call('PATCH', '/v1/blueprints/_ai_invocations/permissions', {
      entities: { register: { roles: ['Admin', 'Member'] } },
    });
    const other = await organization.member();
    const { id } = await ask('One?', { conversation: 'new' });
    const seen = async (name: string) => {
      const requests: [string, string, unknown?][] = [
        ['POST', '/v1/ai/invoke', { userPrompt: 'Two?', conversation: name }],
        ['GET', `/v1/ai/conversations/${name}`],
        ['GET', `/v1/ai/conversations/${name}/events`],
        ['GET', `/v1/ai/conversations/${name}/export`],
        ['GET', `/v1/ai/invoke/${name}/messages`],
        ['PATCH', `/v1/ai/conversations/${name}/title`, { title: 'Mine' }],
        ['PATCH', `/v1/ai/conversations/${name}/pin`, { pinned: true }],
        ['PATCH', `/v1/ai/conversations/${name}`, { head: name }],
        ['POST', `/v1/ai/conversations/${name}/fork`, {}],
        ['PUT', `/v1/ai/conversations/${name}/share`, { with: 'organization' }],
        ['DELETE', `/v1/ai/conversations/${name}`],
      ];
      const answers: string[] = [];
      for (const [method, path, body] of requests) {
        const answer = await send(harness.url, other, method, path, body);
        answers.push(
          `${method} ${answer.status} ${(await answer.text()).replaceAll(name, 'ID').replace(/"requestId":"[^"]*"/, '')}`,
        );
      }
      return answers;
    };
    const foreign = await seen(id as string);
    expect(foreign).toEqual(await seen('00000000-0000-4000-8000-000000000000'));
    expect(foreign.map((each) => each.split(' ')[1])).toEqual(foreign.map(() => '404'));
  });

  test('refuses what does not fit together, with the path of each field', async () => {
    const one = await ask('One?', { conversation: 'new' });
    const two = await ask('Two?', { conversation: 'new' });
    const paths = async (more: Record<string, unknown>) => {
      const { status, body } = await ask('Three?', more);
      return [status, body?.error, Array.isArray(body?.details) ? body.details.map((each: Body) => each.path) : []];
    };

    expect(await paths({ conversation: one.id, parent: two.id })).toEqual([400, 'invalid_request', ['/parent']]);
    expect(await paths({ conversation: one.id, replaces: two.id })).toEqual([400, 'invalid_request', ['/replaces']]);
    expect(await paths({ parent: one.id })).toEqual([400, 'invalid_request', ['/parent']]);
    expect(await paths({ conversation: 'new', replaces: one.id })).toEqual([400, 'invalid_request', ['/replaces']]);
    expect(await paths({ conversation: 7 })).toEqual([400, 'invalid_request', ['/conversation']]);
    expect(await paths({ conversation: one.id, parent: 'nowhere' })).toEqual([404, 'not_found', []]);
    expect((await get('/v1/ai/invocations')).invocations).toHaveLength(2);
  });

  test('is listed latest first with pages, renamed, pinned, exported and deleted with all it said', async () => {
    const ids: string[] = [];
    for (const text of ['A?', 'B?', 'C?']) ids.unshift((await ask(text, { conversation: 'new' })).id as string);
    const page = await get('/v1/ai/conversations?limit=2');
    expect(page.conversations.map(({ identifier }: Body) => identifier)).toEqual(ids.slice(0, 2));
    const published = await get(`/v1/ai/conversations?cursor=${page.conversations[1].askedAt}`);
    const own = await get(`/v1/ai/conversations?cursor=${page.nextCursor}`);
    for (const { conversations } of [published, own])
      expect(conversations.map(({ identifier }: Body) => identifier)).toEqual(ids.slice(2));

    const [id] = ids as [string];
    await organization.call('PATCH', `/v1/ai/conversations/${id}/title`, { title: 'Release 42' });
    await organization.call('PATCH', `/v1/ai/conversations/${id}/pin`, { pinned: true });
    expect((await get('/v1/ai/conversations?query=release')).conversations).toMatchObject([
      { identifier: id, title: 'Release 42', pinned: true },
    ]);
    expect((await get(`/v1/ai/conversations/${id}/export`)).content).toContain('# Release 42\n\n## C?\n');
    const json = JSON.parse((await get(`/v1/ai/conversations/${id}/export?format=json`)).content);
    expect(json.messages[0]).toMatchObject({ role: 'user', content: 'C?' });

    expect((await organization.call('DELETE', `/v1/ai/conversations/${id}`)).status).toBe(200);
    expect((await organization.call('GET', `/v1/ai/conversations/${id}`)).status).toBe(404);
    const left = await get(`/v1/ai/invoke/${id}`);
    expect(JSON.stringify(left)).not.toContain('Done.');
    expect((await get('/v1/ai/conversations')).conversations).toHaveLength(2);
  });

  test('refuses to be deleted while a turn is answered', async () => {
    harness.model.respondWith(() => ({ text: 'Slowly.', firstMs: 400 }));
    const running = ask('One?', { conversation: 'new' });
    await until('it is there', async () => (await get('/v1/ai/conversations')).conversations.length === 1);
    const [{ identifier, running: isRunning }] = (await get('/v1/ai/conversations')).conversations;
    expect(isRunning).toBe(true);
    const refused = await organization.call('DELETE', `/v1/ai/conversations/${identifier}`);
    expect([refused.status, ((await refused.json()) as Body).error]).toEqual([409, 'conversation_busy']);
    expect((await running).done.status).toBe('Completed');
  });

  test('streams all its turns as one, and goes on after the last event that a reader has', async () => {
    const first = await ask('One?', { conversation: 'new' });
    const second = await ask('Two?', { conversation: first.id });
    const path = `/v1/ai/conversations/${first.id}/events`;
    const whole = await readEvents(await organization.call('GET', path));
    expect(whole.map(({ id }) => id)).toEqual([...(first.events ?? []), ...(second.events ?? [])].map(({ id }) => id));
    for (const at of [0, 3, 4, whole.length - 2]) {
      const rest = await organization.call('GET', path, undefined, { 'last-event-id': whole[at]?.id as string });
      expect((await readEvents(rest)).map(({ id }) => id)).toEqual(whole.slice(at + 1).map(({ id }) => id));
    }
    const end = await organization.call('GET', path, undefined, { 'last-event-id': whole.at(-1)?.id as string });
    expect(end.status).toBe(204);
    const wrong = await organization.call('GET', path, undefined, { 'last-event-id': 'elsewhere:1' });
    expect(wrong.status).toBe(400);
  });

  test('repeats nothing for the same key, and tells who changes the request how to continue', async () => {
    const body = { userPrompt: 'One?', conversation: 'new' };
    const headers = { 'idempotency-key': 'one' };
    const [a, b] = [
      await readEvents(await organization.call('POST', '/v1/ai/invoke', body, headers)),
      await readEvents(await organization.call('POST', '/v1/ai/invoke', body, headers)),
    ];
    expect(b[0]?.data).toBe(a[0]?.data);
    const other = await organization.call('POST', '/v1/ai/invoke', { ...body, userPrompt: 'Two?' }, headers);
    expect(((await other.json()) as Body).message).toContain('`conversation`');
    expect((await get('/v1/ai/conversations')).conversations).toHaveLength(1);
  });
});

describe('a shared conversation', () => {
  const service = '/v1/blueprints/service/entities';

  async function share(body: Record<string, unknown>) {
    await organization.call('PATCH', '/v1/blueprints/_ai_invocations/permissions', {
      entities: { register: { roles: ['Admin', 'Member'] } },
    });
    const properties = { secret: { type: 'boolean' } };
    await organization.call('POST', '/v1/blueprints', {
      identifier: 'service',
      title: 'Service',
      schema: { properties },
    });
    for (const [identifier, secret] of [
      ['cart', false],
      ['vault', true],
    ])
      await organization.call('POST', service, { identifier, title: identifier, properties: { secret } });
    await organization.call('PATCH', '/v1/blueprints/service/permissions', {
      entities: {
        read: {
          roles: ['Admin'],
          policy: { combinator: 'and', rules: [{ property: 'secret', operator: '=', value: false }] },
        },
      },
    });
    const get = (identifier: string) => ({
      calls: [{ name: 'get_entity', arguments: { blueprint: 'service', identifier } }],
    });
    harness.model.script(get('cart'), { text: 'Cart is fine.' }, get('vault'), { text: 'Vault holds gold.' });
    const first = await ask('How is cart?', { conversation: 'new' });
    const second = await ask('How is vault?', { conversation: first.id });
    await organization.call('PUT', `/v1/ai/conversations/${first.id}/share`, body);
    await ask('Later?', { conversation: first.id });
    return { id: first.id as string, second: second.id as string, reader: await organization.member() };
  }

  test('shows a reader the path up to the shared turn, and no answer made of what they may not read', async () => {
    const { id, second, reader } = await share({ with: 'organization' });
    const { conversation, messages } = await get(`/v1/ai/conversations/${id}`, reader);
    expect(conversation).toMatchObject({ head: second, isOwn: false, shared: null });
    expect(messages.filter(({ role }: Body) => role === 'user').map(({ content }: Body) => content)).toEqual([
      'How is cart?',
      'How is vault?',
    ]);
    expect(JSON.stringify(messages)).not.toContain('gold');
    expect(messages.at(-1)).toMatchObject({ hiddenRecords: 1, content: [] });
    const exported = (await get(`/v1/ai/conversations/${id}/export`, reader)).content;
    expect(exported).toContain('based on 1 record you may not read');
    expect(exported).not.toContain('gold');
    const events = await readEvents(await send(harness.url, reader, 'GET', `/v1/ai/conversations/${id}/events`));
    expect(JSON.stringify(events)).not.toContain('gold');
    const later = (await get(`/v1/ai/conversations/${id}`)).conversation.head;
    expect((await send(harness.url, reader, 'GET', `/v1/ai/conversations/${id}?leaf=${later}`)).status).toBe(404);
    const renamed = await send(harness.url, reader, 'PATCH', `/v1/ai/conversations/${id}/title`, { title: 'Mine' });
    expect(renamed.status).toBe(404);
  });

  test('goes on as an own one of the reader, whose model is told what the reader may read', async () => {
    const { id, reader } = await share({ with: 'organization' });
    const forked = await send(harness.url, reader, 'POST', `/v1/ai/conversations/${id}/fork`, {});
    const own = ((await forked.json()) as Body).conversation;
    expect(own).toMatchObject({ isOwn: true, turns: 0 });
    const next = await ask('And now?', { conversation: own.identifier }, reader);
    expect(next.done.contextUsage).toMatchObject({ turns: 2, turnsCompacted: 1 });
    expect(JSON.stringify(shown())).not.toContain('gold');
    expect(JSON.stringify(shown())).not.toContain('vault');
    const cart = shown()
      .map(([, text]) => text)
      .join('\n');
    expect(cart).toContain('Cart is fine.');
  });

  test('is gone for readers as soon as it is private again, and each change is audited', async () => {
    const { id, reader } = await share({ with: 'organization' });
    await organization.call('PUT', `/v1/ai/conversations/${id}/share`, { with: 'private' });
    expect((await send(harness.url, reader, 'GET', `/v1/ai/conversations/${id}`)).status).toBe(404);
    const { audits } = await get('/v1/audit-log?resources=conversation');
    expect(audits.map((each: Body) => [each.action, each.resourceType])).toEqual([
      ['UPDATE', 'conversation'],
      ['UPDATE', 'conversation'],
    ]);
  });

  test('is only for the people and teams that it names', async () => {
    const { id, reader } = await share({ with: 'some', users: ['nobody@example.com'], teams: [] });
    expect((await send(harness.url, reader, 'GET', `/v1/ai/conversations/${id}`)).status).toBe(404);
    const nobody = await organization.call('PUT', `/v1/ai/conversations/${id}/share`, { with: 'some' });
    expect(nobody.status).toBe(400);
    const unknown = await organization.call('PUT', `/v1/ai/conversations/${id}/share`, { with: 'some', teams: ['no'] });
    expect([unknown.status, ((await unknown.json()) as Body).details[0].path]).toEqual([400, '/teams/0']);
  });

  test('costs the list no statement more for each, and is listed with the teams that it names', async () => {
    for (const identifier of ['geo', 'maps']) {
      await organization.call('POST', '/v1/blueprints/_team/entities', { identifier, title: identifier });
    }
    const shareWith = async (...teams: string[]) => {
      const { id } = await ask('Hello?', { conversation: 'new' });
      const path = `/v1/ai/conversations/${id}/share`;
      expect((await organization.call('PUT', path, { with: 'some', teams })).status).toBe(200);
    };
    const statementsOfList = async () => {
      const counts: number[] = [];
      for (let round = 0; round < 5; round += 1) {
        const before = harness.statementCount();
        await get('/v1/ai/conversations');
        counts.push(harness.statementCount() - before);
      }
      // the product sends statements of its own meanwhile
      return Math.min(...counts);
    };
    await shareWith('geo');
    const one = await statementsOfList();
    await shareWith('maps', 'geo');
    await shareWith('maps');
    await ask('Alone?', { conversation: 'new' });
    expect(await statementsOfList()).toBe(one);
    const { conversations } = await get('/v1/ai/conversations');
    const named = conversations.map((each: Body) => each.shared?.teams ?? null);
    expect(named).toEqual([null, ['maps'], ['geo', 'maps'], ['geo']]);
  });

  test('counts what the turns before take by what the model reports', async () => {
    const text = 'word '.repeat(2_000);
    harness.model.respondWith(() => ({ text, usage: { input: 1_000_000, output: 5 } }));
    const first = await ask('Tell me much', { conversation: 'new' });
    const second = await ask('And more?', { conversation: first.id });
    const third = await ask('And more?', { conversation: first.id });
    const [before, after] = [second.done.contextUsage, third.done.contextUsage];
    expect(before.maxTokens).toBe(12_000);
    // one turn at 0.3 + 0.2 × (0.6 - 0.3) = 0.36, then two at 0.41
    expect(before.usedTokens / text.length).toBeCloseTo(0.36, 1);
    expect(after.usedTokens).toBeGreaterThan(2 * before.usedTokens * 1.1);
  });
});
