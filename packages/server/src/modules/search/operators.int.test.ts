import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/build-test-app.ts';
import { createBlueprint, createEntity, type Entity } from '../../../test/catalog-fixtures.ts';
import { matches, type NaiveQuery } from '../../../test/naive-search.ts';
import { rounds } from '../../../test/rounds.ts';

let app: TestApp;
let target: string;
beforeAll(async () => {
  app = await createTestApp();
  target = await createBlueprint(app.request, 'target');
  for (const identifier of ['t1', 't2', 't3']) await createEntity(app.request, target, { identifier });
  for (const identifier of ['red', 'blue']) await createEntity(app.request, '_team', { identifier });
});
afterAll(() => app.close());

const word = fc.oneof(
  fc.constantFrom('', 'a', 'A', 'ab', 'Ab', 'b%', '_', 'a\\b', "it's", '50%', 'null', '1', 'true', '{"a":1}', '?x'),
  fc.string({ maxLength: 3, unit: fc.constantFrom('a', 'B', '%', '_', '\\', ' ', '"') }),
);
const number = fc.constantFrom(0, 1, -1, 2.5, 1e21, -1e-7, Number.MAX_SAFE_INTEGER);
const moment = fc.constantFrom(
  '2026-01-15T09:00:00Z',
  '2026-01-15T11:00:00+02:00',
  '2026-01-15 09:00:00.500Z',
  '2026-01-14t23:59z',
  '2024-02-29T00:00:00Z',
  '2023-02-29T00:00:00Z',
  '2026-02-30T00:00:00Z',
  '1900-02-29T00:00:00Z',
  '2000-02-29T00:00:00.123456789Z',
  '2026-04-31T00:00:00Z',
  '2026-13-01T00:00:00Z',
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59-15:59',
  '2026-01-15T09:00:00+16:00',
  '2026-01-15T24:00:00Z',
  '2026-01-15T09:00:60Z',
  '2026-01-15',
  '2026-01-15T09:00:00',
  '٢٠٢٦-01-15T09:00:00Z',
);
const scalar = fc.oneof(word, number, fc.boolean());
const item = fc.oneof(scalar, fc.constant(null), fc.constant({ a: 1 }));
const orNothing = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { freq: 3 });

const entity = fc.record({
  title: orNothing(word),
  icon: orNothing(word),
  team: fc.subarray(['red', 'blue', 'ghost']),
  properties: fc.record({
    text: orNothing(fc.oneof(word, moment)),
    number: orNothing(number),
    flag: orNothing(fc.boolean()),
    list: orNothing(fc.array(item, { maxLength: 3 })),
    object: orNothing(fc.record({ env: item, 'a.b': item }, { requiredKeys: [] })),
    when: orNothing(moment),
  }),
  relations: fc.record({ one: orNothing(fc.constantFrom('t1', 't2')), many: fc.subarray(['t1', 't2', 't3']) }),
});

const values = [
  'text',
  'number',
  'flag',
  'list',
  'object',
  'when',
  'one',
  'many',
  'object.env',
  'object.a.b',
  'name',
  'unknown',
];
const metas = ['$identifier', '$title', '$icon', '$team', '$blueprint', '$createdAt', '$updatedBy', '$unknown'];
const property = fc.constantFrom(...values, ...metas);
/** Moments are equal when they are one instant, however written: the order rules below compare them. */
const notMoment = fc.constantFrom(...[...values, ...metas].filter((name) => name !== 'when' && name !== '$createdAt'));
const sought = fc.oneof(scalar, moment, fc.constantFrom('t1', 't2', 'red', 'ghost', 'e0', '2026-01-15T09:00:00.000Z'));
const iso = fc.constantFrom(
  '2026-01-15T09:00:00Z',
  '2026-01-14T23:59:00Z',
  '2026-01-15T11:00:00+02:00',
  '1999-01-01T00:00:00Z',
);
const range = fc.tuple(iso, iso).map(([from, to]) => ({ from, to }));

