import { describe, expect, test } from 'vitest';
import { isBareAddress, isOrdinary } from './ordinary.ts';

describe('a part of a secret', () => {
  test.each([
    'production',
    'Services',
    'services',
    'API',
    'eu-west-1',
    'web01',
    'v4',
    '2024',
    'userName',
    'HttpServer',
    'hooks.slack.com',
    'node_modules',
    'a+b~c',
    'trailing-',
    'Administrations',
  ])('%s is ordinary text', (part) => {
    expect(isOrdinary(part)).toBe(true);
  });

  test.each([
    ['letters that nobody can say', 'xkcdqrs'],
    ['a long row of small letters', 'abcdefghijklmnop'],
    ['a long row of capitals', 'AEIOUAEIOUAEIO'],
    ['a long number', '12345'],
    ['letters and a long number', 'web0123'],
    ['digits before letters', '1web'],
    ['one drawn at random', 'kT9vQ2mX'],
    ['humps too short for words', 'aBcDeF'],
    ['humps of which one is short', 'createdAt'],
    ['one ordinary word beside one that is not', 'production-kT9vQ2mX'],
    ['a hump that is no word', 'createdKq9z'],
  ])('%s is not', (_what, part) => {
    expect(isOrdinary(part)).toBe(false);
  });
});

describe('an address', () => {
  test.each([
    'https://gitlab.example.com',
    'http://ci.example.com:8080',
    'https://gitlab.example.com/',
    'https://gitlab.example.com/api/v4',
    'https://gitlab.example.com/rest/',
    ' https://gitlab.example.com/git\n',
  ])('%s only says where something is', (address) => {
    expect(isBareAddress(address)).toBe(true);
  });

  test.each([
    ['with a path of its own', 'https://hooks.example.com/services'],
    ['with a version that is none', 'https://gitlab.example.com/v123'],
    ['with a user', 'https://jo@example.com'],
    ['with a query', 'https://example.com?token=x'],
    ['with a fragment', 'https://example.com#x'],
    ['of another protocol', 'postgres://db.example.com'],
    ['in the middle of a text', 'see https://example.com'],
    ['before another text', 'https://example.com and more'],
    ['whose host was drawn at random', 'https://kT9vQ2mX.example.com'],
    ['without a protocol', 'example.com'],
  ])('%s may be a secret', (_what, address) => {
    expect(isBareAddress(address)).toBe(false);
  });
});
