import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { findWire } from './mock-model-server-wires.ts';
import type { ModelWire } from './model-wire.ts';

/** One tool call of a scripted answer. `rawArguments` overrides the JSON, to send what is none. */
export interface ScriptedCall {
  readonly name: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
  readonly rawArguments?: string;
}

/** What the server does with one request. */
export interface ScriptedTurn {
  /** Sent piece by piece, one event each. */
  readonly text?: string | readonly string[];
  readonly calls?: readonly ScriptedCall[];
  /** Pause before the first piece, and between pieces. */
  readonly firstMs?: number;
  readonly gapMs?: number;
  /** Refuses with this status, and the provider's own error body. */
  readonly status?: number;
  readonly retryAfter?: string;
  /** After the text: nothing more, the connection stays open. */
  readonly stalls?: boolean;
  /** Never answers at all, not even with a status. */
  readonly silent?: boolean;
  /** Ends the stream after the text, without the events that close an answer. */
  readonly truncated?: boolean;
  /** Sends a chunk that is no JSON after the text. */
  readonly malformed?: boolean;
  /** Reports an error inside the stream after the text. */
  readonly streamError?: boolean;
  readonly finish?: 'length';
  readonly usage?: { readonly input: number; readonly output: number };
}

/** A request as it came in. */
export interface ReceivedRequest {
  readonly wire: ModelWire['name'];
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of three providers
  readonly body: any;
}

export interface MockModelServer {
  /** With `/v1`, as base URLs of the providers are. */
  readonly url: string;
  readonly requests: readonly ReceivedRequest[];
  /** The next requests get these turns in order; after them, each gets a short text. */
  script(...turns: ScriptedTurn[]): void;
  /** Decides by the request instead of by order; `undefined` falls back to the script. */
  respondWith(decide: (request: ReceivedRequest, index: number) => ScriptedTurn | undefined): void;
  close(): Promise<void>;
}

/**
 * A model provider on loopback that speaks the streams of OpenAI Chat Completions, OpenAI Responses and Anthropic
 * Messages, and says what it was told to.
 */
export async function startMockModelServer(): Promise<MockModelServer> {
  const requests: ReceivedRequest[] = [];
  let turns: ScriptedTurn[] = [];
  let decide: ((request: ReceivedRequest, index: number) => ScriptedTurn | undefined) | undefined;
  const server = createServer((incoming, response) => {
    handle(incoming, response).catch(() => response.destroy());
  });
  const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const wire = findWire(incoming.url ?? '');
    const body: unknown = JSON.parse((await readText(incoming)) || '{}');
    if (!wire) {
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":{"message":"no such path"}}');
      return;
    }
    const request = { wire: wire.name, headers: incoming.headers, body };
    requests.push(request);
    const turn = decide?.(request, requests.length - 1) ?? turns.shift() ?? { text: 'Done.' };
    await play(turn, wire, response);
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    script(...more) {
      turns = [...turns, ...more];
    },
    respondWith(next) {
      decide = next;
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

async function play(turn: ScriptedTurn, wire: ModelWire, response: ServerResponse): Promise<void> {
  if (turn.silent) return;
  if (turn.status && turn.status >= 400) {
    const headers = {
      'content-type': 'application/json',
      ...(turn.retryAfter ? { 'retry-after': turn.retryAfter } : {}),
    };
    response.writeHead(turn.status, headers).end(JSON.stringify(wire.errorBody(turn.status)));
    return;
  }
  response.writeHead(200, { 'content-type': wire.contentType ?? 'text/event-stream', 'cache-control': 'no-cache' });
  response.flushHeaders();
  const say = (text: string): boolean => response.write(text, wire.encoding ?? 'utf8');
  const usage = turn.usage ?? { input: 100, output: 20 };
  const pieces = turn.text === undefined ? [] : typeof turn.text === 'string' ? [turn.text] : turn.text;
  const writer = wire.begin(usage);
  say(writer.open());
  if (turn.firstMs) await sleep(turn.firstMs);
  if (pieces.length > 0) say(writer.openText());
  if (turn.gapMs) {
    for (const [index, piece] of pieces.entries()) {
      if (index > 0) await sleep(turn.gapMs);
      if (response.destroyed) return;
      say(writer.text(piece));
    }
  } else if (pieces.length > 0) say(pieces.map((piece) => writer.text(piece)).join(''));
  if (turn.malformed) say('data: {"not json\n\n');
  if (turn.streamError) say(writer.error());
  if (turn.stalls) return;
  if (turn.truncated) {
    response.end();
    return;
  }
  if (pieces.length > 0) say(writer.closeText());
  for (const [index, call] of (turn.calls ?? []).entries()) {
    say(writer.call(index, call.name, call.rawArguments ?? JSON.stringify(call.arguments ?? {})));
  }
  const reason = turn.calls?.length ? 'tool-calls' : (turn.finish ?? 'stop');
  response.end(writer.close(reason), wire.encoding ?? 'utf8');
}

async function readText(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
