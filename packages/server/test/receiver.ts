import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a receiver was sent. */
export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Receiver {
  readonly url: string;
  readonly received: ReceivedRequest[];
  /** Answers the next requests; 200 with an empty object unless told. */
  answer: (request: ReceivedRequest) => { readonly status: number; readonly body?: string } | 'hang';
  close(): Promise<void>;
}

/** A real HTTP server on loopback that keeps what it is sent. */
export async function startReceiver(): Promise<Receiver> {
  const received: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const got = { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body };
      received.push(got);
      const answer = receiver.answer(got);
      if (answer !== 'hang') response.writeHead(answer.status).end(answer.body ?? '{}');
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answer: () => ({ status: 200 }),
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
  return receiver;
}
