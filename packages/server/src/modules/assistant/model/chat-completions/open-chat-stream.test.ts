import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModelV3StreamPart } from '@ai-sdk/provider';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type MockModelServer,
  type ScriptedTurn,
  startMockModelServer,
} from '../../../../../test/mock-model-server.ts';
import { type ModelRequest, type OpenPartStream, toPartStream } from '../part-stream.ts';
import { asProviderError, parseRetryAfter } from '../provider-error.ts';
import { createChatStream } from './open-chat-stream.ts';

type Part = LanguageModelV3StreamPart;

const question: ModelRequest = { prompt: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }] };
const apiKey = 'sk-secret-123456';

async function readParts(open: OpenPartStream, request: ModelRequest, signal?: AbortSignal): Promise<Part[]> {
  const stream = await open(request, signal ?? new AbortController().signal);
  const parts: Part[] = [];
  for (let batch = await stream.read(); batch; batch = await stream.read()) parts.push(...batch);
  return parts;
}

describe('beside the provider package', () => {
  let server: MockModelServer;
  beforeEach(async () => {
    server = await startMockModelServer();
  });
  afterEach(() => server.close());

  /** Both clients, ours first. */
  const both = (): OpenPartStream[] => {
    const settings = { name: 'openai-compatible', baseURL: server.url, apiKey, includeUsage: true };
    return [
      createChatStream({ baseUrl: server.url, model: 'mock', apiKey }),
      toPartStream(createOpenAICompatible(settings)('mock')),
    ];
  };
  /** Error texts and the reporting of tokens differ between the two clients. */
  const comparable = (parts: readonly Part[]): unknown[] =>
    parts.map((part) => {
      if (part.type === 'error') return { type: 'error' };
      if (part.type !== 'finish') return part;
      const { raw: _raw, ...usage } = part.usage;
      return { ...part, usage };
    });

  const turns: [string, ScriptedTurn][] = [
    ['a text', { text: 'Hello.' }],
    ['many texts', { text: ['a', 'b', ' ', 'ünï', '👋\n\n', '{"x":1}'], usage: { input: 7, output: 5 } }],
    ['paced texts', { text: ['a', 'b', 'c'], firstMs: 5, gapMs: 5 }],
    ['a call', { calls: [{ name: 'f', arguments: { a: [1, 'ü'] } }] }],
    ['a text and calls', { text: 'Looking.', calls: [{ name: 'f' }, { name: 'g', arguments: { b: 2 } }] }],
    ['arguments that are no JSON', { calls: [{ name: 'f', rawArguments: '{"a": ' }] }],
    ['an answer that is cut', { text: 'Long', finish: 'length' }],
    ['no text at all', { text: '' }],
    ['a stream that ends early', { text: 'Half', truncated: true }],
    ['a chunk that is no JSON', { text: 'Half', malformed: true, truncated: true }],
    ['an error inside', { text: 'Half', streamError: true, truncated: true }],
    ['an error first', { streamError: true, truncated: true }],
  ];
  test.each(turns)('%s gives the same parts', async (_what, turn) => {
    server.respondWith(() => turn);
    const [ours, theirs] = await Promise.all(both().map((open) => readParts(open, question)));
    expect(comparable(ours!)).toEqual(comparable(theirs!));
    expect(ours!.length).toBeGreaterThan(1);
  });

  const schema = { type: 'object', properties: { a: { type: 'string' } } } as const;
  const conversation: ModelRequest['prompt'] = [
    { role: 'system', content: 'Be short.' },
    { role: 'user', content: [{ type: 'text', text: 'q "1"\n' }] },
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'hm' },
        { type: 'text', text: 'Looking.' },
        { type: 'tool-call', toolCallId: 'c1', toolName: 'f', input: { a: 'ü' } },
        { type: 'tool-call', toolCallId: 'c2', toolName: 'f', input: {} },
      ],
    },
    {
      role: 'tool',
      content: [
        { type: 'tool-result', toolCallId: 'c1', toolName: 'f', output: { type: 'text', value: 'r' } },
        { type: 'tool-result', toolCallId: 'c2', toolName: 'f', output: { type: 'error-json', value: { no: 1 } } },
      ],
    },
    { role: 'assistant', content: [{ type: 'text', text: 'So.' }] },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ],
    },
  ];
  const tools: ModelRequest['tools'] = [
    { type: 'function', name: 'f', description: 'Does "f"', inputSchema: schema },
    { type: 'function', name: 'g', inputSchema: { type: 'object' } },
    // the same schema under another name
    { type: 'function', name: 'h', description: 'h', inputSchema: schema },
  ];
  const requests: [string, ModelRequest][] = [
    ['a question', question],
    ['a bounded answer', { ...question, maxOutputTokens: 5 }],
    ['a conversation with tools', { prompt: conversation, tools, toolChoice: { type: 'auto' }, maxOutputTokens: 9 }],
    ['tools that must not be used', { prompt: conversation, tools, toolChoice: { type: 'none' } }],
    ['a tool that must be used', { ...question, tools, toolChoice: { type: 'tool', toolName: 'f' } }],
    ['no choice', { ...question, tools }],
    ['no tools', { ...question, tools: [], toolChoice: { type: 'auto' } }],
  ];
  test.each(requests)('%s is asked with the same body and key', async (_what, request) => {
    const [ours, theirs] = both();
    await readParts(ours!, request);
    await readParts(theirs!, request);
    const [mine, other] = server.requests;
    expect(mine!.body).toEqual(other!.body);
    expect(mine!.headers['authorization']).toBe(other!.headers['authorization']);
    expect(mine!.headers['content-type']).toBe('application/json');
  });
});

