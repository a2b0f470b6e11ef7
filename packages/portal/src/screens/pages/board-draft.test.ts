import { describe, expect, test } from 'vitest';
import { widgetList } from '../../parts/widgets/widget-shape.ts';
import { addWidget, boardRows, joinAbove, moveBorder, placeBeside, removeWidget, stepWidget } from './board-draft.ts';

const board = {
  id: 'board',
  type: 'dashboard-widget',
  strange: 1,
  layout: [
    {
      height: 300,
      columns: [
        { id: 'a', size: 8 },
        { id: 'b', size: 4 },
      ],
    },
    { height: 500, columns: [{ id: 'c', size: 12 }] },
  ],
  widgets: [
    { id: 'a', type: 'markdown' },
    { id: 'b', type: 'markdown' },
    { id: 'c', type: 'markdown' },
    { id: 'd', type: 'markdown' },
  ],
};

const shape = (each: object) =>
  boardRows(each as never).map(({ cells }) => cells.map(({ id, size }) => `${id}${size}`).join(' '));

test('what has no place stands at the end, and everything unknown is kept', () => {
  expect(shape(board)).toEqual(['a8 b4', 'c12', 'd12']);
  const moved = stepWidget(board, 'c', 'up');
  expect(shape(moved)).toEqual(['c12', 'a8 b4', 'd12']);
  expect(moved['strange']).toBe(1);
  expect(widgetList(moved, 'layout').map((row) => row['height'])).toEqual([500, 300, 400]);
});

describe('moving', () => {
  test.each([
    ['a', 'right', ['b4 a8', 'c12', 'd12']],
    ['a', 'left', ['a8 b4', 'c12', 'd12']],
    ['b', 'up', ['b12', 'a12', 'c12', 'd12']],
    ['b', 'down', ['a12', 'b12', 'c12', 'd12']],
    ['d', 'down', ['a8 b4', 'c12', 'd12']],
    ['d', 'up', ['a8 b4', 'd12', 'c12']],
  ] as const)('%s goes %s', (id, direction, expected) => {
    expect(shape(stepWidget(board, id, direction))).toEqual(expected);
  });

  test('beside another one, all share the row', () => {
    expect(shape(placeBeside(board, 'c', 'a', 'before'))).toEqual(['c4 a4 b4', 'd12']);
    expect(shape(joinAbove(board, 'c'))).toEqual(['a4 b4 c4', 'd12']);
    expect(placeBeside(board, 'a', 'a', 'after')).toBe(board);
  });

  test('a full row takes nothing more', () => {
    const letters = [...'abcdefghijkl'];
    const full = {
      layout: [{ columns: letters.map((id) => ({ id, size: 1 })) }],
      widgets: [...letters, 'z'].map((id) => ({ id, type: 'markdown' })),
    };
    expect(placeBeside(full, 'z', 'a', 'before')).toBe(full);
  });
});

test('a border moves as far as both sides keep a column', () => {
  expect(shape(moveBorder(board, 'a', -3))[0]).toBe('a5 b7');
  expect(shape(moveBorder(board, 'a', 99))[0]).toBe('a11 b1');
  expect(shape(moveBorder(board, 'a', -99))[0]).toBe('a1 b11');
  expect(moveBorder(board, 'b', 1)).toBe(board);
});

test('added at the end, removed with its place', () => {
  expect(shape(addWidget(board, { id: 'e', type: 'markdown' }))).toEqual(['a8 b4', 'c12', 'd12', 'e12']);
  const removed = removeWidget(board, 'a');
  expect(shape(removed)).toEqual(['b12', 'c12', 'd12']);
  expect(widgetList(removed, 'widgets')).toHaveLength(3);
});
