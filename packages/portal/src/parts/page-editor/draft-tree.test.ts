import { expect, test } from 'vitest';
import type { Widget } from '../widgets/widget-shape.ts';
import { addTo, findWidget, removeFrom, replaceIn } from './draft-tree.ts';

const text = (id: string): Widget => ({ id, type: 'markdown' });
const inner = { id: 'inner', type: 'dashboard-widget', layout: [], widgets: [text('deep')] };
const tabs = {
  id: 'tabs',
  type: 'grouper',
  strange: 1,
  groups: [{ title: 'First', widgets: [text('x'), inner] }, { title: 'Empty' }],
};
const board = {
  id: 'board',
  type: 'dashboard-widget',
  layout: [
    {
      columns: [
        { id: 'a', size: 6 },
        { id: 'tabs', size: 6 },
      ],
    },
  ],
  widgets: [text('a'), tabs],
};
const page: readonly Widget[] = [board, text('loose')];

/** The ids of a page in reading order. */
function ids(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(ids);
  const { id, widgets = [], groups = [] } = value as Record<string, unknown>;
  return [...(typeof id === 'string' ? [id] : []), ...ids(widgets), ...ids(groups)];
}

test('a widget is found and replaced wherever it is, and the rest stays', () => {
  expect(findWidget(page, 'deep')).toEqual(text('deep'));
  expect(findWidget(page, 'nowhere')).toBeUndefined();
  const next = replaceIn(page, 'deep', { ...text('deep'), title: 'New' });
  expect(findWidget(next, 'deep')).toMatchObject({ title: 'New' });
  expect(findWidget(next, 'tabs')).toMatchObject({ strange: 1 });
  expect(ids(next)).toEqual(ids(page));
  expect(next[1]).toBe(page[1]);
});

test('a widget is removed with its place in the row', () => {
  const next = removeFrom(page, 'a');
  expect(next[0]).toMatchObject({ layout: [{ columns: [{ id: 'tabs', size: 12 }] }] });
  expect(ids(removeFrom(page, 'deep'))).toEqual(['board', 'a', 'tabs', 'x', 'inner', 'loose']);
  expect(ids(removeFrom(page, 'loose'))).not.toContain('loose');
});

test('new widgets go where they were asked for', () => {
  const added = [text('new')];
  expect(ids(addTo(page, 'page', added))).toEqual(['board', 'a', 'tabs', 'x', 'inner', 'deep', 'new', 'loose']);
  expect(ids(addTo(page, { board: 'inner' }, added))).toEqual([
    'board',
    'a',
    'tabs',
    'x',
    'inner',
    'deep',
    'new',
    'loose',
  ]);
  expect(findWidget(addTo(page, { board: 'inner' }, added), 'inner')).toMatchObject({
    widgets: [text('deep'), text('new')],
  });
  expect(findWidget(addTo(page, { grouper: 'tabs', tab: 1 }, added), 'tabs')).toMatchObject({
    groups: [{ title: 'First' }, { title: 'Empty', widgets: added }],
  });
  expect(addTo([], 'page', added)).toMatchObject([{ type: 'dashboard-widget', widgets: added }]);
  expect(ids(addTo(page, { grouper: 'tabs', tab: 9 }, added))).toEqual(ids(page));
});
