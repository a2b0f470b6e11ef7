import sql from 'sql-template-tag';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type AssistantHarness,
  readEvents,
  send,
  startAssistantHarness,
  type TestOrganization,
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
  const properties = { language: { type: 'string' }, secret: { type: 'boolean' } };
  await organization.call('POST', '/v1/blueprints', {
    identifier: 'service',
    title: 'Service',
    schema: { properties },
  });
  for (const [identifier, title, language] of [
    ['cart', 'Shopping Cart', 'Go'],
    ['billing', 'Billing Engine', 'Rust'],
    ['vault', 'Gold Vault', 'Java'],
  ])
    await organization.call('POST', '/v1/blueprints/service/entities', {
      identifier,
      title,
      properties: { language, secret: identifier === 'vault' },
    });
});

// biome-ignore lint/suspicious/noExplicitAny: answers of any shape
type Body = any;

const get = (identifier: string) => ({
  calls: [{ name: 'get_entity', arguments: { blueprint: 'service', identifier } }],
});
const list = { calls: [{ name: 'search_entities', arguments: { blueprint: 'service' } }] };

async function ask(more: Record<string, unknown> = {}, { query = '', token = organization.token } = {}) {
  const body = { userPrompt: 'In which language is it?', ...more };
  const events = await readEvents(await send(harness.url, token, 'POST', `/v1/ai/invoke${query}`, body));
  return { id: events[0]?.data as string, events };
}

async function receiptsFor(id: string, token = organization.token): Promise<{ status: number; body: Body }> {
  const answer = await send(harness.url, token, 'GET', `/v1/ai/invoke/${id}/receipts`);
  return { status: answer.status, body: await answer.json() };
}

/** What the model was shown last: the references in results, and what it was told beside them. */
const shown = () => JSON.stringify(harness.model.requests.at(-1)?.body.messages);

