import { expect, test } from 'vitest';
import { spansAt, spanWords } from './time.ts';
import { splitWords } from './words.ts';

/** A Monday. */
const today = '2026-03-02';

test.each([
  ['today', { from: '2026-03-02', to: '2026-03-03' }],
  ['yesterday', { from: '2026-03-01', to: '2026-03-02' }],
  ['this week', { from: '2026-03-02', to: '2026-03-09' }],
  ['last week', { from: '2026-02-23', to: '2026-03-02' }],
  ['this month', { from: '2026-03-01', to: '2026-04-01' }],
  ['last month', { from: '2026-02-01', to: '2026-03-01' }],
  ['this quarter', { from: '2026-01-01', to: '2026-04-01' }],
  ['last year', { from: '2025-01-01', to: '2026-01-01' }],
  ['in the last 30 days', { from: '2026-01-31', to: '2026-03-03' }],
  ['in the past two weeks', { from: '2026-02-16', to: '2026-03-03' }],
  ['last 1 months', { from: '2026-02-02', to: '2026-03-03' }],
  ['since 2026-02-20', { from: '2026-02-20' }],
  ['after 2026-02-20', { from: '2026-02-21' }],
  ['before 2023', { to: '2023-01-01' }],
  ['between 2026-01-01 and 2026-01-31', { from: '2026-01-01', to: '2026-02-01' }],
  ['in January', { from: '2026-01-01', to: '2026-02-01' }],
  ['in December', { from: '2025-12-01', to: '2026-01-01' }],
  ['in February 2024', { from: '2024-02-01', to: '2024-03-01' }],
])('%s is a span of the calendar', (text, span) => {
  const words = splitWords(text);
  expect(spansAt(words, 0, today)).toContainEqual({ span, end: words.length });
});

test.each(['soon', 'last 0 days', 'since Tuesday', 'this days'])('%s is none', (text) => {
  expect(spansAt(splitWords(text), 0, today)).toEqual([]);
});

test('the last month of a long one does not spill over', () => {
  expect(spansAt(splitWords('last 1 months'), 0, '2026-03-31')[0]?.span.from).toBe('2026-02-28');
});

test('a span is said with the days that it includes', () => {
  expect(spanWords({ from: '2026-02-01', to: '2026-03-01' })).toBe('from 2026-02-01 to 2026-02-28');
  expect(spanWords({ from: '2026-02-01', to: '2026-02-02' })).toBe('on 2026-02-01');
  expect(spanWords({ to: '2026-02-01' })).toBe('before 2026-02-01');
});
