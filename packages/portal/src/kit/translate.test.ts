import { expect, test } from 'vitest';
import { fill, plural, t } from './translate.ts';

test('a text takes its values, and leaves what it was not given', () => {
  expect(t('Delete {title}', { title: 'Rate Engine' })).toBe('Delete Rate Engine');
  expect(t('{ "key": {value} }', { other: 1 })).toBe('{ "key": {value} }');
  expect(fill('{a}{b}{c}', { a: 0, b: null, c: undefined })).toBe('0');
});

test('a value is never read as a placeholder, a pattern or an inherited name', () => {
  expect(t('{a} and {b}', { a: '{b}', b: '$&' })).toBe('{b} and $&');
  expect(t('{constructor} {toString}', {})).toBe('{constructor} {toString}');
});

test.each([
  [0, '0 rules'],
  [1, '1 rule'],
  [1204, '1,204 rules'],
])('%i is "%s"', (count, text) => {
  expect(plural(count, '{count} rule', '{count} rules')).toBe(text);
});
