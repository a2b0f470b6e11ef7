import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type MockModelServer, type ScriptedCall, startMockModelServer } from '../../../../test/mock-model-server.ts';
import { createModel } from '../model/create-model.ts';
import type { ModelProvider } from '../model/model-settings.ts';
import type { LoopEvent } from './loop-event.ts';
import { loopLimits, runLoop } from './run-loop.ts';
import { stepBounds } from './step-bounds.ts';

let server: MockModelServer;
beforeEach(async () => {
  server = await startMockModelServer();
});
afterEach(() => server.close());

const providers: ModelProvider[] = ['openai-compatible', 'openai', 'anthropic', 'azure-openai', 'google', 'bedrock'];
const aws = { region: 'eu-west-1' };

async function run(provider: ModelProvider, isFallback = false): Promise<{ events: LoopEvent[]; called: number }> {
  const settings = { provider, model: 'mock', apiKey: 'sk-secret-123456', aws };
  const model = await createModel({ ...settings, baseUrl: server.url });
  const unreachable = await createModel({ ...settings, baseUrl: 'http://127.0.0.1:9/v1' });
  const events: LoopEvent[] = [];
  let called = 0;
  await runLoop(
    {
      ...(isFallback ? { model: unreachable, fallback: model } : { model }),
      systemPrompt: 'Be short.',
      question: 'Which services have no owner?',
      tools: [{ name: 'get_x', description: '', inputSchema: { type: 'object' } }],
      callTool: async () => {
        called += 1;
        return { isError: false, content: 1 };
      },
      fenceMark: 'abc',
      limits: loopLimits,
      signal: new AbortController().signal,
      clock: { now: () => 0 },
      retryDelaysMs: [],
    },
    (event) => events.push(event),
  );
  return { events, called };
}

const call = (characters = 0, name = 'get_x'): ScriptedCall => ({ name, arguments: { a: 'x'.repeat(characters) } });
const times = (count: number, made: ScriptedCall): ScriptedCall[] => Array.from({ length: count }, () => made);

const tooMuch: [name: string, calls: ScriptedCall[], told: string][] = [
  ['ten thousand calls', times(10_000, call()), 'more than 16 tool calls at once'],
  ['one call more than the most', times(stepBounds.callsMax + 1, call()), 'more than 16 tool calls at once'],
  ['one call with long arguments', [call(stepBounds.callBytesMax)], 'arguments of more than 65536 bytes'],
  ['calls whose arguments are long in all', times(5, call(60_000)), 'arguments of more than 262144 bytes in all'],
  ['a long name', [call(1, 'n'.repeat(stepBounds.nameCharactersMax + 1))], 'longer than 128 characters'],
];

describe.each(providers)('an answer of %s', (provider) => {
  test.each(tooMuch)('with %s is not carried out, and the model is told why', async (_name, calls, told) => {
    server.script({ text: 'Looking.', calls }, { text: 'Two.' });
    const { events, called } = await run(provider);
    expect(called).toBe(0);
    expect(events.map(({ type }) => type)).toEqual(['segment', 'step', 'refusal', 'segment', 'step', 'finish']);
    expect(events.at(-1)).toMatchObject({ answer: 'Two.', text: 'Looking.\n\nTwo.', usage: { unreportedSteps: 1 } });
    expect(JSON.stringify(server.requests[1]!.body)).toContain(told);
  });

  test('may hold as many calls as the most', async () => {
    server.script({ calls: times(stepBounds.callsMax, call()) }, { text: 'Two.' });
    const { events, called } = await run(provider);
    expect(called).toBe(loopLimits.toolCallsMax);
    expect(events.at(-1)).toMatchObject({ type: 'finish', answer: 'Two.' });
  });

  test('that breaks a bound again ends the run', async () => {
    server.script({ calls: times(20, call()) }, { calls: times(20, call()) });
    const { events, called } = await run(provider);
    expect([called, server.requests.length]).toEqual([0, 2]);
    expect(events.at(-1)).toMatchObject({ type: 'failure', error: { code: 'invocation_limit_reached' } });
  });

  test('is cut where its text is too long, between characters', async () => {
    server.script({ text: Array.from({ length: 40 }, () => 'é€'.repeat(2_000)) });
    const { events } = await run(provider);
    const end = events.at(-1) as Extract<LoopEvent, { type: 'finish' }>;
    expect(end).toMatchObject({ type: 'finish', reason: 'length' });
    expect(end.answer).toMatch(/^(é€)+é?$/);
    expect(stepBounds.textBytesMax - Buffer.byteLength(end.answer)).toBeLessThan(3);
  });
});

test('bounds hold for the model that takes over', async () => {
  server.script({ calls: times(20, call()) }, { text: 'Two.' });
  const { events, called } = await run('openai-compatible', true);
  expect(called).toBe(0);
  expect(events.at(-1)).toMatchObject({ type: 'finish', answer: 'Two.' });
});

test('arguments that are nested beyond reason are no arguments', async () => {
  server.script({ calls: [{ name: 'get_x', rawArguments: '['.repeat(30_000) }] }, { text: 'Sorry.' });
  const { events, called } = await run('openai-compatible');
  expect(called).toBe(0);
  expect(events.find(({ type }) => type === 'tool-result')).toMatchObject({ isError: true });
  expect(events.at(-1)).toMatchObject({ type: 'finish' });
});
