import { expect, test } from 'vitest';
import type { Field, FieldShape } from '../../parts/entities/fields.ts';
import { fillGroups, findDetails, type Layout, layoutGroups, ownTabs, readLayout, suggestGroups } from './layout.ts';
import { hideField, moveField, moveToGroup, removeGroup, storedLayout, toggleFact } from './layout-moves.ts';

const field = (key: string, shape: FieldShape = { type: 'string' }): Field => ({
  key,
  title: key,
  source: key.startsWith('$') ? 'meta' : 'property',
  shape,
  isRequired: false,
});
const fields = [
  field('$title'),
  field('$team', { type: 'array' }),
  field('repo', { type: 'string', format: 'url' }),
  field('cost', { type: 'number' }),
  field('readme', { type: 'string', format: 'markdown' }),
  ...Array.from({ length: 12 }, (_, index) => field(`p${index}`)),
  field('$updatedAt'),
];
const named = (groups: readonly { title: string; fields: readonly unknown[] }[]) =>
  groups.map(({ title, fields: inside }) => [title, inside.length]);

test('fields are grouped by kind, the others by tens', () => {
  expect(named(suggestGroups(fields, 'Service'))).toEqual([
    ['Links', 1],
    ['Service', 10],
    ['Service (2)', 2],
    ['Relations', 1],
    ['Numbers', 1],
    ['readme', 1],
  ]);
});

test('fields without a value are apart, and groups of them are not shown', () => {
  const groups = suggestGroups(fields, 'Service');
  const { shown, empty } = fillGroups(groups, fields, { team: ['a'], properties: { cost: 3 } });
  expect(named(shown)).toEqual([
    ['Relations', 1],
    ['Numbers', 1],
  ]);
  expect(empty).toHaveLength(14);
});

const layout: Layout = {
  groups: [
    { title: 'One', fields: ['properties.p0', 'properties.gone'], as: 'rows' },
    { title: 'Two', fields: ['properties.p1'] },
  ],
  hidden: ['properties.p2'],
  facts: [],
};

test('a stored layout loses no field: what it does not name follows as suggested', () => {
  const groups = layoutGroups(layout, fields, 'Service');
  expect(groups.slice(0, 2).map((group) => group.fields)).toEqual([['properties.p0'], ['properties.p1']]);
  const all = groups.flatMap((group) => group.fields);
  expect(all).toHaveLength(15);
  expect(all).not.toContain('properties.p2');
  expect(new Set(all).size).toBe(all.length);
});

test('a page keeps its layout in the details widget, and other keys say nothing', () => {
  const details = {
    id: 'd',
    type: 'entity-details',
    portolan: { groups: [{ title: 'A', fields: ['$team', 7], as: 'odd' }] },
  };
  const widgets = [{ type: 'grouper', groups: [{ title: 'Overview', widgets: [details] }] }];
  expect(findDetails(widgets)).toBe(details);
  expect(readLayout(details)).toEqual({ groups: [{ title: 'A', fields: ['$team'] }], hidden: [], facts: [] });
  expect(readLayout({ id: 'd', portolan: 'x' })).toBeUndefined();
});

test('groups of the page that hold more than every entity has are tabs', () => {
  const group = (title: string, type: string) => ({ title, widgets: [{ id: title, type }] });
  const widgets = [
    {
      type: 'grouper',
      groups: [group('Overview', 'entity-details'), group('Runs', 'runs-table'), group('Costs', 'markdown')],
    },
  ];
  expect(ownTabs(widgets).map(({ value, label }) => [value, label])).toEqual([['page-3', 'Costs']]);
});

test('a field moves on into the next group, and back to where it was', () => {
  const moved = moveField(layout, 'properties.gone', 1);
  expect(moved.groups.map((group) => group.fields)).toEqual([['properties.p0'], ['properties.gone', 'properties.p1']]);
  expect(moveField(moved, 'properties.gone', -1)).toEqual(layout);
  expect(moveField(layout, 'properties.p1', 1)).toEqual(layout);
});

test('a hidden field is in no group, and comes back into one', () => {
  const hidden = hideField(layout, 'properties.p1');
  expect(hidden.hidden).toEqual(['properties.p2', 'properties.p1']);
  expect(storedLayout(hidden).groups).toHaveLength(1);
  expect(moveToGroup(hidden, 'properties.p1', 1)).toEqual(layout);
});

test('a removed group leaves its fields to its neighbor', () => {
  expect(removeGroup(layout, 0).groups).toEqual([
    { title: 'Two', fields: ['properties.p1', 'properties.p0', 'properties.gone'] },
  ]);
});

test('a fact is pinned and unpinned', () => {
  const pinned = toggleFact(layout, '$team');
  expect(pinned.facts).toEqual([{ source: '$team' }]);
  expect(toggleFact(pinned, '$team')).toEqual(layout);
});
