import { join } from 'node:path';
import { expect, test } from 'vitest';
import { top } from './lib/source-files.ts';

const { escapeLetters } = (await import(join(top, 'tools/build.mjs'))) as { escapeLetters(code: string): string };

/** What a program comes to, as it is and as it is built. */
function both(code: string): readonly unknown[] {
  return [code, escapeLetters(code)].map((each) => new Function(`return ${each}`)());
}

test.each([
  ['strings', String.raw`['→', "a\→b", '\\→', '\\\→', '😀é', '\u2192→']`],
  ['a string with line ends of its own', "'a\u2028b\u2029c'.length"],
  ['names and keys', '(() => { const größeω = { ω: 1, "→": 2 }; return größeω; })()'],
  ['templates', '`→ $' + '{`„$' + '{"→"}`} \\→ 😀`'],
  ['a tagged template', '((texts, ...values) => [...texts, ...values])`→ $' + '{"→"} “`'],
  ['a raw template', 'String.raw`→ \\→ \\` → \\\\` + "→"'],
  ['regular expressions', `['a→', 'b'].map((each) => /^a→$/.test(each))`],
  ['one with letters of two units', `['😀', '😁', '⇒'].map((each) => /^[→-⇒😀]$/u.test(each))`],
  [
    'one with escapes',
    String.raw`['→', '\\→'].map((each) => [/^[\u2190-→]$/, /^\\→$/, /^\→$/].map((is) => is.test(each)))`,
  ],
  ['comments', '[/* → */ 1, // …\n 2]'],
])('%s does the same once its letters are escaped', (_what, code) => {
  const [written, built] = both(code);
  expect(built).toEqual(written);
});

test('no letter beyond Latin-1 is left where none has to be', () => {
  const built = escapeLetters(`const arrow = '→ \u{1F600}'; // „quoted“`);
  expect(built).toBe(`const arrow = '\\u2192 \\ud83d\\ude00'; // \\u201equoted\\u201c`);
});