describe('a stream', () => {
  test('is byte for byte what it was for who does not ask for receipts, however the model marks its answer', async () => {
    const withoutIds = (events: { event?: string; data: string; id?: string }[], id: string) =>
      JSON.stringify(events)
        .replaceAll(id, 'ID')
        .replace(/"remaining[^,}]*|[0-9]+(?=\})/g, '');
    harness.model.script(get('cart'), { text: 'Shopping Cart is in Go.' });
    const plain = await ask();
    harness.model.script(get('cart'), { text: 'Shopping Cart is in Go.[^r1]' });
    const marked = await ask();
    const told = ({ id, events }: typeof plain) => withoutIds(events.slice(0, -1), id);
    expect(told(marked)).toBe(told(plain));
    expect(marked.events.map(({ event }) => event)).toEqual([
      'invocationIdentifier',
      'tool_call',
      'tool_result',
      'execution',
      'done',
    ]);
    expect(told(marked)).not.toContain('_ref');
    const again = await readEvents(await organization.call('GET', `/v1/ai/invoke/${marked.id}/events`));
    expect(again).toEqual(marked.events);
  });

  test('has one event more before its end for who asks, without an id, also when it is read again', async () => {
    harness.model.script(get('cart'), { text: 'Shopping Cart is in Go.[^r1] It is in Rust.[^r1]' });
    const { id, events } = await ask({}, { query: '?receipts=true' });
    const [receipts, done] = events.slice(-2);
    expect([receipts?.event, done?.event]).toEqual(['receipts', 'done']);
    const raw = await (await organization.call('GET', `/v1/ai/invoke/${id}/events?receipts=true`)).text();
    expect(raw).toContain(`\n\nevent: receipts\ndata: ${receipts?.data}\n\nid: ${id}:5\nevent: done`);
    const { units, records, invented } = JSON.parse(receipts?.data ?? '');
    expect(units.map(({ status, refs, missing }: Body) => [status, refs, missing])).toEqual([
      ['supported', ['r1'], undefined],
      ['partly', ['r1'], ['Rust']],
    ]);
    expect(records.r1).toMatchObject({
      kind: 'entity',
      blueprint: 'service',
      identifier: 'cart',
      title: 'Shopping Cart',
      tool: 'get_entity',
      call: 'call_0',
      values: { language: 'Go' },
    });
    expect(invented).toBe(0);
    expect((await receiptsFor(id)).body.receipts).toEqual(JSON.parse(receipts?.data ?? ''));
    const after = await organization.call('GET', `/v1/ai/invoke/${id}/events?receipts=true`, undefined, {
      'last-event-id': events[2]?.id as string,
    });
    expect((await readEvents(after)).map(({ event }) => event)).toEqual(['execution', 'receipts', 'done']);
  });

  test('ends as ever if its receipts cannot be read', async () => {
    harness.model.script(get('cart'), { text: 'Shopping Cart is in Go.[^r1]' });
    const { id } = await ask();
    await harness.database.transaction((tx) =>
      tx.execute(sql`update invocation_receipts set receipts = '{}'::json where org_id = ${organization.id}`),
    );
    const events = await readEvents(await organization.call('GET', `/v1/ai/invoke/${id}/events?receipts=true`));
    expect(events.map(({ event }) => event).slice(-2)).toEqual(['execution', 'done']);
  });

  test('that fails has receipts for what it said, before its error', async () => {
    harness.model.script(get('cart'), { text: 'Shopping Cart is in Go.[^r1] And', truncated: true });
    const { id, events } = await ask({}, { query: '?receipts=true' });
    expect(events.slice(-3).map(({ event }) => event)).toEqual(['receipts', 'error', 'done']);
    expect((await receiptsFor(id)).body.receipts.units[0]).toMatchObject({ status: 'supported', refs: ['r1'] });
  });
});

describe('in a conversation', () => {
  test('a record keeps its number, in what is read, in what is told of earlier turns and in receipts', async () => {
    harness.model.script(list, { text: 'Three services.[^c1]' });
    const first = await ask({ conversation: 'new' });
    const refs = (text: string) => /\[\\*"(r\d+)\\*",\\*"service\\*",\\*"billing\\*"/.exec(text)?.[1];
    harness.model.script(get('vault'), get('billing'), { text: 'Billing Engine is in Rust.[^r2]' });
    const second = await ask({ conversation: first.id });
    const messages = shown();
    const ref = refs(messages);
    expect(ref).toMatch(/^r\d$/);
    expect(messages).toContain(`"_ref\\":\\"${ref}\\"`.replaceAll('"_', '\\"_'));
    const { receipts } = (await receiptsFor(second.id)).body;
    const [used] = Object.entries<Body>(receipts.records).find(([, { identifier }]) => identifier === 'billing') ?? [];
    expect(used).toBe(ref);
    const numbers = [...messages.matchAll(/_ref\\*":\\*"([a-z]\d+)/g)].map(([, each]) => each);
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  test('a mark of an earlier turn is that record, with the turn that read it', async () => {
    harness.model.script(get('cart'), { text: 'Shopping Cart.[^r1]' });
    const first = await ask({ conversation: 'new' });
    harness.model.script({ text: 'It is written in Go.[^r1] It is written in Rust.[^r1] So it is.[^r9]' });
    const second = await ask({ conversation: first.id });
    const said = second.events.filter(({ event }) => event === 'execution').map(({ data }) => data);
    expect(said.join('')).toBe('It is written in Go. It is written in Rust. So it is.');
    const { receipts } = (await receiptsFor(second.id)).body;
    expect(receipts.units.map(({ status, refs }: Body) => [status, refs])).toEqual([
      ['supported', ['r1']],
      ['partly', ['r1']],
      ['plain', undefined],
    ]);
    expect(receipts.records.r1).toMatchObject({ identifier: 'cart', invocation: first.id, values: { language: 'Go' } });
    expect(receipts.invented).toBe(1);
  });

  test('a question that stood alone has the same numbers once it is continued', async () => {
    harness.model.script(get('billing'), get('cart'), { text: 'Shopping Cart is in Go.[^r2]' });
    const single = await ask();
    expect((await receiptsFor(single.id)).body.receipts.records.r2).toMatchObject({ identifier: 'cart' });
    harness.model.script(get('vault'), { text: 'Shopping Cart is in Go.[^r2] Gold Vault is in Java.[^r3]' });
    const second = await ask({ conversation: single.id });
    expect((await receiptsFor(second.id)).body.receipts).toMatchObject({
      coverage: 1,
      records: { r2: { identifier: 'cart', invocation: single.id }, r3: { identifier: 'vault' } },
    });
  });

  test('numbers of a turn that failed are not given again', async () => {
    const first = await ask({ conversation: 'new' });
    harness.model.script(get('cart'), { text: 'Shopping Cart is in Go.[^r1] And', truncated: true });
    const failed = await ask({ conversation: first.id });
    expect((await receiptsFor(failed.id)).body.receipts.records.r1).toMatchObject({ identifier: 'cart' });
    harness.model.script(get('billing'), { text: 'Billing Engine is in Rust.[^r2]' });
    const third = await ask({ conversation: first.id });
    expect(Object.keys((await receiptsFor(third.id)).body.receipts.records)).toEqual(['r2']);
  });

  test('a record that was changed since is compared as it was read last', async () => {
    harness.model.script(get('cart'), { text: 'Shopping Cart is in Go.[^r1]' });
    const first = await ask({ conversation: 'new' });
    await organization.call('PATCH', '/v1/blueprints/service/entities/cart', { properties: { language: 'Zig' } });
    harness.model.script(get('cart'), { text: 'Shopping Cart is in Zig.[^r1] Shopping Cart is in Go.[^r1]' });
    const second = await ask({ conversation: first.id });
    const { units, records } = (await receiptsFor(second.id)).body.receipts;
    expect(units.map(({ status }: Body) => status)).toEqual(['supported', 'partly']);
    expect(records.r1.values).toEqual({ language: 'Zig' });
  });
});

describe('who may read receipts', () => {
  test('is who may read the invocation: for others, and in other organizations, there is none', async () => {
    harness.model.script(get('cart'), { text: 'Shopping Cart is in Go.[^r1]' });
    const { id } = await ask();
    const stranger = await harness.organization();
    const told = async (of: string, token: string) => {
      const { status, body } = await receiptsFor(of, token);
      return [
        status,
        JSON.stringify(body)
          .replaceAll(of, 'ID')
          .replace(/"requestId":"[^"]*"/, ''),
      ];
    };
    const unknown = '00000000-0000-4000-8000-000000000000';
    for (const token of [stranger.token, await organization.member()])
      expect(await told(id, token)).toEqual(await told(unknown, token));
    expect((await told(id, stranger.token))[0]).toBe(404);
  });

  test('a record that the reader may not read now is hidden, with what rests on it', async () => {
    await organization.call('PATCH', '/v1/blueprints/_ai_invocations/permissions', {
      entities: { register: { roles: ['Admin', 'Member'] } },
    });
    const reader = await organization.member();
    harness.model.script(get('cart'), get('vault'), {
      text: 'Shopping Cart is in Go.[^r1] Gold Vault is in Java.[^r2]',
    });
    const { id } = await ask({}, { token: reader });
    expect((await receiptsFor(id, reader)).body.receipts.coverage).toBe(1);
    await organization.call('PATCH', '/v1/blueprints/service/permissions', {
      entities: {
        read: {
          roles: ['Admin'],
          policy: { combinator: 'and', rules: [{ property: 'secret', operator: '=', value: false }] },
        },
      },
    });
    const { receipts } = (await receiptsFor(id, reader)).body;
    expect(receipts.records).toMatchObject({ r1: { identifier: 'cart' }, r2: { kind: 'hidden' } });
    expect(receipts.units.map(({ status }: Body) => status)).toEqual(['supported', 'hidden']);
    expect(JSON.stringify(receipts)).not.toMatch(/vault|Java/);
    const live = await readEvents(await send(harness.url, reader, 'GET', `/v1/ai/invoke/${id}/events?receipts=true`));
    expect(JSON.parse(live.at(-2)?.data ?? '')).toEqual(receipts);
  });

  test('is also whom a turn is shared with, as far as they may read what it was made from', async () => {
    await organization.call('PATCH', '/v1/blueprints/service/permissions', {
      entities: {
        read: {
          roles: ['Admin'],
          policy: { combinator: 'and', rules: [{ property: 'secret', operator: '=', value: false }] },
        },
      },
    });
    harness.model.script(get('cart'), { text: 'Shopping Cart is in Go.[^r1]' });
    const first = await ask({ conversation: 'new' });
    harness.model.script(get('vault'), { text: 'Gold Vault is in Java.[^r2]' });
    const second = await ask({ conversation: first.id });
    const reader = await organization.member();
    const stream = async (id: string) =>
      (await send(harness.url, reader, 'GET', `/v1/ai/invoke/${id}/events?receipts=true`)).status;
    expect([(await receiptsFor(first.id, reader)).status, await stream(first.id)]).toEqual([404, 404]);
    await organization.call('PUT', `/v1/ai/conversations/${first.id}/share`, { with: 'organization' });
    expect((await receiptsFor(first.id, reader)).body.receipts.records).toMatchObject({ r1: { identifier: 'cart' } });
    expect([await stream(first.id), await stream(second.id)]).toEqual([200, 404]);
    expect((await receiptsFor(second.id, reader)).status).toBe(404);
    await organization.call('PUT', `/v1/ai/conversations/${first.id}/share`, { with: 'private' });
    expect([(await receiptsFor(first.id, reader)).status, await stream(first.id)]).toEqual([404, 404]);
  });

  test('a restricted token sees what its scopes let it read', async () => {
    harness.model.script(get('cart'), { text: 'Shopping Cart is in Go.[^r1]' });
    const { id } = await ask();
    const made = await organization.call('POST', '/v1/users/me/tokens', { name: 'narrow', scopes: ['read:ai'] });
    const { accessToken } = (await made.json()) as Body;
    expect(accessToken).toBeTypeOf('string');
    const { status, body } = await receiptsFor(id, accessToken);
    expect([status, body.receipts?.records]).toEqual([200, { r1: { kind: 'hidden' } }]);
  });

  test('there are none while it runs, without anything read, and after its content was removed', async () => {
    const { id } = await ask();
    expect((await receiptsFor(id)).status).toBe(404);
    harness.model.script(get('cart'), { text: 'Shopping Cart is in Go.[^r1]' });
    const { id: kept } = await ask({ conversation: 'new' });
    expect((await receiptsFor(kept)).status).toBe(200);
    await organization.call('DELETE', `/v1/ai/conversations/${kept}`);
    expect((await receiptsFor(kept)).status).toBe(404);
    const rows = await harness.database.rows(sql`select 1 from invocation_receipts where org_id = ${organization.id}`);
    expect(rows).toEqual([]);
  });
});
