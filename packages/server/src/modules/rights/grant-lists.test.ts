import { expect, test } from 'vitest';
import { mergeLists, presentLists } from './grant-lists.ts';

const resolve = (names: readonly string[]) => ({ references: names.map((name) => `key-${name}`) });

test('a list that is sent replaces the stored one, sorted and each name once; others stay', () => {
  const stored = { roles: ['Member', 'Admin'], users: ['sam'], teams: ['key-red'] };
  expect(mergeLists(stored, {}, resolve)).toEqual({ roles: ['Admin', 'Member'], users: ['sam'], teams: ['key-red'] });
  expect(mergeLists(stored, { roles: null, users: null, teams: null }, resolve)).toEqual(
    mergeLists(stored, {}, resolve),
  );
  expect(mergeLists(stored, { roles: [], users: ['pat', 'ann', 'pat'], teams: ['red', 'blue'] }, resolve)).toEqual({
    roles: [],
    users: ['ann', 'pat'],
    teams: ['key-blue', 'key-red'],
  });
  expect(mergeLists({}, {}, resolve)).toEqual({ roles: [], users: [], teams: [] });
});

test('teams are shown by name, and those that are gone not at all', () => {
  const names = new Map([
    ['key-red', 'Red'],
    ['key-blue', 'Blue'],
  ]);
  const grant = { roles: ['Member', 'Admin'], users: ['sam', 'pat'], teams: ['key-red', '?gone', 'key-blue'] };
  expect(presentLists(grant, names)).toEqual({
    roles: ['Admin', 'Member'],
    users: ['pat', 'sam'],
    teams: ['Blue', 'Red'],
  });
  expect(presentLists({}, names)).toEqual({ roles: [], users: [], teams: [] });
});
