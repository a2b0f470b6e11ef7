import type { Blueprint } from '@portolan/contract/blueprints';
import { expect, test } from 'vitest';
import { defaultColumns, fieldValue, isSortable, listFields } from './fields.ts';
import { firstRule } from './first-rule.ts';
import { completed, joined, listOperators, ruleText, toRule } from './operators.ts';
import { toCsv, toCsvText } from './to-csv.ts';
import { configOfView, viewOfConfig } from './view-state.ts';

const blueprint = {
  identifier: 'service',
  title: 'Service',
  schema: {
    properties: {
      lifecycle: { type: 'string', title: 'Lifecycle', enum: ['beta', 'production'] },
      launched: { type: 'string', format: 'date-time' },
      tags: { type: 'array', items: { type: 'string' } },
      config: { type: 'object' },
      until: { type: 'string', format: 'timer' },
    },
    required: ['lifecycle'],
  },
  calculationProperties: { risk: { type: 'string', calculation: '"x"', title: 'Risk' } },
  mirrorProperties: { tier: { path: 'domain.tier' } },
  aggregationProperties: {},
  relations: {
    domain: { target: 'domain', required: true, many: false, title: 'Domain' },
    uses: { target: 'service', required: false, many: true },
  },
  ownership: { type: 'Direct', title: 'Owned by' },
} as unknown as Blueprint;
const fields = listFields(blueprint, [
  { identifier: 'ready', title: 'Ready', levels: [{ title: 'Gold', color: 'gold' }] },
]);
const field = (key: string) => fields.find((each) => each.key === key) as (typeof fields)[number];

test('the columns that nobody arranged are title, owner, telling properties, a relation and the last change', () => {
  expect(defaultColumns(fields)).toEqual(['$title', '$team', 'lifecycle', 'launched', 'tags', 'domain', '$updatedAt']);
  expect(field('$team').title).toBe('Owned by');
});

test('what has no order is not sorted by', () => {
  expect(['lifecycle', 'domain', 'launched'].every((key) => isSortable(field(key)))).toBe(true);
  expect(['tags', 'config', 'uses', '$team', 'ready'].some((key) => isSortable(field(key)))).toBe(false);
});

test('a value is found where its kind of field keeps it, and an empty list is none', () => {
  const entity = {
    title: 'A',
    team: [],
    properties: { lifecycle: 'beta' },
    relations: { domain: 'x' },
    scorecards: { ready: { level: 'Gold' } },
  };
  expect(
    ['$title', '$team', 'lifecycle', 'domain', 'ready', 'tags'].map((key) => fieldValue(entity, field(key))),
  ).toEqual(['A', undefined, 'beta', 'x', 'Gold', undefined]);
});

test('a relation and a mirror of one key are two fields, each with its own value and rule', () => {
  const shared = listFields({ ...blueprint, mirrorProperties: { domain: { path: 'domain.$title' } } } as Blueprint);
  const entity = { properties: { domain: 'Payments' }, relations: { domain: 'pay' } };
  const both = shared.filter(({ key }) => key.endsWith('domain'));
  expect(both.map((each) => [each.key, fieldValue(entity, each)])).toEqual([
    ['relations.domain', 'pay'],
    ['domain', 'Payments'],
  ]);
  expect(both.map((each) => toRule(each, 'in', ['x']))).toMatchObject([{ relation: 'domain' }, { property: 'domain' }]);
});

test('a mirror is shown as what it mirrors, along relations, through other mirrors, and as a list over many', () => {
  const none = { calculationProperties: {}, aggregationProperties: {}, mirrorProperties: {}, relations: {} };
  const domain = {
    ...none,
    identifier: 'domain',
    schema: { properties: { readme: { type: 'string', format: 'markdown' }, tier: { type: 'number' } } },
    aggregationProperties: { services: {} },
    mirrorProperties: { note: { path: 'lead.note' } },
    relations: { lead: { target: 'person', many: false } },
  };
  const person = {
    ...none,
    identifier: 'person',
    schema: {
      properties: { note: { type: 'string', format: 'url' }, tags: { type: 'array', items: { type: 'string' } } },
    },
  };
  const paths = {
    readme: 'domain.readme',
    born: 'domain.$createdAt',
    note: 'domain.note',
    count: 'domain.services',
    tiers: 'uses.domain.tier',
    leadTags: 'uses.domain.lead.tags',
    lost: 'nowhere.x',
  };
  const mirrorProperties = Object.fromEntries(Object.entries(paths).map(([key, path]) => [key, { path }]));
  const service = { ...blueprint, mirrorProperties } as unknown as Blueprint;
  const others = [service, domain, person] as unknown as Blueprint[];
  const shown = (all: ReturnType<typeof listFields>) =>
    Object.fromEntries(Object.keys(paths).map((key) => [key, all.find((each) => each.key === key)?.shown]));
  expect(shown(listFields(service, [], others))).toEqual({
    readme: { type: 'string', format: 'markdown' },
    born: { type: 'string', format: 'date-time' },
    note: { type: 'string', format: 'url' },
    count: { type: 'number' },
    tiers: { type: 'array', items: { type: 'number' } },
    leadTags: { type: 'array', items: { type: 'string' } },
    lost: undefined,
  });
  // without the other blueprints, as they are on their way
  expect(Object.values(shown(listFields(service))).every((each) => each === undefined)).toBe(true);
});

