import { expect, test } from 'vitest';
import {
  blueprintOf,
  conditionMet,
  figureText,
  overBlueprints,
  pageQueries,
  propertyOf,
  queryOf,
} from './widget-shape.ts';

const about = { property: '$blueprint', operator: '=', value: 'service' };

test('a dataset is a query or a bare list of rules, and names its blueprint', () => {
  expect(queryOf([about])).toEqual({ combinator: 'and', rules: [about] });
  expect(blueprintOf({ dataset: [about] })).toBe('service');
  expect(blueprintOf({ dataset: { combinator: 'and', rules: 'x' } })).toBeUndefined();
  expect(overBlueprints(queryOf([about]), 'service')).toEqual({ combinator: 'and', rules: [about] });
});

test('properties are named with their kind, or bare', () => {
  expect(propertyOf('scorecard-rule#s#r')).toEqual({ kind: 'scorecard-rule', name: 's', rule: 'r' });
  expect(propertyOf('properties.x')).toEqual({ kind: 'property', name: 'x' });
});

test('figures have the places and the unit that the widget asks for', () => {
  expect(
    figureText(1234.5, { displayFormatting: 'custom', decimalPlaces: '.00', unit: '€', unitAlignment: 'left' }),
  ).toBe(`€ ${(1234.5).toLocaleString(undefined, { minimumFractionDigits: 2 })}`);
  expect(figureText(2.6, { displayFormatting: 'round', unit: 'custom', unitCustom: 'a week' })).toBe('3 a week');
});

test('of several conditions the one closest to the value holds', () => {
  const conditionalFormatting = [
    { operator: '>', value: 0, message: 'some', color: 'gold' },
    { operator: '>', value: 8, message: 'many', color: 'red' },
    { operator: '>', value: 'x', message: 'broken' },
  ];
  expect(conditionMet(9, { conditionalFormatting })?.message).toBe('many');
  expect(conditionMet(3, { conditionalFormatting })?.message).toBe('some');
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
