import { expect, test } from 'vitest';
import { filesUnder } from './lib/source-files.ts';

/** Words that read as if translated, and what to write instead (CONTRIBUTING.md: text that people read is plain). */
const forbidden: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\bIt [a-z]/, 'a sentence that names its subject'],
  [/\banew\b/, '"again"'],
  [/\basked for\b/, '"requested"'],
  [/\bby itself\b/, '"automatically"'],
  [/\b[Ww]hoever\b/, '"anyone who", or the role'],
  [/\b[Nn]othing fits\b/, '"No … match"'],
  [/\b[Ww]hat it [a-z]/, 'a noun: "Result", "Inputs"'],
];

const root = 'packages/portal/src/';
const texts = filesUnder([root], /\.tsx?$/)
  .filter(({ path }) => !/\.test\.tsx?$/.test(path))
  .map(({ path, text }) => ({ path: path.slice(root.length), lines: withoutComments(text).split('\n') }));

function withoutComments(text: string): string {
  return text
    .replaceAll(/\/\*.*?\*\//gs, (comment) => comment.replaceAll(/[^\n]/g, ''))
    .replaceAll(/(^|\s)\/\/.*/g, '$1');
}

function problemsIn(lines: readonly string[]): string[] {
  return lines.flatMap((line, index) =>
    forbidden.flatMap(([pattern, instead]) =>
      pattern.test(line) ? [`line ${index + 1} says "${pattern.exec(line)?.[0]}"; write ${instead}`] : [],
    ),
  );
}

test('the portal speaks plainly', () => {
  const problems = texts.flatMap(({ path, lines }) => problemsIn(lines).map((problem) => `${path} ${problem}`));
  expect(texts.length).toBeGreaterThan(300);
  expect(problems).toEqual([]);
});

test.each(['It was not saved', 'Nothing fits', 'what it does', 'read anew', 'whoever asks'])(
  '"%s" is found',
  (text) => {
    expect(problemsIn([`<Text>${text}</Text>`])).toHaveLength(1);
  },
);