test('each kind of field has the operators that make sense for it', () => {
  expect(listOperators(field('until'))[0]).toBe('isExpired');
  expect(listOperators(field('uses'))).toEqual(['containsAny', 'isEmpty', 'isNotEmpty']);
  expect(listOperators(field('launched'))).not.toContain('contains');
  expect(listOperators(field('config'))).toEqual(['isEmpty', 'isNotEmpty']);
  expect(toRule(field('ready'), 'in', ['Gold'])).toEqual({ scorecard: 'ready', operator: 'in', value: ['Gold'] });
  expect(toRule(field('domain'), 'isEmpty', 'x')).toEqual({ relation: 'domain', operator: 'isEmpty' });
});

test('unfinished rules and empty groups are not asked, false and zero are', () => {
  const query = {
    combinator: 'or',
    rules: [
      { property: 'a', operator: '=', value: '' },
      { property: 'b', operator: '=', value: false },
      { property: 'c', operator: '>', value: 0 },
      { property: 'd', operator: 'in', value: [] },
      { property: 'e', operator: 'isEmpty' },
      { combinator: 'and', rules: [{ property: 'f', operator: 'contains' }] },
    ],
  } as const;
  expect(completed(query).rules.map((rule) => (rule as { property?: string }).property)).toEqual(['b', 'c', 'e']);
  expect(joined([undefined, { combinator: 'and', rules: [] }])).toBeUndefined();
});

test('a rule is read aloud as a sentence, one that is not understood as what it is', () => {
  const text = (rule: object) => ruleText(rule as never, fields, String);
  expect(text({ property: 'lifecycle', operator: 'in', value: ['beta', 'x', 'y'] })).toBe(
    'Lifecycle is any of beta, x +1',
  );
  expect(text({ property: 'launched', operator: 'between', value: { preset: 'lastWeek' } })).toBe(
    'launched is within the last 7 days',
  );
  expect(text({ operator: 'relatedTo', blueprint: 'x', value: 'y' })).toContain('relatedTo');
});

test('text that a spreadsheet would compute stays text, and quotes are doubled', () => {
  const rows = [{ title: '=HYPERLINK("x")', properties: { tags: ['a', 'b'], lifecycle: 'x' } }];
  expect(toCsv(rows, [field('$title'), field('tags'), field('lifecycle')])).toBe(
    'Title,tags,Lifecycle\r\n"\'=HYPERLINK(""x"")","a, b",x',
  );
});

test('a view that a page keeps comes back as it was, and any other shape does no harm', () => {
  const view = {
    filter: { combinator: 'and', rules: [{ property: 'lifecycle', operator: 'isEmpty' }] },
    sort: { property: '$title', order: 'desc' },
    group: 'domain',
    columns: ['$title', 'tags'],
  } as const;
  expect(viewOfConfig(configOfView(view, fields), fields)).toEqual(view);
  for (const config of [
    undefined,
    null,
    'x',
    [],
    {
      filterSettings: 3,
      sortSettings: { sortBy: 'x' },
      groupSettings: { groupBy: [{}] },
      propertiesSettings: { order: [1, 'gone'] },
    },
  ]) {
    expect(viewOfConfig(config, fields).columns?.[0]).toBe('$title');
  }
});

test.each(['=1+1', '+1', '-1', '@a', '\t=1', '\r=1', '\n=1', '＝1', '＋1', '－1', '＠a'])(
  'a spreadsheet runs no cell that begins as %j',
  (text) => {
    expect(toCsvText([[text]]).replace(/^"/, '')).toMatch(/^'/);
  },
);

test('a filter begins with a rule that filters nothing yet', () => {
  const [config, until, tags] = [field('config'), field('until'), field('tags')];
  for (const first of [fields, [config, until, tags]]) {
    expect([firstRule(first).length, completed({ combinator: 'and', rules: firstRule(first) }).rules]).toEqual([1, []]);
  }
  expect(firstRule([config, until])).toEqual([]);
});
