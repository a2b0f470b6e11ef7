import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type MockModelServer, startMockModelServer } from '../../../../test/mock-model-server.ts';
import { createModel } from '../model/create-model.ts';
import type { ModelProvider } from '../model/model-settings.ts';
import type { ModelRequest } from '../model/part-stream.ts';
import type { LoopEvent } from './loop-event.ts';
import type { LoopInput } from './loop-input.ts';
import { loopLimits, runLoop } from './run-loop.ts';

let server: MockModelServer;
beforeEach(async () => {
  server = await startMockModelServer();
});
afterEach(() => server.close());

const key = 'sk-secret-123456';
const providers: ModelProvider[] = ['openai-compatible', 'openai', 'anthropic', 'azure-openai', 'google', 'bedrock'];

async function run(provider: ModelProvider, overrides: Partial<LoopInput> = {}): Promise<LoopEvent[]> {
  const aws = { region: 'eu-west-1' };
  const model = await createModel({ provider, model: 'mock', baseUrl: server.url, apiKey: key, aws });
  const events: LoopEvent[] = [];
  const input: LoopInput = {
    model,
    systemPrompt: 'Be short.',
    question: 'Which services have no owner?',
    tools: [
      {
        name: 'list_entities',
        description: 'Lists',
        inputSchema: { type: 'object', properties: { blueprint: { type: 'string' } }, required: ['blueprint'] },
      },
    ],
    callTool: async (_name, args) => ({ isError: false, content: { total: 2, asked: args } }),
    fenceMark: 'abc',
    limits: loopLimits,
    signal: new AbortController().signal,
    clock: { now: () => 0 },
    retryDelaysMs: [0, 0],
    ...overrides,
  };
  await runLoop(input, (event) => events.push(event));
  return events;
}

function lastEvent(events: readonly LoopEvent[]): LoopEvent {
  return events.at(-1)!;
}

