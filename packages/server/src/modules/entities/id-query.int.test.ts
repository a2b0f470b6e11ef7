import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/build-test-app.ts';
import { createBlueprint, createEntity, issuePaths } from '../../../test/catalog-fixtures.ts';

let app: TestApp;
let target: string;
let name: string;
beforeAll(async () => {
  app = await createTestApp();
  target = await createBlueprint(app.request, 'target', {
    properties: { mail: { type: 'string' }, n: { type: 'number' } },
    calculationProperties: { calc: { type: 'string', calculation: '.properties.mail' } },
  });
  name = await createBlueprint(app.request, 'name', {
    properties: { key: { type: 'string' } },
    relations: { one: { target }, many: { target, many: true } },
    ownership: { type: 'Direct' },
    mirrorProperties: { near: { path: 'one.mail' }, far: { path: 'many.mail' } },
  });
  for (const n of [1, 2, 3]) {
    await createEntity(app.request, target, { identifier: `t${n}`, title: `T${n}`, properties: { mail: `${n}@x`, n } });
  }
  await createEntity(app.request, name, { identifier: 'a', properties: { key: 'ka' }, relations: { one: 't1' } });
  await createEntity(app.request, name, { identifier: 'b', properties: { key: 'kb' } });
  await createEntity(app.request, '_team', { identifier: 'crew', title: 'The Crew' });
});
afterAll(() => app.close());

const by = (property: string, operator: string, value: unknown) => ({
  combinator: 'and',
  rules: [{ property, operator, value }],
});
const path = () => `/v1/blueprints/${name}/entities`;
const upsert = (body: unknown) => app.request('POST', `${path()}?upsert=true&merge=true`, { body });

describe('as the identifier', () => {
  test('the one entity that fits is changed', async () => {
    for (const query of [
      by('key', '=', 'ka'),
      by('$identifier', 'in', ['a']),
      by('near', '=', '1@x'),
      by('one', '=', 't1'),
      { combinator: 'or', rules: [by('key', '=', 'nobody'), { property: 'key', operator: 'contains', value: 'KA' }] },
    ]) {
      const answer = await upsert({ identifier: query, title: 'A' });
      expect([answer.status, answer.body.entity?.identifier], JSON.stringify(answer.body)).toEqual([201, 'a']);
    }
  });

  test('none is 404, several are 422, and nothing is created', async () => {
    const before = await app.count('entities', app.organization.id);
    const none = await upsert({ identifier: by('key', '=', 'nobody') });
    expect([none.status, none.body.error]).toEqual([404, 'not_found']);
    const several = await upsert({ identifier: by('$identifier', 'in', ['a', 'b']) });
    expect([several.status, issuePaths(several.body)]).toEqual([422, ['/identifier']]);
    expect(await app.count('entities', app.organization.id)).toBe(before);
  });

  test('in bulk every index is answered once, and what was not found is unknown', async () => {
    const entities = [
      { identifier: by('key', '=', 'ka') },
      { identifier: by('key', '=', 'nobody') },
      { identifier: by('key', 'contains', 'k') },
      { identifier: 'b', relations: { one: by('$title', 'in', ['T1', 'T2']) } },
      { identifier: by('key', '>', 'x') },
      { identifier: 'c' },
      7,
    ];
    const answer = await app.request('POST', `${path()}/bulk?upsert=true&merge=true`, { body: { entities } });
    expect(answer.status).toBe(207);
    expect(answer.body.entities).toEqual([
      { identifier: 'a', index: 0, created: false },
      { identifier: 'c', index: 5, created: true },
    ]);
    expect(
      answer.body.errors.map(({ index, identifier, statusCode }: Record<string, unknown>) => [
        index,
        identifier,
        statusCode,
      ]),
    ).toEqual([
      [1, 'unknown', 404],
      [2, 'unknown', 422],
      [3, 'b', 422],
      [4, 'unknown', 422],
      [6, 'unknown', 422],
    ]);
  });
});

