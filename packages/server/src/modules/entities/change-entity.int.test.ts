import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/build-test-app.ts';
import {
  createBlueprint,
  createEntity,
  entityPath,
  issuePaths,
  readEntity,
  searchIn,
} from '../../../test/catalog-fixtures.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const changed = { identifier: 'a', title: 'New', properties: { free: 'new', object: { b: 2 } } };

/** A blueprint with one full entity `a`, and how each verb writes it. */
async function setUp() {
  const target = await createBlueprint(app.request, 'target');
  const blueprint = await createBlueprint(app.request, 'matrix', {
    properties: {
      must: { type: 'string', default: 'D' },
      free: { type: 'string', default: 'F' },
      object: { type: 'object' },
      list: { type: 'array' },
    },
    required: ['must'],
    relations: { to: { target }, many: { target, many: true } },
    ownership: { type: 'Direct' },
  });
  for (const identifier of ['t', 'u']) await createEntity(app.request, target, { identifier });
  const created = await createEntity(app.request, blueprint, {
    identifier: 'a',
    title: 'Old',
    icon: 'Star',
    team: 'ghost',
    properties: { must: 'M', free: 'x', object: { a: 1 }, list: [1] },
    relations: { to: 't', many: ['t', 'u'] },
  });
  const path = entityPath(blueprint, 'a');
  const send = (verb: string, body: unknown, identifier = 'a') => {
    const posted = `/v1/blueprints/${blueprint}/entities`;
    if (verb === 'PUT' || verb === 'PATCH') return app.request(verb, entityPath(blueprint, identifier), { body });
    if (verb === 'bulk')
      return app.request('POST', `${posted}/bulk?upsert=true&merge=true`, { body: { entities: [body] } });
    return app.request('POST', `${posted}?upsert=true${verb === 'merge' ? '&merge=true' : ''}`, { body });
  };
  return { target, blueprint, created, path, send };
}

describe.each(['PUT', 'upsert'])('%s replaces', (verb) => {
  test('what is left out is cleared, but a required property takes its default', async () => {
    const { blueprint, created, send } = await setUp();
    app.clock.advance(1000);
    const answer = await send(verb, changed);
    expect(answer.status).toBe(verb === 'PUT' ? 200 : 201);
    expect(answer.body.entity).toEqual({
      ...created,
      title: 'New',
      icon: null,
      team: [],
      properties: { must: 'D', free: 'new', object: { b: 2 }, list: null },
      relations: { to: null, many: [] },
      updatedAt: app.clock.now().toISOString(),
    });
    expect(await readEntity(app.request, blueprint, 'a')).toEqual(answer.body.entity);
  });
});

describe.each(['PATCH', 'merge', 'bulk'])('%s merges', (verb) => {
  test('what is left out stays; values are replaced whole, one level deep', async () => {
    const { blueprint, created, send } = await setUp();
    app.clock.advance(1000);
    expect((await send(verb, { ...changed, relations: { many: ['u'] } })).status).toBeLessThan(202);
    expect(await readEntity(app.request, blueprint, 'a')).toEqual({
      ...created,
      title: 'New',
      properties: { must: 'M', free: 'new', object: { b: 2 }, list: [1] },
      relations: { to: 't', many: ['u'] },
      updatedAt: app.clock.now().toISOString(),
    });
  });

  test('null clears, of everything that can be clear', async () => {
    const { blueprint, send } = await setUp();
    const nothing = {
      identifier: 'a',
      title: null,
      icon: null,
      team: null,
      properties: { free: null, object: null, list: null },
      relations: { to: null, many: null },
    };
    expect((await send(verb, nothing)).status).toBeLessThan(202);
    expect(await readEntity(app.request, blueprint, 'a')).toMatchObject({
      title: null,
      icon: null,
      team: [],
      properties: { must: 'M', free: null, object: null, list: null },
      relations: { to: null, many: [] },
    });
  });

  test('defaults are not applied again', async () => {
    const { blueprint, send } = await setUp();
    await send(verb, { identifier: 'a', properties: { free: null } });
    await send(verb, { identifier: 'a', title: 'x' });
    expect((await readEntity(app.request, blueprint, 'a')).properties['free']).toBeNull();
  });
});

