import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findPlaceholders, portalTexts } from './lib/portal-texts.ts';
import { top } from './lib/source-files.ts';

const folder = join(top, 'packages/portal/src/languages');
const { texts, problems } = portalTexts();
const translated = readdirSync(folder).filter((name) => name !== 'en.json');
const read = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Record<string, string>;

test('every text of the portal is written where it is said', () => {
  expect(texts.size).toBeGreaterThan(2000);
  expect(problems).toEqual([]);
});

test.each(translated)('%s has every text, and none that is gone', (name) => {
  const catalogue = read(name);
  expect([...texts.keys()].filter((key) => !catalogue[key]?.trim())).toEqual([]);
  const forms = /_(zero|one|two|few|many|other)$/;
  const known = (key: string) => texts.has(key) || (forms.test(key) && texts.has(key.replace(forms, '_other')));
  expect(Object.keys(catalogue).filter((key) => !known(key))).toEqual([]);
});

test.each(translated)('%s keeps the placeholders and marks of each text', (name) => {
  const broken = Object.entries(read(name)).filter(([key, text]) => {
    const english = texts.get(key) ?? texts.get(key.replace(/_\w+$/, '_other')) ?? '';
    return findPlaceholders(text).join() !== findPlaceholders(english).join();
  });
  expect(broken).toEqual([]);
});

test('a text that is put together is found', () => {
  const source = { path: 'a.tsx', text: "const a = t('Delete ' + name); const b = t('Delete {name}', { name });" };
  expect(portalTexts([source])).toEqual({
    texts: new Map([['Delete {name}', 'Delete {name}']]),
    problems: ['a.tsx:1 says a text that is not written there'],
  });
});

test.each([
  "t('{name} is {state}', { name, state: isOn ? 'on' : 'off' })",
  "t('Runs with {scopes}', { scopes: scopes.join() || 'nothing' })",
  "<p>{count} {count === 1 ? 'row' : 'rows'}</p>",
  "<p>{level ?? 'no level'}</p>",
])('words that are put into a text in English are found: %s', (code) => {
  expect(portalTexts([{ path: 'a.tsx', text: `const a = ${code};` }]).problems[0]).toMatch(/in English into a text/);
});

test('formats, keys and conditions are no words of a text', () => {
  const code = "<p>{kind === 'list' && t('Lists')}{isRound ? 'JSON' : '·'}</p>";
  expect(portalTexts([{ path: 'a.tsx', text: `const a = ${code};` }]).problems).toEqual([]);
});
