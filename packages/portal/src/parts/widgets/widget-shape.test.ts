import { expect, test } from 'vitest';
import {
  conditionMet,
  figureText,
  overBlueprints,
  pageQueries,
  parseProperty,
  toQuery,
  widgetBlueprint,
  widgetList,
  widgetMap,
  widgetText,
  widgetTexts,
  withinBlueprint,
} from './widget-shape.ts';

const about = { property: '$blueprint', operator: '=', value: 'service' };

test('a dataset is a query or a bare list of rules, and names its blueprint', () => {
  expect(toQuery([about])).toEqual({ combinator: 'and', rules: [about] });
  expect(widgetBlueprint({ dataset: [about] })).toBe('service');
  expect(widgetBlueprint({ dataset: { combinator: 'and', rules: 'x' } })).toBeUndefined();
  expect(overBlueprints(toQuery([about]), 'service')).toEqual({ combinator: 'and', rules: [about] });
});

test('what a dataset asks for as one of several is never asked for as all of them', () => {
  const tier = { property: 'tier', operator: '=', value: 'gold' };
  const either = { combinator: 'or' as const, rules: [about, tier] };
  expect(toQuery(either)).toEqual(either);
  expect(withinBlueprint(either)).toEqual(either);
  expect(overBlueprints(either, 'service')).toEqual({ combinator: 'and', rules: [about, either] });
  expect(pageQueries({ draw: () => null, page: 'p', pageFilters: [{ query: either }] }, 'service')).toEqual([either]);
  expect(toQuery({ combinator: 'neither', rules: [tier] })).toEqual({ combinator: 'and', rules: [tier] });
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
  expect(widgetBlueprint({ blueprint: 'domain', dataset: [about] })).toBe('domain');
  expect(widgetBlueprint({ dataset: [{ ...about, operator: '!=' }] })).toBeUndefined();
  expect(widgetBlueprint({ dataset: [{ ...about, property: 'tier' }] })).toBeUndefined();
  expect(widgetBlueprint({ dataset: [{ ...about, value: ['service', 'domain'] }] })).toBeUndefined();
  expect(widgetBlueprint({ dataset: [{ combinator: 'and', rules: [about] }, about] })).toBe('service');
});

test('of what stands in a widget only what has the wanted shape is read', () => {
  const inner = { type: 'markdown' };
  const widget = { text: 'a', empty: '', list: [inner, null, 'a', 1], map: inner, nothing: null };
  expect(['text', 'empty', 'list'].map((key) => widgetText(widget, key))).toEqual(['a', undefined, undefined]);
  expect(['list', 'map'].map((key) => widgetList(widget, key))).toEqual([[inner], []]);
  expect(['list', 'text'].map((key) => widgetTexts(widget, key))).toEqual([['a'], []]);
  expect(['map', 'list', 'nothing', 'text'].map((key) => widgetMap(widget, key))).toEqual([inner, {}, {}, {}]);
});

test('properties are named with their kind, or bare', () => {
  expect(parseProperty('relation#domain')).toStrictEqual({ kind: 'relation', name: 'domain' });
  expect(parseProperty('scorecard-rule#s#r')).toEqual({ kind: 'scorecard-rule', name: 's', rule: 'r' });
  expect(parseProperty('properties.x')).toEqual({ kind: 'property', name: 'x' });
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
