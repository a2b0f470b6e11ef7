import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/build-test-app.ts';
import { createBlueprint, type Entity } from '../../../test/catalog-fixtures.ts';
import { rounds } from '../../../test/rounds.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

type Values = Readonly<Record<string, unknown>>;
interface Condition {
  readonly property?: string;
  readonly relation?: string;
  readonly operator: string;
  readonly value?: unknown;
}
interface Query {
  readonly combinator: 'and' | 'or';
  readonly conditions: readonly Condition[];
}
interface Card {
  readonly identifier: string;
  readonly title: string;
  readonly filter?: Query;
  readonly rules: readonly { readonly identifier: string; readonly level: string; readonly query: Query }[];
}

/** The rules of catalog semantics §1.9 and §3.3 once more, in the plainest words, without a look at the product. */
function naiveHolds(given: Values, { property, relation, operator, value: sought }: Condition): boolean {
  const value = given[property ?? relation ?? ''] ?? null;
  const isNothing = value === null || value === '' || (Array.isArray(value) && value.length === 0);
  if (operator === 'isEmpty') return isNothing;
  if (operator === 'isNotEmpty') return !isNothing;
  if (operator === '!=')
    return !naiveHolds(given, { property: property ?? relation ?? '', operator: '=', value: sought });
  if (operator === 'doesNotContains') {
    return !naiveHolds(given, { property: property ?? relation ?? '', operator: 'contains', value: sought });
  }
  if (value === null) return false;
  if (operator === '=') return JSON.stringify(value) === JSON.stringify(sought);
  if (operator === 'contains') {
    if (Array.isArray(value)) return value.indexOf(sought) >= 0;
    return String(value).toUpperCase().split(String(sought).toUpperCase()).length > 1;
  }
  if (operator === 'in') {
    const list = sought as unknown[];
    return list.some((each) => (Array.isArray(value) ? value.indexOf(each) >= 0 : each === value));
  }
  if (typeof value !== 'number') return false;
  return { '>': value > Number(sought), '<=': value <= Number(sought) }[operator as '>'] ?? false;
}

function naivePasses(given: Values, { combinator, conditions }: Query): boolean {
  const failed = conditions.filter((condition) => !naiveHolds(given, condition)).length;
  return combinator === 'and' ? failed === 0 : failed < conditions.length;
}

function naiveResults(given: Values, cards: readonly Card[]): Values {
  const results: Record<string, unknown> = {};
  for (const { identifier, filter, rules } of cards) {
    if (filter && !naivePasses(given, filter)) continue;
    let level = 'Basic';
    let isStopped = false;
    for (const next of ['Bronze', 'Silver', 'Gold']) {
      const its = rules.filter((rule) => rule.level === next);
      if (its.some(({ query }) => !naivePasses(given, query))) isStopped = true;
      if (!isStopped && its.length > 0) level = next;
    }
    results[identifier] = {
      level,
      rules: rules.map((rule) => ({
        identifier: rule.identifier,
        status: naivePasses(given, rule.query) ? 'SUCCESS' : 'FAILURE',
        level: rule.level,
      })),
    };
  }
  return results;
}

