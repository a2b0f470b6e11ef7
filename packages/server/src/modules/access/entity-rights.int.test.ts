import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestApp, type Request, type TestApp } from '../../../test/build-test-app.ts';
import { createBlueprint, createEntity, issuePaths, readEntity, unique } from '../../../test/catalog-fixtures.ts';

let app: TestApp;
let person: string;
/** Asks as a person who is a member of the team `crew`. */
let asPerson: Request;
beforeAll(async () => {
  app = await createTestApp();
  await createEntity(app.request, '_team', { identifier: 'crew' });
  await createEntity(app.request, '_team', { identifier: 'others' });
  person = 'pat@example.com';
  await createEntity(app.request, '_user', {
    identifier: person,
    team: 'crew',
    properties: { status: 'Active', port_role: 'Member' },
  });
  const token = await app.organization.personToken(person);
  asPerson = (method, path, options) => app.request(method, path, { token, ...options });
});
afterAll(() => app.close());

let name: string;
beforeEach(async () => {
  name = await createBlueprint(app.request, 'guarded', {
    properties: { open: { type: 'string' }, shut: { type: 'string' } },
    relations: { to: { target: '_team' } },
    ownership: { type: 'Direct' },
  });
  await createEntity(app.request, name, { identifier: 'mine', title: 'M', team: 'crew', properties: { shut: 's' } });
  await createEntity(app.request, name, { identifier: 'theirs', title: 'T', team: 'others' });
});

const entities = (blueprint: string, identifier = '') => `/v1/blueprints/${blueprint}/entities/${identifier}`;
const allow = async (rights: unknown, blueprint = name) => {
  const answer = await app.request('PATCH', `/v1/blueprints/${blueprint}/permissions`, { body: { entities: rights } });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
};
const patch = (identifier: string, body: unknown) => asPerson('PATCH', entities(name, identifier), { body });

describe('update', () => {
  test('is refused by default, and nothing changes', async () => {
    const before = await readEntity(app.request, name, 'mine');
    const answer = await patch('mine', { title: 'X' });
    expect([answer.status, answer.body.error]).toEqual([403, 'missing_permissions']);
    expect(await readEntity(app.request, name, 'mine')).toEqual(before);
  });

  test.each([
    ['roles', { roles: ['Member'] }],
    ['users', { users: ['pat@example.com'] }],
    ['teams', { teams: ['crew'] }],
  ])('is granted by %s', async (_what, grant) => {
    await allow({ update: grant });
    expect((await patch('theirs', { title: 'X' })).status).toBe(200);
  });

  test('ownedByTeam grants it on what the caller’s teams own, before the write', async () => {
    await allow({ update: { ownedByTeam: true } });
    expect((await patch('mine', { title: 'X' })).status).toBe(200);
    expect((await patch('theirs', { title: 'X' })).status).toBe(403);
    expect((await patch('theirs', { team: 'crew' })).status).toBe(403);
    expect((await patch('mine', { team: 'others' })).status).toBe(200);
    expect((await patch('mine', { team: 'crew' })).status).toBe(403);
  });

  test('single properties, relations and meta-properties are granted alone', async () => {
    await allow({
      updateProperties: { open: { roles: ['Member'] }, $icon: { ownedByTeam: true } },
      updateRelations: { to: { users: [person] } },
    });
    const body = { properties: { open: 'o' }, relations: { to: 'crew' }, icon: 'Star' };
    expect((await patch('mine', body)).status).toBe(200);
    const refused = await patch('theirs', { ...body, title: 'X', properties: { open: 'o', shut: 'x' } });
    expect([refused.status, issuePaths(refused.body).sort()]).toEqual([403, ['/icon', '/properties/shut', '/title']]);
    // what is sent as it was is no change; what a replacement clears is one
    expect((await patch('mine', { title: 'M', properties: { shut: 's', open: 'p' } })).status).toBe(200);
    const cleared = await asPerson('PUT', entities(name, 'mine'), { body: { title: 'M', icon: 'Star', team: 'crew' } });
    expect([cleared.status, issuePaths(cleared.body)]).toEqual([403, ['/properties/shut']]);
  });

  test('the right to update everything beats the granular ones', async () => {
    await allow({ update: { roles: ['Member'] }, updateProperties: { shut: { roles: ['Admin'] } } });
    expect((await patch('theirs', { properties: { shut: 'x' } })).status).toBe(200);
  });
});

