import { expect, test } from 'vitest';
import { createMatcher } from './matcher.ts';

test('the matcher finds what a search for each text finds', () => {
  // small units are looked up in another way than those beyond
  const alphabets = ['ab', 'a\u0100', '\u00ff\u2028'];
  for (let round = 0; round < 2_000; round++) {
    const alphabet = alphabets[round % alphabets.length] as string;
    const draw = (length: number): string =>
      Array.from({ length }, () => alphabet[Math.floor(Math.random() * alphabet.length)]).join('');
    const texts = Array.from({ length: 1 + (round % 4) }, () => draw(1 + Math.floor(Math.random() * 5)));
    const text = draw(20);
    const isFound = Array.from({ length: text.length }, () => false);
    for (const each of texts) {
      for (let at = text.indexOf(each); at !== -1; at = text.indexOf(each, at + 1))
        isFound.fill(true, at, at + each.length);
    }
    const expected = isFound.map((found, at) => (found ? '-' : text[at])).join('');
    const shown = createMatcher(texts).replace(text, '*');
    expect(shown, `${texts} in ${text}`).toBe(expected.replace(/-+/g, '*'));
  }
});
