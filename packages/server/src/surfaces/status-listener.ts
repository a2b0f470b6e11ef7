import { createServer, type Server, type ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { asAppError, errorBody } from '../platform/errors.ts';

const paths = new Set(['/health', '/ready', '/metrics']);

export interface StatusListenerOptions {
  readonly host: string;
  readonly port: number;
  readonly drain: {
    /** @throws AppError unless it is the operator's token */
    authenticate(authorization: string | undefined): void;
    set(isDraining: boolean): void;
  };
}

/** Asked by POST with the operator's token, since it takes a process out of service. */
const drainPaths: Readonly<Record<string, boolean>> = { '/drain': true, '/undrain': false };

/**
 * Serves the three paths of the status, and the two of the drain, on a port of its own: for a process that has no API, and for who
 * keeps them apart from what people reach. Resolves when it listens.
 */
export async function listenForStatus(
  http: FastifyInstance,
  { host, port, drain }: StatusListenerOptions,
): Promise<Server> {
  await http.ready();
  const server = createServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    const isDraining = drainPaths[path];
    if (request.method === 'POST' && isDraining !== undefined) {
      answerJson(response, () => {
        drain.authenticate(request.headers.authorization);
        drain.set(isDraining);
        return { ok: true, isDraining };
      });
      return;
    }
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

function answerJson(response: ServerResponse, act: () => object): void {
  const send = (status: number, body: object): void => {
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
  };
  try {
    send(200, act());
  } catch (error) {
    const refusal = asAppError(error);
    send(refusal.status, errorBody(refusal));
  }
}