const rule = fc.oneof(
  fc
    .record({
      property: notMoment,
      operator: fc.constantFrom('=', '!='),
      value: fc.oneof(sought, fc.constant(null), fc.array(item, { maxLength: 2 }), range),
    })
    .filter(
      ({ operator, value }) => !(operator === '!=' && typeof value === 'object' && value !== null && 'from' in value),
    )
    .filter(({ value }) => !(Array.isArray(value) && value.some((each) => typeof each === 'object' && each !== null))),
  fc.record({ property: notMoment, operator: fc.constantFrom('contains', 'doesNotContains'), value: sought }),
  fc.record({
    property: notMoment,
    operator: fc.constantFrom('in', 'notIn', 'containsAny'),
    value: fc.array(sought, { maxLength: 3 }),
  }),
  fc.record({
    property: notMoment,
    operator: fc.constantFrom('beginsWith', 'doesNotBeginsWith', 'endsWith', 'doesNotEndsWith'),
    value: word,
  }),
  fc.record({ property, operator: fc.constantFrom('>', '>=', '<', '<='), value: fc.oneof(number, iso) }),
  fc.record({ property, operator: fc.constantFrom('between', 'notBetween'), value: range }),
  fc.record({ property, operator: fc.constantFrom('isEmpty', 'isNotEmpty') }),
);
const { query } = fc.letrec<{ query: NaiveQuery }>((tie) => ({
  query: fc.record({
    combinator: fc.constantFrom('and' as const, 'or' as const),
    rules: fc.array(fc.oneof({ depthSize: 'small', withCrossShrink: true }, rule, tie('query')), { maxLength: 3 }),
  }),
}));

async function stock(entities: readonly object[]): Promise<{ blueprint: string; stored: Entity[] }> {
  const blueprint = await createBlueprint(app.request, 'stock', {
    properties: {
      text: { type: 'string' },
      number: { type: 'number' },
      flag: { type: 'boolean' },
      list: { type: 'array' },
      object: { type: 'object' },
      when: { type: 'string' },
    },
    relations: { one: { target }, many: { target, many: true } },
    mirrorProperties: { name: { path: 'one.$identifier' } },
  });
  for (let start = 0; start < entities.length; start += 20) {
    const items = entities
      .slice(start, start + 20)
      .map((each, index) => ({ identifier: `e${start + index}`, ...each }));
    const answer = await app.request('POST', `/v1/blueprints/${blueprint}/entities/bulk`, {
      body: { entities: items },
    });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  }
  const { body } = await app.request('GET', `/v1/blueprints/${blueprint}/entities`);
  return { blueprint, stored: body.entities };
}

const named = (entities: readonly Entity[]) => entities.map(({ identifier }) => identifier);

describe('every operator', () => {
  test('answers what the truth table says, on any value, in any nesting, in both searches', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(entity, { minLength: 20, maxLength: 20 }),
        fc.array(query, { minLength: 60, maxLength: 60 }),
        async (entities, queries) => {
          const { blueprint, stored } = await stock(entities);
          for (const asked of queries) {
            const expected = named(stored.filter((each) => matches(each, asked)));
            const one = await app.request('POST', `/v1/blueprints/${blueprint}/entities/search`, {
              body: { query: asked },
            });
            expect([one.status, one.body.message]).toEqual([200, undefined]);
            expect(named(one.body.entities), JSON.stringify(asked)).toEqual(expected);
            const narrowed = {
              combinator: 'and',
              rules: [{ property: '$blueprint', operator: '=', value: blueprint }, asked],
            };
            const all = await app.request('POST', '/v1/entities/search', { body: narrowed });
            expect(named(all.body.entities), JSON.stringify(asked)).toEqual(expected);
          }
        },
      ),
      // the same queries on every run; another seed explores others
      { numRuns: rounds(2), seed: Number(process.env['PORTOLAN_SEARCH_SEED'] ?? 20_261_121), endOnFailure: true },
    );
  }, 120_000);

  test('finds an unset relation of many equal to no entities', async () => {
    const entities = [{ relations: {} }, { relations: { many: [] } }, { relations: { many: ['t1'] } }];
    const { blueprint, stored } = await stock(entities);
    const asked = (operator: string, value: unknown) => ({
      combinator: 'and' as const,
      rules: [{ property: 'many', operator, value }],
    });
    for (const [query, expected] of [
      [asked('=', []), ['e0', 'e1']],
      [asked('!=', []), ['e2']],
      [asked('=', null), ['e0', 'e1']],
      [asked('=', ['t1']), ['e2']],
      [asked('!=', ['t1']), ['e0', 'e1']],
    ] as const) {
      const one = await app.request('POST', `/v1/blueprints/${blueprint}/entities/search`, { body: { query } });
      expect(named(one.body.entities), JSON.stringify(query)).toEqual(expected);
      expect(named(stored.filter((each) => matches(each, query))), 'the truth table').toEqual(expected);
    }
  });
});
