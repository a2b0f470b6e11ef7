import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bannedWords, glossaryFindings } from './lib/glossary.ts';
import { filesUnder, top } from './lib/source-files.ts';

const banned = bannedWords(readFileSync(join(top, 'docs/reference/glossary.md'), 'utf8'));

test('names in the sources use the words of the glossary', () => {
  const sources = filesUnder(['packages'], /^packages\/[^/]+\/src\/.*\.tsx?$/);
  expect(sources.flatMap((file) => glossaryFindings(file, banned))).toEqual([]);
});

test('the glossary bans words', () => {
  expect(banned).toContainEqual({ word: 'rollup', instead: 'aggregation property' });
  expect(banned.length).toBeGreaterThan(30);
});

test.each(['const entityTypes = 1;', 'class EntityType {}', 'const ENTITY_TYPE = 1;', 'object.entity_type();'])(
  '%s is found',
  (text) => {
    expect(glossaryFindings({ path: 'a.ts', text }, banned)).toHaveLength(1);
  },
);

test('a file name is found', () => {
  expect(glossaryFindings({ path: 'src/refresh-rollup.ts', text: '' }, banned)).toHaveLength(1);
});

test.each(["const name = 'entityType';", '// the entityType of old', '/* entityType */', 'const entity = typeOf(x);'])(
  '%s passes',
  (text) => {
    expect(glossaryFindings({ path: 'a.ts', text }, banned)).toEqual([]);
  },
);
