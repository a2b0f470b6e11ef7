import { expect, test } from 'vitest';
import type { Field } from '../entities/fields.ts';
import { ruleForValue } from '../entities/operators.ts';
import { blueprintsOn, filterFields, readRules, toPageFilters, withRule } from './reader-filters.ts';
import { pageQueries } from './widget-shape.ts';

const field = (key: string, more: Partial<Field> = {}): Field => ({
  key,
  title: key,
  source: 'property',
  shape: { type: 'string', enum: ['beta', 'production'] },
  isRequired: false,
  ...more,
});
const relation = field('domain', { source: 'relation', shape: { type: 'string' }, target: 'domain', isMany: false });
const meta = field('$team', { source: 'meta', shape: { type: 'array', items: { type: 'string' } } });
const all = new Map([
  ['service', [meta, field('lifecycle'), relation]],
  ['deployment', [meta, field('lifecycle', { shape: { type: 'object' } }), field('domain')]],
]);
const inProduction = { property: 'lifecycle', operator: 'in', value: ['production'] };

test('only rules are read from an address, and not more than a page can bear', () => {
  const odd = [
    null,
    7,
    'x',
    {},
    { property: 'a' },
    { property: 1, operator: '=' },
    { property: 'a', operator: 'constructor' },
  ];
  expect(readRules([...odd, inProduction, { property: 'a', relation: 'b', operator: '=' }])).toEqual([inProduction]);
  expect(readRules('lifecycle')).toEqual([]);
  expect(readRules(Array.from({ length: 10_000 }, () => inProduction))).toHaveLength(20);
});

test('the blueprints of a page are found in boards, tabs, tables and lines', () => {
  const dataset = { combinator: 'and', rules: [{ property: '$blueprint', operator: '=', value: 'cluster' }] };
  const widgets = [
    {
      type: 'dashboard-widget',
      widgets: [
        { blueprint: 'service' },
        { dataset },
        { type: 'grouper', groups: [{ widgets: [{ blueprint: 'incident' }] }] },
        { blueprintConfig: { $custom_1: { targetBlueprint: 'deployment' } } },
        { lines: [{ blueprint: 'service' }, { blueprint: 'cost' }] },
      ],
    },
  ];
  expect(blueprintsOn(widgets)).toEqual(['service', 'cluster', 'incident', 'deployment', 'cost']);
});

test('a filter narrows the widgets that have its property as it is meant, and no others', () => {
  const context = (rule: typeof inProduction) => ({
    draw: () => null,
    page: 'p',
    pageFilters: toPageFilters([rule], all),
  });
  expect(pageQueries(context(inProduction), 'service')).toEqual([{ combinator: 'and', rules: [inProduction] }]);
  // an object of the same name has no such values
  expect(pageQueries(context(inProduction), 'deployment')).toEqual([]);
  expect(toPageFilters([{ relation: 'domain', operator: 'in', value: ['a'] }], all)).toMatchObject([
    { query: { blueprint: 'service' } },
  ]);
  expect(toPageFilters([{ property: '$team', operator: 'in', value: ['sre'] }], all)).toHaveLength(2);
});

test('readers are offered each field once, those of the model first', () => {
  expect(filterFields(all).map(({ key }) => key)).toEqual(['lifecycle', 'domain', '$team']);
});

test('a value that is chosen in a chart replaces the filter by the same property', () => {
  const service = all.get('service') ?? [];
  const [, lifecycle, domain] = service as [Field, Field, Field];
  const production = ruleForValue(lifecycle, 'production');
  expect(production).toEqual(inProduction);
  expect(ruleForValue(domain, 'freight')).toEqual({ relation: 'domain', operator: 'in', value: ['freight'] });
  expect(ruleForValue(meta, null)).toEqual({ property: '$team', operator: 'isEmpty' });
  expect(ruleForValue(field('live', { shape: { type: 'boolean' } }), true)).toEqual({
    property: 'live',
    operator: '=',
    value: true,
  });
  const other = ruleForValue(domain, 'freight');
  expect(withRule(withRule([production], other), ruleForValue(lifecycle, 'beta'))).toEqual([
    { property: 'lifecycle', operator: 'in', value: ['beta'] },
    other,
  ]);
});
