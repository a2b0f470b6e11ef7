import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/build-test-app.ts';
import {
  blueprintBody,
  createBlueprint,
  createEntity,
  emptyMaps,
  issuePaths,
  readEntity,
  searchIn,
  unique,
} from '../../../test/catalog-fixtures.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const path = '/v1/blueprints';
const read = async (name: string) => (await app.request('GET', `${path}/${name}`)).body.blueprint;
const put = (name: string, body: unknown) => app.request('PUT', `${path}/${name}`, { body });
const patch = (name: string, body: unknown) => app.request('PATCH', `${path}/${name}`, { body });

describe('PUT', () => {
  test('replaces: a section that is left out is emptied', async () => {
    const name = await createBlueprint(app.request, 'full', {
      description: 'x',
      icon: 'Star',
      properties: { a: { type: 'string' } },
      relations: { team: { target: '_team' } },
      ownership: { type: 'Direct' },
    });
    const body = blueprintBody(name, { properties: { b: { type: 'number' } } });
    const answer = await put(name, body);
    expect(answer.status).toBe(200);
    const { createdAt, createdBy, updatedAt, updatedBy, ...rest } = answer.body.blueprint;
    expect(rest).toEqual({ ...emptyMaps, ...body });
  });

  test('what was read may be written back, meta fields included', async () => {
    const name = await createBlueprint(app.request, 'echo', { relations: { team: { target: '_team' } } });
    const before = await read(name);
    const answer = await put(name, before);
    expect(answer.status).toBe(200);
    expect(answer.headers['x-ignored-fields']).toBeUndefined();
    expect({ ...answer.body.blueprint, updatedAt: 0 }).toEqual({ ...before, updatedAt: 0 });
  });

  test('another identifier renames, and relations, counts and entities follow', async () => {
    const old = await createBlueprint(app.request, 'old');
    const pointing = await createBlueprint(app.request, 'pointing', {
      relations: { to: { target: old } },
      mirrorProperties: { kind: { path: 'to.$blueprint' } },
    });
    const counting = await createBlueprint(app.request, 'counting');
    await patch(old, { relations: { up: { target: counting }, self: { target: old } } });
    await patch(counting, {
      aggregationProperties: {
        n: {
          title: 'N',
          target: old,
          calculationSpec: { calculationBy: 'entities', func: 'count' },
          pathFilter: [{ path: ['up'], fromBlueprint: old }],
        },
      },
    });
    await createEntity(app.request, counting, { identifier: 'c' });
    await createEntity(app.request, old, { identifier: 'a', relations: { up: 'c' } });
    await createEntity(app.request, pointing, { identifier: 'p', relations: { to: 'a' } });
    const name = unique('new');
    const before = await read(old);
    expect((await put(old, { ...before, identifier: name })).status).toBe(200);
    expect((await app.request('GET', `${path}/${old}`)).status).toBe(404);
    expect((await read(name)).relations.self.target).toBe(name);
    expect((await read(pointing)).relations.to.target).toBe(name);
    const { n } = (await read(counting)).aggregationProperties;
    expect([n.target, n.pathFilter[0].fromBlueprint]).toEqual([name, name]);
    expect((await readEntity(app.request, name, 'a')).blueprint).toBe(name);
    expect((await readEntity(app.request, pointing, 'p')).properties['kind']).toBe(name);
    await createEntity(app.request, name, { identifier: 'b', relations: { up: 'c', self: 'a' } });
    expect((await readEntity(app.request, counting, 'c')).properties['n']).toBe(2);
  });

  test('409 for a name that is taken, with nothing renamed', async () => {
    const [one, two] = [await createBlueprint(app.request, 'one'), await createBlueprint(app.request, 'two')];
    const before = await app.organization.journal();
    const answer = await put(one, blueprintBody(two));
    expect([answer.status, answer.body.error]).toEqual([409, 'identifier_taken']);
    expect((await app.request('GET', `${path}/${one}`)).status).toBe(200);
    expect(await app.organization.journal()).toEqual(before);
  });

  test('404 for a blueprint that is not there, and for a target that is not there', async () => {
    expect((await put('none', blueprintBody('none'))).status).toBe(404);
    const name = await createBlueprint(app.request, 'here');
    const answer = await put(name, blueprintBody(name, { relations: { to: { target: 'none' } } }));
    expect([answer.status, answer.body.error]).toEqual([404, 'not_found']);
    expect((await read(name)).relations).toEqual({});
  });

  test('422 for a body without title and schema', async () => {
    const name = await createBlueprint(app.request, 'needs');
    const answer = await put(name, { identifier: name });
    expect(answer.status).toBe(422);
    expect(issuePaths(answer.body).sort()).toEqual(['/schema', '/title']);
  });
});

