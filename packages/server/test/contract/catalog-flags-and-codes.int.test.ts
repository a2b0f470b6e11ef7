import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../build-test-app.ts';
import { createBlueprint, entityPath } from '../catalog-fixtures.ts';

// Every flag of a write, the codes of refusals, and what integrations and the MCP server ask (api contract §1.4, §4).

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

describe('all flags at once', () => {
  const flags =
    'upsert=true&merge=true&create_missing_related_entities=true&run_id=&ocean_info_event_type=resync&ocean_info_resync_id=1';

  test('a rehearsal answers what would be and makes nothing; the same for real makes it', async () => {
    const target = await createBlueprint(app.request, 'target', {
      properties: { a: { type: 'string' } },
      required: ['a'],
    });
    const blueprint = await createBlueprint(app.request, 'source', {
      properties: { n: { type: 'number' } },
      relations: { one: { target }, many: { target, many: true } },
    });
    const body = { identifier: 'e', properties: { n: 1 }, relations: { one: 'x/1', many: ['y', 'x/1'] } };
    const post = (isRehearsal: boolean) =>
      send('POST', `/v1/blueprints/${blueprint}/entities?${flags}&validation_only=${isRehearsal}`, body);
    const before = await app.organization.journal();
    expect([(await post(true)).status, (await post(true)).body.entity.relations]).toEqual([201, body.relations]);
    expect((await send('GET', entityPath(blueprint, 'e'))).status).toBe(404);
    expect((await send('GET', entityPath(target, 'y'))).status).toBe(404);
    expect(await app.organization.journal()).toEqual(before);
    expect((await post(false)).status).toBe(201);
    expect((await send('GET', entityPath(target, 'x/1'))).body.entity).toMatchObject({
      title: 'x/1',
      properties: { a: null },
    });
  });

  test('in bulk every index is answered once, with status, code and sentence, and the rest is written', async () => {
    const target = await createBlueprint(app.request, 'target');
    const blueprint = await createBlueprint(app.request, 'bulk', {
      properties: { n: { type: 'number' } },
      required: ['n'],
      relations: { to: { target }, user: { target: '_user' } },
    });
    const described = { combinator: 'and', rules: [{ property: 'n', operator: '=', value: 99 }] };
    const entities = [
      { identifier: 'ok', properties: { n: 1 }, relations: { to: 'new' }, scorecards: {}, blueprint: 'other' },
      { identifier: 'type', properties: { n: '1' } },
      { identifier: 'required' },
      { identifier: 'user', properties: { n: 1 }, relations: { user: 'nobody@example.com' } },
      { identifier: described, properties: { n: 1 } },
      null,
      'text',
      { identifier: 'not legal', properties: { n: 1 } },
      { properties: { n: 2 } },
    ];
    const answer = await send('POST', `/v1/blueprints/${blueprint}/entities/bulk?${flags}`, { entities });
    expect(answer.status).toBe(207);
    const { entities: written, errors } = answer.body;
    expect(written.map(({ index, created }: { index: number; created: boolean }) => [index, created])).toEqual([
      [0, true],
      [8, true],
    ]);
    const seen = errors.map((each: Record<string, unknown>) => [
      each['index'],
      each['identifier'],
      each['statusCode'],
      each['error'],
      typeof each['message'],
    ]);
    expect(seen).toEqual([
      [1, 'type', 422, 'invalid_request', 'string'],
      [2, 'required', 422, 'invalid_request', 'string'],
      [3, 'user', 404, 'not_found', 'string'],
      [4, 'unknown', 404, 'not_found', 'string'],
      [5, 'unknown', 422, 'invalid_request', 'string'],
      [6, 'unknown', 422, 'invalid_request', 'string'],
      [7, 'not legal', 422, 'invalid_request', 'string'],
    ]);
    expect((await send('GET', `/v1/blueprints/${blueprint}/entities-count`)).body.count).toBe(2);
  });

  test.each(['upsert=TRUE&merge=True', 'upsert=1&merge=yes', 'upsert=true&merge=true&validation_only='])(
    '%s merges',
    async (query) => {
      const blueprint = await createBlueprint(app.request, 'cased', {
        properties: { a: { type: 'string' }, b: { type: 'object' } },
      });
      const post = (properties: unknown) =>
        send('POST', `/v1/blueprints/${blueprint}/entities?${query}`, { identifier: 'e', properties });
      await post({ a: 'x', b: { one: 1, two: { three: 3 } } });
      expect((await post({ b: { two: 2 } })).body.entity.properties).toEqual({ a: 'x', b: { two: 2 } });
    },
  );
});

