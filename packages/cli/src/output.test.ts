import { expect, test } from 'vitest';
import { dim, oneLine, printable, table } from './output.ts';

test('text for a terminal cannot steer it', () => {
  const text = 'a\u001b[2Jb\u009b31mc\r\u0007\td\n';
  expect(printable(text, { isTerminal: true })).toBe('a[2Jb31mc\td\n');
  expect(printable(text, { isTerminal: false })).toBe(text);
});

test('text is dim only where colour is wanted', () => {
  expect(dim('a', { hasColor: true })).toBe('\u001b[2ma\u001b[22m');
  expect(dim('a', { hasColor: false })).toBe('a');
});

test('a long text becomes one line of the width', () => {
  expect(oneLine('a\n  b', 10)).toBe('a b');
  expect(oneLine('abcdef', 4)).toBe('abc…');
});

test('a table has columns as wide as their cells', () => {
  expect(
    table(
      ['ID', 'NAME'],
      [
        ['1', 'Acme'],
        ['22', ''],
      ],
    ),
  ).toBe('ID  NAME\n1   Acme\n22\n');
});
