import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from './build-test-app.ts';
import { blueprintBody, createEntity, issuePaths } from './catalog-fixtures.ts';

let app: TestApp;
let tables: string[];
beforeAll(async () => {
  app = await createTestApp();
  tables = await app.tenantTables();
  const post = (body: unknown) => app.request('POST', '/v1/blueprints', { body });
  const properties = {
    text: { type: 'string', maxLength: 5 },
    kind: { type: 'string', enum: ['a', 'b'] },
    link: { type: 'string', format: 'url' },
    at: { type: 'string', format: 'date-time' },
    n: { type: 'number', maximum: 10 },
    on: { type: 'boolean' },
    box: { type: 'object' },
    list: { type: 'array', items: { type: 'string' } },
  };
  await post(blueprintBody('base', { properties: { n: { type: 'number' } } }));
  const relations = { to: { target: 'base' }, all: { target: 'base', many: true } };
  await post(
    blueprintBody('thing', {
      properties,
      relations,
      calculationProperties: { c: { type: 'number', calculation: '1' } },
    }),
  );
  await post(blueprintBody('up', { relations: { down: { target: 'base' } }, ownership: { type: 'Direct' } }));
  await post(
    blueprintBody('down', { relations: { up: { target: 'up' } }, ownership: { type: 'Inherited', path: 'up' } }),
  );
  await createEntity(app.request, 'base', { identifier: 'b' });
  await createEntity(app.request, 'thing', { identifier: 't', relations: { to: 'b' } });
});
afterAll(() => app.close());

/** Rows of every table, those of refused writes included. */
const rows = async () => Promise.all(tables.map(async (table) => [table, await app.count(table)]));

interface Case {
  readonly body?: unknown;
  readonly payload?: string;
  readonly status?: number;
  readonly error?: string;
  readonly at?: readonly string[];
}

/** Asks what must be refused, and looks that nothing is written: no row, no record, no job. */
async function refused(method: string, path: string, { body, payload, status = 422, error, at }: Case): Promise<void> {
  const before = await rows();
  const answer = await app.request(method, path, { body, ...(payload === undefined ? {} : { payload }) });
  const paths = Array.isArray(answer.body.details) ? issuePaths(answer.body).sort() : undefined;
  expect([answer.status, answer.body.error], JSON.stringify(answer.body)).toEqual([status, error ?? 'invalid_request']);
  if (at) expect(paths, JSON.stringify(answer.body)).toEqual([...at].sort());
  expect(answer.body.message.length).toBeGreaterThan(10);
  expect(await rows()).toEqual(before);
}

/** One more than a map of a blueprint takes. */
const keys = Array.from({ length: 501 }, (_, n) => `key${n}`);
const counted = (more: object) => ({
  aggregationProperties: {
    x: { title: 'X', target: 'base', calculationSpec: { calculationBy: 'entities', func: 'count' }, ...more },
  },
});