describe.each(['PUT', 'PATCH', 'upsert', 'merge'])('%s', (verb) => {
  test('422 for a required property that is cleared, with nothing written', async () => {
    const { blueprint, created, send } = await setUp();
    const before = await app.organization.journal();
    const answer = await send(verb, { identifier: 'a', title: 'New', properties: { must: null } });
    expect([answer.status, issuePaths(answer.body)]).toEqual([422, ['/properties/must']]);
    expect(await readEntity(app.request, blueprint, 'a')).toEqual(created);
    expect(await app.organization.journal()).toEqual(before);
  });

  test('404 for a relation to nothing, with nothing written', async () => {
    const { blueprint, created, send } = await setUp();
    const answer = await send(verb, { identifier: 'a', properties: { must: 'M' }, relations: { to: 'ghost' } });
    expect([answer.status, answer.body.error]).toEqual([404, 'not_found']);
    expect(await readEntity(app.request, blueprint, 'a')).toEqual(created);
  });
});

describe.each(['PUT', 'PATCH'])('%s', (verb) => {
  test('404 for an entity that is not there, which is not made', async () => {
    const { blueprint, send } = await setUp();
    const answer = await send(verb, { title: 'x', properties: { must: 'M' } }, 'none');
    expect([answer.status, answer.body.error]).toEqual([404, 'not_found']);
    expect((await app.request('GET', `/v1/blueprints/${blueprint}/entities-count`)).body.count).toBe(1);
    expect((await app.request(verb, '/v1/blueprints/none/entities/a', { body: {} })).status).toBe(404);
  });

  test('another identifier renames, and everything that referred to it follows', async () => {
    const { target, blueprint, send } = await setUp();
    const pointing = await createBlueprint(app.request, 'pointing', {
      relations: { to: { target: blueprint }, many: { target: blueprint, many: true } },
      mirrorProperties: { name: { path: 'to.$identifier' } },
    });
    await app.request('PATCH', `/v1/blueprints/${blueprint}`, { body: { relations: { self: { target: blueprint } } } });
    await app.request('PATCH', entityPath(blueprint, 'a'), { body: { relations: { self: 'a' } } });
    await createEntity(app.request, blueprint, { identifier: 'b' });
    await createEntity(app.request, pointing, { identifier: 'p', relations: { to: 'a', many: ['b', 'a'] } });
    const answer = await send(verb, { identifier: 'z/1', relations: { self: 'z/1', to: 't' } });
    expect([answer.status, answer.body.entity.relations]).toEqual([
      200,
      expect.objectContaining({ self: 'z/1', to: 't' }),
    ]);
    expect((await app.request('GET', entityPath(blueprint, 'a'))).status).toBe(404);
    const read = await readEntity(app.request, pointing, 'p');
    expect([read.relations, read.properties]).toEqual([{ to: 'z/1', many: ['b', 'z/1'] }, { name: 'z/1' }]);
    expect(await searchIn(app.request, target, { operator: 'relatedTo', blueprint, value: 'z/1' })).toContain('t');
  });

  test('409 for a name that is taken, with nothing written', async () => {
    const { blueprint, created, send } = await setUp();
    await createEntity(app.request, blueprint, { identifier: 'b' });
    const answer = await send(verb, { identifier: 'b', properties: { must: 'M' } });
    expect([answer.status, answer.body.error]).toEqual([409, 'identifier_taken']);
    expect(await readEntity(app.request, blueprint, 'a')).toEqual(created);
  });
});

