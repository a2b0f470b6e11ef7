import { expect, test } from 'vitest';
import { readLocated, writeText } from './located-text.ts';

test('values are found at their lines in YAML and in JSON', () => {
  const value = { a: [{ b: '.x' }, { b: '.y |' }] };
  for (const language of ['yaml', 'json'] as const) {
    const text = writeText(value, language);
    const read = readLocated(text, language);
    expect(read).toMatchObject({ value, problems: [] });
    const { from, to, line } = read.placeOf(['a', 1, 'b']);
    expect(text.slice(from, to)).toContain('.y |');
    expect(text.split('\n')[line - 1]).toContain('.y |');
    expect(read.placeOf(['a', 1, 'gone']).line).toBe(read.placeOf(['a', 1]).line);
  }
});

test('what cannot be read says where, and what only looks like JSON is none', () => {
  expect(readLocated('a: 1\nb: [1', 'yaml').problems[0]).toMatchObject({ line: 2 });
  expect(readLocated('{"a": 1,\n "b": }', 'json').problems).not.toEqual([]);
  expect(readLocated('a: 1', 'json').problems).toHaveLength(1);
  expect(readLocated('', 'json').problems).toHaveLength(1);
});

test('a text that would grow without end is refused', () => {
  const bomb = `a: &a [x, x, x, x, x, x, x, x, x, x]
b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a]
c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b, *b]
d: [*c, *c, *c, *c, *c, *c, *c, *c, *c, *c]`;
  expect(readLocated(bomb, 'yaml').problems).toHaveLength(1);
});
