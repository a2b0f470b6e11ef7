import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/build-test-app.ts';
import { createBlueprint, createEntity, issuePaths, searchIn } from '../../../test/catalog-fixtures.ts';

let app: TestApp;
let wide: string;
beforeAll(async () => {
  app = await createTestApp();
  const properties = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`p${index}`, { type: 'string' }]));
  wide = await createBlueprint(app.request, 'wide', { properties: { ...properties, list: { type: 'array' } } });
  await createEntity(app.request, wide, { identifier: 'x', properties: { p1: 'a%b_c\\d' } });
});
afterAll(() => app.close());

const and = (...rules: unknown[]) => ({ combinator: 'and', rules });
const or = (...rules: unknown[]) => ({ combinator: 'or', rules });
const times = (count: number, rule: (index: number) => unknown) => Array.from({ length: count }, (_, at) => rule(at));
const everywhere = (body: unknown) => app.request('POST', '/v1/entities/search', { body });
const within = (body: unknown) => app.request('POST', `/v1/blueprints/${wide}/entities/search`, { body });
const value = (index: number) => ({ property: `p${index % 100}`, operator: '=', value: `v${index}` });
const related = (index: number) => ({ operator: 'relatedTo', blueprint: '_team', value: `v${index}` });
const spanning = (index: number) => ({ propertySchema: { type: 'string' }, operator: 'contains', value: `v${index}` });
const path = { property: { path: [{ relation: '$team', maxHops: 1 }] }, operator: 'matchAny', value: 'x' };

describe('a query as large as it may be is answered, and one that is larger is refused where it is', () => {
  test.each<[string, unknown, unknown, string]>([
    ['rules', or(...times(1000, value)), or(...times(1001, value)), '/rules'],
    [
      'rules of inner groups',
      or(or(...times(499, value)), or(...times(499, value))),
      or(or(...times(600, value)), or(...times(600, value))),
      '/rules/1/rules',
    ],
    ['rules over the graph', or(...times(50, related)), or(...times(51, related)), '/rules/50'],
    ['property schemas', or(...times(50, spanning)), or(or(...times(51, spanning))), '/rules/0/rules/50'],
    ['paths', or(...times(50, () => path)), or(...times(51, () => path)), '/rules/50'],
    [
      'values of a rule',
      and({ property: 'p1', operator: 'in', value: times(10_000, String) }),
      and({ property: 'p1', operator: 'in', value: times(10_001, String) }),
      '/rules/0/value',
    ],
    [
      'a part of a text',
      and({ property: 'p1', operator: 'contains', value: 'a'.repeat(1000) }),
      and({ property: 'p1', operator: 'contains', value: 'a'.repeat(1001) }),
      '/rules/0/value',
    ],
    [
      'a part among others',
      and({ property: 'p1', operator: 'contains', value: ['a', 'a'.repeat(1000)] }),
      and({ property: 'p1', operator: 'doesNotContains', value: ['a', 'a'.repeat(1001)] }),
      '/rules/0/value',
    ],
    [
      'a name',
      and({ property: 'p'.repeat(1100), operator: 'isEmpty' }),
      and({ property: 'p'.repeat(1101), operator: 'isEmpty' }),
      '/rules/0/property',
    ],
  ])('%s', async (_what, whole, over, at) => {
    const answers = [await everywhere(whole), await within({ query: whole })];
    expect(answers.map(({ status, body }) => [status, body.message])).toEqual([
      [200, undefined],
      [200, undefined],
    ]);
    const [first, second] = [await everywhere(over), await within({ query: over })];
    expect([first.status, issuePaths(first.body)]).toEqual([422, [at]]);
    expect([second.status, issuePaths(second.body)]).toEqual([422, [`/query${at}`]]);
  });

  test('what comes to more than a statement takes', async () => {
    // longer than an index holds, so each is compared for itself, on each of a hundred properties
    const rule = { propertySchema: { type: 'string' }, operator: 'in', value: times(10, (at) => at + 'v'.repeat(300)) };
    expect((await within({ query: or(...times(20, () => rule)) })).status).toBe(200);
    const answer = await within({ query: or(...times(50, () => rule)) });
    expect([answer.status, answer.body.error]).toEqual([422, 'invalid_request']);
  });

  test('one that fills a body', async () => {
    const rules = times(100, () => ({ property: 'p1', operator: 'contains', value: times(150, () => 'v'.repeat(60)) }));
    const body = { query: or(...rules) };
    expect(JSON.stringify(body).length).toBeGreaterThan(900_000);
    expect((await within(body)).status).toBe(200);
    const whole = JSON.stringify(body);
    const answer = await app.request('POST', `/v1/blueprints/${wide}/entities/search`, {
      payload: whole + ' '.repeat(1_048_577 - whole.length),
    });
    expect([answer.status, answer.body.error]).toEqual([413, 'payload_too_large']);
  });

  test.each([
    [
      'values',
      `{"combinator":"and","rules":[{"property":"a","operator":"=","value":${'['.repeat(9e4)}${']'.repeat(9e4)}}]}`,
    ],
    ['groups', `${'{"combinator":"and","rules":['.repeat(9_000)}${']}'.repeat(9_000)}`],
  ])('one that is nested without an end, in %s', async (_what, payload) => {
    const answer = await app.request('POST', '/v1/entities/search', { payload });
    expect([answer.status, answer.body.error]).toEqual([422, 'invalid_request']);
  });
});

