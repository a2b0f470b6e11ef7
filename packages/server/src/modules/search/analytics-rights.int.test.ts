import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type Request, type TestApp } from '../../../test/build-test-app.ts';
import { createBlueprint, createEntity, issuePaths } from '../../../test/catalog-fixtures.ts';

let app: TestApp;
let asPerson: Request;
let owned: string;
let shut: string;
let open: string;
beforeAll(async () => {
  app = await createTestApp();
  for (const identifier of ['crew', 'others']) await createEntity(app.request, '_team', { identifier });
  const user = { team: 'crew', properties: { status: 'Active', port_role: 'Member' } };
  await createEntity(app.request, '_user', { identifier: 'pat@example.com', ...user });
  const token = await app.organization.personToken('pat@example.com');
  asPerson = (method, path, options) => app.request(method, path, { token, ...options });
  const properties = { cost: { type: 'number' }, kind: { type: 'string' }, bag: { type: 'object' } };
  owned = await createBlueprint(app.request, 'owned', { properties, ownership: { type: 'Direct' } });
  shut = await createBlueprint(app.request, 'shut', { properties });
  open = await createBlueprint(app.request, 'open', {
    properties,
    relations: { to: { target: shut } },
    mirrorProperties: { price: { path: 'to.cost' }, bag2: { path: 'to.bag' } },
    calculationProperties: { doubled: { type: 'number', calculation: '.properties.price * 2' } },
  });
  await createEntity(app.request, owned, { identifier: 'mine', team: 'crew', properties: { cost: 1, kind: 'a' } });
  await createEntity(app.request, owned, { identifier: 'theirs', team: 'others', properties: { cost: 10, kind: 'b' } });
  const bag = { cost: 100, at: '2026-01-15T09:00:00Z' };
  await createEntity(app.request, shut, { identifier: 's', properties: { cost: 100, kind: 'c', bag } });
  await createEntity(app.request, open, { identifier: 'o', properties: { cost: 1000 }, relations: { to: 's' } });
  const rights = { [owned]: { read: { ownedByTeam: true, roles: [] } }, [shut]: { read: { roles: ['Admin'] } } };
  for (const [blueprint, entities] of Object.entries(rights)) {
    const answer = await app.request('PATCH', `/v1/blueprints/${blueprint}/permissions`, { body: { entities } });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  }
});
afterAll(() => app.close());

const everything = { combinator: 'and', rules: [] };
const only = (...blueprints: string[]) => ({
  combinator: 'and',
  rules: [{ property: '$blueprint', operator: 'in', value: blueprints }],
});
const aggregate = (request: Request, body: object) =>
  request('POST', '/v1/entities/aggregate', { body: { query: only(owned, shut, open), ...body } });
const overTime = (request: Request, body: object) =>
  request('POST', '/v1/entities/aggregate-over-time', {
    body: {
      aggregationType: 'countEntities',
      func: 'count',
      blueprint: owned,
      timeInterval: 'day',
      timeRange: { preset: 'lastDay' },
      ...body,
    },
  });
const readResult = async (answer: Promise<{ status: number; body: { result: unknown } }>) => {
  const { status, body } = await answer;
  expect(status, JSON.stringify(body)).toBe(200);
  return body.result;
};

