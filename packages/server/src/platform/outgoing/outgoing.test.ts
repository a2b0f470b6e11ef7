import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createOutgoing, type Outgoing, type OutgoingFailure } from './outgoing.ts';

let server: Server;
let answer: RequestListener;
let requests = 0;
let origin: string;
let open: Outgoing;
let guarded: Outgoing;

beforeEach(async () => {
  requests = 0;
  server = createServer((request, response) => {
    requests += 1;
    answer(request, response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  open = createOutgoing({ allowsPrivateNetwork: true });
  guarded = createOutgoing({ allowsPrivateNetwork: false });
});
afterEach(async () => {
  await Promise.all([open.close(), guarded.close()]);
  server.closeAllConnections();
  if (server.listening) await new Promise((done) => server.close(done));
});

const failure = (sent: Promise<unknown>): Promise<OutgoingFailure> =>
  sent.then(
    () => expect.fail('was answered'),
    (error: OutgoingFailure) => error,
  );

test('the answer comes with status, headers and body, whatever the status', async () => {
  answer = (request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => response.writeHead(503, { 'X-Seen': String(request.headers['x-one']) }).end(`got ${body}`));
  };
  const sent = await open.send({ url: `${origin}/hook`, headers: { 'x-one': '1' }, body: '{"a":1}' });
  expect(sent).toMatchObject({ status: 503, body: 'got {"a":1}', headers: { 'x-seen': '1' } });
});

describe('an address inside is refused before anything is sent', () => {
  test.each([
    () => origin,
    () => origin.replace('127.0.0.1', 'localhost'),
    () => origin.replace('127.0.0.1', '127.1'),
    () => origin.replace('127.0.0.1', '2130706433'),
    () => origin.replace('127.0.0.1', '0x7f000001'),
    () => origin.replace('127.0.0.1', '[::ffff:127.0.0.1]'),
    () => origin.replace('127.0.0.1', '[::1]'),
    () => 'http://169.254.169.254/latest/meta-data',
  ])('%#', async (url) => {
    const error = await failure(guarded.send({ url: url(), method: 'GET' }));
    expect(error.kind).toBe('refused');
    expect(error.message).toContain('PORTOLAN_ALLOW_PRIVATE_NETWORK');
    expect(requests).toBe(0);
  });
});

describe('a private host that the operator names', () => {
  const sendWith = async (privateHosts: readonly string[], url: string) => {
    const some = createOutgoing({ allowsPrivateNetwork: false, privateHosts });
    try {
      return await some.send({ url, method: 'GET' });
    } finally {
      await some.close();
    }
  };

  test.each(['127.0.0.1', '127.0.0.0/8'])('is reached by its address: %s', async (range) => {
    answer = (_request, response) => response.end('inside');
    expect((await sendWith([range], origin)).body).toBe('inside');
  });

  test('is reached by its name, and not by its address', async () => {
    answer = (_request, response) => response.end('inside');
    const named = origin.replace('127.0.0.1', 'localhost');
    expect((await sendWith(['LOCALHOST'], named)).body).toBe('inside');
    expect((await failure(sendWith(['localhost'], origin))).message).toContain('PORTOLAN_PRIVATE_HOSTS');
  });

  test.each(['10.0.0.0/8', 'git.corp.example', '0.0.0.127'])('opens no other: %s', async (other) => {
    expect((await failure(sendWith([other], origin))).kind).toBe('refused');
    expect(requests).toBe(0);
  });
});

test.each(['ftp://example.com', 'file:///etc/passwd', 'example.com', '', 'http://user:pass@example.com/'])(
  '%j is refused as no address',
  async (url) => {
    expect((await failure(open.send({ url }))).kind).toBe('refused');
  },
);

test('a redirect is the answer unless it is to be followed', async () => {
  answer = (request, response) =>
    request.url === '/a' ? response.writeHead(302, { location: '/b' }).end() : response.end('there');
  expect((await open.send({ url: `${origin}/a`, method: 'GET' })).status).toBe(302);
  const followed = await open.send({ url: `${origin}/a`, method: 'GET', followsRedirects: true });
  expect(followed).toMatchObject({ status: 200, body: 'there' });
});

test('one that hangs is given up after its time', async () => {
  answer = () => undefined;
  const error = await failure(open.send({ url: origin, timeoutMs: 50 }));
  expect(error).toMatchObject({ kind: 'timeout', message: expect.stringContaining('50 ms') });
});

test('one that drips is given up after its time', async () => {
  answer = (_request, response) => {
    response.writeHead(200).write('a');
  };
  expect((await failure(open.send({ url: origin, timeoutMs: 50 }))).kind).toBe('timeout');
});

test('an answer without an end is cut at its limit', async () => {
  answer = (_request, response) => {
    const pour = (): void => {
      while (response.write('x'.repeat(10_000)));
    };
    response.on('drain', pour);
    pour();
  };
  expect((await failure(open.send({ url: origin, bytesMax: 100_000 }))).kind).toBe('too_large');
});

test('nobody there is told as that', async () => {
  await new Promise((done) => server.close(done));
  const error = await failure(open.send({ url: origin }));
  expect(error).toMatchObject({ kind: 'unreachable', message: expect.stringContaining('ECONNREFUSED') });
});

test('whoever gives up itself gets its own reason', async () => {
  answer = () => undefined;
  const controller = new AbortController();
  const sent = open.send({ url: origin, signal: controller.signal });
  controller.abort(new Error('stopped'));
  await expect(sent).rejects.toThrow('stopped');
});
