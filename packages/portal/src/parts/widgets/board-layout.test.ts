import { describe, expect, test } from 'vitest';
import { doubledSizes, placedRows, rowHeight } from './board-layout.ts';

const number = { type: 'entities-number-chart' };
const pie = { type: 'entities-pie-chart' };
const text = { type: 'markdown' };

describe('the height of a row', () => {
  test.each([
    [200, [number], 200],
    [20, [number], 96],
    [5000, [pie], 960],
    ['300', [number], 300],
    [undefined, [number, number], 120],
    [0, [number, pie], 320],
    [-5, [{ type: 'table-entities-explorer' }, text], 440],
    ['tall', [{ type: 'of-tomorrow' }], 440],
    [undefined, [{ type: 'toString' }], 440],
    [undefined, [text, { type: 'links-widget' }], 'auto'],
  ] as const)('stored as %s with %j is %s', (height, widgets, expected) => {
    expect(rowHeight({ height }, widgets)).toBe(expected);
  });
});

describe('on a medium screen', () => {
  test.each([
    [
      [3, 3, 3, 3],
      [6, 6, 6, 6],
    ],
    [
      [8, 4],
      [12, 12],
    ],
    [
      [4, 4, 4],
      [12, 12, 12],
    ],
    [
      [2, 2, 8],
      [4, 8, 12],
    ],
    // a row with room left keeps it
    [[3], [6]],
    [[], []],
  ])('%j becomes %j', (sizes, expected) => {
    expect(doubledSizes(sizes)).toEqual(expected);
  });
});

test('every widget is drawn once: rows without any are left out, and the last have no place', () => {
  const board = {
    layout: [
      { columns: [{ id: 'gone', size: 6 }] },
      {
        height: 300,
        columns: [
          { id: 'a', size: 40 },
          { id: 'a', size: 6 },
          { id: 'b', size: 0 },
        ],
      },
    ],
    widgets: [{ id: 'a', ...number }, { id: 'b', ...number }, { id: 'c', ...text }, { ...pie }],
  };
  expect(
    placedRows(board).map(({ height, cells }) => [height, cells.map(({ widget, size }) => [widget['type'], size])]),
  ).toEqual([
    [
      300,
      [
        ['entities-number-chart', 12],
        ['entities-number-chart', 12],
      ],
    ],
    ['auto', [['markdown', 12]]],
    [320, [['entities-pie-chart', 12]]],
  ]);
});
