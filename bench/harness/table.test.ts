import { expect, test } from 'vitest';
import { type Finding, renderTable, rounded, verdict } from './table.ts';

const finding: Finding = { path: 'read', contender: 'ours', figure: 'CPU', value: 2, unit: 'ms', ratio: 0.5 };

test('a budget is judged by the figure or by its ratio', () => {
  expect(verdict(finding)).toBeUndefined();
  expect(verdict({ ...finding, budget: { of: 'value', most: 2 } })).toBe('pass');
  expect(verdict({ ...finding, budget: { of: 'value', most: 1.9 } })).toBe('short');
  expect(verdict({ ...finding, budget: { of: 'ratio', least: 0.6 } })).toBe('short');
  expect(verdict({ ...finding, value: Number.NaN, budget: { of: 'value', most: 1 } })).toBe('short');
});

test('the table is aligned Markdown', () => {
  const lines = renderTable([{ ...finding, budget: { of: 'ratio', least: 0.6 }, note: 'p95 3' }]).split('\n');
  expect(new Set(lines.map((line) => line.length)).size).toBe(1);
  expect(lines[2]).toMatch(/^\| read \| ours +\| CPU +\| 2\.00 ms \| 0\.50 +\| ratio ≥ 0\.6 \| short +\| p95 3 \|$/);
});

test('figures have about three digits', () => {
  expect([1234.5, 12.345, 1.2345, Number.NaN].map(rounded)).toEqual(['1,235', '12.3', '1.23', '-']);
});
