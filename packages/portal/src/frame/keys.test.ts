import { describe, expect, test } from 'vitest';
import { createSequencer, pressed, spell } from './keys.ts';

const key = (name: string, held: Partial<Parameters<typeof pressed>[0]> = {}) => ({
  key: name,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...held,
});

describe('a pressed key', () => {
  test.each([
    [key('k', { ctrlKey: true }), false, 'mod+k'],
    [key('k', { metaKey: true }), true, 'mod+k'],
    [key('k', { ctrlKey: true }), true, 'k'],
    [key('?', { shiftKey: true }), false, '?'],
    [key('Enter', { shiftKey: true }), false, 'shift+enter'],
    [key('G', { shiftKey: true }), false, 'shift+g'],
    [key(' '), false, 'space'],
  ])('%o on a Mac %s is %s', (event, mac, name) => {
    expect(pressed(event, mac)).toBe(name);
  });
});

describe('a sequence', () => {
  const known = ['g c', 'g h', 'c', '?'];

  test('is completed by its second key, and the second key alone is itself', () => {
    const complete = createSequencer(() => 0);
    expect(complete('g', known)).toBeUndefined();
    expect(complete('c', known)).toBe('g c');
    expect(complete('c', known)).toBe('c');
  });

  test('is forgotten after a while', () => {
    let now = 0;
    const complete = createSequencer(() => now);
    complete('g', known);
    now = 5000;
    expect(complete('h', known)).toBeUndefined();
  });
});

test('shortcuts are spelled for people', () => {
  expect([spell('mod+k', false), spell('mod+k', true), spell('g c', false), spell('?', false)]).toEqual([
    'Ctrl K',
    '⌘ K',
    'G then C',
    '?',
  ]);
});
