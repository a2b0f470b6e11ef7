import { expect, test } from 'vitest';
import { rankTeams } from './team-standings.ts';

test('teams are ranked by share, then by size; teams of fewer than three entities are apart', () => {
  const measured = [
    { value: 'large', count: 10 },
    { value: 'best', count: 4 },
    { value: 'even', count: 20 },
    { value: 'tiny', count: 2 },
    { value: 'none', count: 3 },
    { value: null, count: 9 },
  ];
  const passing = [
    { value: 'large', count: 5 },
    { value: 'best', count: 4 },
    { value: 'even', count: 10 },
    { value: 'tiny', count: 2 },
    { value: null, count: 1 },
  ];
  const { ranked, small } = rankTeams(measured, passing);
  expect(ranked.map(({ team, passed, owned }) => `${team} ${passed}/${owned}`)).toEqual([
    'best 4/4',
    'even 10/20',
    'large 5/10',
    'none 0/3',
  ]);
  expect(small.map(({ team }) => team)).toEqual(['tiny']);
});
