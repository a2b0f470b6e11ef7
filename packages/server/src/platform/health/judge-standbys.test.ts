import { expect, test } from 'vitest';
import { judgeStandbys, standbysText } from './judge-standbys.ts';
import type { StandbyHealth } from './standby-health.store.ts';

type Copy = StandbyHealth['copies'][number];
const well: Copy = { name: 'b', state: 'streaming', isSynchronous: false, behindSeconds: 0.2, behindBytes: 9 };
const health = (copy: Partial<Copy> = {}, waitsFor = ''): StandbyHealth => ({
  copies: [{ ...well, ...copy }],
  waitsFor,
});

test.each<[string, StandbyHealth, string[]]>([
  ['one that streams', health(), []],
  ['one that is 31 s behind', health({ behindSeconds: 31 }), ['warning standby_behind']],
  ['one that is 1 GB behind', health({ behindBytes: 1.1e9 }), ['warning standby_behind']],
  ['one that is catching up', health({ state: 'catchup' }), ['warning standby_behind']],
  ['a backup being taken', health({ state: 'backup', behindBytes: 5e9 }), []],
  ['the one that commits wait for', health({ isSynchronous: true }, '*'), []],
  ['another than the one that commits wait for', health({}, 'a'), ['failed no_synchronous_standby']],
  ['none where commits wait for one', { copies: [], waitsFor: 'a' }, ['failed no_synchronous_standby']],
  ['one of which this user may see nothing', health({ state: null, behindBytes: 0 }, 'a'), []],
])('%s', (_name, given, found) => {
  expect(judgeStandbys(given).map(({ status, code }) => `${status} ${code}`)).toEqual(found);
});

test('a standby for reads that cannot be read is named with what is wrong', () => {
  const figures = { name: 'db-2:5432', isUsable: false, behindMs: 0, behindBytes: 0 };
  expect(judgeStandbys(health(), [{ ...figures, problem: 'foreign' }])).toEqual([
    {
      status: 'warning',
      code: 'standby_unusable',
      message:
        'The standby db-2:5432 answers no reads (foreign); the primary does. "portolan doctor" says what that means.',
    },
  ]);
});

test.each([
  [{ copies: [], waitsFor: '' }, 'none is connected to the primary'],
  [health(), '1 connected, at most 0.2 s behind'],
  [health({ state: null }), '1 connected; how far they are behind is for users with pg_monitor'],
])('well: %j', (given, text) => expect(standbysText(given)).toBe(text));
