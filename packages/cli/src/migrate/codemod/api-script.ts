import type { FileNote } from './text-edit.ts';

/** API terms for teams of the old model; programs are reported and never edited. */
const signs: readonly (readonly [RegExp, string])[] = [
  [/\bteam(?:Inheritance|_inheritance)\b/g, 'The inheritance of teams is replaced by ownership.'],
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

/** Findings in a program that calls the API. */
export function findInScript(source: string): FileNote[] {
  return signs.flatMap(([pattern, message]) =>
    [...source.matchAll(pattern)].map(({ index }) => ({ start: index, rule: 'script/team', message, breaks: false })),
  );
}
