import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/build-test-app.ts';
import { createBlueprint, createEntity, issuePaths, readEntity } from '../../../test/catalog-fixtures.ts';

let app: TestApp;
let name: string;
beforeAll(async () => {
  app = await createTestApp();
  name = await createBlueprint(app.request, 'versioned', { properties: { a: { type: 'string' } } });
});
afterAll(() => app.close());

let tag: string;
let id: string;
beforeEach(async () => {
  id = (await createEntity(app.request, name, {})).identifier;
  tag = String((await app.request('GET', path())).headers['etag']);
});

const path = (identifier = id) => `/v1/blueprints/${name}/entities/${identifier}`;
const patch = (a: string, headers: Record<string, string>, query = '') =>
  app.request('PATCH', path() + query, { body: { properties: { a } }, headers });

test('a read tells the version, a change moves it, a write without change does not', async () => {
  expect(tag).toBe('"1"');
  expect((await patch('x', {})).headers['etag']).toBe('"2"');
  expect((await patch('x', {})).headers['etag']).toBe('"2"');
});

describe('with If-Match or expectedVersion', () => {
  test('the version that was read is changed', async () => {
    expect((await patch('x', { 'if-match': tag })).status).toBe(200);
    expect((await patch('y', { 'if-match': 'W/"2"' })).status).toBe(200);
    expect((await patch('z', {}, '?expectedVersion=3')).status).toBe(200);
    expect((await patch('z', { 'if-match': '*' })).status).toBe(200);
    expect((await patch('z', { 'if-match': '' }, '?expectedVersion=')).status).toBe(200);
  });

  test('another is 409, on every way to write, and nothing changes', async () => {
    await patch('theirs', {});
    const headers = { 'if-match': tag };
    const body = { identifier: id, properties: { a: 'mine' } };
    const refused = [
      await patch('mine', headers),
      await patch('mine', {}, '?expectedVersion=1'),
      await app.request('PUT', path(), { body, headers }),
      await app.request('POST', `/v1/blueprints/${name}/entities?upsert=true`, { body, headers }),
      await app.request('DELETE', path(), { headers }),
    ];
    for (const answer of refused) {
      expect([answer.status, answer.body.error, answer.body.details]).toEqual([409, 'stale_version', { version: 2 }]);
    }
    expect((await readEntity(app.request, name, id)).properties['a']).toBe('theirs');
  });

  test('of two that read the same, one wins', async () => {
    const answers = await Promise.all(['x', 'y', 'z'].map((a) => patch(a, { 'if-match': tag })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  });

  test('one that is gone is not created anew', async () => {
    const query = '?upsert=true&expectedVersion=1';
    const answer = await app.request('POST', `/v1/blueprints/${name}/entities${query}`, {
      body: { identifier: 'gone' },
    });
    expect([answer.status, answer.body.error]).toEqual([409, 'stale_version']);
    expect((await app.request('GET', path('gone'))).status).toBe(404);
  });

  test('what is no version is 422', async () => {
    for (const answer of [await patch('x', { 'if-match': '"a"' }), await patch('x', {}, '?expectedVersion=-1')]) {
      expect(answer.status).toBe(422);
      expect(issuePaths(answer.body)[0]).toMatch(/if-match|expectedVersion/);
    }
  });
});
