import { expect, test } from 'vitest';
import { examineReads } from './examine-reads.ts';

test('standbys that can be read and clocks that agree are said with their figures', () => {
  const standbys = [{ problem: null, behindMs: 340, behindBytes: 8192 }];
  expect(examineReads({ standbys, clockAheadMs: -40 })).toEqual([
    { name: 'reads', status: 'ok', message: 'standby 1 is 0.3 s and 8192 bytes behind' },
    { name: 'clock', status: 'ok', message: 'the database and the server agree within 0.0 s' },
  ]);
});

test('what is no standby of the database fails, and a clock that is far off is said', () => {
  const standbys = [
    { problem: null, behindMs: 0, behindBytes: 0 },
    { problem: 'foreign' as const, behindMs: null, behindBytes: null },
  ];
  expect(examineReads({ standbys, clockAheadMs: 2_500 })).toMatchObject([
    {
      status: 'failed',
      code: 'standby_unusable',
      message: expect.stringContaining('standby 2 follows another system'),
    },
    { status: 'unknown', message: expect.stringContaining("2.5 s ahead of the server's") },
  ]);
});
