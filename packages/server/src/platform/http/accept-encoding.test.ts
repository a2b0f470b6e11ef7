import { expect, test } from 'vitest';
import { acceptedEncoding } from './accept-encoding.ts';

test.each([
  [undefined, undefined],
  ['', undefined],
  ['gzip', 'gzip'],
  ['gzip, deflate, br, zstd', 'br'],
  ['br;q=0.5, gzip', 'gzip'],
  ['BR', 'br'],
  ['br;q=0, gzip;q=0.000', undefined],
  ['*', 'br'],
  ['*;q=0.1, br;q=0', 'gzip'],
  ['identity', undefined],
  ['identity, br;q=0.9', undefined],
  ['identity;q=0.5, gzip;q=0.5', 'gzip'],
  ['deflate', undefined],
  ['gzip;q=much', undefined],
])('%j gets %j', (header, name) => {
  expect(acceptedEncoding(header, ['br', 'gzip'])).toBe(name);
});