describe('register', () => {
  const post = (body: unknown, query = '') => asPerson('POST', `/v1/blueprints/${name}/entities${query}`, { body });

  test('alone gives an entity its identifier and title', async () => {
    await allow({ register: { roles: ['Member'] } });
    expect((await post({ identifier: 'a', title: 'A' })).status).toBe(201);
    const refused = await post({ identifier: 'b', properties: { open: 'x' }, team: 'crew' });
    expect([refused.status, issuePaths(refused.body).sort()]).toEqual([403, ['/properties/open', '/team']]);
    expect((await app.request('GET', entities(name, 'b'))).status).toBe(404);
    expect((await post({ identifier: 'mine', title: 'X' }, '?upsert=true&merge=true')).status).toBe(403);
  });

  test('needs the right to every required property', async () => {
    await allow({ register: { roles: ['Member'] } });
    await app.request('PATCH', `/v1/blueprints/${name}`, {
      body: { schema: { properties: { must: { type: 'string', default: 'd' } }, required: ['must'] } },
    });
    expect((await post({ identifier: 'a' })).status).toBe(403);
    await allow({ updateProperties: { must: { roles: ['Member'] } } });
    expect((await post({ identifier: 'a' })).status).toBe(201);
  });

  test('ownedByTeam wants one of the caller’s teams on the new entity', async () => {
    await allow({ register: { ownedByTeam: true }, update: { ownedByTeam: true } });
    expect((await post({ identifier: 'a', team: ['others', 'crew'], properties: { open: 'x' } })).status).toBe(201);
    for (const team of [undefined, 'others', []]) {
      expect((await post({ identifier: 'b', team })).status).toBe(403);
    }
    await allow({ update: { ownedByTeam: false } });
    expect((await post({ identifier: 'b', team: 'crew' })).status).toBe(403);
  });

  test('each item of a bulk request is judged for itself', async () => {
    await allow({ register: { roles: ['Member'] }, update: { ownedByTeam: true } });
    const items = [{ identifier: 'mine', title: 'X' }, { identifier: 'theirs', title: 'X' }, { identifier: 'new' }];
    const answer = await asPerson('POST', `${entities(name)}bulk?upsert=true&merge=true`, {
      body: { entities: items },
    });
    expect(answer.status).toBe(207);
    expect(answer.body.entities.map(({ index }: { index: number }) => index)).toEqual([0, 2]);
    expect(answer.body.errors).toMatchObject([{ index: 1, statusCode: 403, error: 'missing_permissions' }]);
  });
});

describe('unregister', () => {
  const remove = (identifier: string, query = '') => asPerson('DELETE', entities(name, identifier) + query);

  test('ownedByTeam grants it on what the caller’s teams own', async () => {
    expect((await remove('mine')).status).toBe(403);
    await allow({ unregister: { ownedByTeam: true } });
    expect((await remove('theirs')).status).toBe(403);
    expect((await remove('mine')).status).toBe(200);
  });

  test('dependents that may not be seen are neither named nor taken along', async () => {
    await allow({ unregister: { roles: ['Member'] } });
    const secret = await createBlueprint(app.request, 'secret', {
      relations: { of: { target: name, required: true } },
    });
    await allow({ read: { roles: ['Admin'] } }, secret);
    await createEntity(app.request, secret, { identifier: 'hidden-one', relations: { of: 'mine' } });
    const blocked = await remove('mine');
    expect([blocked.status, blocked.body.error]).toEqual([409, 'has_dependents']);
    const cascading = await remove('mine', '?delete_dependents=true');
    expect([cascading.status, cascading.body.error]).toEqual([403, 'missing_permissions']);
    for (const { body } of [blocked, cascading]) expect(JSON.stringify(body)).not.toMatch(/secret|hidden-one/);
    expect((await app.request('DELETE', `${entities(name, 'mine')}?delete_dependents=true`)).status).toBe(200);
  });
});

