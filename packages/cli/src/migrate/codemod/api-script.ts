import type { TextEdit } from './text-edit.ts';

/** Words of the API that mean teams of the old model; programs are shown and never edited. */
const signs: readonly (readonly [RegExp, string])[] = [
  [/\bteamInheritance\b/g, 'teamInheritance is replaced by ownership.'],
  [/["'`]\$team["'`]/g, '$team holds identifiers after the migration.'],
  [
    /\/v1\/(?:blueprints\/[^\s"'`]*\/)?entities[^\s"'`]*(?=[\s\S]{0,400}["'`]team["'`]\s*:)/g,
    'Writes "team", which takes identifiers after the migration.',
  ],
  [
    /\.relations\.teams\b|["'`]relations["'`]\s*:\s*\{\s*["'`]teams["'`]/g,
    'The relation "teams" may be removed by the migration.',
  ],
];

/** Findings in a program that calls the API; `after` is what stands there already. */
export function findInScript(source: string): TextEdit[] {
  return signs.flatMap(([pattern, message]) =>
    [...source.matchAll(pattern)].map((match) => ({
      start: match.index,
      end: match.index + match[0].length,
      after: match[0],
      rule: 'script/team',
      message,
    })),
  );
}