describe('a part of a text', () => {
  test.each([
    ['contains', '%', true],
    ['contains', '%b_', true],
    ['contains', 'a_b', false],
    ['contains', '_', true],
    ['contains', '\\', true],
    ['contains', '\\d', true],
    ['contains', 'A%B', true],
    ['beginsWith', 'a%', true],
    ['beginsWith', '%', false],
    ['endsWith', '\\d', true],
    ['endsWith', '_', false],
    ['contains', '.*', false],
    ['contains', '(a+)+$', false],
  ])('%s %j is taken as it is written', async (operator, part, isFound) => {
    const found = await searchIn(app.request, wide, { property: 'p1', operator, value: part });
    expect(found).toEqual(isFound ? ['x'] : []);
    const listed = operator === 'contains' ? [part, 'not there'] : part;
    expect(await searchIn(app.request, wide, { property: 'p1', operator, value: listed })).toEqual(
      isFound ? ['x'] : [],
    );
  });

  test('that nearly fits everywhere is looked for in time', async () => {
    const long = await createBlueprint(app.request, 'long', { properties: { text: { type: 'string' } } });
    await createEntity(app.request, long, { identifier: 'x', properties: { text: 'a'.repeat(200_000) } });
    for (const [operator, part] of [
      ['contains', `${'a'.repeat(999)}b`],
      ['contains', `b${'a'.repeat(999)}`],
      ['endsWith', `${'a'.repeat(999)}b`],
      ['contains', '%_'.repeat(500)],
    ]) {
      expect(await searchIn(app.request, long, { property: 'text', operator, value: part })).toEqual([]);
    }
  });
});

describe('422 with every path', () => {
  const inOne: [unknown, string[]][] = [
    [{ relation: 'to', operator: '>', value: 1 }, ['/operator']],
    [{ relation: '', operator: '=', value: 1 }, ['/relation']],
    [{ relation: 'to', targetProperty: '$team', operator: '=', value: 'x' }, ['/targetProperty']],
    [{ relation: 'to', operator: 'isEmpty', value: 'x' }, ['/value']],
    [{ scorecard: 5, operator: '=', value: 'x' }, ['/scorecard']],
    [{ scorecard: 's', scorecardRule: '', operator: '=', value: 'x' }, ['/scorecardRule']],
  ];
  const anywhere: [unknown, string[]][] = [
    [{ property: { path: [] }, operator: 'matchAny', value: 'x' }, ['/property/path']],
    [
      { property: { path: [{ relation: 'a', maxHops: 16 }] }, operator: 'matchAny', value: 'x' },
      ['/property/path/0/maxHops'],
    ],
    [
      { property: { path: ['a', { relation: 'a', maxHops: 0 }] }, operator: 'matchAny', value: 'x' },
      ['/property/path/1/maxHops'],
    ],
    [
      {
        property: {
          path: [
            { relation: 'a', maxHops: 1 },
            { relation: 'b', maxHops: 1 },
          ],
        },
        operator: 'matchAny',
        value: 'x',
      },
      ['/property/path'],
    ],
    [{ property: { path: ['a'] }, operator: '=', value: 'x' }, ['/property']],
    [{ property: { path: ['a'] }, operator: 'matchAny', value: 5 }, ['/value']],
    [{ property: { path: ['a'], from: 'x' }, operator: 'matchAny', value: 'x' }, ['/property']],
    [{ propertySchema: { type: 'text' }, operator: '=', value: 'x' }, ['/propertySchema/type']],
    [{ propertySchema: { type: 'string' }, operator: 'between', value: { preset: 'today' } }, ['/operator', '/value']],
    [{ property: { context: 'me', property: 'a' }, operator: '=', value: 'x' }, ['/property']],
    [{ property: 'a', operator: '=', value: 'x\u0000' }, ['/value']],
    [{ property: 'a', operator: 'in', value: ['x', { a: 1 }] }, ['/value']],
    [{ property: 7, operator: '=', value: 1 }, ['/property']],
    [{ property: null, operator: '=', value: 1 }, ['/property']],
    [{ operator: 'relatedTo', blueprint: '', value: 7, required: 'yes' }, ['/blueprint', '/required', '/value']],
  ];
  /** Where a member is one of several forms, the path leads to it or further in. */
  const leadsTo = (paths: string[], at: string, expected: string[]) => {
    for (const one of expected)
      expect(
        paths.some((each) => each.startsWith(at + one)),
        `${paths}: ${one}`,
      ).toBe(true);
    for (const each of paths)
      expect(
        expected.some((one) => each.startsWith(at + one)),
        each,
      ).toBe(true);
  };

  test.each(anywhere)('%j', async (rule, paths) => {
    const answers = [await everywhere(and(rule)), await within({ query: and(rule) })];
    expect(answers.map(({ status }) => status)).toEqual([422, 422]);
    leadsTo(issuePaths(answers[0]?.body), '/rules/0', paths);
    leadsTo(issuePaths(answers[1]?.body), '/query/rules/0', paths);
  });

  test.each(inOne)('in one blueprint: %j', async (rule, paths) => {
    const answer = await within({ query: and(rule) });
    expect(answer.status).toBe(422);
    leadsTo(issuePaths(answer.body), '/query/rules/0', paths);
  });

  test.each([
    [{ sort: [{ property: 'nothing' }] }, '/sort/0/property'],
    [{ sort: [{ property: 'p1' }, { property: 'list' }] }, '/sort/1/property'],
    [{ sort: [{ property: 'p1', order: 'up' }] }, '/sort/0/order'],
    [{ sort: times(4, () => ({ property: 'p1' })) }, '/sort'],
    [{ sort: 'p1' }, '/sort'],
    [{ include: 'p1' }, '/include'],
    [{ from: 5 }, '/from'],
  ])('beside the query: %j', async (body, at) => {
    const answer = await within(body);
    expect([answer.status, issuePaths(answer.body)]).toEqual([422, [at]]);
  });
});
