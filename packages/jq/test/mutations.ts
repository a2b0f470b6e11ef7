import type { JqValue, Place } from '../src/index.ts';

const scraps = [
  '(',
  ')',
  '[',
  ']',
  '{',
  '}',
  '|',
  ',',
  '"',
  '\\(',
  '.',
  '..',
  '$x',
  '?//',
  '//=',
  'as',
  'def f:',
  ';',
  '\ud800',
  '1e999',
  '#',
  '@x',
  '`',
  '\0',
];

/** A program text with a few characters cut, doubled or strewn in. */
export function damaged(source: string, random: () => number): string {
  let text = source;
  for (let count = 1 + Math.floor(random() * 3); count > 0; count--) {
    const at = Math.floor(random() * (text.length + 1));
    const length = Math.floor(random() * 4);
    const choice = random();
    if (choice < 0.4) text = text.slice(0, at) + text.slice(at + length);
    else if (choice < 0.6) text = text.slice(0, at) + text.slice(at, at + length).repeat(2) + text.slice(at + length);
    else text = text.slice(0, at) + scraps[Math.floor(random() * scraps.length)] + text.slice(at);
  }
  return text;
}

/** Every place in a document, the root first. */
export function listPlaces(value: JqValue, at: Place = []): Place[] {
  if (typeof value !== 'object' || value === null) return [at];
  const children = Object.entries(value) as [string, JqValue][];
  return [
    at,
    ...children.flatMap(([key, child]) => listPlaces(child, [...at, Array.isArray(value) ? Number(key) : key])),
  ];
}

/** A copy of the document with another value at a place that exists. */
export function replacedAt(value: JqValue, place: Place, replacement: JqValue): JqValue {
  const [key, ...rest] = place as (string | number)[];
  if (key === undefined) return replacement;
  const copy = Array.isArray(value) ? value.slice() : { ...(value as object) };
  const container = copy as Record<string | number, JqValue>;
  container[key] = replacedAt(container[key]!, rest, replacement);
  return copy as JqValue;
}

/** A syntax tree as text without positions, for comparing trees. */
export function withoutSpans(tree: unknown): string {
  return JSON.stringify(tree, (key, value) => (key === 'start' || key === 'end' || key === 'line' ? undefined : value));
}
