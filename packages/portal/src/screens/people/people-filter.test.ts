import { expect, test } from 'vitest';
import { doubtfulAddresses, filteredUsers, moderatedBlueprint, pastedAddresses, roleKind } from './people-filter.ts';

test('addresses are read as people paste them, each once', () => {
  expect(pastedAddresses(' a@x.example, b@x.example;\na@x.example ')).toEqual(['a@x.example', 'b@x.example']);
  expect(pastedAddresses(' \n')).toEqual([]);
});

test('users are found by name, address, role and team, of one kind', () => {
  const users = [
    { email: 'z@x.example', firstName: 'Ann', type: 'Standard', roles: [{ name: 'Admin' }], teams: ['Ops'] },
    { email: 'b@x.example', type: 'Standard', roles: [{ name: 'Member' }], teams: [] },
    { email: 'bot@x.example', type: 'Service Account', roles: [{ name: 'Admin' }] },
  ] as never;
  const found = (word: string, type = 'Standard') => filteredUsers(users, word, type).map(({ email }) => email);
  expect([found(''), found('ops'), found('ADMIN'), found('', 'Service Account')]).toEqual([
    ['z@x.example', 'b@x.example'],
    ['z@x.example'],
    ['z@x.example'],
    ['bot@x.example'],
  ]);
});

test('addresses that cannot be invited are told before anything is sent', () => {
  const users = [{ email: 'Known@x.example' }] as never;
  expect(doubtfulAddresses(['new@x.example', 'known@X.example', 'nobody', '@x'], users)).toEqual({
    malformed: ['nobody', '@x'],
    known: ['known@X.example'],
  });
});

test('a list of roles is one kind of role', () => {
  expect([[], ['Member'], ['a-b-moderator', 'c-moderator'], ['Admin']].map(roleKind)).toEqual([
    'Member',
    'Member',
    'Moderator',
    'Admin',
  ]);
  expect([moderatedBlueprint('a-b-moderator'), moderatedBlueprint('Member')]).toEqual(['a-b', undefined]);
});