test('PATCH is closed: every field that is not known is named, and those that are written back are not', async () => {
  const { created, path } = await setUp();
  const answer = await app.request('PATCH', path, { body: { ...created, titel: 'x', propertys: {} } });
  expect([answer.status, issuePaths(answer.body).sort()]).toEqual([422, ['/propertys', '/titel']]);
});

describe('a write that changes nothing', () => {
  const writeAs = (agent: string, at: string, method: string, body: unknown) =>
    app.request(method, at, { body, headers: { 'user-agent': agent } });

  test('leaves times and journal, and tells who confirmed the entity', async () => {
    const { blueprint, created, path } = await setUp();
    const posted = `/v1/blueprints/${blueprint}/entities?upsert=true`;
    const before = await app.organization.journal();
    app.clock.advance(60_000);
    const { createdAt, createdBy, updatedAt, updatedBy, ...body } = created;
    for (const [method, at, sent] of [
      ['POST', posted, body],
      ['POST', `${posted}&merge=true`, { identifier: 'a', title: 'Old' }],
      ['PUT', path, body],
      ['PATCH', path, {}],
    ] as const) {
      const agent = `port-ocean/x/1/${method}${at.length}/exporter`;
      expect((await writeAs(agent, at, method, sent)).status).toBeLessThan(202);
      const rule = { property: '$datasource', operator: '=', value: agent };
      expect(await searchIn(app.request, blueprint, rule)).toEqual(['a']);
    }
    expect(await readEntity(app.request, blueprint, 'a')).toEqual(created);
    expect(await app.organization.journal()).toEqual(before);
  });

  test('is one too where nothing can be written at all', async () => {
    const blueprint = await createBlueprint(app.request, 'empty');
    const created = await createEntity(app.request, blueprint, { identifier: 'a' });
    app.clock.advance(1000);
    const answer = await app.request('PUT', entityPath(blueprint, 'a'), { body: { identifier: 'a' } });
    expect(answer.body.entity).toEqual(created);
  });
});

describe('$datasource', () => {
  test('is the user agent of the last write and is found by its parts', async () => {
    const blueprint = await createBlueprint(app.request, 'source');
    const at = `/v1/blueprints/${blueprint}/entities`;
    const agent = 'port-k8s-exporter/^0.3.4 (statekey/my_key%)';
    await app.request('POST', at, { body: { identifier: 'a' }, headers: { 'user-agent': agent } });
    await app.request('POST', at, { body: { identifier: 'b' }, headers: { 'user-agent': 'other' } });
    const found = (operator: string, value: string) =>
      searchIn(app.request, blueprint, { property: '$datasource', operator, value });
    expect(await found('beginsWith', 'port-k8s-exporter/^')).toEqual(['a']);
    expect(await found('endsWith', '(statekey/my_key%)')).toEqual(['a']);
    expect(await found('endsWith', '(statekey/my%key%)')).toEqual([]);
    expect(await found('contains', 'my_key')).toEqual(['a']);
    expect(await found('contains', 'myxkey')).toEqual([]);
    expect(JSON.stringify(await readEntity(app.request, blueprint, 'a'))).not.toContain('exporter');
  });
});

test('a value that its blueprint forbids since is checked when it is written again, and not before', async () => {
  const blueprint = await createBlueprint(app.request, 'tight', {
    properties: { size: { type: 'string' }, b: { type: 'string' } },
  });
  await createEntity(app.request, blueprint, { identifier: 'a', properties: { size: 'XL' } });
  await app.request('PATCH', `/v1/blueprints/${blueprint}`, {
    body: {
      schema: { properties: { size: { type: 'string', enum: ['S'] }, must: { type: 'string' } }, required: ['must'] },
    },
  });
  expect((await readEntity(app.request, blueprint, 'a')).properties).toEqual({ size: 'XL', b: null, must: null });
  const path = entityPath(blueprint, 'a');
  const answer = await app.request('PATCH', path, { body: { properties: { size: 'M' } } });
  expect([answer.status, issuePaths(answer.body).sort()]).toEqual([422, ['/properties/must', '/properties/size']]);
});
