import { expect, test } from 'vitest';
import { counted, matchedText, plural } from './counted.ts';

test.each([
  ['Service', 'services'],
  ['Library', 'libraries'],
  ['Key', 'keys'],
  ['API', 'APIs'],
  ['Access', 'accesses'],
  ['Batch', 'batches'],
  ['Deployments', 'deployments'],
  ['GitHub Repository', 'GitHub Repositories'],
])('many of %s are %s', (title, many) => {
  expect(plural(title)).toBe(many);
});

test('one is in the singular, and large counts are grouped', () => {
  expect([counted(1, 'Service'), counted(0, 'Service'), counted(1204, 'Service')]).toEqual([
    '1 service',
    '0 services',
    '1,204 services',
  ]);
});

test('says how many match of how many there are, and how many are loaded only if not all are', () => {
  expect(matchedText(8, 17, 8, 'Service')).toBe('8 of 17 services');
  expect(matchedText(17, 17, 17, 'Service')).toBe('17 services');
  expect(matchedText(2050, 2050, 100, 'Service')).toBe('2,050 services · 100 loaded');
  expect(matchedText(1200, 2050, 100, 'Service')).toBe('1,200 of 2,050 services · 100 loaded');
});
