import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/build-test-app.ts';
import {
  createBlueprint,
  createEntity,
  type Entity,
  entityPath,
  issuePaths,
  readEntity,
} from '../../../test/catalog-fixtures.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const post = (blueprint: string, body: unknown, query = '') =>
  app.request('POST', `/v1/blueprints/${blueprint}/entities${query}`, { body });

/** The request is refused, and neither an entity nor a journal row comes of it. */
async function refuses(blueprint: string, body: unknown, expected: readonly [number, string], query = '') {
  const before = [await app.count('entities'), await app.count('journal'), await app.count('entity_relations')];
  const answer = await post(blueprint, body, query);
  expect([answer.status, answer.body.error], JSON.stringify(answer.body)).toEqual(expected);
  const after = [await app.count('entities'), await app.count('journal'), await app.count('entity_relations')];
  expect(after).toEqual(before);
  return answer.body;
}

const everyKind = {
  text: { type: 'string' },
  number: { type: 'number' },
  flag: { type: 'boolean' },
  object: { type: 'object' },
  list: { type: 'array' },
  when: { type: 'string', format: 'date-time' },
};

describe('201', () => {
  test('answers the entity as a read does: what is unset is null, a list of relations is empty', async () => {
    const blueprint = await createBlueprint(app.request, 'kind', {
      properties: everyKind,
      relations: { one: { target: '_team' }, many: { target: '_team', many: true } },
      mirrorProperties: { first: { path: 'one.$title' }, all: { path: 'many.$title' } },
    });
    const entity = await createEntity(app.request, blueprint, { identifier: 'a' });
    const at = app.clock.now().toISOString();
    const by = app.organization.clientId;
    expect(entity).toEqual({
      identifier: 'a',
      title: null,
      icon: null,
      blueprint,
      team: [],
      properties: { text: null, number: null, flag: null, object: null, list: null, when: null, first: null, all: [] },
      relations: { one: null, many: [] },
      createdAt: at,
      createdBy: by,
      updatedAt: at,
      updatedBy: by,
    });
    expect(await readEntity(app.request, blueprint, 'a')).toEqual(entity);
    expect((await app.organization.journal()).at(-1)).toBe('entity.created a');
  });

  test('keeps every value exactly, the order of lists and keys that look like numbers included', async () => {
    const properties = { ...everyKind, 10: { type: 'string' }, 2: { type: 'string' }, 'a=b@c-\\': { type: 'string' } };
    const blueprint = await createBlueprint(app.request, 'kept', { properties });
    const written = {
      text: 'é\u2028🚀\\"\n',
      number: -0.1e-7,
      flag: false,
      object: { constructor: 1, toString: null, 7: [], nested: { deep: [[{}]] } },
      list: ['b', 'a', 'b', null, 1, { x: 1 }],
      when: '2026-01-01T00:00:00.123456+02:00',
      10: 'ten',
      2: 'two',
      'a=b@c-\\': 'x',
    };
    const entity = await createEntity(app.request, blueprint, {
      identifier: 'a',
      title: '',
      icon: 'Star',
      properties: written,
    });
    expect(entity.properties).toEqual(written);
    expect(entity.title).toBe('');
    expect((await readEntity(app.request, blueprint, 'a')).properties).toEqual(written);
  });

  test.each(['a/b', 'a:b', 'a@b.c', 'ü', '=+\\', 'entities', 'search', '日本', '...', 'constructor', 'x'.repeat(1000)])(
    'an identifier may be %s',
    async (identifier) => {
      const blueprint = await createBlueprint(app.request, 'named');
      expect((await createEntity(app.request, blueprint, { identifier })).identifier).toBe(identifier);
      expect((await readEntity(app.request, blueprint, identifier)).identifier).toBe(identifier);
      expect((await app.request('DELETE', entityPath(blueprint, identifier))).status).toBe(200);
    },
  );

  test('without an identifier one is made', async () => {
    const blueprint = await createBlueprint(app.request, 'made');
    const entity = await createEntity(app.request, blueprint, { title: 'x' });
    expect(entity.identifier).toMatch(/^e_[A-Za-z0-9]{16}$/);
  });

  test('defaults fill what is left out, and null says none', async () => {
    const blueprint = await createBlueprint(app.request, 'default', {
      properties: {
        a: { type: 'string', default: 'A' },
        b: { type: 'number', default: 0 },
        c: { type: 'string', default: 'C' },
      },
      required: ['b'],
    });
    const { properties } = await createEntity(app.request, blueprint, { properties: { a: null, c: 'mine' } });
    expect(properties).toEqual({ a: null, b: 0, c: 'mine' });
  });

  test('fields of the body that are not known are ignored and named', async () => {
    const blueprint = await createBlueprint(app.request, 'open');
    const answer = await post(
      blueprint,
      { identifier: 'a', blueprint, createdAt: 'x', colour: 'red' },
      '?ocean_info_x=1',
    );
    expect([answer.status, answer.headers['x-ignored-fields']]).toEqual([201, 'colour']);
  });

  test('one text as value of a relation to many is a list of one, and doubles count once', async () => {
    const blueprint = await createBlueprint(app.request, 'many');
    await app.request('PATCH', `/v1/blueprints/${blueprint}`, {
      body: { relations: { to: { target: blueprint, many: true } } },
    });
    await createEntity(app.request, blueprint, { identifier: 'a' });
    expect((await createEntity(app.request, blueprint, { identifier: 'b', relations: { to: 'a' } })).relations).toEqual(
      { to: ['a'] },
    );
    const both = await createEntity(app.request, blueprint, { identifier: 'c', relations: { to: ['b', 'a', 'b'] } });
    expect(both.relations).toEqual({ to: ['b', 'a'] });
  });

  test('an entity may relate to itself', async () => {
    const blueprint = await createBlueprint(app.request, 'self');
    await app.request('PATCH', `/v1/blueprints/${blueprint}`, {
      body: { relations: { to: { target: blueprint } }, mirrorProperties: { name: { path: 'to.$title' } } },
    });
    const entity = await createEntity(app.request, blueprint, { identifier: 'a', title: 'A', relations: { to: 'a' } });
    expect(entity).toMatchObject({ relations: { to: 'a' }, properties: { name: 'A' } });
  });
});

