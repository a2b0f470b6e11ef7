import { expect, test } from 'vitest';
import { filteredUsers, pastedAddresses } from './people-filter.ts';

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
