import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Stretch, textDifference } from './text-difference.ts';

const side = (stretches: readonly Stretch[], left: 'gone' | 'new') =>
  stretches
    .filter(({ kind }) => kind !== left)
    .map(({ text }) => text)
    .join('');

test('names the words that went and came', () => {
  expect(textDifference('.team | contains(["SRE"])', '.team | index("sre") != null')).toEqual([
    { kind: 'same', text: '.team | ' },
    { kind: 'gone', text: 'contains' },
    { kind: 'new', text: 'index' },
    { kind: 'same', text: '(' },
    { kind: 'gone', text: '[' },
    { kind: 'same', text: '"' },
    { kind: 'gone', text: 'SRE' },
    { kind: 'new', text: 'sre' },
    { kind: 'same', text: '"' },
    { kind: 'gone', text: ']' },
    { kind: 'same', text: ')' },
    { kind: 'new', text: ' != null' },
  ]);
});

test('of any two texts, both can be read from it', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '.', 'ä', '😀', '\n') });
  fc.assert(
    fc.property(text, text, (before, after) => {
      const stretches = textDifference(before, after);
      expect(side(stretches, 'new')).toBe(before);
      expect(side(stretches, 'gone')).toBe(after);
    }),
  );
});

test('long texts that have nothing in common are replaced as a whole', () => {
  const [before, after] = ['a '.repeat(5_000), 'b '.repeat(5_000)].map((each) => each.trim());
  const stretches = textDifference(before ?? '', after ?? '');
  expect(stretches.map(({ kind }) => kind)).toEqual(['gone', 'new']);
});
