import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { streamText } from 'ai';

/** The AI SDK's `streamText` behind `node:http`, each token an event; keeps nothing, like the plain loop. */
const provider = createOpenAICompatible({ name: 'mock', baseURL: process.env['MODEL_URL'] ?? '', includeUsage: true });
const model = provider('mock');

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
  const { textStream } = streamText({ model, prompt: userPrompt });
  for await (const text of textStream) response.write(`event: text_delta\ndata: ${JSON.stringify({ text })}\n\n`);
  response.end('event: done\ndata: {}\n\n');
}

async function readText(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
