import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/**
 * The least an agent server can be: asks the model, forwards each token as an event, keeps nothing. No rights, no
 * quota, no log: the floor that streams are compared with.
 */
const modelUrl = `${process.env['MODEL_URL']}/chat/completions`;

interface Chunk {
  readonly choices: readonly { readonly delta: { readonly content?: string }; readonly finish_reason: string | null }[];
}

const server = createServer((incoming, response) => {
  if (incoming.method !== 'POST') return void response.end('{}');
  converse(incoming, response).catch(() => response.destroy());
});
// longer than a turn of the other contenders lasts
server.keepAliveTimeout = 120_000;
server.listen(Number(process.env['PORT']), '127.0.0.1');

async function converse(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const { userPrompt } = JSON.parse(await readText(incoming)) as { userPrompt: string };
  response.socket?.setNoDelay(true);
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  const answer = await fetch(modelUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'mock', stream: true, messages: [{ role: 'user', content: userPrompt }] }),
  });
  if (!answer.body) throw new Error('The model gave no body');
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of answer.body) {
    rest += decoder.decode(bytes as Uint8Array, { stream: true });
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    let events = '';
    for (const line of lines) events += parseEvent(line);
    if (events) response.write(events);
  }
  response.end('event: done\ndata: {}\n\n');
}

function parseEvent(line: string): string {
  if (!line.startsWith('data: ') || line === 'data: [DONE]') return '';
  const text = (JSON.parse(line.slice(6)) as Chunk).choices[0]?.delta.content;
  return text ? `event: text_delta\ndata: ${JSON.stringify({ text })}\n\n` : '';
}

async function readText(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
