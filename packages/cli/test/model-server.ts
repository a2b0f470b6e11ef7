import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A model provider that speaks the streams of OpenAI Chat Completions and answers each prompt with a text. */
export interface ModelServer {
  readonly url: string;
  /** How many requests came. */
  readonly count: () => number;
  readonly close: () => Promise<void>;
}

export async function startModelServer(answer: (lastMessage: string) => string): Promise<ModelServer> {
  let count = 0;
  const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    count += 1;
    let text = '';
    for await (const chunk of incoming) text += String(chunk);
    const { messages } = JSON.parse(text) as { messages: readonly object[] };
    const chunk = (choices: readonly object[], more: object = {}) =>
      `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'mock', choices, ...more })}\n\n`;
    const content = answer(JSON.stringify(messages.at(-1)));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(chunk([{ index: 0, delta: { role: 'assistant', content }, finish_reason: null }]));
    response.write(chunk([{ index: 0, delta: {}, finish_reason: 'stop' }]));
    response.write(chunk([], { usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 } }));
    response.end('data: [DONE]\n\n');
  };
  const server = createServer((incoming, response) => {
    handle(incoming, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    count: () => count,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
