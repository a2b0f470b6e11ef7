import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/build-test-app.ts';
import { createBlueprint, createEntity, issuePaths } from '../../../test/catalog-fixtures.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const mebibyte = 1024 * 1024;
const anything = { properties: { any: { type: 'object' }, text: { type: 'string' } } };

/** A body of exactly this many bytes. */
function buildBody(bytes: number): string {
  const [head, tail] = ['{"properties":{"text":"', '"}}'];
  return head + 'x'.repeat(bytes - head.length - tail.length) + tail;
}

describe('the size of a body', () => {
  test('may be 1 MiB and not one byte more', async () => {
    const path = `/v1/blueprints/${await createBlueprint(app.request, 'large', anything)}/entities`;
    expect((await app.request('POST', path, { payload: buildBody(mebibyte) })).status).toBe(201);
    const answer = await app.request('POST', path, { payload: buildBody(mebibyte + 1) });
    expect([answer.status, answer.body.error]).toEqual([413, 'payload_too_large']);
    expect(answer.body.message).toContain('1 MiB');
    expect((await app.request('GET', `${path}-count`)).body.count).toBe(1);
  });
});

describe('the type of a body', () => {
  test.each(['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'is not %s',
    async (type) => {
      const answer = await app.request('POST', '/v1/blueprints', { payload: '{}', headers: { 'content-type': type } });
      expect([answer.status, answer.body.error]).toEqual([415, 'unsupported_media_type']);
    },
  );

  test.each(['application/json; charset=utf-8', 'APPLICATION/JSON', 'application/merge-patch+json'])(
    'may be %s',
    async (type) => {
      const answer = await app.request('POST', '/v1/blueprints', { payload: '{}', headers: { 'content-type': type } });
      expect([answer.status, answer.body.error]).toEqual([422, 'invalid_request']);
    },
  );

  test('may be given with no body', async () => {
    const headers = { 'content-type': 'application/json' };
    expect((await app.request('GET', '/v1/blueprints', { headers })).status).toBe(200);
    expect((await app.request('DELETE', '/v1/blueprints/none', { headers })).status).toBe(404);
  });
});

describe('what cannot be stored or walked', () => {
  test('U+0000 and half pairs are refused with their path on every operation that has a body', async () => {
    const name = await createBlueprint(app.request, 'text', anything);
    await createEntity(app.request, name, { identifier: 'a' });
    const at = `/v1/blueprints/${name}`;
    const bad = '"x\\u0000"';
    for (const [method, path, payload, issue] of [
      ['POST', '/v1/blueprints', `{"title":${bad}}`, '/title'],
      [
        'PATCH',
        at,
        `{"schema":{"properties":{"text":{"type":"string","hint":${bad}}}}}`,
        '/schema/properties/text/hint',
      ],
      ['POST', `${at}/entities`, `{"properties":{"any":{"a":["\\ud800"]}}}`, '/properties/any/a/0'],
      ['PUT', `${at}/entities/a`, `{"title":${bad}}`, '/title'],
      ['PATCH', `${at}/entities/a`, `{"team":[${bad}]}`, '/team/0'],
      ['POST', `${at}/entities/bulk`, `{"entities":[{},{"icon":${bad}}]}`, '/entities/1/icon'],
      ['POST', `${at}/bulk/entities/delete`, `{"entities":[${bad}]}`, '/entities/0'],
      ['POST', '/v1/entities/search', `{"combinator":"and","rules":[{"value":${bad}}]}`, '/rules/0/value'],
      ['POST', `${at}/entities/search`, `{"query":{"rules":[{"value":${bad}}]}}`, '/query/rules/0/value'],
      ['POST', '/v1/auth/access_token', `{"clientId":${bad},"clientSecret":"x"}`, '/clientId'],
    ] as const) {
      const answer = await app.request(method, path, { payload });
      expect([method, path, answer.status, answer.body.error]).toEqual([method, path, 422, 'invalid_request']);
      expect(issuePaths(answer.body)).toEqual([issue]);
    }
    expect((await app.request('GET', `${at}/entities-count`)).body.count).toBe(1);
  });

  test('in the routes of the assistant too, with their status', async () => {
    const answer = await app.request('POST', '/v1/ai/invoke', { payload: '{"userPrompt":"\\u0000"}' });
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request']);
    expect(issuePaths(answer.body)).toEqual(['/userPrompt']);
  });

  test('in the address', async () => {
    for (const [path, issue] of [
      ['/v1/blueprints/a%00b', '{path}/blueprint_identifier'],
      ['/v1/blueprints/a/entities/b%00', '{path}/entity_identifier'],
      ['/v1/blueprints/_team/entities?include=a,%00', '{query}/include'],
    ] as const) {
      const answer = await app.request('GET', path);
      expect([answer.status, issuePaths(answer.body)]).toEqual([422, [issue]]);
    }
    const operator = await app.operator('GET', '/v1/operator/organizations?from=%00');
    expect(operator.status).toBe(422);
  });

  test('nesting of ten thousand levels', async () => {
    const name = await createBlueprint(app.request, 'deep', anything);
    const deep = `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`;
    const answer = await app.request('POST', `/v1/blueprints/${name}/entities`, {
      payload: `{"properties":{"any":${deep}}}`,
    });
    expect([answer.status, answer.body.error]).toEqual([422, 'invalid_request']);
    const rules = '{"combinator":"and","rules":['.repeat(10_000) + ']}'.repeat(10_000);
    expect((await app.request('POST', '/v1/entities/search', { payload: rules })).status).toBe(422);
  });

  test('nesting that people write is kept', async () => {
    const name = await createBlueprint(app.request, 'deep', anything);
    let any: unknown = 1;
    for (let level = 0; level < 150; level += 1) any = level % 2 ? { a: any } : [any];
    const entity = await createEntity(app.request, name, { properties: { any: { value: any } } });
    expect(entity.properties['any']).toEqual({ value: any });
  });
});

describe('the address', () => {
  test.each(['/v1/blueprints/', '//v1//blueprints', '/v1/blueprints?x=1&y', 'http://elsewhere.test/v1/blueprints'])(
    '%s leads to the same',
    async (path) => {
      expect(
        (await app.app.http.inject({ url: path, headers: { authorization: app.organization.token } })).statusCode,
      ).toBe(200);
    },
  );

  test.each(['/v1/nothing', '/v2/blueprints', '/blueprints', '/v1/blueprints/%zz', '/v1/blueprints/a/b/c/d'])(
    '%s is not found, in the envelope of errors',
    async (path) => {
      const answer = await app.request('GET', path);
      expect([answer.status, answer.body.error]).toEqual([404, 'not_found']);
    },
  );

  test('every answer has an id of its own', async () => {
    const one = await app.request('GET', '/v1/blueprints');
    const two = await app.request('GET', '/v1/nothing');
    expect(one.headers['x-trace-id']).not.toBe(two.headers['x-trace-id']);
    expect(one.headers['x-content-type-options']).toBe('nosniff');
  });
});
