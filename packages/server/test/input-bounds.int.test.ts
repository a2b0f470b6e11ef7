import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Operation } from '@portolan/contract/operation';
import { operations } from '@portolan/contract/operations';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, operatorToken, type TestApp } from './build-test-app.ts';
import { blueprintBody, createEntity } from './catalog-fixtures.ts';
import { largeBodies } from './largest-bodies.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
  const properties = { text: { type: 'string' }, list: { type: 'array' }, box: { type: 'object' } };
  const relations = { all: { target: 'thing', many: true } };
  await app.request('POST', '/v1/blueprints', { body: blueprintBody('thing', { properties, relations }) });
  await createEntity(app.request, 'thing', { identifier: 'thing' });
});
afterAll(() => app.close());

/** A refusal may repeat what it refuses, but not all of it. */
const refusalCharactersMax = 200_000;
/** Of a refusal: who asks, and what it is about. */
const statementsMax = 30;

const all = (operations as readonly Operation[]).map((operation) => [operation.id, operation] as const);
const withBody = all.filter(([, { body, rawBodyBytesMax }]) => body !== undefined && rawBodyBytesMax === undefined);

const fillPath = (path: string, value = 'thing') => path.replace(/\{\w+\}/g, value);
const tokenFor = ({ access }: Operation) => (access === 'operator' ? operatorToken : app.organization.token);

async function send(operation: Operation, payload: string, path = fillPath(operation.path)) {
  const before = app.statementCount();
  const answer = await app.app.http.inject({
    method: operation.method,
    url: path,
    headers: { authorization: `Bearer ${tokenFor(operation)}`, 'content-type': 'application/json' },
    payload,
  });
  return { status: answer.statusCode, text: answer.body, statements: app.statementCount() - before };
}

const mebibyte = 1024 * 1024;
/** What every body is bounded by, whatever its schema says: the one reader of bodies. */
const overLimits: readonly [name: string, payload: string, status: number][] = [
  ['bytes', JSON.stringify({ a: 'x'.repeat(mebibyte) }), 413],
  ['entries of a list', JSON.stringify({ a: Array(20_001).fill(1) }), 422],
  [
    'keys of an object',
    JSON.stringify(Object.fromEntries(Array.from({ length: 20_001 }, (_, n) => [`k${n}`, 1]))),
    422,
  ],
  ['levels', `{"a":${'['.repeat(200)}${']'.repeat(200)}}`, 422],
];

describe.each(withBody)('%s', (_id, operation) => {
  test.each(overLimits)(
    'refuses more %s than any body may have, before anything else is done',
    async (_name, payload, status) => {
      const answer = await send(operation, payload);
      const expected = status === 422 ? (operation.invalidStatus ?? 422) : status;
      expect([answer.status, answer.text.length < 1_000, answer.statements <= 2]).toEqual([expected, true, true]);
    },
  );

  test('takes or refuses the largest text, list and object that its schema names, without failing', async () => {
    for (const { where, body } of largeBodies(operation, { characters: 100_000, entries: 4_000 })) {
      const payload = JSON.stringify(body);
      if (payload.length > mebibyte) continue;
      const { status, text, statements } = await send(operation, payload);
      // 502: a peer that is named in the body and is not there
      expect(status < 500 || status === 502, `${where}: ${status} ${text.slice(0, 200)}`).toBe(true);
      if (status < 400) continue;
      expect(text.length, where).toBeLessThan(refusalCharactersMax);
      expect(statements, where).toBeLessThan(statementsMax);
    }
  }, 60_000);
});

describe('over a connection', () => {
  let port: number;
  beforeAll(async () => {
    await app.app.http.listen({ port: 0, host: '127.0.0.1' });
    ({ port } = app.app.http.server.address() as AddressInfo);
  });

  function readStatus(operation: Operation, path: string, headers: Record<string, string> = {}): Promise<number> {
    return new Promise((resolve, reject) => {
      const authorization = `Bearer ${tokenFor(operation)}`;
      const sent = request({ port, path, method: operation.method, headers: { authorization, ...headers } });
      sent.on('response', (answer) => {
        answer.resume();
        resolve(answer.statusCode ?? 0);
      });
      sent.on('error', reject);
      sent.end();
    });
  }

  test.each(all)(
    '%s refuses a query, a header and an address beyond what a request may have',
    async (_id, operation) => {
      const path = fillPath(operation.path);
      expect(await readStatus(operation, `${path}?x=${'y'.repeat(20_000)}`)).toBe(413);
      expect(await readStatus(operation, path, { 'x-long': 'y'.repeat(20_000) })).toBe(413);
      if (!operation.path.includes('{')) return;
      const status = await readStatus(operation, fillPath(operation.path, 'y'.repeat(9_200)));
      expect(status >= 400 && status < 500, `${status}`).toBe(true);
    },
  );
});
