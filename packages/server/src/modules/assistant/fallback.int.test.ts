import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type AssistantHarness,
  readEvents,
  startAssistantHarness,
  type TestOrganization,
} from '../../../test/assistant-harness.ts';
import { type MockModelServer, type ScriptedTurn, startMockModelServer } from '../../../test/mock-model-server.ts';

let harness: AssistantHarness;
let second: MockModelServer;
let organization: TestOrganization;
beforeAll(async () => {
  second = await startMockModelServer();
  const fallback = { provider: 'anthropic', model: 'stand-in', baseUrl: second.url, apiKey: 'sk-also-secret' } as const;
  harness = await startAssistantHarness({ firstContentMs: 1_000 }, { ai: { fallback } });
});
afterAll(async () => {
  await harness.close();
  await second.close();
});
beforeEach(async () => {
  organization = await harness.organization();
});

const overloaded: ScriptedTurn = { status: 529, retryAfter: '60' };

async function ask(first: ScriptedTurn, standIn: ScriptedTurn) {
  harness.model.respondWith(() => first);
  second.respondWith(() => standIn);
  const events = await readEvents(await organization.call('POST', '/v1/ai/invoke', { userPrompt: 'Hello?' }));
  const id = events[0]!.data;
  const { entity } = (await (
    await organization.call('GET', `/v1/blueprints/_ai_invocations/entities/${id}`)
  ).json()) as { entity: { properties: Record<string, unknown> } };
  // biome-ignore lint/suspicious/noExplicitAny: answers of any shape
  const read = (await (await organization.call('GET', `/v1/ai/invoke/${id}`)).json()) as any;
  return { names: events.map(({ event }) => event), events, entity: entity.properties, result: read.result };
}

describe('where the provider is overloaded', () => {
  test.each([
    ['429 with a wait', { status: 429, retryAfter: '60' }],
    ['503', { status: 503, retryAfter: '60' }],
    ['529', overloaded],
    ['a silence', { silent: true }],
  ])('by %s the fallback answers, and the record names who did', async (_how, turn) => {
    const { names, entity, result } = await ask(turn, { text: 'I am here.' });
    expect(names).toEqual(['invocationIdentifier', 'execution', 'done']);
    expect(entity).toMatchObject({ status: 'Completed', response: 'I am here.', provider: 'anthropic' });
    expect(entity['model']).toBe('stand-in');
    expect(result).toMatchObject({ status: 'Completed', message: 'I am here.' });
  });

  test('and the fallback too, the run fails with its reason, and done is the last event all the same', async () => {
    const { names, events, entity, result } = await ask(overloaded, { status: 429, retryAfter: '90' });
    expect(names).toEqual(['invocationIdentifier', 'execution', 'error', 'done']);
    const error = JSON.parse(events[2]!.data);
    expect(error).toMatchObject({ ok: false, error: 'llm_provider_unavailable', retryable: true });
    expect(JSON.parse(events[3]!.data)).toMatchObject({ status: 'Failed' });
    expect(entity).toMatchObject({ status: 'Failed', error: expect.stringContaining('anthropic') });
    expect(result.status).toBe('Failed');
    expect(JSON.stringify([events, entity])).not.toMatch(/sk-also-secret|sk-never-shown|mock says/);
  });

  test('in the middle of an answer, what was said stays, and nobody begins anew', async () => {
    const before = second.requests.length;
    const { names, entity } = await ask({ text: 'Half an ans', streamError: true }, { text: 'Never.' });
    expect(names).toEqual(['invocationIdentifier', 'execution', 'error', 'done']);
    expect(entity).toMatchObject({ status: 'Failed', response: 'Half an ans', provider: 'openai-compatible' });
    expect(second.requests.length).toBe(before);
  });
});

test('a question counts once, whether the model refused it or the fallback answered it', async () => {
  const quota = async () => {
    const read = await organization.call('GET', '/v1/quota/ai-invocations');
    return ((await read.json()) as { monthlyQuotaUsage: { remainingQuota: number } }).monthlyQuotaUsage.remainingQuota;
  };
  const before = await quota();
  await ask({ status: 401 }, {});
  const refused = await quota();
  await ask(overloaded, { text: 'I am here.' });
  expect([refused - before, (await quota()) - before]).toEqual([-1, -2]);
});
