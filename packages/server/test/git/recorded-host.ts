import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RecordedAnswer } from './recorded-fetch.ts';

/** A Git host on loopback that answers as a real one did, but for what a test says. */
export interface RecordedHost {
  readonly url: string;
  /** Decides an answer instead of the recording; `undefined` leaves it. */
  answer: (
    path: string,
    authorization: string | undefined,
  ) => { readonly status: number; readonly body?: string } | undefined;
  close(): Promise<void>;
}

/** `recordedAt` is the address in the recording. A request that was never recorded is answered 501. */
export async function startRecordedHost(answers: readonly RecordedAnswer[], recordedAt: string): Promise<RecordedHost> {
  const known = new Map(answers.map((answer) => [`${answer.method} ${answer.path}`, answer]));
  const host: { -readonly [Key in keyof RecordedHost]: RecordedHost[Key] } = {
    url: '',
    answer: () => undefined,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    const changed = host.answer(path, request.headers.authorization);
    if (changed) return void response.writeHead(changed.status).end(changed.body ?? '{}');
    // webhooks are made by writing, which a recording cannot tell
    if (/\/hooks\b/.test(path)) return void response.writeHead(200).end('[]');
    const recorded = known.get(`${request.method} ${path}`);
    if (!recorded) return void response.writeHead(501).end(`never recorded: ${request.method} ${path}`);
    const here = (text: string): string => text.replaceAll(recordedAt, host.url);
    const headers = Object.fromEntries(Object.entries(recorded.headers).map(([name, value]) => [name, here(value)]));
    response.writeHead(recorded.status, headers).end(here(recorded.text));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  host.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return host;
}
