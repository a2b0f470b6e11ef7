import type { Expression, Pattern, PatternEntry } from './ast.ts';
import { parseString } from './parse-string.ts';
import type { Parser } from './parser-context.ts';

/** One or more patterns separated by `?//`. */
export function parsePatterns(parser: Parser): Pattern[] {
  const patterns = [parsePattern(parser)];
  while (parser.tokens.take('?//')) patterns.push(parsePattern(parser));
  return patterns;
}

function parsePattern(parser: Parser): Pattern {
  const { tokens } = parser;
  const { start, kind, text, end } = tokens.current;
  if (kind === 'variable') {
    tokens.advance();
    return { kind: 'variable', name: text, start, end };
  }
  if (tokens.take('[')) {
    const items = separated(parser, () => tokens.nested(() => parsePattern(parser)));
    return { kind: 'array', items, start, end: tokens.expect(']').end };
  }
  if (tokens.take('{')) {
    const entries = separated(parser, () => parseEntry(parser));
    return { kind: 'object', entries, start, end: tokens.expect('}').end };
  }
  throw tokens.unexpected(['a variable', "'['", "'{'"]);
}

function separated<T>(parser: Parser, parseItem: () => T): T[] {
  const items = [parseItem()];
  while (parser.tokens.take(',')) items.push(parseItem());
  return items;
}

function parseEntry(parser: Parser): PatternEntry {
  const { tokens } = parser;
  const { start, kind, text, end } = tokens.current;
  if (kind === 'variable') {
    tokens.advance();
    const key: Expression = { kind: 'string', format: null, parts: [text], start, end };
    const value = tokens.take(':') ? tokens.nested(() => parsePattern(parser)) : null;
    return { variable: text, key, value, start, end: value?.end ?? end };
  }
  const key = parseKey(parser);
  tokens.expect(':');
  const value = tokens.nested(() => parsePattern(parser));
  return { variable: null, key, value, start, end: value.end };
}

function parseKey(parser: Parser): Expression {
  const { tokens } = parser;
  const { start, kind, text, end } = tokens.current;
  if (kind === 'name') {
    tokens.advance();
    return { kind: 'string', format: null, parts: [text], start, end };
  }
  if (kind === 'format') {
    tokens.advance();
    if (tokens.current.kind !== 'string') throw tokens.unexpected(["'\"'"]);
    return parseString(tokens, text, start, parser.pipe);
  }
  if (kind === 'string') return parseString(tokens, null, start, parser.pipe);
  if (tokens.take('(')) {
    const body = tokens.nested(parser.pipe);
    return { kind: 'group', body, start, end: tokens.expect(')').end };
  }
  throw tokens.unexpected(['a variable', 'a key', "'('"]);
}