const word = fc.constantFrom('a', 'b', 'Ab', 'ba');
const number = fc.integer({ min: 0, max: 3 });
const entityValues = fc.record(
  {
    text: fc.option(fc.oneof(word, fc.constant(''))),
    count: fc.option(number),
    list: fc.option(fc.uniqueArray(word, { maxLength: 3 })),
    link: fc.option(fc.constantFrom('t1', 't2')),
  },
  { requiredKeys: [] },
);
const condition: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({
    property: fc.constantFrom('text', 'count', 'list', 'twice'),
    operator: fc.constantFrom('isEmpty', 'isNotEmpty'),
  }),
  fc.record({ relation: fc.constant('link'), operator: fc.constantFrom('isEmpty', 'isNotEmpty') }),
  fc.record({
    relation: fc.constant('link'),
    operator: fc.constantFrom('=', '!='),
    value: fc.constantFrom('t1', 't2'),
  }),
  fc.record({
    property: fc.constantFrom('text', 'list'),
    operator: fc.constantFrom('contains', 'doesNotContains'),
    value: word,
  }),
  fc.record({
    property: fc.constantFrom('text', 'list'),
    operator: fc.constant('in'),
    value: fc.array(word, { maxLength: 2 }),
  }),
  fc.record({ property: fc.constant('text'), operator: fc.constantFrom('=', '!='), value: word }),
  fc.record({
    property: fc.constantFrom('count', 'seen'),
    operator: fc.constantFrom('=', '!=', '>', '<='),
    value: number,
  }),
);
const query: fc.Arbitrary<Query> = fc.record({
  combinator: fc.constantFrom('and', 'or'),
  conditions: fc.array(condition, { minLength: 1, maxLength: 3 }),
});
const card = (identifier: string): fc.Arbitrary<Card> =>
  fc
    .record({
      filter: fc.option(query, { nil: undefined }),
      rules: fc.array(fc.record({ level: fc.constantFrom('Bronze', 'Silver', 'Gold'), query }), { maxLength: 4 }),
    })
    .map(({ filter, rules }) => ({
      identifier,
      title: identifier,
      ...(filter ? { filter } : {}),
      rules: rules.map((rule, index) => ({ identifier: `r${index}`, title: `r${index}`, ...rule })),
    }));
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ entity: fc.constantFrom('e1', 'e2', 'e3'), values: entityValues }) },
  { weight: 2, arbitrary: fc.constantFrom('s1', 's2').chain((name) => card(name).map((put) => ({ put }))) },
  { weight: 1, arbitrary: fc.constantFrom('s1', 's2').map((drop) => ({ drop })) },
  { weight: 1, arbitrary: fc.record({ target: fc.constantFrom('t1', 't2'), seen: number }) },
);

describe('results after any history of writes and changes of scorecards', () => {
  test('are those of a plain evaluation of what is stored now', async () => {
    const { request } = app;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
        const target = await createBlueprint(request, 'target', { properties: { seen: { type: 'number' } } });
        const blueprint = await createBlueprint(request, 'subject', {
          properties: { text: { type: 'string' }, count: { type: 'number' }, list: { type: 'array' } },
          relations: { link: { target, required: false, many: false } },
          mirrorProperties: { seen: { path: 'link.seen' } },
          calculationProperties: { twice: { calculation: '.properties.text', type: 'string' } },
        });
        const ok = async (method: string, path: string, body?: unknown) => {
          const answer = await request(method, path, body === undefined ? {} : { body });
          expect([200, 201], JSON.stringify(answer.body)).toContain(answer.status);
        };
        for (const identifier of ['t1', 't2']) await ok('POST', `/v1/blueprints/${target}/entities`, { identifier });
        const cards = new Map<string, Card>();
        const path = `/v1/blueprints/${blueprint}/scorecards`;
        for (const each of steps) {
          if ('entity' in each) {
            const { link, ...properties } = each.values;
            const body = { identifier: each.entity, properties, relations: link === undefined ? {} : { link } };
            await ok('POST', `/v1/blueprints/${blueprint}/entities?upsert=true`, body);
          } else if ('target' in each) {
            await ok('PATCH', `/v1/blueprints/${target}/entities/${each.target}`, { properties: { seen: each.seen } });
          } else if ('put' in each) {
            const known = cards.has(each.put.identifier);
            await ok(known ? 'PUT' : 'POST', known ? `${path}/${each.put.identifier}` : path, each.put);
            cards.set(each.put.identifier, each.put);
          } else if (cards.delete(each.drop)) await ok('DELETE', `${path}/${each.drop}`);
        }
        const { entities } = (await request('GET', `/v1/blueprints/${blueprint}/entities`)).body;
        for (const entity of entities as (Entity & { scorecards: unknown })[]) {
          const given = { ...entity.properties, ...entity.relations };
          expect(entity.scorecards ?? {}).toEqual(naiveResults(given, [...cards.values()]));
        }
      }),
      { numRuns: rounds(12) },
    );
  });
});
