import { expect, test } from 'vitest';
import { createPositions, type PositionStore } from './position.ts';

const after = (positions: ReturnType<typeof createPositions>, position: string | null): string => {
  positions.begin().answered(position);
  return positions.begin().sent;
};

test('the largest position is sent, by timeline, then by place, and answers without one change nothing', () => {
  const positions = createPositions();
  expect(positions.begin().sent).toBe('latest');
  const late = positions.begin();
  const sent = ['1:0/9', '1:0/10', null, '1:1/0', 'none', '2:0/1'].map((each) => after(positions, each));
  expect(sent).toEqual(['1:0/9', '1:0/10', '1:0/10', '1:1/0', '1:1/0', '2:0/1']);
  late.answered('1:0/F');
  expect(positions.begin().sent).toBe('2:0/1');
});

test('after news the primary is asked, until an answer to a request that was sent after them', () => {
  const positions = createPositions();
  after(positions, '1:0/1');
  const earlier = positions.begin();
  positions.miss();
  earlier.answered('1:0/2');
  expect(positions.begin().sent).toBe('latest');
  expect(after(positions, 'latest')).toBe('latest');
  expect(after(positions, '1:0/3')).toBe('1:0/3');
});

test('an answer below what was asked for is of another database, whose positions count from then on', () => {
  const positions = createPositions();
  after(positions, '1:9/0');
  expect(after(positions, '1:0/5')).toBe('1:0/5');
});

test('clients with one store go on from the largest position of all', () => {
  let kept: string | undefined;
  const store: PositionStore = {
    read: () => kept,
    keep: (position) => {
      kept = position;
    },
  };
  const [here, there] = [createPositions(store), createPositions(store)];
  after(here, '1:0/1');
  after(there, '1:0/7');
  expect(here.begin().sent).toBe('1:0/7');
});