describe('what may not be read', () => {
  test('is in no figure and no count', async () => {
    const sum = { func: 'sum', property: 'cost' };
    expect(await readResult(aggregate(app.request, sum))).toEqual({ value: 1111 });
    expect(await readResult(aggregate(asPerson, sum))).toEqual({ value: 1001 });
    expect(await readResult(aggregate(asPerson, { func: 'count' }))).toEqual({ value: 2 });
    expect(await readResult(aggregate(asPerson, { func: 'countValues', property: 'kind' }))).toEqual({
      groups: [
        { value: 'a', count: 1 },
        { value: null, count: 1 },
      ],
      groupsLeftOut: 0,
      total: 2,
    });
    expect(await readResult(overTime(app.request, {}))).toMatchObject({ series: [{ values: [0, 2] }] });
    expect(await readResult(overTime(asPerson, {}))).toMatchObject({ series: [{ values: [0, 1] }] });
  });

  test('and a blueprint of which nothing may be read is as missing as one that is not there', async () => {
    expect(await readResult(aggregate(asPerson, { func: 'sum', property: 'cost', query: only(shut) }))).toEqual({
      value: 0,
    });
    expect(await readResult(aggregate(asPerson, { func: 'sum', property: 'cost', query: only('none') }))).toEqual({
      value: 0,
    });
    const hidden = await overTime(asPerson, { blueprint: shut });
    const missing = await overTime(asPerson, { blueprint: 'none' });
    expect(hidden.status).toBe(404);
    expect(JSON.stringify(hidden.body).replaceAll(shut, '*')).toBe(
      JSON.stringify(missing.body).replaceAll('none', '*'),
    );
  });

  test('shows through no computed value: it is refused like one that is not there', async () => {
    const properties = { aggregationType: 'aggregatePropertiesValues', func: 'sum', blueprint: open };
    const history = {
      blueprintIdentifier: open,
      entityIdentifier: 'o',
      timeRange: { preset: 'lastDay', timeZone: 'UTC' },
    };
    const asked = (name: string): [string, object][] => [
      ['aggregate', { func: 'max', property: name, query: only(open) }],
      ['aggregate', { func: 'average', measureTimeBy: name, query: only(open) }],
      ['aggregate', { func: 'countValues', property: name, query: only(open) }],
      ['overTime', { ...properties, properties: ['cost', name] }],
      ['overTime', { blueprint: open, breakdownProperty: name }],
      ['history', { ...history, propertyNames: [name] }],
    ];
    const ask = (path: string, body: object) => {
      if (path === 'history') return asPerson('POST', '/v1/entities/properties-history', { body });
      return path === 'aggregate' ? aggregate(asPerson, body) : overTime(asPerson, body);
    };
    for (const name of ['price', 'mirror-property#price', 'doubled', 'bag2', 'bag2.cost', 'bag2.at']) {
      for (const [index, [path, body]] of asked(name).entries()) {
        const hidden = await ask(path, body);
        const [, unknown] = asked('nothing')[index] as [string, object];
        expect([hidden.status, hidden.body], JSON.stringify(body)).toEqual([422, (await ask(path, unknown)).body]);
      }
    }
    expect(await readResult(aggregate(app.request, { func: 'max', property: 'doubled' }))).toEqual({ value: 200 });
  });

  test('has no counts of its values, like one that is not there', async () => {
    const path = `/v1/blueprints/${open}/entities/value-counts`;
    const counted = async (request: Request) =>
      (await request('POST', path, { body: { properties: ['price', 'doubled', 'bag2.cost', 'cost', 'nothing'] } }))
        .body;
    const none = { groups: [], groupsLeftOut: 0 };
    const one = { groups: [{ value: 1000, count: 1 }], groupsLeftOut: 0 };
    expect(await counted(asPerson)).toMatchObject({ total: 1, counts: [none, none, none, one, none] });
    expect(await counted(app.request)).toMatchObject({
      counts: [{ groups: [{ value: 100 }] }, { groups: [{ value: 200 }] }, { groups: [{ value: 100 }] }, one, none],
    });
    expect(
      (await asPerson('POST', `/v1/blueprints/${shut}/entities/value-counts`, { body: { properties: ['cost'] } }))
        .status,
    ).toBe(404);
  });

  test('is found by no rule on what lies inside a hidden value', async () => {
    const rule = { property: 'bag2.cost', operator: '=', value: 100 };
    const query = { combinator: 'and', rules: [...only(open).rules, rule] };
    expect(await readResult(aggregate(app.request, { func: 'count', query }))).toEqual({ value: 1 });
    expect(await readResult(aggregate(asPerson, { func: 'count', query }))).toEqual({ value: 0 });
    const body = { query: { combinator: 'and', rules: [rule] } };
    const found = await asPerson('POST', `/v1/blueprints/${open}/entities/search`, { body });
    expect(found.body.entities).toEqual([]);
    const sorted = await asPerson('POST', `/v1/blueprints/${open}/entities/search`, {
      body: { sort: [{ property: 'bag2.cost' }] },
    });
    const grouped = await asPerson('POST', `/v1/blueprints/${open}/entities/group`, { body: { groupBy: 'bag2.cost' } });
    expect([sorted.status, grouped.status]).toEqual([422, 422]);
  });

  test('of another organization is nothing', async () => {
    const theirs = await app.createOrganization();
    expect(await readResult(aggregate(theirs.request, { func: 'count', query: only(owned) }))).toEqual({ value: 0 });
    const counts = await readResult(
      aggregate(theirs.request, { func: 'countValues', property: '$title', query: everything }),
    );
    expect(counts).toMatchObject({ groups: [], total: 0 });
    expect((await overTime(theirs.request, {})).status).toBe(404);
  });
});