describe('over a connection', () => {
  let server: Server | undefined;
  let sockets: Socket[] = [];
  afterEach(async () => {
    server?.closeAllConnections();
    await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
    sockets = [];
  });

  const answer = `data: ${JSON.stringify({ choices: [{ delta: { content: 'a' }, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`;
  async function serve(listener: RequestListener): Promise<{ url: string; open: OpenPartStream }> {
    server = createServer((incoming, response) => {
      incoming.resume().on('end', () => listener(incoming, response));
    });
    server.on('connection', (socket) => sockets.push(socket));
    await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return { url, open: createChatStream({ baseUrl: `${url}/v1`, model: 'm', apiKey }) };
  }
  const failureOf = async (open: OpenPartStream): Promise<unknown> =>
    readParts(open, question).then(
      () => expect.unreachable(),
      (error: unknown) => error,
    );
  const mapped = (error: unknown) => asProviderError(error, { provider: 'openai-compatible', secrets: [apiKey] });
  const ok = (response: ServerResponse): void => void response.writeHead(200).end(answer);

  test('one connection serves one answer after the other', async () => {
    const { open } = await serve((_incoming, response) => ok(response));
    for (let turn = 0; turn < 3; turn++) {
      await readParts(open, question);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    expect(sockets).toHaveLength(1);
  });

  test('a kept connection that the server dropped is replaced without a failure', async () => {
    let count = 0;
    const { open } = await serve((incoming, response) =>
      ++count === 2 ? incoming.socket.resetAndDestroy() : ok(response),
    );
    await readParts(open, question);
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect((await readParts(open, question)).at(-1)).toMatchObject({ finishReason: { unified: 'stop' } });
    expect(count).toBe(3);
  });

  test.each([
    [400, 'llm_provider_refused'],
    [401, 'llm_provider_refused'],
    [403, 'llm_provider_refused'],
    [404, 'llm_provider_refused'],
    [408, 'llm_provider_timeout'],
    [429, 'llm_provider_unavailable'],
    [500, 'llm_provider_unavailable'],
    [503, 'llm_provider_unavailable'],
  ] as const)('status %i is %s, and its error holds neither key nor prompt', async (status, code) => {
    const { open } = await serve((_incoming, response) => {
      response.writeHead(status, { 'retry-after': '7' }).end(`{"error":{"message":"wrong key ${apiKey}"}}`);
    });
    const error = await failureOf(open);
    expect(parseRetryAfter(error)).toBe(7);
    const shown = mapped(error);
    expect(shown.code).toBe(code);
    expect(shown.message).not.toContain('wrong key');
    const cause = String((shown.cause as Error).message);
    expect(cause).toContain('wrong key ******');
    expect(cause).not.toContain(apiKey);
    expect(JSON.stringify(error)).not.toContain('"hi"');
  });

  test('an endless body of an error is cut off', async () => {
    const { open } = await serve((_incoming, response) => {
      response.writeHead(500);
      const more = (): void => void (!response.destroyed && response.write('x'.repeat(65_536), more));
      more();
    });
    expect(mapped(await failureOf(open)).code).toBe('llm_provider_unavailable');
  });

  test.each([301, 302, 307, 308])('a redirect (%i) is refused and not followed', async (status) => {
    const seen: IncomingMessage[] = [];
    const { open } = await serve((incoming, response) => {
      seen.push(incoming);
      response.writeHead(status, { location: '/elsewhere' }).end();
    });
    expect(mapped(await failureOf(open)).code).toBe('llm_provider_refused');
    expect(seen).toHaveLength(1);
  });

  test.each([
    ['before it answers', (response: ServerResponse) => response.destroy()],
    [
      'in the middle of an answer',
      (response: ServerResponse) => {
        response.writeHead(200).write(answer.slice(0, 80), () => response.destroy());
      },
    ],
  ])('a server that breaks off %s is unavailable', async (_when, act) => {
    const { open } = await serve((_incoming, response) => void act(response));
    expect(mapped(await failureOf(open)).code).toBe('llm_provider_unavailable');
  });

  test('a server that is not there, or speaks something else, is unavailable', async () => {
    const { url } = await serve((_incoming, response) => ok(response));
    const wrong = url.replace('http:', 'https:');
    expect(mapped(await failureOf(createChatStream({ baseUrl: wrong, model: 'm' }))).code).toBe(
      'llm_provider_unavailable',
    );
    const nobody = 'http://127.0.0.1:1';
    expect(mapped(await failureOf(createChatStream({ baseUrl: nobody, model: 'm' }))).code).toBe(
      'llm_provider_unavailable',
    );
  });

  test('without a key none is sent', async () => {
    let sent: string | undefined = 'none seen';
    const { url } = await serve((incoming, response) => {
      sent = incoming.headers.authorization;
      ok(response);
    });
    await readParts(createChatStream({ baseUrl: url, model: 'm' }), question);
    expect(sent).toBeUndefined();
  });

  test.each([
    ['before the answer', () => {}],
    ['in an answer', (response: ServerResponse) => void response.writeHead(200).write(answer.slice(0, 40))],
    ['in the body of an error', (response: ServerResponse) => void response.writeHead(500).write('{')],
  ])('aborting %s closes the connection at once', async (_when, act) => {
    const stop = new AbortController();
    let closed: Promise<unknown> | undefined;
    const { open } = await serve((_incoming, response) => {
      closed = new Promise((resolve) => response.once('close', resolve));
      act(response);
      setTimeout(() => stop.abort(new Error('stopped')), 20);
    });
    await readParts(open, question, stop.signal).catch(() => {});
    await closed;
  });

  test('an aborted signal calls nobody', async () => {
    let isCalled = false;
    const { open } = await serve(() => {
      isCalled = true;
    });
    await expect(readParts(open, question, AbortSignal.abort())).rejects.toThrow();
    expect(isCalled).toBe(false);
  });

  test('what is no text cannot be asked', async () => {
    const { open } = await serve((_incoming, response) => ok(response));
    const file = { type: 'file', mediaType: 'image/png', data: 'AA==' } as const;
    await expect(readParts(open, { prompt: [{ role: 'user', content: [file] }] })).rejects.toThrow('Only text');
  });
});
