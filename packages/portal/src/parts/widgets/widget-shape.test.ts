import { expect, test } from 'vitest';
import {
  blueprintOf,
  conditionMet,
  figureText,
  listOf,
  mapOf,
  overBlueprints,
  pageQueries,
  propertyOf,
  queryOf,
  textOf,
  textsOf,
  withinBlueprint,
} from './widget-shape.ts';

const about = { property: '$blueprint', operator: '=', value: 'service' };

test('a dataset is a query or a bare list of rules, and names its blueprint', () => {
  expect(queryOf([about])).toEqual({ combinator: 'and', rules: [about] });
  expect(blueprintOf({ dataset: [about] })).toBe('service');
  expect(blueprintOf({ dataset: { combinator: 'and', rules: 'x' } })).toBeUndefined();
  expect(overBlueprints(queryOf([about]), 'service')).toEqual({ combinator: 'and', rules: [about] });
});

test('what a dataset asks for as one of several is never asked for as all of them', () => {
  const tier = { property: 'tier', operator: '=', value: 'gold' };
  const either = { combinator: 'or' as const, rules: [about, tier] };
  expect(queryOf(either)).toEqual(either);
  expect(withinBlueprint(either)).toEqual(either);
  expect(overBlueprints(either, 'service')).toEqual({ combinator: 'and', rules: [about, either] });
  expect(pageQueries({ draw: () => null, page: 'p', pageFilters: [{ query: either }] }, 'service')).toEqual([either]);
  expect(queryOf({ combinator: 'neither', rules: [tier] })).toEqual({ combinator: 'and', rules: [tier] });
});

test('within a blueprint only the rule that names it is left out', () => {
  const others = [
    { property: '$blueprint', operator: '!=', value: 'service' },
    { property: 'tier', operator: '=', value: 'service' },
    { combinator: 'and' as const, rules: [about] },
  ];
  expect(withinBlueprint({ combinator: 'and', rules: [about, ...others] })).toEqual({
    combinator: 'and',
    rules: others,
  });
  expect(withinBlueprint(undefined)).toBeUndefined();
});

test('a query over all blueprints stays as it is where no blueprint is chosen', () => {
  const asked = { combinator: 'and' as const, rules: [about] };
  expect(overBlueprints(asked, undefined)).toEqual(asked);
  expect(overBlueprints(undefined, undefined)).toEqual({ combinator: 'and', rules: [] });
});

test('the blueprint of a dataset is the one it is bound to, never one of several that it may be', () => {
  expect(blueprintOf({ blueprint: 'domain', dataset: [about] })).toBe('domain');
  expect(blueprintOf({ dataset: [{ ...about, operator: '!=' }] })).toBeUndefined();
  expect(blueprintOf({ dataset: [{ ...about, property: 'tier' }] })).toBeUndefined();
  expect(blueprintOf({ dataset: [{ ...about, value: ['service', 'domain'] }] })).toBeUndefined();
  expect(blueprintOf({ dataset: [{ combinator: 'and', rules: [about] }, about] })).toBe('service');
});

test('of what stands in a widget only what has the wanted shape is read', () => {
  const inner = { type: 'markdown' };
  const widget = { text: 'a', empty: '', list: [inner, null, 'a', 1], map: inner, nothing: null };
  expect(['text', 'empty', 'list'].map((key) => textOf(widget, key))).toEqual(['a', undefined, undefined]);
  expect(['list', 'map'].map((key) => listOf(widget, key))).toEqual([[inner], []]);
  expect(['list', 'text'].map((key) => textsOf(widget, key))).toEqual([['a'], []]);
  expect(['map', 'list', 'nothing', 'text'].map((key) => mapOf(widget, key))).toEqual([inner, {}, {}, {}]);
});

test('properties are named with their kind, or bare', () => {
  expect(propertyOf('relation#domain')).toStrictEqual({ kind: 'relation', name: 'domain' });
  expect(propertyOf('scorecard-rule#s#r')).toEqual({ kind: 'scorecard-rule', name: 's', rule: 'r' });
  expect(propertyOf('properties.x')).toEqual({ kind: 'property', name: 'x' });
});

test('figures have the places and the unit that the widget asks for', () => {
  expect(
    figureText(1234.5, { displayFormatting: 'custom', decimalPlaces: '.00', unit: '€', unitAlignment: 'left' }),
  ).toBe(`€ ${(1234.5).toLocaleString(undefined, { minimumFractionDigits: 2 })}`);
  expect(figureText(2.6, { displayFormatting: 'round', unit: 'custom', unitCustom: 'a week' })).toBe('3 a week');
  expect(figureText(2.125, { unit: 'none' })).toBe((2.125).toLocaleString(undefined, { maximumFractionDigits: 2 }));
  expect(figureText(2.5, { decimalPlaces: '.000' })).toBe((2.5).toLocaleString());
});

test.each([
  ['=', [5]],
  ['!=', [4, 6]],
  ['>', [6]],
  ['>=', [5, 6]],
  ['<', [4]],
  ['<=', [4, 5]],
  ['like', []],
])('a condition %s 5 is met by %j of 4, 5 and 6', (operator, expected) => {
  const widget = { conditionalFormatting: [{ operator, value: 5, message: 'met', description: 'why', color: 'red' }] };
  const met = { message: 'met', description: 'why', color: 'red' };
  for (const value of [4, 5, 6])
    expect([value, conditionMet(value, widget)]).toEqual([value, expected.includes(value) ? met : undefined]);
});

test('a condition without a number to compare with is never met', () => {
  expect(conditionMet(3, { conditionalFormatting: [{ operator: '!=', value: 'x' }] })).toBeUndefined();
});

test('of several conditions the one closest to the value holds', () => {
  const conditionalFormatting = [
    { operator: '>', value: 0, message: 'some', color: 'gold' },
    { operator: '>', value: 8, message: 'many', color: 'red' },
    { operator: '>', value: 'x', message: 'broken' },
  ];
  expect(conditionMet(9, { conditionalFormatting })?.message).toBe('many');
  expect(conditionMet(3, { conditionalFormatting })?.message).toBe('some');
  const below = [-9, 1, -1].map((value) => ({ operator: '>', value, message: `above ${value}` }));
  expect(conditionMet(3, { conditionalFormatting: below })?.message).toBe('above 1');
  expect(conditionMet(0, { conditionalFormatting })).toBeUndefined();
});

test('filters of the page reach the widgets of their blueprint, and all widgets where they are for all', () => {
  const filter = (blueprint: string) => ({
    identifier: blueprint,
    query: { blueprint, combinator: 'and', rules: [about] },
  });
  const context = {
    draw: () => null,
    page: 'p',
    pageFilters: [filter('service'), filter('deployment'), filter('dashboard-filters-meta-blueprint')],
  };
  expect(pageQueries(context, 'service')).toHaveLength(2);
});

test('a rule that somebody is still writing keeps nothing from being found', () => {
  const rules = [{ property: 'tier', operator: '=' }, about];
  const context = {
    draw: () => null,
    page: 'p',
    pageFilters: [{ identifier: 'a', query: { combinator: 'and', rules } }],
  };
  expect(pageQueries(context, 'service')).toEqual([{ combinator: 'and', rules: [about] }]);
});