describe('PATCH', () => {
  test('merges per key, null removes, and what is left out stays', async () => {
    const name = await createBlueprint(app.request, 'merge', {
      description: 'x',
      properties: { a: { type: 'string', title: 'A', pattern: 'x' }, b: { type: 'number' }, c: { type: 'boolean' } },
      required: ['a', 'b'],
      relations: { one: { target: '_team' }, two: { target: '_user' } },
      mirrorProperties: { m: { path: 'one.$title' } },
    });
    const answer = await patch(name, {
      description: null,
      schema: { properties: { a: { type: 'string' }, b: null, d: { type: 'array' } } },
      relations: { two: null, three: { target: '_user', many: true } },
    });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    const { blueprint } = answer.body;
    expect(blueprint.schema).toEqual({
      properties: { a: { type: 'string' }, c: { type: 'boolean' }, d: { type: 'array' } },
      required: ['a'],
    });
    expect(Object.keys(blueprint.relations)).toEqual(['one', 'three']);
    expect(blueprint.mirrorProperties).toEqual({ m: { path: 'one.$title' } });
    expect('description' in blueprint).toBe(false);
    expect(blueprint.title).toBe(name);
  });

  test('the fall-back of an exporter that knows only its own properties keeps the others', async () => {
    const name = await createBlueprint(app.request, 'export', { properties: { mine: { type: 'string' } } });
    const answer = await patch(name, {
      identifier: name,
      icon: '',
      description: '',
      schema: { properties: { theirs: { type: 'string' } }, required: [] },
    });
    expect(Object.keys(answer.body.blueprint.schema.properties)).toEqual(['mine', 'theirs']);
  });

  test('of blueprints that point at each other, sent together, neither fails', async () => {
    const names = await Promise.all(Array.from({ length: 6 }, () => createBlueprint(app.request, 'ring')));
    const answers = await Promise.all(
      names.map((name) =>
        patch(name, { relations: Object.fromEntries(names.map((target, index) => [`to${index}`, { target }])) }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200));
  });

  test('sent together to one blueprint, none is lost', async () => {
    const name = await createBlueprint(app.request, 'shared');
    const keys = Array.from({ length: 8 }, (_, index) => `p${index}`);
    await Promise.all(keys.map((key) => patch(name, { schema: { properties: { [key]: { type: 'string' } } } })));
    expect(Object.keys((await read(name)).schema.properties).sort()).toEqual(keys);
  });

  test('404 and 422, with nothing written', async () => {
    expect((await patch('none', {})).status).toBe(404);
    const name = await createBlueprint(app.request, 'same');
    const before = await read(name);
    app.clock.advance(1000);
    const answer = await patch(name, { title: '', schema: { properties: { a: { type: 'no' } } } });
    expect(answer.status).toBe(422);
    expect(issuePaths(answer.body).sort()).toEqual(['/schema/properties/a/type', '/title']);
    expect(await read(name)).toEqual(before);
  });
});

describe('a property of entities that exist', () => {
  const typed = (type: string) => ({ schema: { properties: { size: { type } } } });

  test('cannot change its type, and nothing is written', async () => {
    const name = await createBlueprint(app.request, 'typed', { properties: { size: { type: 'string' } } });
    for (const answer of [
      await patch(name, typed('number')),
      await put(name, { ...blueprintBody(name), ...typed('number') }),
    ]) {
      expect([answer.status, issuePaths(answer.body)]).toEqual([422, ['/schema/properties/size/type']]);
    }
    expect((await read(name)).schema.properties.size.type).toBe('string');
  });

  test('may be removed and added with another type; its values are gone', async () => {
    const name = await createBlueprint(app.request, 'typed', {
      properties: { size: { type: 'string' }, kept: { type: 'string' } },
      required: ['size'],
    });
    await createEntity(app.request, name, { identifier: 'a', properties: { size: 'large', kept: 'k' } });
    expect((await put(name, blueprintBody(name, { properties: { kept: { type: 'string' } } }))).status).toBe(200);
    expect((await readEntity(app.request, name, 'a')).properties).toEqual({ kept: 'k' });
    expect((await patch(name, typed('number'))).status).toBe(200);
    expect((await readEntity(app.request, name, 'a')).properties).toEqual({ kept: 'k', size: null });
    expect(await searchIn(app.request, name, { property: 'size', operator: 'isNotEmpty' })).toEqual([]);
  });

  test('takes what is mirrored from it along', async () => {
    const target = await createBlueprint(app.request, 'source', { properties: { mail: { type: 'string' } } });
    const name = await createBlueprint(app.request, 'mirror', {
      relations: { to: { target } },
      mirrorProperties: { mail: { path: 'to.mail' }, name: { path: 'to.$title' } },
    });
    await createEntity(app.request, target, { identifier: 't', title: 'T', properties: { mail: 'x' } });
    const only = await createBlueprint(app.request, 'mirror', {
      relations: { to: { target } },
      mirrorProperties: { mail: { path: 'to.mail' } },
    });
    for (const each of [name, only]) await createEntity(app.request, each, { identifier: 'a', relations: { to: 't' } });
    expect((await readEntity(app.request, name, 'a')).properties).toEqual({ mail: 'x', name: 'T' });
    expect((await readEntity(app.request, only, 'a')).properties).toEqual({ mail: 'x' });
    await patch(target, { schema: { properties: { mail: null } } });
    expect((await readEntity(app.request, name, 'a')).properties).toEqual({ mail: null, name: 'T' });
    expect((await readEntity(app.request, only, 'a')).properties).toEqual({ mail: null });
    expect(await searchIn(app.request, name, { property: 'mail', operator: '=', value: 'x' })).toEqual([]);
    await patch(target, { schema: { properties: { mail: { type: 'string' } } } });
    await app.request('PATCH', `${path}/${target}/entities/t`, { body: { properties: { mail: 'y' } } });
    expect((await readEntity(app.request, name, 'a')).properties).toEqual({ mail: 'y', name: 'T' });
  });
});

describe('a relation of entities that exist', () => {
  test('cannot change its target or number while it is used', async () => {
    const name = await createBlueprint(app.request, 'linked', { relations: { to: { target: '_team' } } });
    expect((await patch(name, { relations: { to: { target: '_team', many: true } } })).status).toBe(200);
    await createEntity(app.request, '_team', { identifier: 'crew' });
    await createEntity(app.request, name, { identifier: 'a', relations: { to: ['crew'] } });
    for (const to of [{ target: '_team' }, { target: '_user', many: true }]) {
      const answer = await patch(name, { relations: { to } });
      expect([answer.status, issuePaths(answer.body)]).toEqual([422, ['/relations/to']]);
    }
  });

  test('takes its values, its counts and its mirrors along when it goes', async () => {
    const target = await createBlueprint(app.request, 'counted');
    const name = await createBlueprint(app.request, 'linked', {
      relations: { to: { target } },
      mirrorProperties: { title: { path: 'to.$title' } },
    });
    await patch(target, {
      aggregationProperties: {
        n: { title: 'N', target: name, calculationSpec: { calculationBy: 'entities', func: 'count' } },
      },
    });
    await createEntity(app.request, target, { identifier: 't', title: 'T' });
    await createEntity(app.request, name, { identifier: 'a', relations: { to: 't' } });
    expect((await readEntity(app.request, target, 't')).properties).toEqual({ n: 1 });
    await patch(name, { relations: { to: null }, mirrorProperties: { title: null } });
    expect((await readEntity(app.request, target, 't')).properties).toEqual({ n: 0 });
    expect((await readEntity(app.request, name, 'a')).relations).toEqual({});
    await patch(name, { relations: { to: { target } }, mirrorProperties: { title: { path: 'to.$title' } } });
    const again = await readEntity(app.request, name, 'a');
    expect([again.relations, again.properties]).toEqual([{ to: null }, { title: null }]);
  });
});

describe('paths', () => {
  test('of ownership lead over relations to one, and never back', async () => {
    const [a, b] = [await createBlueprint(app.request, 'path'), await createBlueprint(app.request, 'path')];
    await patch(a, { relations: { to: { target: b }, all: { target: b, many: true } } });
    await patch(b, { relations: { to: { target: a } } });
    for (const path of ['all', 'to..to', 'to.all', '$team.to']) {
      const answer = await patch(a, { ownership: { type: 'Inherited', path } });
      const expected = path === 'to.all' ? 200 : 422;
      expect([path, answer.status]).toEqual([path, expected]);
    }
    const answers = await Promise.all(
      [a, b].map((name) => patch(name, { ownership: { type: 'Inherited', path: 'to' } })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
  });

  test('of aggregations lead over relations that exist', async () => {
    const name = await createBlueprint(app.request, 'counting');
    const spec = { calculationBy: 'entities', func: 'count' };
    const counted = (path: string[], fromBlueprint?: string) => ({
      aggregationProperties: {
        n: { title: 'N', target: '_user', calculationSpec: spec, pathFilter: [{ path, fromBlueprint }] },
      },
    });
    const answer = await patch(name, counted(['none']));
    expect([answer.status, answer.body.error, answer.body.details]).toEqual([
      404,
      'not_found',
      { resource: 'Relation', byField: 'identifier', withValue: 'none', aggregation: 'n' },
    ]);
    await patch(name, { relations: { who: { target: '_user' } } });
    expect((await patch(name, counted(['who']))).status).toBe(200);
  });
});

test('calculations and aggregations that cannot work are refused with their path', async () => {
  const name = await createBlueprint(app.request, 'computed');
  const answer = await patch(name, {
    calculationProperties: {
      odd: { type: 'string', calculation: '.title', format: 'timer', colors: { x: 'mauve' } },
      good: { type: 'string', calculation: "if .title == 'x' then 'y' else .title end" },
    },
    aggregationProperties: {
      mean: { title: 'M', target: '_user', calculationSpec: { calculationBy: 'entities', func: 'average' } },
      few: {
        title: 'F',
        target: '_user',
        calculationSpec: { calculationBy: 'entities', func: 'count' },
        query: { combinator: 'xor', rules: [] },
      },
    },
  });
  expect(answer.status).toBe(422);
  expect(issuePaths(answer.body).sort()).toEqual([
    '/aggregationProperties/few/query/combinator',
    '/aggregationProperties/mean/calculationSpec/averageOf',
    '/calculationProperties/odd/colors/x',
    '/calculationProperties/odd/format',
  ]);
});