describe('an aggregate that makes no sense', () => {
  const query = everything;
  test.each([
    [{}, ['/func']],
    [{ func: 'mode', query }, ['/func']],
    [{ func: 'count', query, property: 'cost', more: 1 }, ['/property', '/more']],
    [{ func: 'sum', query }, ['/property']],
    [{ func: 'sum', property: 1, averageOf: 'year' }, ['/query', '/averageOf', '/property']],
    [{ func: 'average', query, calculationBy: 'property' }, ['/property']],
    [{ func: 'average', query, property: 'cost', calculationBy: 'entities' }, ['/calculationBy']],
    [{ func: 'countValues', query }, ['']],
    [{ func: 'countValues', query, property: 'kind', relation: 'to' }, ['']],
    [{ func: 'countValues', query, property: 'kind', rule: 'r' }, ['/rule']],
    [
      { func: 'count', query: { combinator: 'xor', rules: [{ operator: '~' }] } },
      ['/query/combinator', '/query/rules/0/operator'],
    ],
    [{ func: 'sum', query, property: 'kind' }, ['/property']],
    [{ func: 'sum', query, property: '$createdAt' }, ['/property']],
    [
      { func: 'average', query, property: 'nothing', averageOf: 'day', measureTimeBy: 'cost' },
      ['/property', '/measureTimeBy'],
    ],
    [{ func: 'countValues', query, property: 'bag' }, ['/property']],
    [{ func: 'countValues', query, relation: 'kind' }, ['/relation']],
    [{ func: 'countValues', query, scorecard: 'nothing' }, ['/scorecard']],
  ])('%j is refused with every issue', async (body, paths) => {
    const answer = await app.request('POST', '/v1/entities/aggregate', { body });
    expect([answer.status, answer.body.error, issuePaths(answer.body).sort()]).toEqual([
      422,
      'invalid_request',
      paths.sort(),
    ]);
  });

  test.each([
    [{ aggregationType: 'other' }, ['/aggregationType']],
    [{ func: 'last' }, ['/func']],
    [{ timeInterval: 'week', timeRange: {} }, ['/timeInterval', '/timeRange/preset']],
    [{ timeRange: { preset: 'last2Years' } }, ['/timeInterval']],
    [{ timeInterval: 'hour', timeRange: { preset: 'last6Months' } }, ['/timeInterval']],
    [{ timeRange: { preset: 'today', timeZone: "x'; drop table entities" } }, ['/timeRange/timeZone']],
    [{ measureTimeBy: '$title', breakdownProperty: 'nothing' }, ['/breakdownProperty', '/measureTimeBy']],
    [{ aggregationType: 'aggregatePropertiesValues', func: 'sum', properties: ['cost', 'kind'] }, ['/properties/1']],
    [{ aggregationType: 'aggregatePropertiesValues', func: 'count', properties: [] }, ['/func', '/properties']],
    [{ query: { combinator: 'and' } }, ['/query/rules']],
  ])('over time, %j is refused with every issue', async (body, paths) => {
    const answer = await overTime(app.request, body);
    expect([answer.status, answer.body.error, issuePaths(answer.body).sort()]).toEqual([
      422,
      'invalid_request',
      paths.sort(),
    ]);
  });
});

test('a choice that is not one is refused with the choices', async () => {
  const figure = await app.request('POST', '/v1/entities/aggregate', { body: { func: 'mode' } });
  expect(figure.body.details).toEqual([
    { path: '/func', message: 'must be one of count average sum min max median countValues' },
  ]);
  const over = await overTime(app.request, { aggregationType: 'other' });
  expect(over.body.details[0].message).toBe('must be aggregatePropertiesValues or countEntities');
});

