import { expect, test } from 'vitest';
import { filesUnder } from './lib/source-files.ts';

/** The files of tests that run on both engines and hold nothing for one of them: there Vitest calls the file failed. */
function emptyOnAnEngine(): string[] {
  const files = filesUnder(['packages'], /(?<!-on-(embedded|postgres|replicas))\.int\.test\.ts$/);
  return files.filter(({ text }) => !runsOnBoth(text)).map(({ path }) => path);
}

function runsOnBoth(text: string): boolean {
  const engines = new Set(Array.from(text.matchAll(/^onlyOn\('(\w+)'/gm), ([, engine]) => engine));
  return engines.size === 2 || /^(describe|it|test)\b/m.test(text);
}

test('files whose tests need one engine say so in their names', () => {
  expect(emptyOnAnEngine()).toEqual([]);
});
