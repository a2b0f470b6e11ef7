import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A fake host on loopback. */
export interface FakeServer {
  readonly url: string;
  /** What it answers with; a test may put another in its place. */
  fetch: typeof fetch;
  close(): Promise<void>;
}

/** Serves a host that believes to have another address; what it says of itself is put right. */
export async function startFakeServer(fetch: typeof globalThis.fetch, origin: string): Promise<FakeServer> {
  const host = { url: '', fetch, close: async () => {} };
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const { authorization = '', 'content-type': type = 'application/json' } = request.headers;
    const answer = await host.fetch(`${origin}${request.url}`, {
      method: request.method ?? 'GET',
      headers: { authorization, 'content-type': type },
      ...(body ? { body } : {}),
    });
    const here = (text: string): string => text.replaceAll(origin, host.url);
    const headers = Object.fromEntries([...answer.headers].map(([name, value]) => [name, here(value)]));
    response.writeHead(answer.status, headers).end(here(await answer.text()));
  };
  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => response.writeHead(501).end(String(error)));
  });
  host.close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  host.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return host;
}
