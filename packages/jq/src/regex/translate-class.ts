import { characterEscape, PatternError } from './pattern-escape.ts';
import { escapeSet, literal, posixBody, propertyBody } from './translate-sets.ts';

interface ParsedClass {
  readonly text: string;
  readonly end: number;
}

/** Reads a bracket class whose `[` is just before `start`. A nested `[` is literal, as in Perl syntax. */
export function parseClass(pattern: string, start: number, isAscii: boolean): ParsedClass {
  let at = start;
  const isNegated = pattern[at] === '^';
  if (isNegated) at++;
  const positive: string[] = [];
  const negative: string[] = [];
  for (let isFirst = true; ; isFirst = false) {
    if (at >= pattern.length) throw new PatternError('premature end of char-class');
    if (pattern[at] === ']' && !isFirst) break;
    const member = readMember(pattern, at, isAscii);
    at = member.end;
    if (member.set !== undefined) {
      (member.set.startsWith('^') ? negative : positive).push(member.set.replace(/^\^/, ''));
      continue;
    }
    const range = rangeEnd(pattern, at, isAscii);
    if (range === undefined) positive.push(literal(member.char));
    else {
      if (range.char.codePointAt(0)! < member.char.codePointAt(0)!) throw new PatternError('empty range in char class');
      positive.push(`${literal(member.char)}-${literal(range.char)}`);
      at = range.end;
    }
  }
  return { text: classText(isNegated, positive.join(''), negative), end: at + 1 };
}

interface Member {
  readonly char: string;
  readonly set: string | undefined;
  readonly end: number;
}

function readMember(pattern: string, at: number, isAscii: boolean): Member {
  const named = /^\[:(\^?)(\w+):\]/.exec(pattern.slice(at, at + 20));
  const body = named === null ? undefined : posixBody(named[2]!);
  if (named !== null && body !== undefined) return { char: '', set: named[1]! + body, end: at + named[0].length };
  const char = String.fromCodePoint(pattern.codePointAt(at)!);
  if (char !== '\\') return { char, set: undefined, end: at + char.length };
  const letter = pattern[at + 1];
  if (letter === undefined) throw new PatternError('end pattern at escape');
  if (letter === 'b') return { char: '\b', set: undefined, end: at + 2 };
  const set = escapeSet(letter, isAscii);
  if (set !== undefined) return { char: '', set, end: at + 2 };
  if (letter === 'p' || letter === 'P') {
    const property = /^\{(\^?)([\w ]+)\}/.exec(pattern.slice(at + 2));
    const inner = property === null ? undefined : propertyBody(property[2]!);
    if (property === null || inner === undefined) throw new PatternError('invalid character property name');
    const isNegated = (letter === 'P') !== (property[1] === '^');
    return { char: '', set: `${isNegated ? '^' : ''}${inner}`, end: at + 2 + property[0].length };
  }
  const escaped = characterEscape(pattern, at + 1);
  return { char: escaped.char, set: undefined, end: escaped.end };
}

/** The upper end of a range, if a `-` and a single character follow. */
function rangeEnd(pattern: string, at: number, isAscii: boolean): { char: string; end: number } | undefined {
  if (pattern[at] !== '-' || at + 1 >= pattern.length || pattern[at + 1] === ']') return undefined;
  const last = readMember(pattern, at + 1, isAscii);
  return last.set === undefined ? { char: last.char, end: last.end } : undefined;
}

/** A union that contains negated sets is written as alternatives, which both dialects support. */
function classText(isNegated: boolean, positive: string, negative: readonly string[]): string {
  if (negative.length === 0) return `[${isNegated ? '^' : ''}${positive}]`;
  if (!isNegated) {
    const parts = negative.map((set) => `[^${set}]`);
    return `(?:${[...(positive === '' ? [] : [`[${positive}]`]), ...parts].join('|')})`;
  }
  if (negative.length === 1 && positive === '') return `[${negative[0]}]`;
  throw new PatternError('a negated class with negated sets inside is not supported');
}
