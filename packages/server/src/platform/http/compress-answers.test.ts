import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { operation } from '@portolan/contract/operation';
import { getOwnIdentity } from '@portolan/contract/sign-in';
import type { FastifyBaseLogger } from 'fastify';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { systemActor } from '../actor.ts';
import { JsonStreamAnswer } from './json-stream.ts';
import { HttpAnswer, RawAnswer, route } from './route.ts';
import { createHttpServer } from './server.ts';

const declared = (id: string) =>
  operation({
    id,
    method: 'GET',
    path: `/v1/${id}`,
    tag: 'x',
    summary: 'x',
    access: 'token',
    scope: null,
    answer: z.object({ ok: z.literal(true), said: z.string() }),
    errors: [],
  });

/** What makes an answer of exactly so many bytes, more than it has letters. */
function ofBytes(bytes: number): { said: string } {
  const left = bytes - '{"ok":true,"said":""}'.length;
  return { said: 'ä'.repeat(Math.floor(left / 2)) + 'x'.repeat(left % 2) };
}
let ended = 0;
async function* list(isFailing: boolean): AsyncGenerator<unknown[]> {
  try {
    for (let n = 0; n < 200; n += 1) {
      if (isFailing && n === 100) throw new Error('gone');
      yield Array.from({ length: 100 }, (_none, at) => ({ n, at, text: 'the same again' }));
    }
  } finally {
    ended += 1;
  }
}

const app = createHttpServer({
  log: pino({ level: 'silent' }) as FastifyBaseLogger,
  gate: { authenticate: async () => systemActor('org_1'), authenticateOperator: () => undefined },
  routes: [
    route(declared('long'), async () => new HttpAnswer(ofBytes(1_024), { headers: { etag: '"1"', vary: 'origin' } })),
    route(declared('short'), async () => ofBytes(1_023)),
    // its answer holds the token against foreign pages
    route(getOwnIdentity, async () => ofBytes(3_000) as never),
    route(declared('list'), async () => new JsonStreamAnswer('said', list(false))),
    route(declared('broken'), async () => new JsonStreamAnswer('said', list(true))),
    route(
      declared('events'),
      async () =>
        new RawAnswer(async (response) => {
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          response.end(`data: ${'x'.repeat(5_000)}\n\n`);
        }),
    ),
  ],
  surfaces: [
    (http) => {
      const text = 'x'.repeat(5_000);
      http.get('/picture', async (_request, reply) => reply.type('image/svg+xml').send(text));
      http.get('/lines', async (_request, reply) => reply.type('application/x-ndjson').send(text));
      http.get('/untouched', async (_request, reply) =>
        reply.header('cache-control', 'no-transform').type('application/json').send(text),
      );
      http.get('/zipped', async (_request, reply) =>
        reply.header('content-encoding', 'gzip').type('application/json').send(text),
      );
      http.get('/same', async (_request, reply) => reply.status(304).type('application/json').send(text));
    },
  ],
});
let port: number;
beforeAll(async () => {
  await app.listen({ port: 0, host: '127.0.0.1' });
  ({ port } = app.server.address() as AddressInfo);
});
afterAll(() => app.close());

async function ask(path: string, encoding?: string, method = 'GET'): Promise<IncomingMessage> {
  const headers = { authorization: 'x', ...(encoding === undefined ? {} : { 'accept-encoding': encoding }) };
  const asked = request({ port, host: '127.0.0.1', path, method, headers, agent: false });
  asked.end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  return answer;
}

const readEncoding = async (path: string, encoding = 'br, gzip', method = 'GET') => {
  const answer = await ask(path, encoding, method);
  await buffer(answer);
  return answer.headers['content-encoding'];
};

describe('an answer of 1 KB or more', () => {
  test.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ])('is sent as %s to who takes that, and is the same inside', async (name, open) => {
    const plain = await ask('/v1/long');
    const packed = await ask('/v1/long', name);
    const bytes = await buffer(packed);
    expect([plain.headers['content-encoding'], plain.headers['content-length']]).toEqual([undefined, '1024']);
    expect([packed.headers['content-encoding'], packed.headers['content-length']]).toEqual([name, `${bytes.length}`]);
    expect(bytes.length).toBeLessThan(300);
    expect(open(bytes)).toEqual(await buffer(plain));
    for (const { headers } of [plain, packed]) {
      expect([headers['vary'], headers['etag'], headers['content-type']]).toEqual([
        'origin, accept-encoding',
        '"1"',
        'application/json; charset=utf-8',
      ]);
    }
  });

  test('is told to HEAD as it is', async () => {
    const answer = await ask('/v1/long', 'br', 'HEAD');
    expect([answer.statusCode, answer.headers['content-encoding'], answer.headers['content-length']]).toEqual([
      200,
      undefined,
      '1024',
    ]);
    expect(answer.headers['vary']).toContain('accept-encoding');
  });
});

test.each(['/v1/short', '/v1/events', getOwnIdentity.path, '/picture', '/lines', '/untouched', '/same', '/v1/none'])(
  '%s is sent as it is',
  async (path) => {
    expect(await readEncoding(path)).toBeUndefined();
  },
);

test('what is compressed already is not compressed again', async () => {
  const answer = await ask('/zipped', 'br');
  expect([answer.headers['content-encoding'], (await buffer(answer)).length]).toEqual(['gzip', 5_000]);
});

describe('a list that is streamed', () => {
  test.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ])('is compressed as it is written: %s', async (name, open) => {
    const answer = await ask('/v1/list', name);
    const bytes = await buffer(answer);
    expect(answer.headers['content-encoding']).toBe(name);
    expect(JSON.parse(open(bytes).toString()).said).toHaveLength(20_000);
    expect(bytes.length).toBeLessThan(150_000);
  });

  test('and fails half-way breaks the transfer, so that nobody takes it for the whole', async () => {
    const answer = await ask('/v1/broken', 'gzip');
    await expect(buffer(answer)).rejects.toThrow('aborted');
  });

  test('and loses its reader is not read on', async () => {
    const before = ended;
    const answer = await ask('/v1/list', 'gzip');
    answer.destroy();
    await expect.poll(() => ended).toBe(before + 1);
  });
});
