import { expect, test } from 'vitest';
import { readServers } from './addresses.ts';

test.each([
  ['postgres://u:p@one/db', ['postgres://u:p@one/db']],
  ['postgresql://u:p@one:5432,two:6432/db', ['postgresql://u:p@one:5432/db', 'postgresql://u:p@two:6432/db']],
  [
    'postgres://u@one,[::1]:5433/db?sslmode=require&target_session_attrs=read-write',
    ['postgres://u@one/db?sslmode=require', 'postgres://u@[::1]:5433/db?sslmode=require'],
  ],
  ['postgres://one/db?target_session_attrs=any', ['postgres://one/db']],
])('%s', (address, servers) => {
  expect(readServers(address)).toEqual(servers);
});

test.each([
  ['mysql://u:secret@one/db', 'must be a postgresql:// address'],
  ['secret', 'must be a postgresql:// address'],
  ['postgres://u:secret@one,,two/db', 'must name hosts as host:port, separated by commas'],
  ['postgres://u:secret@one:abc/db', 'must name hosts as host:port, separated by commas'],
  ['postgres://u:secret@one/db?target_session_attrs=standby', 'takes read-write or any as target_session_attrs'],
])('refuses %s without saying the address', (address, message) => {
  expect(() => readServers(address)).toThrow(new TypeError(message));
});