describe('read', () => {
  const listed = async (path: string, body?: unknown): Promise<string[]> => {
    const answer = await asPerson(body ? 'POST' : 'GET', path, body ? { body } : {});
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.body.entities.map((entity: { identifier: string }) => entity.identifier);
  };
  const all = { combinator: 'and', rules: [] };

  test('of nothing: the blueprint and everything of it is missing everywhere', async () => {
    await allow({ read: { roles: ['Admin'] } });
    for (const path of ['', '/entities', '/entities/mine', '/entities-count', '/permissions']) {
      expect((await asPerson('GET', `/v1/blueprints/${name}${path}`)).status, path).toBe(404);
    }
    const blueprints = (await asPerson('GET', '/v1/blueprints')).body.blueprints;
    expect(blueprints.map(({ identifier }: { identifier: string }) => identifier)).not.toContain(name);
    const found = await asPerson('POST', '/v1/entities/search', { body: all });
    expect(found.body.matchingBlueprints).not.toContain(name);
    expect(JSON.stringify(found.body.entities)).not.toContain(name);
    expect((await asPerson('POST', entities(name, 'search'), { body: { query: all } })).status).toBe(404);
    expect((await patch('mine', { title: 'X' })).status).toBe(404);
    expect((await asPerson('DELETE', entities(name, 'mine'))).status).toBe(404);
  });

  test('ownedByTeam shows what the caller’s teams own and nothing else', async () => {
    await allow({ read: { roles: ['Admin'], ownedByTeam: true } });
    expect(await listed(entities(name))).toEqual(['mine']);
    expect(await listed(entities(name, 'search'), { query: all })).toEqual(['mine']);
    const rule = { property: '$blueprint', operator: '=', value: name };
    expect(await listed('/v1/entities/search', { combinator: 'and', rules: [rule] })).toEqual(['mine']);
    expect((await asPerson('GET', `/v1/blueprints/${name}/entities-count`)).body.count).toBe(1);
    expect((await asPerson('GET', entities(name, 'mine'))).status).toBe(200);
    expect((await asPerson('GET', entities(name, 'theirs'))).status).toBe(404);
  });

  test('a right to write something implies it', async () => {
    for (const grant of [{ register: { ownedByTeam: true } }, { updateProperties: { open: { ownedByTeam: true } } }]) {
      await allow({ read: { roles: ['Admin'], ownedByTeam: false }, register: { ownedByTeam: false }, ...grant });
      expect(await listed(entities(name))).toEqual(['mine']);
    }
    await allow({ unregister: { users: [person] } });
    expect(await listed(entities(name))).toEqual(['mine', 'theirs']);
  });

  test('what is written is only seen where it may be read', async () => {
    await allow({ read: { roles: ['Admin'], ownedByTeam: true }, update: { teams: ['crew'] } });
    expect((await patch('theirs', { title: 'X' })).status).toBe(200);
    await allow({ update: { teams: [], ownedByTeam: true } });
    expect((await patch('theirs', { title: 'Y' })).status).toBe(404);
    const answer = await asPerson('POST', `${entities(name)}?upsert=true`, { body: { identifier: 'theirs' } });
    expect([answer.status, answer.body.error]).toEqual([403, 'missing_permissions']);
  });
});

