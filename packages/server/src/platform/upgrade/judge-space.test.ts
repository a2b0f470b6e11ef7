import { expect, test } from 'vitest';
import { judgeSpace, measureSpace, spaceText } from './judge-space.ts';

const gb = 1024 ** 3;
const sizes = [{ table: 'jobs', rowsBytes: 2 * gb, indexBytes: gb }];
const measured = (free: number | null, known: typeof sizes | undefined = sizes) =>
  measureSpace(
    [
      { table: 'jobs', what: 'index' },
      { table: 'jobs', what: 'rows' },
      { table: 'to_be_made', what: 'index' },
    ],
    known,
    { databaseBytes: 9 * gb, freeBytes: free },
  );

test('an index is as large as its table, rows come with their indexes, and the log takes as much again', () => {
  expect(measured(null)).toMatchObject({ writtenBytes: 5 * gb, tables: ['jobs'] });
  expect(judgeSpace(measured(10 * gb))).toBeUndefined();
  expect(judgeSpace(measured(10 * gb - 1))).toBe(
    'The migrations rewrite up to 5.0 GB of jobs, and write as much to the log: more than the 10.0 GB that are free. Make room first.',
  );
});

test('what nobody said is not judged, and the plan says how to say it', () => {
  expect(judgeSpace(measured(null))).toBeUndefined();
  expect(spaceText(measured(null))).toEqual([
    'up to 5.0 GB are rewritten (jobs), and as much to the log, beside 9.0 GB',
    expect.stringContaining('--free 50GB'),
  ]);
  expect(spaceText(measured(gb))[1]).toBe('1.0 GB are free');
});

test('tables on other nodes are not guessed at', () => {
  const far = measureSpace([{ table: 'jobs', what: 'rows' }], undefined, { databaseBytes: gb, freeBytes: 1 });
  expect([far.writtenBytes, judgeSpace(far)]).toEqual([null, undefined]);
  expect(spaceText(far)).toEqual(['jobs: on several nodes, so what is written there is not known']);
  expect(spaceText(measureSpace([], undefined, { databaseBytes: gb, freeBytes: 1 }))).toEqual([
    'no table that exists is rewritten',
  ]);
});
