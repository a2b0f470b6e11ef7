import { expect, test } from 'vitest';
import { newFilter, withBlueprint, withRules, withTitle } from './page-filter-draft.ts';

const rule = { property: 'tier', operator: '=', value: 1 };

test('a new filter has a name that no other of the page has', () => {
  expect(newFilter([{ identifier: 'a' }, { identifier: 'filter_3' }])['identifier']).toBe('filter_4');
  expect(newFilter([])).toEqual({
    identifier: 'filter_1',
    query: { blueprint: 'dashboard-filters-meta-blueprint', combinator: 'and', rules: [] },
  });
});

test('a filter keeps its name and what the form does not know', () => {
  const filter = {
    identifier: 'mine',
    title: 'Mine',
    icon: 'Star',
    query: { combinator: 'or', rules: [rule], more: 1 },
  };
  expect(withTitle(filter, '')).toEqual({ identifier: 'mine', icon: 'Star', query: filter.query });
  expect(withRules(filter, { combinator: 'and', rules: [] })).toEqual({
    ...filter,
    query: { combinator: 'and', rules: [], more: 1 },
  });
});

test('about another blueprint the rules begin anew', () => {
  const filter = { identifier: 'mine', query: { blueprint: 'a', combinator: 'or', rules: [rule] } };
  expect(withBlueprint(filter, 'b')['query']).toEqual({ blueprint: 'b', combinator: 'and', rules: [] });
});
