import { expect, test } from 'vitest';
import type { Field } from './fields.ts';
import { readView } from './read-view.ts';

const field = (key: string, shape: Field['shape'], source: Field['source'] = 'property'): Field => ({
  key,
  title: key,
  source,
  shape,
  isRequired: false,
});
const fields: readonly Field[] = [
  field('$title', { type: 'string' }, 'meta'),
  field('lifecycle', { type: 'string', enum: ['beta', 'production'] }),
  field('tags', { type: 'array', items: { type: 'string' } }),
];
const rule = { property: 'lifecycle', operator: 'in', value: ['beta'] };
const filter = { combinator: 'and', rules: [rule] } as const;

test('a whole view is read as it was written', () => {
  const view = {
    filter,
    sort: { property: 'lifecycle', order: 'desc' },
    group: 'lifecycle',
    columns: ['$title', 'tags'],
  };
  expect(readView(view, fields)).toEqual({ own: view, ignored: [] });
});

test('what was removed on purpose is removed, and what is not named stays with the page', () => {
  expect(readView({ filter: null, group: null }, fields)).toEqual({
    own: { filter: undefined, group: undefined },
    ignored: [],
  });
  expect(readView(undefined, fields)).toEqual({ own: undefined, ignored: [] });
});

test('of an outdated view the known part applies, and the rest is named once', () => {
  const found = {
    filter: { combinator: 'and', rules: [rule, { property: 'gone', operator: '=', value: 1 }] },
    sort: { property: 'gone', order: 'asc' },
    group: 'tags of old',
    columns: ['gone', 'tags', 'tags'],
  };
  expect(readView(found, fields)).toEqual({
    own: { filter, sort: undefined, group: undefined, columns: ['$title', 'tags'] },
    ignored: ['gone', 'tags of old'],
  });
});

test('what cannot be sorted or grouped by is ignored too', () => {
  expect(readView({ sort: { property: 'tags', order: 'asc' }, group: '$title' }, fields)).toEqual({
    own: { sort: undefined, group: undefined },
    ignored: ['tags', '$title'],
  });
});

test.each([
  ['text', 'nonsense'],
  ['a list', [1, 2]],
  ['a filter of text', { filter: 'x' }],
  ['rules of text', { filter: { combinator: 'and', rules: ['x', null, 7] } }],
  [
    'an unknown operator',
    { filter: { combinator: 'and', rules: [{ property: 'lifecycle', operator: 'constructor' }] } },
  ],
  ['a rule that is deep', { filter: deep(40) }],
  ['columns of anything', { columns: [{}, null, 7] }],
  ['a sort of text', { sort: 'lifecycle', columns: 'x', group: {} }],
])('%s in the address applies nothing and breaks nothing', (_what, found) => {
  const { own } = readView(found, fields);
  expect(own?.filter).toBeUndefined();
  expect(own?.sort).toBeUndefined();
  expect(own?.columns).toBeUndefined();
});

function deep(levels: number): object {
  return levels === 0 ? filter : { combinator: 'or', rules: [deep(levels - 1)] };
}
