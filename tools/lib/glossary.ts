import type { SourceFile } from './source-files.ts';

/** A word that is not used, and the one that is. */
export interface BannedWord {
  readonly word: string;
  readonly instead: string;
}

/** The third column of the glossary's tables: words that must not be in names. */
export function bannedWords(glossary: string): BannedWord[] {
  return glossary.split('\n').flatMap((line) => {
    const cells = line.split('|').map((cell) => cell.trim());
    if (cells.length < 5 || cells[1] === 'term' || cells[1]?.startsWith('---')) return [];
    const words = (cells[3] ?? '').split(',').map((word) => word.trim());
    return words.filter(Boolean).map((word) => ({ word, instead: cells[1] ?? '' }));
  });
}

/** Banned words in the file's name and in its identifiers. Comments and texts are prose and not looked at. */
export function glossaryFindings({ path, text }: SourceFile, banned: readonly BannedWord[]): string[] {
  const names = new Set([path.slice(path.lastIndexOf('/') + 1), ...identifiers(text)]);
  const wanted = banned.map((each) => ({ ...each, parts: splitWords(each.word) }));
  return [...names].flatMap((name) => {
    const parts = splitWords(name);
    return wanted
      .filter((each) => containsWords(parts, each.parts))
      .map(({ word, instead }) => `${path}: "${name}" says "${word}"; the glossary's word is "${instead}"`);
  });
}

function identifiers(text: string): string[] {
  const code = text
    .replaceAll(/\/\*[\s\S]*?\*\//g, ' ')
    .replaceAll(/(?<!:)\/\/[^\n]*/g, ' ')
    .replaceAll(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g, ' ');
  return code.match(/[A-Za-z_$][\w$]*/g) ?? [];
}

/** `runDraft`, `run-draft` and `RUN_DRAFT` are the same two words. */
function splitWords(name: string): string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter(Boolean);
}

/** Whether the words follow one another in the name; a plural counts as its word. */
function containsWords(name: readonly string[], wanted: readonly string[]): boolean {
  return name.some((_, start) =>
    wanted.every((word, offset) => name[start + offset] === word || name[start + offset] === `${word}s`),
  );
}