describe('create_missing_related_entities', () => {
  const query = '?create_missing_related_entities=true';
  const setUp = async () => {
    const target = await createBlueprint(app.request, 'target', {
      properties: { must: { type: 'string' } },
      required: ['must'],
    });
    const blueprint = await createBlueprint(app.request, 'source', {
      relations: { to: { target, many: true }, team: { target: '_team' } },
    });
    return { target, blueprint };
  };

  test('makes bare entities: an identifier and the same as title', async () => {
    const { target, blueprint } = await setUp();
    const entity = await createEntity(
      app.request,
      blueprint,
      { identifier: 'a', relations: { to: ['x', 'y/z'] } },
      query,
    );
    expect(entity.relations['to']).toEqual(['x', 'y/z']);
    expect(await readEntity(app.request, target, 'y/z')).toMatchObject({ title: 'y/z', properties: { must: null } });
    expect((await app.organization.journal()).slice(-3)).toEqual([
      'entity.created x',
      'entity.created y/z',
      'entity.created a',
    ]);
  });

  test('never in system blueprints', async () => {
    const { blueprint } = await setUp();
    await refuses(blueprint, { identifier: 'a', relations: { to: ['x'], team: 'crew' } }, [404, 'not_found'], query);
  });

  test('never with an identifier that is not legal', async () => {
    const { blueprint } = await setUp();
    for (const identifier of ['', 'a b', '.', '..', 'x'.repeat(1001)]) {
      await refuses(blueprint, { identifier: 'a', relations: { to: [identifier] } }, [422, 'invalid_request'], query);
    }
  });

  test('in a bulk request only for items that are written', async () => {
    const { target, blueprint } = await setUp();
    const entities = [
      { identifier: 'good', relations: { to: ['made'] } },
      { identifier: 'bad', relations: { to: ['not-made'], team: 'crew' } },
      { identifier: 'worse', relations: { to: ['a b'] } },
    ];
    const answer = await app.request('POST', `/v1/blueprints/${blueprint}/entities/bulk${query}`, {
      body: { entities },
    });
    expect(answer.status).toBe(207);
    expect(answer.body.entities).toEqual([{ identifier: 'good', index: 0, created: true }]);
    expect(answer.body.errors).toMatchObject([
      { index: 1, statusCode: 404, error: 'not_found' },
      { index: 2, statusCode: 422, error: 'invalid_request' },
    ]);
    const made = await app.request('GET', `/v1/blueprints/${target}/entities`);
    expect(made.body.entities.map(({ identifier }: Entity) => identifier)).toEqual(['made']);
  });
});

