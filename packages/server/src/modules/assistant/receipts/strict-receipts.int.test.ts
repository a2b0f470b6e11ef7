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
  await organization.call('POST', '/v1/blueprints', {
    identifier: 'service',
    title: 'Service',
    schema: { properties: { language: { type: 'string' } } },
  });
  await organization.call('POST', '/v1/blueprints/service/entities', {
    identifier: 'cart',
    title: 'Shopping Cart',
    properties: { language: 'Go' },
  });
});

const get = { calls: [{ name: 'get_entity', arguments: { blueprint: 'service', identifier: 'cart' } }] };
const strict = { receipts: 'strict' };
const backed = 'Shopping Cart is written in Go.';
const unbacked = 'Shopping Cart is written in Rust.';

async function ask(more: Record<string, unknown> = {}, { query = '', path = '/v1/ai/invoke' } = {}) {
  const body = { userPrompt: 'In which language is it?', ...more };
  const answer = await send(harness.url, organization.token, 'POST', `${path}${query}`, body);
  expect(answer.status).toBe(200);
  const events = await readEvents(answer);
  const id = events[0]?.data as string;
  const { result } = (await (await organization.call('GET', `/v1/ai/invoke/${id}`)).json()) as {
    result: { status: string; message: string };
  };
  const said = events.flatMap(({ event, data }) => (event === 'execution' || event === 'delta' ? [data] : []));
  return { id, events, said: said.join(''), whole: JSON.stringify(events), result };
}

const asked = () => JSON.stringify(harness.model.requests.at(-1)?.body.messages);
const steps = () => harness.model.requests.length;

describe('an answer that has to be backed', () => {
  test('is said as ever if it is, and its receipts are there', async () => {
    harness.model.script(get, { text: `${backed}[^r1]` });
    const plain = await ask({}, { query: '?receipts=true&deltas=true' });
    harness.model.script(get, { text: `${backed}[^r1]` });
    const held = await ask(strict, { query: '?receipts=true&deltas=true' });
    expect(held.events.map(({ event }) => event)).toEqual(plain.events.map(({ event }) => event));
    expect(held.result.message).toBe(backed);
    expect(JSON.parse(held.events.at(-2)?.data ?? '').units).toMatchObject([{ status: 'supported', refs: ['r1'] }]);
  });

  test('is asked for once more if it is not; none of the first one is said', async () => {
    harness.model.script(get, { text: unbacked }, { text: backed });
    const { whole, result } = await ask(strict, { query: '?deltas=true' });
    expect(result).toMatchObject({ status: 'Completed', message: backed });
    expect(whole).not.toContain('Rust');
    expect(asked()).toContain('(not found: Rust)');
  });

  test('is not given if the second one is not backed either: what is missing is named, and nothing is claimed', async () => {
    harness.model.script(get, { text: unbacked }, { text: 'Shopping Cart is written in Java.' });
    const before = steps();
    const { id, whole, result } = await ask(strict, { query: '?deltas=true&receipts=true' });
    expect(steps() - before).toBe(3);
    expect(result).toMatchObject({ status: 'Completed', message: 'Not backed by what I read: “Java”.' });
    expect(whole).not.toMatch(/Rust|written/);
    expect((await organization.call('GET', `/v1/ai/invoke/${id}/receipts`)).status).toBe(404);
  });

  test('may read what it did not when it is asked again', async () => {
    harness.model.script({ text: backed }, get, { text: backed });
    expect((await ask(strict)).result.message).toBe(backed);
  });

  test('is held back too if nothing was read', async () => {
    harness.model.script({ text: backed }, { text: backed });
    expect((await ask(strict)).result.message).toMatch(/^Not backed by what I read: /);
  });

  test('may say that it does not know', async () => {
    harness.model.script(get, { text: 'I found no language of it.' });
    expect((await ask(strict)).result.message).toBe('I found no language of it.');
  });

  test('says nothing before a call, because that cannot be checked yet', async () => {
    harness.model.script({ text: unbacked, ...get }, { text: backed });
    const { whole, result } = await ask(strict, { query: '?deltas=true' });
    expect(result.message).toBe(backed);
    expect(whole).not.toContain('Rust');
  });

  test('of which the stream breaks off is not said', async () => {
    harness.model.script(get, { text: `${backed} And`, truncated: true });
    const { whole, result } = await ask(strict, { query: '?deltas=true' });
    expect(result.status).toBe('Failed');
    expect(whole).not.toContain('written');
  });
});

describe('it is asked for', () => {
  const refused = () => harness.model.script(get, { text: unbacked }, { text: unbacked });

  test('by the organization, for everybody', async () => {
    const put = (body: object) => organization.call('PUT', '/v1/ai/policy', body);
    const { policy } = (await (await put({ injection: 'enforce', receipts: 'strict' })).json()) as { policy: object };
    expect(policy).toMatchObject({ receipts: 'strict' });
    refused();
    expect((await ask()).result.message).toBe('Not backed by what I read: “Rust”.');
    // what a client does not name stays
    await put({ injection: 'enforce' });
    refused();
    expect((await ask()).result.message).toBe('Not backed by what I read: “Rust”.');
    await put({ injection: 'enforce', receipts: 'off' });
    harness.model.script(get, { text: unbacked });
    expect((await ask()).result.message).toBe(unbacked);
  });

  test('by an agent, with a label', async () => {
    const body = (labels: object) => ({
      identifier: 'guide',
      properties: { status: 'active', prompt: 'Answer.', tools: ['^get_.*'], labels },
    });
    const path = '/v1/blueprints/_ai_agent/entities';
    expect((await organization.call('POST', path, body({ receipts: 'strict', area: 'shop' }))).status).toBe(201);
    refused();
    const inAgent = { path: '/v1/agent/guide/invoke' };
    expect((await ask({}, inAgent)).result.message).toBe('Not backed by what I read: “Rust”.');
    harness.model.script(get, { text: unbacked });
    expect((await ask()).result.message).toBe(unbacked);
    await organization.call('PATCH', `${path}/guide`, { properties: { labels: { receipts: 'no' } } });
    harness.model.script(get, { text: unbacked });
    expect((await ask({}, inAgent)).result.message).toBe(unbacked);
  });

  test('by a request, which cannot ask for less', async () => {
    for (const receipts of ['off', 'loose', true, 1]) {
      const answer = await organization.call('POST', '/v1/ai/invoke', { userPrompt: 'Which?', receipts });
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ error: 'invalid_request', details: [{ path: '/receipts' }] });
    }
    await organization.call('PUT', '/v1/ai/policy', { injection: 'enforce', receipts: 'strict' });
    refused();
    expect((await ask({ receipts: null })).result.message).toBe('Not backed by what I read: “Rust”.');
  });

  test('by administrators only', async () => {
    const bad = await organization.call('PUT', '/v1/ai/policy', { injection: 'enforce', receipts: 'maybe' });
    expect(bad.status).toBe(400);
    const token = await organization.member();
    const answer = await send(harness.url, token, 'PUT', '/v1/ai/policy', { injection: 'enforce', receipts: 'off' });
    expect(answer.status).toBe(403);
  });
});