describe('as the targets of a relation', () => {
  test('what fits becomes the value, in PUT and PATCH too', async () => {
    const relations = { one: by('mail', '=', '2@x'), many: by('$title', 'containsAny', ['T1', 'T3']) };
    const expected = { one: 't2', many: ['t1', 't3'] };
    expect((await upsert({ identifier: 'b', relations })).body.entity.relations).toEqual(expected);
    for (const method of ['PUT', 'PATCH']) {
      const body = { relations, properties: { key: 'kb' } };
      const answer = await app.request(method, `${path()}/b`, { body });
      expect([answer.status, answer.body.entity.relations]).toEqual([200, expected]);
    }
  });

  test('nothing that fits is no value', async () => {
    const none = by('mail', '=', 'nobody');
    const answer = await upsert({ identifier: 'b', relations: { one: none, many: none } });
    expect(answer.body.entity.relations).toEqual({ one: null, many: [] });
  });

  test('at most 100', async () => {
    const big = await createBlueprint(app.request, 'big');
    for (let page = 0; page < 6; page += 1) {
      const entities = Array.from({ length: 17 }, (_, n) => ({ identifier: `e${page * 17 + n}`, title: 'same' }));
      await app.request('POST', `/v1/blueprints/${big}/entities/bulk`, { body: { entities } });
    }
    const pointing = await createBlueprint(app.request, 'pointing', {
      relations: { all: { target: big, many: true } },
    });
    const body = { identifier: 'p', relations: { all: by('$title', '=', 'same') } };
    const answer = await app.request('POST', `/v1/blueprints/${pointing}/entities`, { body });
    expect([answer.status, issuePaths(answer.body)]).toEqual([422, ['/relations/all']]);
  });
});

test('as the team, entities of _team', async () => {
  const answer = await upsert({ identifier: 'b', team: by('$title', '=', 'The Crew') });
  expect(answer.body.entity.team).toEqual(['crew']);
});

test.each([
  [{ identifier: { rules: [] } }, ['/identifier/combinator', '/identifier/rules']],
  [{ identifier: by('key', '!=', 'x') }, ['/identifier/rules/0/operator']],
  [{ identifier: by('key', '=', true) }, ['/identifier/rules/0/value']],
  [{ identifier: by('key', 'in', 'x') }, ['/identifier/rules/0/value']],
  [{ identifier: { ...by('key', '=', 'x'), more: 1 } }, ['/identifier/more']],
  [{ relations: { one: by('calc', '=', 'x') } }, ['/relations/one/rules/0/property']],
  [{ identifier: by('far', '=', 'x') }, ['/identifier/rules/0/property']],
  [{ relations: { none: by('mail', '=', 'x') } }, ['/relations/none']],
  [{ team: by('$title', 'between', {}) }, ['/team/rules/0/operator']],
])('422 %j', async (body, issues) => {
  const answer = await upsert(body);
  expect([answer.status, issuePaths(answer.body).sort()]).toEqual([422, issues]);
});

describe('a description as large as it may be is answered, and one that is larger is refused where it is', () => {
  const rule = (at: number) => ({ property: 'key', operator: '=', value: `v${at}` });
  const rules = (count: number) => Array.from({ length: count }, (_none, at) => rule(at));
  const or = (...inner: unknown[]) => ({ combinator: 'or', rules: inner });

  test.each([
    ['its own', or(...rules(100)), or(...rules(101)), ['/identifier/rules']],
    ['of inner groups', or(or(...rules(49)), or(...rules(49))), or(or(...rules(60)), or(...rules(60))), undefined],
    ['groups of groups', or(...rules(2)), or(...Array.from({ length: 60 }, () => or(...rules(60)))), undefined],
  ])('rules %s', async (_what, whole, over, at) => {
    const found = await upsert({ identifier: whole });
    expect([found.status, found.body.error]).toEqual([404, 'not_found']);
    const startedAt = performance.now();
    for (const body of [{ identifier: over }, { identifier: 'a', relations: { one: over } }]) {
      const answer = await upsert(body);
      expect([answer.status, answer.body.error]).toEqual([422, 'invalid_request']);
      if (at && 'identifier' in body && body.identifier === over) expect(issuePaths(answer.body)).toEqual(at);
      // the first problem of each group is enough: the answer does not grow with what was sent
      expect(answer.body.details.length).toBeLessThanOrEqual(100);
    }
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    const bulk = await app.request('POST', `${path()}/bulk?upsert=true`, {
      body: { entities: [{ identifier: over }, { identifier: 'bulk' }] },
    });
    expect([bulk.status, bulk.body.errors]).toEqual([
      207,
      [expect.objectContaining({ index: 0, identifier: 'unknown', statusCode: 422 })],
    ]);
  });
});
