import { describe, expect, test } from 'vitest';
import { widgetList } from '../widgets/widget-shape.ts';
import {
  addWidget,
  addWidgets,
  boardRows,
  joinAbove,
  moveBorder,
  moveEdge,
  placeBeside,
  placeInWords,
  removeWidget,
  resizeRow,
  resizeWidget,
  stepWidget,
} from './board-draft.ts';

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
  expect(widgetList(moved, 'layout').map((row) => row['height'])).toEqual([500, 300, undefined]);
});

describe('moving', () => {
  test.each([
    ['a', 'right', ['b4 a8', 'c12', 'd12']],
    ['a', 'left', ['a8 b4', 'c12', 'd12']],
    ['b', 'up', ['b12', 'a12', 'c12', 'd12']],
    ['b', 'down', ['a12', 'b12', 'c12', 'd12']],
    ['d', 'down', ['a8 b4', 'c12', 'd12']],
    ['b', 'right', ['a12', 'b6 c6', 'd12']],
    ['c', 'left', ['a4 b4 c4', 'd12']],
    ['d', 'right', ['a8 b4', 'c12', 'd12']],
    ['d', 'up', ['a8 b4', 'd12', 'c12']],
  ] as const)('%s goes %s', (id, direction, expected) => {
    expect(shape(stepWidget(board, id, direction))).toEqual(expected);
  });

  test('beside another one, all share the row', () => {
    expect(shape(placeBeside(board, 'c', 'a', 'before'))).toEqual(['c4 a4 b4', 'd12']);
    expect(shape(joinAbove(board, 'c'))).toEqual(['a4 b4 c4', 'd12']);
    expect(placeBeside(board, 'a', 'a', 'after')).toBe(board);
  });

  test('a row that has room keeps its widths, and so does what joins it', () => {
    const roomy = addWidgets({ type: 'dashboard-widget', layout: [], widgets: [] }, [
      { id: 'a', type: 'entities-number-chart' },
      { id: 'b', type: 'table-entities-explorer' },
      { id: 'c', type: 'bar-chart' },
    ]);
    expect(shape(roomy)).toEqual(['a3', 'b12', 'c4']);
    expect(shape(placeBeside(roomy, 'c', 'a', 'after'))).toEqual(['a3 c4', 'b12']);
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
  expect(shape(addWidget(board, { id: 'e', type: 'markdown' }))).toEqual(['a8 b4', 'c12', 'd12', 'e4']);
  const removed = removeWidget(board, 'a');
  expect(shape(removed)).toEqual(['b12', 'c12', 'd12']);
  expect(widgetList(removed, 'widgets')).toHaveLength(3);
});

describe('a new widget', () => {
  const empty = { type: 'dashboard-widget', layout: [], widgets: [] };
  const number = (id: string) => ({ id, type: 'entities-number-chart' });

  test('joins the last row as long as that has room for its usual size', () => {
    const four = addWidgets(empty, ['a', 'b', 'c', 'd'].map(number));
    expect(shape(four)).toEqual(['a3 b3 c3 d3']);
    expect(
      shape(addWidgets(four, [number('e'), { id: 'f', type: 'line-chart' }, { id: 'g', type: 'bar-chart' }])),
    ).toEqual(['a3 b3 c3 d3', 'e3 f6', 'g4']);
  });

  test('makes a row that is stored too low for it as high as it needs', () => {
    const low = { layout: [{ height: 120, columns: [{ id: 'a', size: 3 }] }], widgets: [number('a')] };
    const joined = addWidget(low, { id: 'b', type: 'bar-chart' });
    expect(widgetList(joined, 'layout').map((row) => row['height'])).toEqual([320]);
    expect(widgetList(addWidget(low, number('c')), 'layout').map((row) => row['height'])).toEqual([120]);
  });
});

describe('resizing', () => {
  const roomy = {
    layout: [
      {
        columns: [
          { id: 'a', size: 4 },
          { id: 'b', size: 4 },
        ],
      },
    ],
    widgets: [
      { id: 'a', type: 'bar-chart' },
      { id: 'b', type: 'bar-chart' },
    ],
  };

  test('edges move into the free end of the row, and no further', () => {
    expect(shape(moveEdge(roomy, 'b', 2))).toEqual(['a4 b6']);
    expect(shape(moveEdge(roomy, 'b', 99))).toEqual(['a4 b8']);
    expect(shape(moveEdge(roomy, 'b', -99))).toEqual(['a4 b1']);
    expect(shape(moveEdge(roomy, 'a', 1))).toEqual(['a5 b4']);
  });

  test('by keys a widget without room at its right takes it from its left', () => {
    expect(shape(resizeWidget(board, 'b', 1))[0]).toBe('a7 b5');
    expect(shape(resizeWidget(board, 'b', -1))[0]).toBe('a8 b3');
    expect(resizeWidget(board, 'c', 1)).toBe(board);
  });

  test('a row is as high as was drawn, in steps and within limits', () => {
    const heights = (each: object) => widgetList(each as never, 'layout').map((row) => row['height']);
    expect(heights(resizeRow(roomy, 'a', 24))).toEqual([336]);
    expect(heights(resizeRow(board, 'a', 24))[0]).toBe(312);
    expect(heights(resizeRow(board, 'a', -24))[0]).toBe(288);
    expect(heights(resizeRow(roomy, 'a', 99_999))).toEqual([960]);
    expect(heights(resizeRow(roomy, 'b', -99_999))).toEqual([96]);
    expect(resizeRow(roomy, 'nowhere', 24)).toBe(roomy);
  });

  test('the place is told in words', () => {
    expect(placeInWords(roomy, 'b')).toBe('row 1 of 1, place 2 of 2, 4 of 12 columns, 320 pixels high');
    expect(placeInWords(board, 'd')).toContain('as high as its text');
    expect(placeInWords(board, 'nowhere')).toBe('');
  });
});
