import { JqBudgetError, toPosition } from '../errors.ts';
import type { Expression, Pattern } from './ast.ts';
import { parseObject } from './parse-object.ts';
import { parsePatterns } from './parse-pattern.ts';
import { parseString } from './parse-string.ts';
import type { Parser } from './parser-context.ts';
import { keywords } from './tokens.ts';

const suffixesMax = 400;

/** A term: a primary with any number of `.name`, `[…]` and `?` behind it. */
export function parseTerm(parser: Parser): Expression {
  let term = parsePrimary(parser);
  for (let count = 0; ; count++) {
    const next = parseSuffix(parser, term);
    if (next === undefined) return term;
    if (count >= suffixesMax) throw new JqBudgetError('nesting', suffixesMax);
    term = next;
  }
}

function parseSuffix(parser: Parser, target: Expression): Expression | undefined {
  const { tokens } = parser;
  const { kind, text, end, start: at } = tokens.current;
  const { start } = target;
  if (kind === 'field') {
    tokens.advance();
    const key: Expression = { kind: 'string', format: null, parts: [text], start: at + 1, end };
    return { kind: 'index', target, key, form: 'field', start, end };
  }
  if (kind !== 'symbol') return undefined;
  switch (text) {
    case '?':
      tokens.advance();
      return { kind: 'try', body: target, handler: null, form: 'suffix', start, end };
    case '?//':
    case '?//=':
      tokens.splitAlternation();
      return { kind: 'try', body: target, handler: null, form: 'suffix', start, end: at + 1 };
    case '[':
      return parseBracket(parser, target);
    case '.':
      tokens.advance();
      if (tokens.isSymbol('[')) return parseBracket(parser, target);
      return parseQuotedField(parser, target);
    default:
      return undefined;
  }
}

/** After a `.`: a quoted name, possibly formatted. */
function parseQuotedField(parser: Parser, target: Expression): Expression {
  const { tokens } = parser;
  const { kind, text, start: at } = tokens.current;
  if (kind === 'format') tokens.advance();
  if (tokens.current.kind !== 'string') throw tokens.unexpected(['a field name', "'['"]);
  const key = parseString(tokens, kind === 'format' ? text : null, at, parser.pipe);
  return { kind: 'index', target, key, form: 'string', start: target.start, end: key.end };
}

function parseBracket(parser: Parser, target: Expression): Expression {
  const { tokens } = parser;
  const { start } = target;
  tokens.expect('[');
  if (tokens.isSymbol(']')) return { kind: 'iterate', target, start, end: tokens.advance().end };
  if (tokens.take(':')) {
    const to = tokens.nested(parser.pipe);
    return { kind: 'slice', target, from: null, to, start, end: tokens.expect(']').end };
  }
  const key = tokens.nested(parser.pipe);
  if (tokens.take(':')) {
    const to = tokens.isSymbol(']') ? null : tokens.nested(parser.pipe);
    return { kind: 'slice', target, from: key, to, start, end: tokens.expect(']').end };
  }
  if (!tokens.isSymbol(']')) throw tokens.unexpected(["':'", "']'"]);
  return { kind: 'index', target, key, form: 'bracket', start, end: tokens.advance().end };
}

function parsePrimary(parser: Parser): Expression {
  const { tokens } = parser;
  const { kind, text, start, end } = tokens.current;
  switch (kind) {
    case 'number':
      tokens.advance();
      return { kind: 'literal', value: Number(text), start, end };
    case 'string':
      return parseString(tokens, null, start, parser.pipe);
    case 'format':
      tokens.advance();
      if (tokens.current.kind === 'string') return parseString(tokens, text, start, parser.pipe);
      return { kind: 'format', name: text, start, end };
    case 'field': {
      tokens.advance();
      const target: Expression = { kind: 'identity', start, end: start };
      const key: Expression = { kind: 'string', format: null, parts: [text], start: start + 1, end };
      return { kind: 'index', target, key, form: 'field', start, end };
    }
    case 'variable':
      tokens.advance();
      if (text === '__loc__') return { kind: 'location', line: toPosition(tokens.source, start).line, start, end };
      return { kind: 'variable', name: text, start, end };
    case 'name':
      return parseWord(parser);
    case 'symbol':
      return parseSymbol(parser);
    default:
      throw tokens.unexpected(['an expression']);
  }
}

