import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestApp, type Request, type TestApp } from '../../../test/build-test-app.ts';
import { createBlueprint, createEntity, entityPath, issuePaths } from '../../../test/catalog-fixtures.ts';

let app: TestApp;
let asPerson: Request;
beforeAll(async () => {
  app = await createTestApp();
  await createEntity(app.request, '_team', { identifier: 'crew' });
  const properties = { status: 'Active', port_role: 'Member' };
  await createEntity(app.request, '_user', { identifier: 'pat@example.com', team: 'crew', properties });
  const token = await app.organization.personToken('pat@example.com');
  asPerson = (method, path, options) => app.request(method, path, { token, ...options });
});
afterAll(() => app.close());

let name: string;
beforeEach(async () => {
  name = await createBlueprint(app.request, 'written', {
    properties: { stage: { type: 'string' }, note: { type: 'string' } },
    relations: { of: { target: '_team' } },
    calculationProperties: { loud: { type: 'string', calculation: '.properties.stage + "!"' } },
    ownership: { type: 'Direct' },
  });
  await createEntity(app.request, name, { identifier: 'open', properties: { stage: 'open' } });
  await createEntity(app.request, name, { identifier: 'shut', properties: { stage: 'shut' } });
});

const staged = (stage: string) => ({ combinator: 'and', rules: [{ property: 'stage', operator: '=', value: stage }] });
const allow = async (rights: unknown) => {
  const body = { entities: rights };
  const answer = await app.request('PATCH', `/v1/blueprints/${name}/permissions`, { body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
};
const patch = (identifier: string, body: unknown) => asPerson('PATCH', entityPath(name, identifier), { body });
const post = (body: unknown, query = '') => asPerson('POST', `/v1/blueprints/${name}/entities${query}`, { body });

describe('a policy on', () => {
  test('update grants it on what matched before the write', async () => {
    await allow({ update: { policy: staged('open') } });
    expect((await patch('shut', { properties: { stage: 'open' } })).status).toBe(403);
    expect((await patch('open', { properties: { stage: 'shut' } })).status).toBe(200);
    expect((await patch('open', { properties: { stage: 'open' } })).status).toBe(403);
  });

  test('one property grants that one', async () => {
    await allow({ updateProperties: { note: { policy: staged('open') } } });
    expect((await patch('open', { properties: { note: 'n' } })).status).toBe(200);
    const refused = await patch('open', { properties: { note: 'm', stage: 'x' } });
    expect([refused.status, issuePaths(refused.body)]).toEqual([403, ['/properties/stage']]);
    expect((await patch('shut', { properties: { note: 'n' } })).status).toBe(403);
  });

  test('unregister grants it on what matches, and takes no dependent along that does not', async () => {
    await allow({ unregister: { policy: staged('open') } });
    expect((await asPerson('DELETE', entityPath(name, 'shut'))).status).toBe(403);
    expect((await asPerson('DELETE', entityPath(name, 'open'))).status).toBe(200);
  });

  test('register looks at the values of the new entity, item by item', async () => {
    await allow({ register: { policy: staged('new') }, updateProperties: { stage: { roles: ['Member'] } } });
    expect((await post({ identifier: 'a', properties: { stage: 'new' } })).status).toBe(201);
    expect((await post({ identifier: 'b', properties: { stage: 'old' } })).status).toBe(403);
    expect((await app.request('GET', entityPath(name, 'b'))).status).toBe(404);
    const items = ['new', 'old', 'new'].map((stage, index) => ({ identifier: `i${index}`, properties: { stage } }));
    const bulk = await asPerson('POST', `/v1/blueprints/${name}/entities/bulk`, { body: { entities: items } });
    expect(bulk.body.entities.map(({ index }: { index: number }) => index)).toEqual([0, 2]);
    expect(bulk.body.errors).toMatchObject([{ index: 1, error: 'missing_permissions' }]);
  });

  test.each([
    ['computed values', { property: 'loud', operator: 'isEmpty' }],
    ['related entities', { property: { path: ['of'] }, operator: 'matchAny', value: 'crew' }],
  ])('register finds nothing by %s', async (_what, rule) => {
    await allow({ register: { policy: { combinator: 'and', rules: [rule] } }, update: { roles: ['Member'] } });
    expect((await post({ identifier: 'a', relations: { of: 'crew' } })).status).toBe(403);
  });

  test('register grants nothing that relations would create on the way', async () => {
    const other = await createBlueprint(app.request, 'pointing', { relations: { to: { target: name } } });
    await app.request('PATCH', `/v1/blueprints/${other}/permissions`, {
      body: { entities: { register: { roles: ['Member'] }, update: { roles: ['Member'] } } },
    });
    await allow({ register: { policy: { combinator: 'and', rules: [{ property: 'stage', operator: 'isEmpty' }] } } });
    const body = { identifier: 'p', relations: { to: 'made' } };
    const path = `/v1/blueprints/${other}/entities?create_missing_related_entities=true`;
    expect((await asPerson('POST', path, { body })).status).toBe(403);
    expect((await app.request('GET', entityPath(name, 'made'))).status).toBe(404);
  });

  test.each(['update', 'unregister', 'register'])('%s implies reading what matches', async (verb) => {
    await allow({ read: { roles: ['Admin'] }, [verb]: { policy: staged('open') } });
    expect((await asPerson('GET', entityPath(name, 'open'))).status).toBe(200);
    expect((await asPerson('GET', entityPath(name, 'shut'))).status).toBe(404);
    const hidden = await patch('shut', { title: 'x' });
    expect(hidden.status).toBe((await patch('missing', { title: 'x' })).status);
  });
});

test('the right to ask the assistant may follow a policy about who asks', async () => {
  const rights = (value: string) => ({
    entities: {
      register: {
        roles: ['Admin'],
        policy: {
          combinator: 'and',
          rules: [{ property: { context: 'user', property: '$identifier' }, operator: '=', value }],
        },
      },
    },
  });
  const ask = async (value: string) => {
    await app.request('PATCH', '/v1/blueprints/_ai_invocations/permissions', { body: rights(value) });
    return (await asPerson('POST', '/v1/ai/invoke', { body: { prompt: 'hi' }, headers: { prefer: 'respond-async' } }))
      .status;
  };
  expect([await ask('somebody@example.com'), await ask('pat@example.com')]).toEqual([403, 202]);
});
