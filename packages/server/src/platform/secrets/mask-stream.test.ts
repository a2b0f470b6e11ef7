import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMatcher } from './matcher.ts';
import { createSecretScope, mask } from './secret-scope.ts';

const key = 'sk-live-kT9vQ2mXw7Lp4RzB0aYc';

function streamed(parts: readonly string[], ...secrets: string[]): string[] {
  const scope = createSecretScope();
  for (const secret of secrets) scope.add(secret);
  const stream = scope.maskStream();
  return [...parts.map((part) => stream.push(part)), stream.end()];
}

test('a key is masked wherever the stream is cut, once or letter by letter', () => {
  const forms = [key, encodeURIComponent(`${key}/+`), Buffer.from(`user:${key}`).toString('base64')];
  for (const form of forms) {
    const text = `It is ${form}, I think.`;
    const wanted = streamed([text], key).join('');
    expect(wanted).toContain(mask);
    expect(wanted).not.toContain(form);
    for (let at = 0; at <= text.length; at++) {
      expect(streamed([text.slice(0, at), text.slice(at)], key).join('')).toBe(wanted);
    }
    expect(streamed([...text], key).join('')).toBe(wanted);
  }
});

test('nothing of a key is told before it is known to be none', () => {
  const told = streamed([...`a ${key}`], key);
  expect(told.join('')).toBe(`a ${mask}`);
  expect(told.slice(2, -1).join('')).not.toContain('s');
});

test('what is no secret is told at once, and what only begins like one is told in the end', () => {
  expect(streamed(['The answer', ' is 42', '. '], key)).toEqual(['The answer', ' is 42', '. ', '']);
  expect(streamed(['sk-li', 'on'], key)).toEqual(['', 'sk-lion', '']);
  expect(streamed(['sk-li'], key)).toEqual(['', 'sk-li']);
  expect(streamed(['sk-live-kT9'], key)).toEqual(['', mask]);
});

/** What is covered by any of the texts, found by looking at every place. */
function naively(text: string, texts: readonly string[]): string {
  const isCovered = Array.from({ length: text.length }, () => false);
  const cover = (from: number, to: number) => isCovered.fill(true, from, to);
  for (const each of texts) {
    for (let at = text.indexOf(each); at >= 0; at = text.indexOf(each, at + 1)) cover(at, at + each.length);
  }
  const begun = [...text].findIndex((_unit, at) => texts.some((each) => each.startsWith(text.slice(at))));
  if (begun >= 0 && text.length - begun >= 8) cover(begun, text.length);
  return [...text].map((unit, at) => (isCovered[at] ? (isCovered[at - 1] ? '' : '*') : unit)).join('');
}

test('a stream says what the whole text would, whatever is looked for and wherever it is cut', () => {
  const letters = fc.constantFrom('a', 'b', 'c');
  const word = (maxLength: number) => fc.string({ unit: letters, minLength: 1, maxLength });
  fc.assert(
    fc.property(
      fc.array(word(12), { minLength: 1, maxLength: 6 }),
      fc.array(word(9), { maxLength: 12 }),
      (texts, parts) => {
        const matcher = createMatcher(texts);
        const stream = matcher.stream('*');
        const told = [...parts.map((part) => stream.push(part)), stream.end()].join('');
        const text = parts.join('');
        expect(told).toBe(naively(text, texts));
        expect(matcher.replace(text, '*')).toBe(told);
      },
    ),
    { numRuns: 3_000 },
  );
});