function parseSymbol(parser: Parser): Expression {
  const { tokens } = parser;
  const { text, start, end } = tokens.current;
  switch (text) {
    case '..':
      tokens.advance();
      return { kind: 'recurse', start, end };
    case '.': {
      tokens.advance();
      const identity: Expression = { kind: 'identity', start, end };
      const isQuoted = tokens.current.kind === 'string' || tokens.current.kind === 'format';
      return isQuoted && tokens.current.start === end ? parseQuotedField(parser, identity) : identity;
    }
    case '(': {
      tokens.advance();
      const body = tokens.nested(parser.pipe);
      return { kind: 'group', body, start, end: tokens.expect(')').end };
    }
    case '[': {
      tokens.advance();
      const body = tokens.isSymbol(']') ? null : tokens.nested(parser.pipe);
      if (!tokens.isSymbol(']')) throw tokens.unexpected(["','", "']'"]);
      return { kind: 'array', body, start, end: tokens.advance().end };
    }
    case '{':
      return tokens.nested(() => parseObject(parser));
    default:
      throw tokens.unexpected(['an expression']);
  }
}

function parseWord(parser: Parser): Expression {
  const { tokens } = parser;
  const { text, start, end } = tokens.current;
  switch (text) {
    case 'if':
      return tokens.nested(() => parseConditional(parser));
    case 'try':
      return tokens.nested(() => parseTry(parser));
    case 'reduce':
    case 'foreach':
      return tokens.nested(() => parseFold(parser));
    case 'break': {
      tokens.advance();
      const label = tokens.expectKind('variable', 'a label such as $out');
      return { kind: 'break', name: label.text, start, end: label.end };
    }
    case 'def':
    case 'label':
      throw tokens.unexpected(['an expression', `parentheses around '${text}'`]);
    default:
  }
  if (keywords.has(text)) throw tokens.unexpected(['an expression']);
  tokens.advance();
  if (text === 'null' || text === 'true' || text === 'false') {
    if (!tokens.isSymbol('(')) return { kind: 'literal', value: text === 'null' ? null : text === 'true', start, end };
  }
  if (!tokens.take('(')) return { kind: 'call', name: text, args: [], start, end };
  const args = [tokens.nested(parser.pipe)];
  while (tokens.take(';')) args.push(tokens.nested(parser.pipe));
  if (!tokens.isSymbol(')')) throw tokens.unexpected(["';'", "')'"]);
  return { kind: 'call', name: text, args, start, end: tokens.advance().end };
}

function parseConditional(parser: Parser): Expression {
  const { tokens } = parser;
  const { start } = tokens.advance();
  const branches: { condition: Expression; body: Expression }[] = [];
  do {
    const condition = parser.pipe();
    tokens.expectKeyword('then');
    branches.push({ condition, body: parser.pipe() });
  } while (tokens.isKeyword('elif') && tokens.advance());
  let otherwise: Expression | null = null;
  if (tokens.isKeyword('else')) {
    tokens.advance();
    otherwise = parser.pipe();
  } else if (!tokens.isKeyword('end')) {
    throw tokens.unexpected(["'elif'", "'else'", "'end'"]);
  }
  return { kind: 'if', branches, otherwise, start, end: tokens.expectKeyword('end').end };
}

function parseTry(parser: Parser): Expression {
  const { tokens } = parser;
  const { start } = tokens.advance();
  const body = parseTried(parser);
  if (!tokens.isKeyword('catch')) return { kind: 'try', body, handler: null, form: 'keyword', start, end: body.end };
  tokens.advance();
  const handler = parseTried(parser);
  return { kind: 'try', body, handler, form: 'keyword', start, end: handler.end };
}

/** The operand of `try` and `catch`: a term, or a negated one. */
function parseTried(parser: Parser): Expression {
  const { tokens } = parser;
  if (!tokens.isSymbol('-')) return parser.term();
  const { start } = tokens.advance();
  const operand = tokens.nested(() => parseTried(parser));
  return { kind: 'negate', operand, start, end: operand.end };
}

function parseFold(parser: Parser): Expression {
  const { tokens } = parser;
  const { start, text } = tokens.advance();
  const source = parser.term();
  tokens.expectKeyword('as');
  const patterns: Pattern[] = parsePatterns(parser);
  tokens.expect('(');
  const initial = parser.pipe();
  tokens.expect(';');
  const update = parser.pipe();
  if (text === 'reduce') {
    return { kind: 'reduce', source, patterns, initial, update, start, end: tokens.expect(')').end };
  }
  const extract = tokens.take(';') ? parser.pipe() : null;
  return { kind: 'foreach', source, patterns, initial, update, extract, start, end: tokens.expect(')').end };
}
