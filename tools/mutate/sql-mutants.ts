/** Words and operators of SQL and what each is mistaken for; the first pattern that fits a place decides. */
const mistakes: readonly (readonly [pattern: string, replacement: string])[] = [
  ['is not null', 'is null'],
  ['is null', 'is not null'],
  ['is not true', 'is true'],
  ['is not distinct from', 'is distinct from'],
  ['is distinct from', 'is not distinct from'],
  ['not exists', 'exists'],
  ['not in', 'in'],
  ['not like', 'like'],
  ['exists', 'not exists'],
  ['and', 'or'],
  ['or', 'and'],
  ['union all', 'except'],
  ['asc', 'desc'],
  ['desc', 'asc'],
  ['least', 'greatest'],
  ['greatest', 'least'],
  ['left join', 'join'],
  ['<=', '<'],
  ['>=', '>'],
  ['<>', '='],
  ['!=', '='],
  ['&&', '@>'],
  ['<@', '@>'],
  ['<', '<='],
  ['>', '>='],
  ['=', '<>'],
];
const byPattern = new Map(mistakes);
const anyOf = mistakes
  .map(([pattern]) => {
    const escaped = pattern.replace(/[|\\{}()[\]^$+*?.]/g, '\\$&').replaceAll(' ', '\\s+');
    return /\w/.test(pattern) ? `\\b${escaped}\\b` : `(?<![<>=!:@~-])${escaped}(?![<>=@~])`;
  })
  .join('|');

// texts and names in quotes are no SQL words, nor are `create or replace` and the `and` of a range
const untouched = /'(?:[^']|'')*'|"[^"]*"|\bcreate\s+or\s+replace\b|\bbetween\b[^()]*?\band\b|\bset\s+\w+\s*=/gi;

/** One change for each operator in a piece of SQL, as the whole piece with the change made. */
export function sqlMistakes(piece: string): string[] {
  const blanked = piece.replace(untouched, (text) => ' '.repeat(text.length));
  return [...blanked.matchAll(new RegExp(anyOf, 'gi'))].flatMap(({ index, 0: found }) => {
    const replacement = byPattern.get(found.toLowerCase().replace(/\s+/g, ' '));
    return replacement === undefined ? [] : [piece.slice(0, index) + replacement + piece.slice(index + found.length)];
  });
}