describe.each(providers)('over %s', (provider) => {
  test('a two-step tool loop with parallel calls answers, and every result reaches the model', async () => {
    server.script(
      {
        text: 'Looking.',
        calls: [
          { name: 'list_entities', arguments: { blueprint: 'service' } },
          { name: 'list_entities', arguments: { blueprint: 'team' } },
        ],
      },
      { text: ['Two ', 'services.'], usage: { input: 300, output: 7 } },
    );

    const events = await run(provider);

    expect(events.map(({ type }) => type)).toEqual([
      'segment',
      'step',
      'tool-call',
      'tool-call',
      'tool-result',
      'tool-result',
      'segment',
      'step',
      'finish',
    ]);
    expect(events[2]).toEqual({
      type: 'tool-call',
      id: 'call_0',
      name: 'list_entities',
      arguments: '{"blueprint":"service"}',
    });
    expect(lastEvent(events)).toEqual({
      type: 'finish',
      answer: 'Two services.',
      text: 'Looking.\n\nTwo services.',
      reason: 'stop',
      usage: { inputTokens: 400, outputTokens: 27, steps: 2, toolCalls: 2, unreportedSteps: 0, costUsd: null },
    });
    const second = JSON.stringify(server.requests[1]!.body);
    expect(second).toContain('<<tool-output abc>>');
    expect(second).toContain(JSON.stringify('"asked":{"blueprint":"team"}').slice(1, -1));
    expect(second).toContain('Looking.');
  });

  test('deltas come one by one when they are asked for', async () => {
    server.script({ text: ['a', 'b', 'c'] });
    const events = await run(provider, { deltas: true });
    expect(events.filter(({ type }) => type === 'text-delta')).toHaveLength(3);
  });

  test.each([
    [401, 'llm_provider_refused'],
    [403, 'llm_provider_refused'],
    [404, 'llm_provider_refused'],
    [400, 'llm_provider_refused'],
  ] as const)('status %i is %s, is not tried again, and leaks neither key nor body', async (status, code) => {
    server.script({ status });
    const last = lastEvent(await run(provider));
    expect(last).toMatchObject({ type: 'failure', error: { code } });
    const { error } = last as LoopEvent & { type: 'failure' };
    expect(error.message).not.toContain('mock says');
    expect(`${error.message}${String((error.cause as Error).message)}`).not.toContain(key);
    expect(server.requests).toHaveLength(1);
  });

  test('429 and 500 before the first content are tried again', async () => {
    server.script({ status: 429, retryAfter: '0' }, { status: 500 }, { text: 'At last.' });
    expect(lastEvent(await run(provider))).toMatchObject({ type: 'finish', answer: 'At last.' });
    expect(server.requests).toHaveLength(3);
  });

  test('a provider that stays overloaded is unavailable, and says when to come back', async () => {
    server.script({ status: 429, retryAfter: '120' });
    const last = lastEvent(await run(provider));
    expect(last).toMatchObject({
      type: 'failure',
      error: { code: 'llm_provider_unavailable', retryAfterSeconds: 120 },
    });
    expect(server.requests).toHaveLength(1);
  });

  test('a server that is not there is unavailable', async () => {
    await server.close();
    expect(lastEvent(await run(provider))).toMatchObject({
      type: 'failure',
      error: { code: 'llm_provider_unavailable' },
    });
    server = await startMockModelServer();
  });

  test.each([
    ['ends in the middle', { text: 'Half an ans', truncated: true }],
    ['sends a chunk that is no JSON', { text: 'Half an ans', malformed: true }],
    ['reports an error inside the stream', { text: 'Half an ans', streamError: true }],
  ])('a stream that %s fails the run, keeps what was said, and is not tried again', async (_how, turn) => {
    server.script(turn);
    const last = lastEvent(await run(provider));
    expect(last).toMatchObject({ type: 'failure', error: { code: 'llm_provider_unavailable' } });
    expect(server.requests).toHaveLength(1);
  });

  test('an error inside the stream before any content is tried again', async () => {
    server.script({ streamError: true, truncated: true }, { text: 'Second try.' });
    expect(lastEvent(await run(provider))).toMatchObject({ type: 'finish', answer: 'Second try.' });
  });

  test.each([
    ['never answers', { silent: true }, 'did not answer within'],
    ['answers with a status alone', { stalls: true }, 'did not answer within'],
    ['stops in the middle', { text: 'Half', stalls: true }, 'said nothing for'],
  ])('a model that %s times out', async (_how, turn, words) => {
    server.script(turn);
    const limits = { ...loopLimits, firstContentMs: 500, betweenContentsMs: 500 };
    const last = lastEvent(await run(provider, { limits }));
    expect(last).toMatchObject({ type: 'failure', error: { code: 'llm_provider_timeout' } });
    expect((last as LoopEvent & { type: 'failure' }).error.message).toContain(words);
  });

  // Google sends arguments as objects, so there is no text that could be invalid
  if (provider !== 'google')
    test('arguments that are no JSON become a tool error that the model can read', async () => {
      server.script({ calls: [{ name: 'list_entities', rawArguments: '{"blueprint": ' }] }, { text: 'Sorry.' });
      const events = await run(provider);
      expect(events.find(({ type }) => type === 'tool-result')).toMatchObject({ isError: true });
      expect(lastEvent(events)).toMatchObject({ type: 'finish', answer: 'Sorry.' });
    });

  test('an answer cut off at the limit of the provider says so', async () => {
    server.script({ text: 'Long', finish: 'length' });
    expect(lastEvent(await run(provider))).toMatchObject({ type: 'finish', reason: 'length' });
  });
});

test('nothing is stored on the side of OpenAI', async () => {
  await run('openai');
  expect(server.requests[0]!.body).toMatchObject({ store: false, model: 'mock' });
});

test('an address without a path gets /v1', async () => {
  const model = await createModel({ provider: 'openai-compatible', baseUrl: server.url.replace('/v1', '') });
  const prompt: ModelRequest['prompt'] = [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }];
  await model.openStream({ prompt }, new AbortController().signal);
  expect(server.requests[0]!.wire).toBe('chat');
});

test('a provider without what it needs is refused with a sentence', async () => {
  await expect(createModel({ provider: 'openai' })).rejects.toMatchObject({ code: 'llm_provider_refused' });
  await expect(createModel({ provider: 'openai-compatible' })).rejects.toMatchObject({ code: 'llm_provider_refused' });
});
