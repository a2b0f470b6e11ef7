import { expect, test } from 'vitest';
import { guessProperty } from './guess-property.ts';

test.each([
  ['text', { type: 'string' }],
  ['', { type: 'string' }],
  [null, { type: 'string' }],
  ['2026-01-31T12:00:00Z', { type: 'string', format: 'date-time' }],
  ['2026-99-31T12:00:00Z', { type: 'string' }],
  ['https://example.com/a?b=c', { type: 'string', format: 'url' }],
  ['https://exa mple', { type: 'string' }],
  [5, { type: 'number' }],
  [false, { type: 'boolean' }],
  [{ a: 1 }, { type: 'object' }],
  [['a', 'b'], { type: 'array', items: { type: 'string' } }],
  [['a', 1], { type: 'array' }],
  [[['a']], { type: 'array' }],
  [[], { type: 'array' }],
])('%j suggests %j', (value, guess) => {
  expect(guessProperty(value)).toEqual(guess);
});
