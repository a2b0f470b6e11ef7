import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type Request, type TestApp } from '../../../test/build-test-app.ts';
import { createBlueprint, createEntity, type Entity, issuePaths, searchIn } from '../../../test/catalog-fixtures.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const and = (...rules: unknown[]) => ({ combinator: 'and', rules });
const named = (entities: readonly Entity[]) => entities.map(({ identifier }) => identifier);

describe('words', () => {
  let blueprint: string;
  let quiet: string;
  beforeAll(async () => {
    blueprint = await createBlueprint(app.request, 'worded', { properties: { about: { type: 'string' } } });
    quiet = await createBlueprint(app.request, 'quiet', { includeInGlobalSearch: false });
    const entities = [
      { identifier: 'checkout', title: 'Payments' },
      { identifier: 'payments-api', title: 'Money' },
      { identifier: 'other', title: 'Other', properties: { about: 'sends payments to 100%_banks' } },
      { identifier: 'ünïcode', title: 'Größe 東京' },
      { identifier: 'a:b/c.d', title: "it's <b>&|!:*" },
    ];
    for (const entity of entities) {
      const legal = /^[\w@.+:\\/=-]+$/.test(entity.identifier) ? entity : { ...entity, identifier: 'unicode' };
      await createEntity(app.request, blueprint, legal);
    }
    await createEntity(app.request, quiet, { identifier: 'payments-quiet', title: 'Payments' });
  });
  const found = async (text: string, more: object = {}) => {
    const body = { text, blueprints: [blueprint, quiet], ...more };
    const answer = await app.request('POST', '/v1/entities/top-search', { body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return named(answer.body.entities);
  };

  test.each<[string, string[]]>([
    ['payments', ['checkout', 'payments-api', 'other']],
    ['pay', ['checkout', 'payments-api', 'other']],
    ['PAYMENTS api', ['payments-api']],
    ['api payments', ['payments-api']],
    ['banks', ['other']],
    ['100%_banks', ['other']],
    ['größe', ['unicode']],
    ['東京', ['unicode']],
    ['a:b/c.d', ['a:b/c.d']],
    ['it', ['a:b/c.d']],
    ['nothing', []],
    ['payments nothing', []],
    ['!!! & | :* ()', []],
    ["'; drop table entities; --", []],
    ['o', ['other']],
    ['org:', []],
    ['org', []],
    ['%', []],
  ])('%s', async (text, expected) => {
    expect(await found(text)).toEqual(expected);
  });

  test('stay within the limit, the best first', async () => {
    expect(await found('payments', { limit: 1 })).toEqual(['checkout']);
    expect(await found('payments', { limit: 2 })).toEqual(['checkout', 'payments-api']);
  });

  test('of no blueprint, or of one that is not there, find nothing', async () => {
    expect(await found('payments', { blueprints: [] })).toEqual([]);
    expect(await found('payments', { blueprints: ['nowhere', quiet] })).toEqual([]);
  });

  test.each([
    [{}, '/text'],
    [{ text: '' }, '/text'],
    [{ text: 'x'.repeat(201) }, '/text'],
    [{ text: 'a\u0000' }, '/text'],
    [{ text: 5 }, '/text'],
    [{ text: 'a', limit: 51 }, '/limit'],
    [{ text: 'a', blueprints: 'x' }, '/blueprints'],
    [{ text: 'a', query: and() }, '/query'],
  ])('422 for %j', async (body, at) => {
    const answer = await app.request('POST', '/v1/entities/top-search', { body });
    expect([answer.status, issuePaths(answer.body)]).toEqual([422, [at]]);
  });
});

describe('groups', () => {
  let blueprint: string;
  beforeAll(async () => {
    const target = await createBlueprint(app.request, 'target');
    for (const identifier of ['t', 'u']) await createEntity(app.request, target, { identifier });
    await createEntity(app.request, '_team', { identifier: 'crew', title: 'The crew' });
    blueprint = await createBlueprint(app.request, 'grouped', {
      properties: {
        tier: { type: 'string' },
        on: { type: 'boolean' },
        n: { type: 'number' },
        tags: { type: 'array' },
        box: { type: 'object' },
      },
      relations: { one: { target }, many: { target, many: true } },
      calculationProperties: { doubled: { type: 'number', calculation: '.properties.n * 2' } },
      ownership: { type: 'Direct' },
    });
    const rows = [
      { tier: 'gold', on: true, n: 1, tags: ['a', 'b', 'a'] },
      { tier: 'gold', on: false, n: 1.0, tags: [] },
      { tier: 'Gold', n: -1, tags: ['a', null, 1] },
      {},
    ];
    const relations = [{ one: 't', many: ['t', 'u'] }, { one: 't' }, { one: 'u', many: ['u'] }, {}];
    for (const [index, properties] of rows.entries()) {
      const team = index === 0 ? ['crew'] : [];
      await createEntity(app.request, blueprint, {
        identifier: `e${index}`,
        team,
        properties,
        relations: relations[index] as object,
      });
    }
  });
  const grouped = (groupBy: unknown, more: object = {}) =>
    app.request('POST', `/v1/blueprints/${blueprint}/entities/group`, { body: { groupBy, ...more } });
  const groups = async (groupBy: string, more: object = {}) => {
    const { status, body } = await grouped(groupBy, more);
    expect(status, JSON.stringify(body)).toBe(200);
    return [body.groups.map(({ value, count }: { value: unknown; count: number }) => [value, count]), body.total];
  };

  test.each<[string, unknown[]]>([
    [
      'tier',
      [
        ['gold', 2],
        ['Gold', 1],
        [null, 1],
      ],
    ],
    [
      'on',
      [
        [null, 2],
        [false, 1],
        [true, 1],
      ],
    ],
    [
      'n',
      [
        [1, 2],
        [-1, 1],
        [null, 1],
      ],
    ],
    [
      'doubled',
      [
        [2, 2],
        [-2, 1],
        [null, 1],
      ],
    ],
    [
      'one',
      [
        ['t', 2],
        ['u', 1],
        [null, 1],
      ],
    ],
    [
      'many',
      [
        ['u', 2],
        [null, 2],
        ['t', 1],
      ],
    ],
    [
      '$team',
      [
        [null, 3],
        ['crew', 1],
      ],
    ],
    ['$icon', [[null, 4]]],
  ])('by %s', async (property, expected) => {
    const [found, total] = await groups(property);
    expect(new Set(found.map((each: unknown) => JSON.stringify(each)))).toEqual(
      new Set(expected.map((each) => JSON.stringify(each))),
    );
    expect(found.map((each: unknown[]) => each[1])).toEqual(expected.map((each) => (each as unknown[])[1]));
    expect(total).toBe(4);
  });

  test('count each value of an entity once, and none as null', async () => {
    const [found, total] = await groups('tags');
    expect(new Map(found)).toEqual(
      new Map<unknown, number>([
        ['a', 2],
        ['b', 1],
        [1, 1],
        [null, 3],
      ]),
    );
    expect(total).toBe(4);
  });

  test('of what a query finds, the largest first', async () => {
    const query = and({ property: 'n', operator: '=', value: 1 });
    expect(await groups('tier', { query })).toEqual([[['gold', 2]], 2]);
    expect(await groups('tier', { query: and({ property: 'none', operator: '=', value: 1 }) })).toEqual([[], 0]);
    expect(await groups('tier', { limit: 1 })).toEqual([[['gold', 2]], 4]);
  });

  test.each([
    [{ groupBy: 'box' }, '/groupBy'],
    [{ groupBy: 'none' }, '/groupBy'],
    [{ groupBy: '$none' }, '/groupBy'],
    [{ groupBy: '' }, '/groupBy'],
    [{}, '/groupBy'],
    [{ groupBy: 'tier', limit: 0 }, '/limit'],
    [{ groupBy: 'tier', query: { combinator: 'and' } }, '/query/rules'],
    [{ groupBy: 'tier', sort: [] }, '/sort'],
  ])('422 for %j', async (body, at) => {
    const answer = await app.request('POST', `/v1/blueprints/${blueprint}/entities/group`, { body });
    expect([answer.status, issuePaths(answer.body)]).toEqual([422, [at]]);
  });
});

describe('the values of several properties', () => {
  let blueprint: string;
  let asMember: Request;
  beforeAll(async () => {
    await createEntity(app.request, '_team', { identifier: 'counters', title: 'Counters' });
    const user = { team: 'counters', properties: { status: 'Active', port_role: 'Member' } };
    await createEntity(app.request, '_user', { identifier: 'counting@example.com', ...user });
    const token = await app.organization.personToken('counting@example.com');
    asMember = (method, path, options) => app.request(method, path, { token, ...options });
    blueprint = await createBlueprint(app.request, 'counted', {
      properties: {
        tier: { type: 'string', enum: ['gold', 'tin'] },
        on: { type: 'boolean' },
        tags: { type: 'array' },
        box: { type: 'object' },
      },
      ownership: { type: 'Direct' },
    });
    const rows = [{ tier: 'gold', on: true, tags: ['a', 'b'] }, { tier: 'gold', on: false }, { tier: 'tin' }, {}];
    for (const [index, properties] of rows.entries()) {
      const team = index < 2 ? ['counters'] : [];
      await createEntity(app.request, blueprint, { identifier: `e${index}`, team, properties });
    }
    const made = await app.request('POST', `/v1/blueprints/${blueprint}/scorecards`, {
      body: {
        identifier: 'ready',
        title: 'Ready',
        filter: { combinator: 'and', conditions: [{ property: 'tier', operator: 'isNotEmpty' }] },
        rules: [
          {
            identifier: 'switch',
            title: 'Has a switch',
            level: 'Gold',
            query: { combinator: 'and', conditions: [{ property: 'on', operator: 'isNotEmpty' }] },
          },
        ],
      },
    });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
  });

  const ask = (body: object, request: Request = app.request) =>
    request('POST', `/v1/blueprints/${blueprint}/entities/value-counts`, { body });
  const counts = async (body: object, request?: Request) => {
    const answer = await ask(body, request);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.body;
  };
  const group = (value: unknown, count: number) => ({ value, count });
  const tin = and({ property: 'tier', operator: '=', value: 'tin' });

  test('are counted in one answer, in the order of the request, the largest first', async () => {
    expect(await counts({ properties: ['on', 'tier', 'tags', 'scorecard#ready'] })).toEqual({
      ok: true,
      total: 4,
      counts: [
        { property: 'on', groups: [group(null, 2), group(false, 1), group(true, 1)], groupsLeftOut: 0 },
        { property: 'tier', groups: [group('gold', 2), group('tin', 1), group(null, 1)], groupsLeftOut: 0 },
        { property: 'tags', groups: [group(null, 3), group('a', 1), group('b', 1)], groupsLeftOut: 0 },
        // what the scorecard does not evaluate has no level
        { property: 'scorecard#ready', groups: [group('Gold', 2), group('Basic', 1)], groupsLeftOut: 0 },
      ],
    });
  });

  test('are those of what a query finds, and nothing where it finds nothing', async () => {
    expect(await counts({ properties: ['tier', 'on'], query: tin })).toMatchObject({
      total: 1,
      counts: [{ groups: [group('tin', 1)] }, { groups: [group(null, 1)] }],
    });
    const none = and({ property: 'tier', operator: '=', value: 'none' });
    expect(await counts({ properties: ['tier'], query: none })).toMatchObject({
      total: 0,
      counts: [{ property: 'tier', groups: [], groupsLeftOut: 0 }],
    });
  });

  test('beyond the limit are said to be left out', async () => {
    expect(await counts({ properties: ['tier', 'tags'], limit: 1 })).toMatchObject({
      counts: [
        { groups: [group('gold', 2)], groupsLeftOut: 2 },
        { groups: [group(null, 3)], groupsLeftOut: 2 },
      ],
    });
  });

  test('are none of what the blueprint does not have, and the others are counted', async () => {
    const names = ['none', 'box', 'scorecard#none', 'scorecard-rule#ready#switch'];
    const { counts: found } = await counts({ properties: [...names, 'tier'] });
    expect(found.slice(0, 4)).toEqual(names.map((property) => ({ property, groups: [], groupsLeftOut: 0 })));
    expect(found[4]).toMatchObject({ groups: [group('gold', 2), group('tin', 1), group(null, 1)] });
  });

  test('are those of the entities that the caller may read', async () => {
    const restrict = (read: object) =>
      app.request('PATCH', `/v1/blueprints/${blueprint}/permissions`, { body: { entities: { read } } });
    expect((await restrict({ roles: ['Admin'], ownedByTeam: true })).status).toBe(200);
    expect(await counts({ properties: ['tier'] }, asMember)).toMatchObject({
      total: 2,
      counts: [{ groups: [group('gold', 2)], groupsLeftOut: 0 }],
    });
    expect(await counts({ properties: ['tier'], query: tin }, asMember)).toMatchObject({
      total: 0,
      counts: [{ groups: [] }],
    });
    await restrict({ roles: ['Admin', 'Member'], ownedByTeam: false });
  });

  test.each([
    [{ properties: [] }, '/properties'],
    [{ properties: Array.from({ length: 21 }, () => 'tier') }, '/properties'],
    [{ properties: ['tier'], limit: 201 }, '/limit'],
    [{ groupBy: 'tier' }, '/groupBy'],
  ])('422 for %j', async (body, at) => {
    const answer = await ask(body);
    expect(answer.status).toBe(422);
    expect(issuePaths(answer.body)).toContain(at);
  });
});

test('an Ocean integration gets what it wrote again unchanged while it reports a resync, and only then', async () => {
  const own = await app.createOrganization();
  const agent = 'port-ocean/github/1.2.3/weighing/exporter';
  const headers = { 'user-agent': agent };
  const blueprint = await createBlueprint(own.request, 'weighed');
  const write = (identifier: string) =>
    own.request('POST', `/v1/blueprints/${blueprint}/entities?upsert=true`, { body: { identifier }, headers });
  for (const identifier of ['a', 'b']) await write(identifier);
  const integration = { installationId: 'weighing', installationAppType: 'github', version: '1.2.3', config: {} };
  await own.request('POST', '/v1/integration', { body: { ...integration, changelogDestination: {} } });
  app.clock.advance(1000);
  const before = app.clock.now().toISOString();
  await write('b');
  const asked = { datasource_prefix: 'port-ocean/github/', datasource_suffix: '/weighing/exporter', before };
  const listedFor = async (source: string) => {
    const options = { body: asked, headers: { 'user-agent': source } };
    return named((await own.request('POST', '/v1/blueprints/entities/datasource-entities', options)).body.entities);
  };
  const report = (body: object) => own.request('PATCH', '/v1/integration/weighing/resync-state', { body, headers });
  expect(await listedFor(agent)).toEqual(['a']);
  await report({ status: 'running', lastResyncStart: before, lastResyncEnd: null });
  expect([await listedFor(agent), await listedFor('curl/8')]).toEqual([['a', 'b'], ['a']]);
  await report({ status: 'completed', lastResyncStart: before, lastResyncEnd: before });
  expect(await listedFor(agent)).toEqual(['a']);
});

describe('by datasource', () => {
  const agent = 'port-ocean/github/1.2.3/myinst/exporter';
  const other = 'port-ocean/github_x/1.2.3/myinst/exporter';
  let blueprint: string;
  beforeAll(async () => {
    blueprint = await createBlueprint(app.request, 'sourced');
    for (const [identifier, source] of Object.entries({ a: agent, b: agent, c: other, d: 'curl/8' })) {
      const headers = { 'user-agent': source };
      const body = { identifier };
      await app.request('POST', `/v1/blueprints/${blueprint}/entities`, { body, headers });
    }
  });
  const page = async (body: object) => {
    const answer = await app.request('POST', '/v1/blueprints/entities/datasource-entities', { body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.body as { entities: Entity[]; next?: string };
  };

  test.each<[string, string, string[]]>([
    ['port-ocean/github/', 'myinst/exporter', ['a', 'b']],
    ['port-ocean/github_', '', ['c']],
    ['port-ocean/github%', '', []],
    ['Port-Ocean/github', '', []],
    ['port-ocean/', '/myinst/exporter', ['a', 'b', 'c']],
    ['', 'exporter', ['a', 'b', 'c']],
    ['curl', 'curl/8', ['d']],
    ['curl/8', '/8', ['d']],
    ['port-ocean/', 'nothing', []],
  ])('prefix %j and suffix %j', async (prefix, suffix, expected) => {
    const { entities } = await page({ datasource_prefix: prefix, datasource_suffix: suffix });
    expect(named(entities)).toEqual(expected);
  });

  test('page by page, and only what was not seen since', async () => {
    const asked = { datasource_prefix: 'port-ocean/', limit: 2 };
    const first = await page(asked);
    const second = await page({ ...asked, from: first.next });
    expect([named(first.entities), named(second.entities), second.next]).toEqual([['a', 'b'], ['c'], undefined]);
    const before = app.clock.now().toISOString();
    expect((await page({ ...asked, before })).entities).toEqual([]);
    app.clock.advance(1000);
    const seen = app.clock.now().toISOString();
    const headers = { 'user-agent': agent };
    const write = (body: object) =>
      app.request('POST', `/v1/blueprints/${blueprint}/entities?upsert=true`, { body, headers });
    await write({ identifier: 'a', title: 'Changed' });
    await write({ identifier: 'b' });
    expect(named((await page({ ...asked, before: seen })).entities)).toEqual(['c']);
  });

  test.each<[string, unknown, string[]]>([
    ['=', agent, ['a', 'b']],
    ['beginsWith', 'port-ocean/GITHUB_', ['c']],
    ['contains', 'github/', ['a', 'b']],
    ['endsWith', 'exporter', ['a', 'b', 'c']],
    ['in', [agent, 'curl/8'], ['a', 'b', 'd']],
    ['doesNotContains', 'ocean', ['d']],
    ['!=', agent, ['c', 'd']],
    ['isEmpty', undefined, []],
  ])('the rule $datasource %s %j', async (operator, value, expected) => {
    const rule = { property: '$datasource', operator, ...(value === undefined ? {} : { value }) };
    expect(await searchIn(app.request, blueprint, rule)).toEqual(expected);
    const body = and(rule, { property: '$blueprint', operator: '=', value: blueprint });
    expect(named((await app.request('POST', '/v1/entities/search', { body })).body.entities)).toEqual(expected);
  });

  test.each([
    [{ from: 'x' }, '/from'],
    [{ before: 'yesterday' }, '/before'],
    [{ limit: 5001 }, '/limit'],
    [{ datasource_prefix: 5 }, '/datasource_prefix'],
  ])('422 for %j', async (body, at) => {
    const answer = await app.request('POST', '/v1/blueprints/entities/datasource-entities', { body });
    expect([answer.status, issuePaths(answer.body)]).toEqual([422, [at]]);
  });
});