describe('a blueprint', () => {
  test.each<[string, object, Case]>([
    [
      'that relates to what is not there',
      { relations: { r: { target: 'nowhere' } } },
      { status: 404, error: 'not_found' },
    ],
    [
      'with a relation that is required and many',
      { relations: { r: { target: 'base', many: true, required: true } } },
      { at: ['/relations/r'] },
    ],
    [
      'with a mirror over a relation that is not there',
      { mirrorProperties: { m: { path: 'none.n' } } },
      { at: ['/mirrorProperties/m/path'] },
    ],
    ['with a mirror without an end', { mirrorProperties: { m: { path: 'n' } } }, { at: ['/mirrorProperties/m/path'] }],
    ['that counts what is not there', counted({ target: 'nowhere' }), { status: 404, error: 'not_found' }],
    [
      'that counts by no query',
      counted({ query: { combinator: 'not', rules: [] } }),
      { at: ['/aggregationProperties/x/query/combinator'] },
    ],
    [
      'owned over itself',
      { relations: { self: { target: 'new' } }, ownership: { type: 'Inherited', path: 'self' } },
      { at: ['/ownership/path'] },
    ],
    [
      'with a key for two things',
      {
        schema: { properties: { text: { type: 'string' } } },
        calculationProperties: { text: { type: 'string', calculation: '.title' } },
      },
      { at: ['/calculationProperties/text'] },
    ],
    [
      'with a property of no type',
      { schema: { properties: { p: { type: 'text' } } } },
      { at: ['/schema/properties/p/type'] },
    ],
    [
      'with a required property that is not there',
      { schema: { properties: {}, required: ['p'] } },
      { at: ['/schema/required/0'] },
    ],
    [
      'with more properties than one may have',
      { schema: { properties: Object.fromEntries(keys.map((key) => [key, { type: 'string' }])) } },
      { at: ['/schema/properties'] },
    ],
    [
      'with more relations than one may have',
      { relations: Object.fromEntries(keys.map((key) => [key, { target: 'base' }])) },
      { at: ['/relations'] },
    ],
    [
      'with a property of more values than one may have',
      { schema: { properties: { p: { type: 'string', enum: Array.from({ length: 2_001 }, (_, n) => `v${n}`) } } } },
      { at: ['/schema/properties/p/enum'] },
    ],
    ['with a name out of pattern', { identifier: 'new thing' }, { at: ['/identifier'] }],
    ['with a name that is too long', { identifier: 'x'.repeat(101) }, { at: ['/identifier'] }],
  ])('%s', async (_name, parts, expected) => {
    await refused('POST', '/v1/blueprints', { ...expected, body: { ...blueprintBody('new'), ...parts } });
    expect((await app.request('GET', '/v1/blueprints/new')).status).toBe(404);
  });

  test('whose ownership leads round over others', async () => {
    const body = { ownership: { type: 'Inherited', path: 'back' }, relations: { back: { target: 'down' } } };
    await refused('PATCH', '/v1/blueprints/up', { body, at: ['/ownership/path'] });
    const { blueprint } = (await app.request('GET', '/v1/blueprints/up')).body;
    expect([blueprint.ownership, Object.keys(blueprint.relations)]).toEqual([{ type: 'Direct' }, ['down']]);
  });

  test('whose mirrors lead round is kept, and they are null', async () => {
    const post = (body: unknown) => app.request('POST', '/v1/blueprints', { body });
    await post(blueprintBody('left', { relations: { r: { target: 'base' } } }));
    await post(blueprintBody('right', { relations: { l: { target: 'left' } } }));
    const patch = (name: string, body: unknown) => app.request('PATCH', `/v1/blueprints/${name}`, { body });
    const relations = { toward: { target: 'right' } };
    expect((await patch('left', { relations, mirrorProperties: { m: { path: 'toward.$title' } } })).status).toBe(200);
    expect((await patch('right', { mirrorProperties: { m: { path: 'l.m' } } })).status).toBe(200);
    expect((await patch('left', { mirrorProperties: { m: { path: 'toward.m' } } })).status).toBe(200);
    await createEntity(app.request, 'left', { identifier: 'x' });
    await createEntity(app.request, 'right', { identifier: 'y', relations: { l: 'x' } });
    const made = await app.request('PATCH', '/v1/blueprints/left/entities/x', { body: { relations: { toward: 'y' } } });
    expect([made.status, made.body.entity.properties]).toEqual([200, { m: null }]);
  });
});