describe('counts by scorecard', () => {
  test('are of levels and of outcomes, and leave out what the scorecard does not look at', async () => {
    const blueprint = await createBlueprint(app.request, 'judged', { properties: { tier: { type: 'number' } } });
    const condition = (operator: string, value: number) => ({
      combinator: 'and',
      conditions: [{ property: 'tier', operator, value }],
    });
    const body = {
      identifier: 'ready',
      title: 'Ready',
      filter: condition('>', 0),
      rules: [{ identifier: 'high', title: 'High', level: 'Gold', query: condition('>', 2) }],
    };
    const answer = await app.request('POST', `/v1/blueprints/${blueprint}/scorecards`, { body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    for (const tier of [0, 1, 2, 3]) {
      await createEntity(app.request, blueprint, { identifier: `j${tier}`, properties: { tier } });
    }
    const counts = (by: object) =>
      readResult(aggregate(app.request, { func: 'countValues', query: everything, ...by }));
    const levels = {
      groups: [
        { value: 'Basic', count: 2 },
        { value: 'Gold', count: 1 },
      ],
      groupsLeftOut: 0,
      total: 3,
    };
    expect(await counts({ scorecard: 'ready' })).toEqual(levels);
    expect(await counts({ property: 'scorecard#ready' })).toEqual(levels);
    const outcomes = [
      { value: 'FAILURE', count: 2 },
      { value: 'SUCCESS', count: 1 },
    ];
    expect(await counts({ scorecard: 'ready', rule: 'high' })).toMatchObject({ groups: outcomes, total: 3 });
    const unknown = await aggregate(app.request, {
      func: 'countValues',
      query: everything,
      scorecard: 'ready',
      rule: 'no',
    });
    expect([unknown.status, issuePaths(unknown.body)]).toEqual([422, ['/rule']]);
    const lines = await readResult(overTime(app.request, { blueprint, breakdownProperty: 'scorecard#ready' }));
    expect(lines).toMatchObject({ series: [{ value: 'Basic' }, { value: 'Gold' }], seriesLeftOut: 0 });
  });
});

describe('many values', () => {
  test('are answered in part, and how many are left out is said', async () => {
    const blueprint = await createBlueprint(app.request, 'many', { properties: { tags: { type: 'array' } } });
    const tags = Array.from({ length: 1010 }, (_, index) => `tag ${index}`);
    await createEntity(app.request, blueprint, { identifier: 'all', properties: { tags } });
    await createEntity(app.request, blueprint, { identifier: 'one', properties: { tags: ['tag 7', 'tag 7'] } });
    const query = only(blueprint);
    const result = (await readResult(aggregate(app.request, { func: 'countValues', property: 'tags', query }))) as {
      groups: unknown[];
    };
    expect(result).toMatchObject({ groupsLeftOut: 10, total: 2 });
    expect([result.groups.length, result.groups[0]]).toEqual([1000, { value: 'tag 7', count: 2 }]);
    const lines = await readResult(overTime(app.request, { blueprint, breakdownProperty: 'tags' }));
    expect(lines).toMatchObject({ seriesLeftOut: 990, series: { length: 20, 0: { value: 'tag 7', values: [0, 2] } } });
  });
});

describe('numbers beyond what JSON holds', () => {
  test('are null, and fail nothing', async () => {
    const blueprint = await createBlueprint(app.request, 'huge', { properties: { n: { type: 'number' } } });
    for (const [index, n] of [Number.MAX_VALUE, Number.MAX_VALUE, -Number.MAX_VALUE, 5e-324].entries()) {
      await createEntity(app.request, blueprint, { identifier: `h${index}`, properties: { n } });
    }
    for (const func of ['sum', 'average', 'min', 'max', 'median']) {
      const value = await readResult(aggregate(app.request, { func, property: 'n', query: only(blueprint) }));
      expect(value).toHaveProperty('value');
      const body = { blueprint, aggregationType: 'aggregatePropertiesValues', func, properties: ['n'] };
      expect(await readResult(overTime(app.request, body))).toHaveProperty('series');
    }
    const twice = { property: 'n', operator: '>', value: 1 };
    const query = { combinator: 'and', rules: [...only(blueprint).rules, twice] };
    expect(await readResult(aggregate(app.request, { func: 'sum', property: 'n', query }))).toEqual({ value: null });
    const rule = { ...twice, operator: '<' };
    const tiny = {
      combinator: 'and',
      rules: [...only(blueprint).rules, { property: 'n', operator: '>', value: 0 }, rule],
    };
    expect(await readResult(aggregate(app.request, { func: 'max', property: 'n', query: tiny }))).toEqual({
      value: 5e-324,
    });
  });
});
