import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../build-test-app.ts';
import { createBlueprint, entityPath, issuePaths, unique } from '../catalog-fixtures.ts';

// What clients send beside the plain cases (api contract §1.9 to §1.12, §5).

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const send = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
  app.request(method, path, { body, ...(headers ? { headers } : {}) });

/** Status, `ok` and code of an answer. */
async function told(answer: Promise<{ status: number; body: { ok: boolean; error?: string; message?: unknown } }>) {
  const { status, body } = await answer;
  if (!body.ok) expect(body.message).toEqual(expect.any(String));
  return [status, body.ok, body.error];
}

describe('identifiers', () => {
  const names = ['équipe/α:β+γ@1.0\\x', '名前', 'a%2Fb'.replace('%2F', '/'), '...', 'a.b-c_d@e+f'];

  test.each(names)('%s works in every path of a blueprint, its entities and scorecards', async (name) => {
    const blueprint = `${name}${unique('-')}`;
    const path = `/v1/blueprints/${encodeURIComponent(blueprint)}`;
    const schema = { properties: { a: { type: 'string' } } };
    expect((await send('POST', '/v1/blueprints', { identifier: blueprint, title: 'T', schema })).status).toBe(201);
    expect((await send('PATCH', path, { title: 'U' })).body.blueprint.identifier).toBe(blueprint);
    const entity = `${name}=1`;
    expect((await send('POST', `${path}/entities?upsert=true`, { identifier: entity })).status).toBe(201);
    const entityAt = `${path}/entities/${encodeURIComponent(entity)}`;
    expect((await send('PUT', `${entityAt}?run_id=`, { identifier: entity, title: 'E' })).body.entity.title).toBe('E');
    expect((await send('PATCH', entityAt, { properties: { a: 'x' } })).body.entity.properties).toEqual({ a: 'x' });
    expect((await send('PATCH', `${path}/properties/a/rename`, { newPropertyName: 'b' })).status).toBe(200);
    expect((await send('GET', entityAt)).body.entity.properties).toEqual({ b: 'x' });
    const query = { combinator: 'and', rules: [{ property: 'b', operator: 'isEmpty' }] };
    const rules = [
      { identifier: 'r/1', title: 'R', level: 'Gold', query: { combinator: 'and', conditions: query.rules } },
    ];
    await send('POST', `${path}/scorecards`, { identifier: entity, title: 'S', rules });
    expect((await send('GET', `${path}/scorecards/${encodeURIComponent(entity)}`)).body.scorecard.identifier).toBe(
      entity,
    );
    expect((await send('POST', `${path}/entities/search`, { query })).body.entities).toEqual([]);
    expect((await send('GET', `${path}/entities-count`)).body.count).toBe(1);
    expect((await send('DELETE', entityAt)).body).toEqual({ ok: true });
    expect((await send('DELETE', path)).body).toEqual({ ok: true });
  });

  test.each(['.', '..', 'a b', 'a?', 'a#', 'a=b', '', 'x'.repeat(101), 'a\nb'])(
    '%j is no name of a blueprint',
    async (name) => {
      const body = { identifier: name, title: 'T', schema: { properties: {} } };
      expect(await told(send('POST', '/v1/blueprints', body))).toEqual([422, false, 'invalid_request']);
    },
  );

  test.each(['.', '..', 'a b', 'a?', '', 'x'.repeat(1001), 5, ['a']])('%j is no name of an entity', async (name) => {
    const blueprint = await createBlueprint(app.request, 'named');
    const answer = send('POST', `/v1/blueprints/${blueprint}/entities?upsert=true`, { identifier: name });
    expect(await told(answer)).toEqual([422, false, 'invalid_request']);
    expect((await send('GET', `/v1/blueprints/${blueprint}/entities-count`)).body.count).toBe(0);
  });

  test('the singular of the invocations’ blueprint is the same blueprint', async () => {
    expect((await send('GET', '/v1/blueprints/_ai_invocation')).body.blueprint.identifier).toBe('_ai_invocations');
    expect((await send('GET', '/v1/blueprints/_ai_invocation/entities')).status).toBe(200);
  });

  test.each(['_scorecard', '_rule', '_rule_result', '_ai_invocation', '_mcp_server'])(
    '%s is reserved: nobody makes one by hand',
    async (identifier) => {
      const body = { identifier, title: 'T', schema: { properties: {} } };
      const [status, ok] = await told(send('POST', '/v1/blueprints', body));
      expect([[409, 422].includes(Number(status)), ok]).toEqual([true, false]);
    },
  );
});