describe('an entity', () => {
  const cases: [string, Record<string, unknown>, readonly string[]][] = [
    ['with a name out of pattern', { identifier: 'a b' }, ['/identifier']],
    ['with a name that is too long', { identifier: 'x'.repeat(1001) }, ['/identifier']],
    ['with an empty name', { identifier: '' }, ['/identifier', '/identifier']],
    ['with a name that is no text', { identifier: 5 }, ['/identifier']],
    [
      'with values of another type',
      { properties: { text: 1, n: '1', on: 'true', box: [], list: {}, at: 5 } },
      ['text', 'n', 'on', 'box', 'list', 'at'].map((key) => `/properties/${key}`),
    ],
    [
      'with values beyond their bounds',
      { properties: { text: 'longer', kind: 'c', n: 11, list: ['a', 1], link: 'no link', at: 'soon' } },
      [
        '/properties/text',
        '/properties/kind',
        '/properties/n',
        '/properties/list/1',
        '/properties/link',
        '/properties/at',
      ],
    ],
    [
      'with properties that are not there',
      { properties: { none: 1, constructor: 2 } },
      ['/properties/constructor', '/properties/none'],
    ],
    ['with a computed property', { properties: { c: 2 } }, ['/properties/c']],
    ['with relations of another shape', { relations: { to: 5, all: 5 } }, ['/relations/all', '/relations/to']],
    [
      'with a relation that is not there, beside what else is wrong',
      { properties: { c: 2 }, relations: { none: 'b' } },
      ['/properties/c', '/relations/none'],
    ],
  ];

  test('with a relation that is not there, and nothing else wrong', async () => {
    const body = { identifier: 'new', relations: { none: 'b' } };
    await refused('POST', '/v1/blueprints/thing/entities', { body, status: 404, error: 'not_found' });
  });

  test.each(cases)('%s', async (_name, parts, at) => {
    const body = { identifier: 'new', ...parts };
    const list = '/v1/blueprints/thing/entities';
    await refused('POST', list, { body, at });
    await refused('POST', `${list}?upsert=true&merge=true&create_missing_related_entities=true`, { body, at });
    await refused('PATCH', `${list}/t`, { body: { ...parts }, at });
    await refused('PUT', `${list}/t`, { body: { ...parts }, at });
    const before = await rows();
    const bulk = await app.request('POST', `${list}/bulk`, { body: { entities: [body] } });
    expect([bulk.status, bulk.body.entities, bulk.body.errors?.[0].statusCode], JSON.stringify(bulk.body)).toEqual([
      207,
      [],
      422,
    ]);
    expect(await rows()).toEqual(before);
  });

  test.each(['?upsert=true', '?upsert=true&create_missing_related_entities=true'])(
    'of which one relation is bad leaves nothing of the others (%s)',
    async (flags) => {
      const relations = { all: ['b', 'made'], to: 'not legal' };
      const path = `/v1/blueprints/thing/entities${flags}`;
      const before = await rows();
      const answer = await app.request('POST', path, { body: { identifier: 'new', relations } });
      expect([404, 422]).toContain(answer.status);
      expect(await rows()).toEqual(before);
      expect((await app.request('GET', '/v1/blueprints/base/entities/made')).status).toBe(404);
    },
  );
});

test('a character that cannot be stored refuses the whole body, wherever it is', async () => {
  const list = '/v1/blueprints/thing/entities';
  await refused('POST', list, { body: { identifier: 'new', title: 'a\u0000' }, at: ['/title'] });
  const entities = [{ identifier: 'fine' }, { identifier: 'new', title: 'a\u0000' }];
  await refused('POST', `${list}/bulk`, { body: { entities }, at: ['/entities/1/title'] });
});

describe('too much', () => {
  const list = '/v1/blueprints/thing/entities';
  const entities = (count: number) => Array.from({ length: count }, (_, index) => ({ identifier: `many${index}` }));

  test.each<[string, string, string, Case]>([
    ['21 entities', 'POST', `${list}/bulk`, { body: { entities: entities(21) }, at: ['/entities'] }],
    ['no entities', 'POST', `${list}/bulk`, { body: { entities: [] }, at: ['/entities'] }],
    [
      '101 names',
      'POST',
      '/v1/blueprints/thing/bulk/entities/delete',
      { body: { entities: entities(101).map(({ identifier }) => identifier) }, at: ['/entities'] },
    ],
  ])('%s', async (_name, method, path, expected) => {
    await refused(method, path, expected);
  });

  const large = (bytes: number, body: unknown) => {
    const whole = JSON.stringify(body);
    return whole + ' '.repeat(bytes - Buffer.byteLength(whole));
  };
  const limit = 1_048_576;
  test.each([
    ['POST', list, { identifier: 'large' }],
    ['POST', `${list}?upsert=true`, { identifier: 'large' }],
    ['PUT', `${list}/t`, { title: 'Large' }],
    ['PATCH', `${list}/t`, { title: 'Large' }],
    ['POST', `${list}/bulk`, { entities: [{ identifier: 'large' }] }],
    ['POST', '/v1/blueprints', blueprintBody('large')],
    ['PATCH', '/v1/blueprints/thing', { title: 'Large' }],
  ])('%s %s of more than 1 MiB is 413, whatever it says', async (method, path, body) => {
    const payload = large(limit + 1, body);
    await refused(method, path, { payload, status: 413, error: 'payload_too_large' });
  });

  test('of exactly 1 MiB is not', async () => {
    const payload = large(limit, { identifier: 'exact' });
    expect((await app.request('POST', list, { payload })).status).toBe(201);
  });
});
