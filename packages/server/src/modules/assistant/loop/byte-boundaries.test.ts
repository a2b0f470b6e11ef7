import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type MockModelServer, startMockModelServer } from '../../../../test/mock-model-server.ts';
import { createModel } from '../model/create-model.ts';
import type { ModelProvider } from '../model/model-settings.ts';
import type { LoopEvent } from './loop-event.ts';
import type { LoopInput } from './loop-input.ts';
import { loopLimits, runLoop } from './run-loop.ts';

let server: MockModelServer;
beforeEach(async () => {
  server = await startMockModelServer();
});
afterEach(() => server.close());

const providers: ModelProvider[] = ['openai-compatible', 'openai', 'anthropic', 'google', 'bedrock'];

async function run(provider: ModelProvider, fetch: typeof globalThis.fetch): Promise<LoopEvent[]> {
  const aws = { region: 'eu-west-1' };
  const model = await createModel({ provider, model: 'mock', baseUrl: server.url, apiKey: 'sk-1', aws, fetch });
  const events: LoopEvent[] = [];
  const input: LoopInput = {
    model,
    systemPrompt: 'Be short.',
    question: 'Which?',
    tools: [{ name: 'look_up', description: 'Looks', inputSchema: { type: 'object' } }],
    callTool: async (_name, input) => ({ isError: false, content: { input } }),
    fenceMark: 'abc',
    limits: loopLimits,
    signal: new AbortController().signal,
    clock: { now: () => 0 },
    retryDelaysMs: [],
  };
  await runLoop(input, (event) => events.push(event));
  return events;
}

interface Recorded {
  readonly bytes: Uint8Array;
  readonly headers: Record<string, string>;
}

/** Events of a whole invocation, with the provider's answers as they came over the wire. */
async function recordAnswers(provider: ModelProvider): Promise<{ events: LoopEvent[]; answers: Recorded[] }> {
  const answers: Recorded[] = [];
  const looking = {
    text: ['Sö ', '👋\n\n'],
    calls: [
      { name: 'look_up', arguments: { of: 'Zürich' } },
      { name: 'look_up', arguments: { of: 'b' } },
    ],
  };
  server.respondWith(({ body }) =>
    JSON.stringify(body).includes('tool-output abc') ? { text: ['Zwei: ', 'ä, 🙂.'] } : looking,
  );
  const events = await run(provider, async (input, init) => {
    const response = await fetch(input, init);
    const recorded = {
      bytes: new Uint8Array(await response.arrayBuffer()),
      headers: { 'content-type': response.headers.get('content-type') ?? '' },
    };
    answers.push(recorded);
    return new Response(Buffer.from(recorded.bytes), { headers: recorded.headers });
  });
  return { events, answers };
}

/** Replays the recorded answers in pieces. */
function replay(answers: readonly Recorded[], cut: (bytes: Uint8Array) => Uint8Array[]): typeof globalThis.fetch {
  let next = 0;
  return async () => {
    const { bytes, headers } = answers[next++] as Recorded;
    const pieces = cut(bytes);
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const piece = pieces.shift();
        if (piece) controller.enqueue(piece);
        else controller.close();
      },
    });
    return new Response(body, { headers });
  };
}

describe.each(providers)('over %s', (provider) => {
  test('an answer is the same wherever its bytes are cut, and never complete before its end', async () => {
    const { events, answers } = await recordAnswers(provider);
    expect(events.at(-1)).toMatchObject({ type: 'finish', text: 'Sö 👋\n\nZwei: ä, 🙂.', usage: { toolCalls: 2 } });
    expect(
      await run(
        provider,
        replay(answers, (bytes) => Array.from(bytes, (byte) => Uint8Array.of(byte))),
      ),
    ).toEqual(events);
    const longest = Math.max(...answers.map(({ bytes }) => bytes.length));
    for (let at = 1; at < longest; at++) {
      const halves = (bytes: Uint8Array) => [bytes.slice(0, at), bytes.slice(at)].filter(({ length }) => length > 0);
      expect(await run(provider, replay(answers, halves)), `cut at ${at}`).toEqual(events);
    }
  }, 120_000);

  test('an answer that breaks off at any byte is a failure or the whole', async () => {
    const { events, answers } = await recordAnswers(provider);
    expect(events.at(-1)?.type).toBe('finish');
    const [, last] = answers as [Recorded, Recorded];
    for (let at = 0; at < last.bytes.length; at += 7) {
      const cut = (bytes: Uint8Array) => (bytes === last.bytes ? [bytes.slice(0, at)] : [bytes]);
      const got = (await run(provider, replay(answers, cut))).at(-1);
      if (got?.type === 'finish') expect(got.text, `cut at ${at}`).toBe((events.at(-1) as { text: string }).text);
      else expect(got).toMatchObject({ type: 'failure', error: { code: 'llm_provider_unavailable' } });
    }
  }, 120_000);
});