describe('around what may not be read', () => {
  let pointing: string;
  beforeEach(async () => {
    await allow({ read: { roles: ['Admin'], ownedByTeam: true } });
    pointing = await createBlueprint(app.request, 'pointing', {
      properties: { n: { type: 'number' } },
      relations: { to: { target: name }, all: { target: name, many: true } },
      mirrorProperties: { title: { path: 'to.$title' } },
      calculationProperties: {
        shout: { type: 'string', calculation: '.properties.title + "!"' },
        plain: { type: 'number', calculation: '.properties.n + 1' },
      },
    });
    await app.request('PATCH', `/v1/blueprints/${pointing}`, { body: {} });
    await allow({ update: { roles: ['Member'] }, register: { roles: ['Member'] } }, pointing);
    await createEntity(app.request, pointing, {
      identifier: 'p',
      properties: { n: 1 },
      relations: { to: 'theirs', all: ['mine', 'theirs'] },
    });
  });

  test('titles of relations are null, identifiers stay', async () => {
    const answer = await asPerson('GET', `${entities(pointing, 'p')}?attach_title_to_relation=true`);
    expect(answer.body.entity.relations).toEqual({
      to: { identifier: 'theirs', title: null },
      all: [
        { identifier: 'mine', title: 'M' },
        { identifier: 'theirs', title: null },
      ],
    });
  });

  test('mirrors, and what is computed from them, are null, and searches find nothing by them', async () => {
    const { body } = await asPerson('GET', entities(pointing, 'p'));
    expect(body.entity.properties).toEqual({ n: 1, title: null, shout: null, plain: 2 });
    expect((await readEntity(app.request, pointing, 'p')).properties).toMatchObject({ title: 'T', shout: 'T!' });
    const rule = { property: 'title', operator: '=', value: 'T' };
    const query = { combinator: 'and', rules: [rule] };
    expect(await asPerson('POST', entities(pointing, 'search'), { body: { query } })).toMatchObject({
      body: { entities: [] },
    });
    const written = await asPerson('PATCH', entities(pointing, 'p'), { body: { properties: { n: 2 } } });
    expect(written.body.entity.properties).toEqual({ n: 2, title: null, shout: null, plain: 3 });
  });

  test('a relation cannot be pointed at it, and stays where it points', async () => {
    const path = entities(pointing, 'p');
    expect((await asPerson('PATCH', path, { body: { relations: { to: 'theirs' }, title: 'x' } })).status).toBe(200);
    expect((await asPerson('PATCH', path, { body: { relations: { to: 'mine' } } })).status).toBe(200);
    const missing = await asPerson('PATCH', path, { body: { relations: { to: 'theirs' } } });
    expect([missing.status, missing.body.error, missing.body.details.withValue]).toEqual([404, 'not_found', 'theirs']);
    // nor could Pat create one there
    const created = await asPerson('PATCH', `${path}?create_missing_related_entities=true`, {
      body: { relations: { to: 'theirs' } },
    });
    expect([created.status, created.body.error]).toEqual([403, 'missing_permissions']);
    expect((await readEntity(app.request, pointing, 'p')).relations['to']).toBe('mine');
  });

  test('a query in place of an identifier does not find it', async () => {
    const fits = { combinator: 'and', rules: [{ property: '$title', operator: '=', value: 'T' }] };
    const body = { relations: { to: fits, all: fits } };
    const answer = await asPerson('PATCH', entities(pointing, 'p'), { body });
    expect(answer.body.entity.relations).toEqual({ to: null, all: [] });
  });
});

test('a moderator of a blueprint may do everything with its entities', async () => {
  const mail = `${unique('mod')}@example.com`;
  await createEntity(app.request, '_user', {
    identifier: mail,
    properties: { status: 'Active', port_role: 'Moderator', moderated_blueprints: [name] },
  });
  const token = await app.organization.personToken(mail);
  await allow({ read: { roles: ['Admin'] } });
  expect((await app.request('GET', entities(name, 'mine'), { token })).status).toBe(200);
  expect((await app.request('PATCH', entities(name, 'mine'), { token, body: { title: 'X' } })).status).toBe(200);
  expect((await app.request('DELETE', entities(name, 'mine'), { token })).status).toBe(200);
});
