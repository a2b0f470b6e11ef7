import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type MockModelServer, type ScriptedTurn, startMockModelServer } from '../../../../test/mock-model-server.ts';
import { createModel } from '../model/create-model.ts';
import type { ModelProvider } from '../model/model-settings.ts';
import type { LoopEvent } from './loop-event.ts';
import type { LoopInput } from './loop-input.ts';
import { loopLimits, runLoop } from './run-loop.ts';

let first: MockModelServer;
let second: MockModelServer;
beforeEach(async () => {
  [first, second] = await Promise.all([startMockModelServer(), startMockModelServer()]);
});
afterEach(() => Promise.all([first.close(), second.close()]));

function buildModel(provider: ModelProvider, server: MockModelServer, model: string) {
  const aws = { region: 'eu-west-1' };
  return createModel({ provider, model, baseUrl: server.url, apiKey: 'sk-secret-123456', aws });
}

async function run([provider, fallback]: readonly ModelProvider[], overrides: Partial<LoopInput> = {}) {
  const takenOver: string[] = [];
  const events: LoopEvent[] = [];
  const input: LoopInput = {
    model: await buildModel(provider!, first, 'the-first'),
    fallback: await buildModel(fallback!, second, 'the-second'),
    systemPrompt: 'Be short.',
    question: 'Which services have no owner?',
    tools: [{ name: 'list_entities', description: 'Lists', inputSchema: { type: 'object', properties: {} } }],
    callTool: async () => ({ isError: false, content: { total: 2 } }),
    fenceMark: 'abc',
    limits: loopLimits,
    signal: new AbortController().signal,
    clock: { now: () => 0 },
    retryDelaysMs: [0, 0],
    onFallback: ({ code }) => takenOver.push(code),
    ...overrides,
  };
  await runLoop(input, (event) => events.push(event));
  const steps = events.flatMap((event) => (event.type === 'step' ? [event.model] : []));
  return { events, last: events.at(-1)!, steps, takenOver };
}

const providers: ModelProvider[] = ['openai-compatible', 'openai', 'anthropic', 'azure-openai', 'google', 'bedrock'];
const pairs = providers.map((provider, index) => [provider, providers[(index + 1) % providers.length]!] as const);
const call: ScriptedTurn = { text: 'Looking.', calls: [{ name: 'list_entities' }] };

describe.each(pairs)('%s, and %s in its place', (...pair) => {
  test.each([429, 500, 503, 529])('a provider that stays at status %i is replaced after its tries', async (status) => {
    first.script({ status }, { status }, { status });
    second.script({ text: 'I am here.' });
    const { last, steps, takenOver } = await run(pair);
    expect(last).toMatchObject({ type: 'finish', answer: 'I am here.' });
    expect([first.requests.length, second.requests.length]).toEqual([3, 1]);
    expect([steps, takenOver]).toEqual([['the-second'], ['llm_provider_unavailable']]);
  });

  test('an overload in the middle of a run hands the tools results on, and the first is not asked again', async () => {
    first.script(call, { status: 529, retryAfter: '60' });
    second.script(call, { text: 'Two services.' });
    const { last, steps } = await run(pair);
    expect(last).toMatchObject({ type: 'finish', answer: 'Two services.', usage: { toolCalls: 2, steps: 3 } });
    expect(steps).toEqual(['the-first', 'the-second', 'the-second']);
    // not retried, because the provider asked for a minute and a fallback was available
    expect(first.requests).toHaveLength(2);
    expect(JSON.stringify(second.requests[0]!.body)).toContain('<<tool-output abc>>');
  });

  test('an overload after the first word is a failure that keeps what was said, and nobody says it again', async () => {
    first.script({ text: 'Half an ans', streamError: true });
    const { last, takenOver } = await run(pair);
    expect(last).toMatchObject({
      type: 'failure',
      text: 'Half an ans',
      error: { code: 'llm_provider_unavailable', isRetryable: true },
    });
    expect([second.requests, takenOver]).toEqual([[], []]);
  });
});

const pair: readonly ModelProvider[] = ['anthropic', 'openai'];

test('an overload that the stream reports before the first word is one that the fallback answers', async () => {
  const overloaded = { streamError: true, truncated: true };
  first.script(overloaded, overloaded, overloaded);
  second.script({ text: 'I am here.' });
  expect((await run(pair)).last).toMatchObject({ type: 'finish', answer: 'I am here.' });
});

test.each([
  ['never answers', { silent: true }],
  ['answers with a status alone', { stalls: true }],
])('a provider that %s is waited for once, then replaced', async (_how, turn) => {
  first.script(turn);
  second.script({ text: 'I am here.' });
  const { last, takenOver } = await run(pair, { limits: { ...loopLimits, firstContentMs: 300 } });
  expect(last).toMatchObject({ type: 'finish', answer: 'I am here.' });
  expect(takenOver).toEqual(['llm_provider_timeout']);
});

test('where the fallback fails too, the run fails once, with its reason and when to come back', async () => {
  first.script({ status: 503 }, { status: 503 }, { status: 503 });
  second.script({ status: 429, retryAfter: '90' });
  const { events, last } = await run(pair);
  expect(last).toMatchObject({
    type: 'failure',
    error: { code: 'llm_provider_unavailable', retryAfterSeconds: 90, message: expect.stringContaining('openai') },
  });
  expect(events.filter(({ type }) => type === 'failure' || type === 'finish')).toHaveLength(1);
  expect([first.requests.length, second.requests.length]).toEqual([3, 1]);
});

test.each([400, 401, 403, 404])('a refusal (%i) is told, not hidden by another model that answers', async (status) => {
  first.script({ status });
  const { last } = await run(pair);
  expect(last).toMatchObject({ type: 'failure', error: { code: 'llm_provider_refused' } });
  expect(second.requests).toEqual([]);
});

test('a run that is cancelled while its provider is tried again asks nobody else', async () => {
  const stop = new AbortController();
  first.respondWith(() => {
    setTimeout(() => stop.abort(), 5);
    return { status: 503 };
  });
  const { last } = await run(pair, { signal: stop.signal, retryDelaysMs: [10_000] });
  expect(last).toMatchObject({ type: 'failure', error: { code: 'invocation_cancelled' } });
  expect([first.requests.length, second.requests.length]).toEqual([1, 0]);
});

test('a short wait that the provider asks for is waited, also where another stands ready', async () => {
  first.script({ status: 429, retryAfter: '1' }, { text: 'Patience.' });
  const { last } = await run(pair);
  expect(last).toMatchObject({ type: 'finish', answer: 'Patience.' });
  expect(second.requests).toEqual([]);
});