describe('validation_only', () => {
  test('answers what would be and writes nothing', async () => {
    const target = await createBlueprint(app.request, 'target');
    const blueprint = await createBlueprint(app.request, 'dry', {
      relations: { to: { target } },
      mirrorProperties: { name: { path: 'to.$title' } },
      ownership: { type: 'Direct' },
    });
    await createEntity(app.request, '_team', { identifier: 'dry-crew' });
    const before = [await app.count('entities'), await app.count('journal')];
    const query = '?validation_only=true&create_missing_related_entities=true';
    const answer = await post(
      blueprint,
      { identifier: 'a', team: ['dry-crew', 'ghost'], relations: { to: 't' } },
      query,
    );
    expect(answer.status).toBe(201);
    expect(answer.body.entity).toMatchObject({
      team: ['dry-crew', 'ghost'],
      relations: { to: 't' },
      properties: { name: 't' },
    });
    const bulk = await app.request('POST', `/v1/blueprints/${blueprint}/entities/bulk${query}`, {
      body: { entities: [{ identifier: 'b' }, { identifier: 'c d' }] },
    });
    expect([bulk.status, bulk.body.entities.length, bulk.body.errors.length]).toEqual([207, 1, 1]);
    expect([await app.count('entities'), await app.count('journal')]).toEqual(before);
  });

  test('refuses what a write would refuse', async () => {
    const blueprint = await createBlueprint(app.request, 'dry', { properties: { a: { type: 'number' } } });
    await createEntity(app.request, blueprint, { identifier: 'taken' });
    await refuses(blueprint, { properties: { a: 'x' } }, [422, 'invalid_request'], '?validation_only=1');
    await refuses(blueprint, { identifier: 'taken' }, [409, 'identifier_taken'], '?validation_only=YES');
  });

  test('text that is not a boolean never writes', async () => {
    const blueprint = await createBlueprint(app.request, 'dry');
    for (const value of ['maybe', '0x140001', 'true,false', '2']) {
      const body = await refuses(blueprint, { identifier: 'a' }, [422, 'invalid_request'], `?validation_only=${value}`);
      expect(issuePaths(body)).toEqual(['{query}/validation_only']);
    }
    for (const value of ['', 'false', '0', 'No']) {
      expect((await post(blueprint, {}, `?validation_only=${value}`)).status).toBe(201);
    }
    expect(await app.request('GET', `/v1/blueprints/${blueprint}/entities-count`)).toMatchObject({
      body: { count: 4 },
    });
  });
});