describe('codes', () => {
  const schema = { properties: {} };

  test('of blueprints', async () => {
    const used = await createBlueprint(app.request, 'used');
    const user = await createBlueprint(app.request, 'user', { relations: { to: { target: used } } });
    const full = await createBlueprint(app.request, 'full');
    await send('POST', `/v1/blueprints/${full}/entities`, { identifier: 'e' });
    const body = (identifier: string, more: object = {}) => ({ identifier, title: 'T', schema, ...more });
    const missing = { relations: { to: { target: 'nothing' } } };
    const expected = {
      taken: [409, false, 'identifier_taken'],
      renamedTaken: [409, false, 'identifier_taken'],
      target: [404, false, 'not_found'],
      none: [404, false, 'not_found'],
      pointedAt: [409, false, 'has_dependents'],
      full: [409, false, 'has_dependents'],
      system: [422, false, 'managed_field'],
      wipeTargets: [404, false, 'not_found'],
    };
    expect({
      taken: await told(send('POST', '/v1/blueprints', body(used))),
      renamedTaken: await told(send('PUT', `/v1/blueprints/${full}`, body(used))),
      target: await told(send('PATCH', `/v1/blueprints/${user}`, missing)),
      none: await told(send('PATCH', '/v1/blueprints/nothing', {})),
      pointedAt: await told(send('DELETE', `/v1/blueprints/${used}`)),
      full: await told(send('DELETE', `/v1/blueprints/${full}`)),
      system: await told(send('DELETE', '/v1/blueprints/_team')),
      wipeTargets: await told(send('DELETE', '/v1/blueprints/nothing/all-entities')),
    }).toEqual(expected);
  });

  test('of the request itself', async () => {
    const blueprint = await createBlueprint(app.request, 'asked');
    const path = `/v1/blueprints/${blueprint}/entities`;
    const raw = (payload: string, headers = {}) =>
      app.request('POST', path, { payload, headers: { 'content-type': 'application/json', ...headers } });
    expect(await told(raw('{'))).toEqual([400, false, 'invalid_json']);
    expect(await told(raw('{"__proto__":{}}'))).toEqual([400, false, 'invalid_json']);
    expect(await told(raw('[]'))).toEqual([422, false, 'invalid_request']);
    expect(await told(raw(JSON.stringify({ title: 'x'.repeat(1_048_576) })))).toEqual([
      413,
      false,
      'payload_too_large',
    ]);
    expect(await told(app.request('GET', path, { token: null }))).toEqual([401, false, 'unauthorized']);
    const token = await app.organization.memberToken();
    expect(await told(app.request('POST', path, { body: {}, token }))).toEqual([403, false, 'missing_permissions']);
    expect(await told(app.request('POST', '/v1/blueprints', { body: {}, token }))).toEqual([
      403,
      false,
      'missing_permissions',
    ]);
    expect(await told(send('GET', '/v1/no/such/path'))).toEqual([404, false, 'not_found']);
  });
});

test('the user agent of the last write is the datasource, by which an integration finds its own', async () => {
  const blueprint = await createBlueprint(app.request, 'sourced');
  const agent = (state: string) => ({ 'user-agent': `port-k8s-exporter/^0.3.4 (statekey/${state})` });
  const path = `/v1/blueprints/${blueprint}/entities?upsert=true&merge=true`;
  await send('POST', path, { identifier: 'mine' }, agent('one'));
  await send('POST', path, { identifier: 'theirs' }, agent('two'));
  await send('POST', path, { identifier: 'moved' }, agent('one'));
  await send('POST', path, { identifier: 'moved' }, agent('two'));
  const own = async (state: string) => {
    const body = { datasource_prefix: 'port-k8s-exporter', datasource_suffix: `(statekey/${state})` };
    const query = 'exclude_calculated_properties=true&include=blueprint&include=identifier';
    const answer = await send('POST', `/v1/blueprints/entities/datasource-entities?${query}`, body);
    expect(answer.body.ok).toBe(true);
    return answer.body.entities.filter((each: { blueprint: string }) => each.blueprint === blueprint);
  };
  expect(await own('one')).toEqual([{ identifier: 'mine', blueprint }]);
  expect(await own('two')).toEqual([
    { identifier: 'theirs', blueprint },
    { identifier: 'moved', blueprint },
  ]);
});

test('the MCP server: every list unpaged, pages of a search, and a page parameter that means nothing', async () => {
  const blueprint = await createBlueprint(app.request, 'listed', { properties: { a: { type: 'string' } } });
  const query = 'upsert=false&validation_only=false&create_missing_related_entities=false&merge=false';
  const post = (identifier: string) =>
    send('POST', `/v1/blueprints/${blueprint}/entities?${query}`, { identifier, properties: {}, relations: {} });
  for (const identifier of ['a', 'b', 'c']) expect((await post(identifier)).status).toBe(201);
  expect(await told(post('a'))).toEqual([409, false, 'identifier_taken']);
  expect((await send('GET', `/v1/blueprints/${blueprint}/entities?include=identifier`)).body.entities).toEqual([
    { identifier: 'a' },
    { identifier: 'b' },
    { identifier: 'c' },
  ]);
  const search = { query: { combinator: 'and', rules: [] }, include: ['$identifier'], limit: 2 };
  const first = (await send('POST', `/v1/blueprints/${blueprint}/entities/search`, search)).body;
  expect([first.entities.length, typeof first.next]).toEqual([2, 'string']);
  expect((await send('GET', `/v1/scorecards?page=${blueprint}`)).body.ok).toBe(true);
  expect(
    (await send('GET', '/v1/blueprints')).body.blueprints.map(({ identifier }: { identifier: string }) => identifier),
  ).toContain('_user');
});
