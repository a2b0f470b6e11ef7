import { expect, test } from 'vitest';
import { returnAddress } from './return-address.ts';

const origin = 'https://portal.example';

test.each(['/', '/catalog/services?sort=a#b', '/e/service/a%2Fb'])('%s is gone back to', (path) => {
  expect(returnAddress(path, origin)).toBe(path);
});

test.each([
  'https://evil.example/',
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  'javascript:alert(1)',
  'catalog',
  '/sign-in?return_to=/sign-in',
  ['/catalog'],
  undefined,
])('%s leads home', (asked) => {
  expect(returnAddress(asked, origin)).toBe('/');
});
