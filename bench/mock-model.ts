import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** How the model speaks from now on; `POST /pace` changes it. */
export interface Pace {
  /** From the request to the first token. */
  readonly firstMs: number;
  /** Between tokens; 0 sends all of them at once, each in a chunk of its own. */
  readonly gapMs: number;
  readonly tokens: number;
  /** Asked for once per question before the answer: the two-step loop. */
  readonly call?: { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> };
}

let pace: Pace = { firstMs: 0, gapMs: 0, tokens: 64 };

/** A model on loopback that speaks OpenAI Chat Completions streams at a pace that is told to it. */
const server = createServer((incoming, response) => {
  handle(incoming, response).catch(() => response.destroy());
});
server.keepAliveTimeout = 120_000;
server.listen(Number(process.env['PORT']), '127.0.0.1');

async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const receivedAt = performance.now();
  const text = await readText(incoming);
  if (incoming.url === '/pace') {
    pace = JSON.parse(text) as Pace;
    response.end('{}');
  } else if (incoming.url?.endsWith('/chat/completions')) await answer(text, receivedAt, response);
  else response.end('{}');
}

async function answer(body: string, receivedAt: number, response: ServerResponse): Promise<void> {
  const { firstMs, gapMs, tokens, call } = pace;
  response.socket?.setNoDelay(true);
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  if (call && !body.includes('"role":"tool"')) {
    const args = JSON.stringify(call.arguments);
    response.write(
      chunk({
        role: 'assistant',
        content: null,
        tool_calls: [{ index: 0, id: 'call-1', type: 'function', function: { name: call.name, arguments: args } }],
      }),
    );
    response.end(closing('tool_calls', 1));
    return;
  }
  response.write(chunk({ role: 'assistant', content: '' }));
  // against the clock, so that late timers do not add up
  const until = (ms: number) => sleep(Math.max(0, receivedAt + ms - performance.now()));
  if (firstMs > 0) await until(firstMs);
  for (let index = 0; index < tokens; index += 1) {
    if (gapMs > 0 && index > 0) await until(firstMs + index * gapMs);
    if (response.destroyed) return;
    response.write(chunk({ content: wordAt(index) }));
  }
  response.end(closing('stop', tokens));
}

/** Words, with a paragraph's end now and then as answers have them. */
function wordAt(index: number): string {
  return index % 24 === 23 ? ' end.\n\n' : ` word${index}`;
}

function chunk(delta: unknown, finish: string | null = null): string {
  return data({ choices: [{ index: 0, delta, finish_reason: finish }] });
}

function closing(reason: string, tokens: number): string {
  const usage = { prompt_tokens: 100, completion_tokens: tokens, total_tokens: 100 + tokens };
  return `${chunk({}, reason)}${data({ choices: [], usage })}data: [DONE]\n\n`;
}

function data(rest: object): string {
  return `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'mock', ...rest })}\n\n`;
}

async function readText(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const part of incoming) chunks.push(part as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