describe('definitions', () => {
  const define = (properties: Record<string, unknown>) =>
    send('POST', '/v1/blueprints', { identifier: unique('defined'), title: 'T', schema: { properties } });

  test('that cannot be met are refused, each with its path', async () => {
    const answer = await define({
      text: { type: 'string', default: 5 },
      list: { type: 'array', default: 'a' },
      object: { type: 'object', default: [] },
      items: { type: 'array', items: { type: 'string', format: 'shape', enum: ['a', 1], enumColors: { a: 'mauve' } } },
      untyped: { type: 'array', items: { enum: [1] } },
      number: { type: 'number', format: 'url' },
    });
    expect(answer.status).toBe(422);
    const at = (path: string) => `/schema/properties/${path}`;
    expect(issuePaths(answer.body)).toEqual([
      at('text/default'),
      at('list/default'),
      at('object/default'),
      at('items/items/format'),
      at('items/items/enum/1'),
      at('items/items/enumColors/a'),
      at('untyped/items/enum/0'),
      at('number/format'),
    ]);
    const pkce = await define({ a: { type: 'string', spec: 'embedded-url', specAuthentication: { clientId: 'x' } } });
    expect(issuePaths(pkce.body).sort()).toEqual([
      at('a/specAuthentication/authorizationUrl'),
      at('a/specAuthentication/tokenUrl'),
    ]);
  });

  test('of every kind that clients write are taken and come back', async () => {
    const properties = {
      nothing: { type: 'string', default: null },
      listed: { type: 'array', format: 'url' },
      free: { type: 'array', items: {} },
      numbers: { type: 'array', items: { type: 'number', enum: [1, 2], enumColors: { '1': 'red' } } },
      references: { type: 'array', items: { type: 'string', format: 'blueprints' } },
      misspelled: { type: 'array', items: { type: 'string', format: 'idn-format' } },
      links: { type: 'array', items: { type: 'object', format: 'labeled-url' } },
      own: { type: 'string', anything: { at: ['all'] } },
      constructor: { type: 'string' },
    };
    const answer = await define(properties);
    expect([answer.status, answer.body.blueprint?.schema.properties]).toEqual([201, properties]);
  });
});

describe('values', () => {
  test.each([
    ['https://example.com/ü/名?q={a}|b[0]#x', true],
    ['mailto:someone@example.com', true],
    ['ssh://git@example.com:22/a.git', true],
    ['urn:isbn:1', true],
    ['example.com/a', false],
    ['/a', false],
    ['https://example.com/a b', false],
    ['https://', false],
    ['', false],
  ])('%j as an address: %s', async (url, isOne) => {
    const blueprint = await createBlueprint(app.request, 'linked', {
      properties: {
        url: { type: 'string', format: 'url' },
        links: { type: 'array', items: { type: 'object', format: 'labeled-url' } },
      },
    });
    const post = (properties: unknown) =>
      send('POST', `/v1/blueprints/${blueprint}/entities?upsert=true&validation_only=true`, {
        identifier: 'e',
        properties,
      });
    expect((await post({ url })).status).toBe(isOne ? 201 : 422);
    expect((await post({ links: [{ url, displayText: 'x' }] })).status).toBe(isOne ? 201 : 422);
  });

  test('a key that the blueprint does not have is refused, null too', async () => {
    const blueprint = await createBlueprint(app.request, 'strict', { properties: { a: { type: 'string' } } });
    const post = (properties: unknown) =>
      send('POST', `/v1/blueprints/${blueprint}/entities`, { identifier: 'e', properties });
    const answer = await post({ a: null, b: null, c: 1 });
    expect([answer.status, issuePaths(answer.body).sort()]).toEqual([422, ['/properties/b', '/properties/c']]);
    expect((await send('GET', entityPath(blueprint, 'e'))).status).toBe(404);
    expect((await post({ a: null })).status).toBe(201);
  });
});
