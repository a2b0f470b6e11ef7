import { createServer, type Server } from 'node:http';
import type { FastifyInstance } from 'fastify';

const paths = new Set(['/health', '/ready', '/metrics']);

/**
 * Serves the three paths of the status, and nothing else, on a port of its own: for a process that has no API, and for who
 * keeps them apart from what people reach. Resolves when it listens.
 */
export async function listenForStatus(
  http: FastifyInstance,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<Server> {
  await http.ready();
  const server = createServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    if (request.method !== 'GET' || !paths.has(path)) {
      response.writeHead(404).end();
      return;
    }
    http.inject(path).then(
      ({ statusCode, headers, rawPayload }) => response.writeHead(statusCode, headers).end(rawPayload),
      () => response.writeHead(500).end(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  return server;
}