describe('422', () => {
  test('every issue of an entity, each with its path', async () => {
    const blueprint = await createBlueprint(app.request, 'strict', {
      properties: {
        ...everyKind,
        must: { type: 'string' },
        pick: { type: 'string', enum: ['x'] },
        link: { type: 'string', format: 'url' },
        mail: { type: 'array', items: { type: 'string', format: 'email' } },
        short: { type: 'string', maxLength: 2, pattern: '^a' },
        small: { type: 'number', minimum: 1, exclusiveMaximum: 2 },
        label: { type: 'object', format: 'labeled-url' },
      },
      required: ['must'],
      relations: { one: { target: '_team', required: true }, single: { target: '_team' } },
      mirrorProperties: { mirror: { path: 'one.$title' } },
    });
    const body = await refuses(
      blueprint,
      {
        identifier: 'a',
        properties: {
          text: 5,
          number: '5',
          flag: 'true',
          object: [],
          list: {},
          when: '2026-02-30T00:00:00Z',
          pick: 'y',
          link: 'not a url',
          mail: ['a@b.c', 'nobody'],
          short: 'bcd',
          small: 2,
          label: { displayText: 'x' },
          unknown: 1,
          mirror: 'x',
        },
        relations: { nothing: 'x', single: ['x', 'y'] },
      },
      [422, 'invalid_request'],
    );
    expect([...new Set(issuePaths(body))].sort()).toEqual(
      [
        ...[
          'text',
          'number',
          'flag',
          'object',
          'list',
          'when',
          'pick',
          'link',
          'mail/1',
          'short',
          'small',
          'label/url',
        ],
        ...['unknown', 'mirror', 'must'],
      ]
        .map((name) => `/properties/${name}`)
        .concat(['/relations/one', '/relations/nothing', '/relations/single'])
        .sort(),
    );
  });

  test('every issue of the body, each with its path', async () => {
    const blueprint = await createBlueprint(app.request, 'shape');
    const body = await refuses(
      blueprint,
      { identifier: 'a b', title: 5, icon: {}, team: [1], properties: [], relations: { 'bad key': 1 } },
      [422, 'invalid_request'],
    );
    expect(issuePaths(body)).toEqual(
      expect.arrayContaining(['/identifier', '/title', '/icon', '/properties', '/relations/bad key']),
    );
  });

  test.each(['1e999', '-1e999'])('the number %s, which nothing can hold', async (text) => {
    const blueprint = await createBlueprint(app.request, 'range', { properties: everyKind });
    for (const place of [`"number":${text}`, `"object":{"a":[${text}]}`]) {
      const payload = `{"identifier":"a","properties":{${place}}}`;
      const answer = await app.request('POST', `/v1/blueprints/${blueprint}/entities`, { payload });
      expect([answer.status, answer.body.error]).toEqual([422, 'invalid_request']);
    }
    expect((await app.request('GET', `/v1/blueprints/${blueprint}/entities-count`)).body.count).toBe(0);
  });
});

describe('404', () => {
  test('a blueprint that is not there', async () => {
    await refuses('none', { identifier: 'a' }, [404, 'not_found']);
  });

  test('a related entity that is not there, in the words one client waits for', async () => {
    const blueprint = await createBlueprint(app.request, 'lost', { relations: { to: { target: '_team' } } });
    const body = await refuses(blueprint, { identifier: 'a', relations: { to: 'ghost' } }, [404, 'not_found']);
    expect(body).toMatchObject({
      ok: false,
      details: { resource: 'Entity', byField: 'identifier', withValue: 'ghost', blueprint: '_team' },
    });
  });

  test('one missing id of several fails the whole write', async () => {
    const blueprint = await createBlueprint(app.request, 'lost', {
      relations: { to: { target: '_team', many: true } },
    });
    await createEntity(app.request, '_team', { identifier: 'there' });
    await refuses(blueprint, { identifier: 'a', relations: { to: ['there', 'ghost'] } }, [404, 'not_found']);
  });
});

describe('409', () => {
  test.each(['', '?merge=true', '?upsert=false'])('an identifier that exists, with %j', async (query) => {
    const blueprint = await createBlueprint(app.request, 'taken');
    const first = await createEntity(app.request, blueprint, { identifier: 'a', title: 'first' });
    const body = await refuses(blueprint, { identifier: 'a', title: 'second' }, [409, 'identifier_taken'], query);
    expect(body.message).toContain('taken');
    expect(await readEntity(app.request, blueprint, 'a')).toEqual(first);
  });
});
