import { JqSyntaxError, toPosition } from '../errors.ts';
import type { Expression, ObjectEntry } from './ast.ts';
import { parseString } from './parse-string.ts';
import type { Parser } from './parser-context.ts';

/** An object construction, with its `{` as the current token. A comma before `}` is allowed, as in jq. */
export function parseObject(parser: Parser): Expression {
  const { tokens } = parser;
  const { start } = tokens.expect('{');
  const entries: ObjectEntry[] = [];
  while (!tokens.isSymbol('}')) {
    entries.push(parseEntry(parser));
    if (!tokens.take(',')) break;
  }
  if (!tokens.isSymbol('}')) throw tokens.unexpected(["','", "'}'"]);
  const { end } = tokens.advance();
  return { kind: 'object', entries, start, end };
}

function parseEntry(parser: Parser): ObjectEntry {
  const { tokens } = parser;
  const { start } = tokens.current;
  const { key, form } = parseKey(parser);
  if (tokens.take(':')) {
    const value = parseValue(parser);
    return { key, value, form, start, end: value.end };
  }
  if (form === 'computed') throw tokens.unexpected(["':'"]);
  return { key, value: null, form, start, end: key.end };
}

function parseKey(parser: Parser): { key: Expression; form: ObjectEntry['form'] } {
  const { tokens } = parser;
  const { start, kind, text, end } = tokens.current;
  switch (kind) {
    case 'name':
      tokens.advance();
      return { key: { kind: 'string', format: null, parts: [text], start, end }, form: 'name' };
    case 'variable':
      tokens.advance();
      if (text === '__loc__') {
        return { key: { kind: 'location', line: toPosition(tokens.source, start).line, start, end }, form: 'variable' };
      }
      return { key: { kind: 'variable', name: text, start, end }, form: 'variable' };
    case 'format':
      tokens.advance();
      if (tokens.current.kind !== 'string') throw tokens.unexpected(["'\"'"]);
      return { key: parseString(tokens, text, start, parser.pipe), form: 'string' };
    case 'string':
      return { key: parseString(tokens, null, start, parser.pipe), form: 'string' };
    case 'number':
      throw new JqSyntaxError('a number cannot be an object key', tokens.source, start, ['a string']);
    default:
  }
  if (!tokens.take('(')) throw tokens.unexpected(['a key', "'}'"]);
  const body = tokens.nested(parser.pipe);
  if (isConstant(body) && !isText(body)) {
    throw new JqSyntaxError('an object key must be text', tokens.source, body.start, ['a string']);
  }
  return { key: { kind: 'group', body, start, end: tokens.expect(')').end }, form: 'computed' };
}

function isText(node: Expression): boolean {
  return node.kind === 'group' ? isText(node.body) : node.kind === 'string';
}

/**
 * Whether it is a literal value: a scalar, or an array or object of literals. jq also folds sums, which this does not.
 */
function isConstant(node: Expression): boolean {
  switch (node.kind) {
    case 'literal':
      return true;
    case 'string':
      return node.parts.every((part) => typeof part === 'string');
    case 'group':
      return isConstant(node.body);
    case 'array':
      return node.body === null || (node.body.kind === 'comma' ? node.body.items : [node.body]).every(isConstant);
    case 'object':
      return node.entries.every(({ key, value }) => value !== null && isConstant(key) && isConstant(value));
    default:
      return false;
  }
}

/** Values are terms, optionally negated and piped; anything with another operator needs parentheses (jq's ExpD). */
function parseValue(parser: Parser): Expression {
  const { tokens } = parser;
  const first = parseNegatedTerm(parser);
  if (!tokens.isSymbol('|')) return first;
  const items = [first];
  while (tokens.take('|')) items.push(parseNegatedTerm(parser));
  return { kind: 'pipe', items, start: first.start, end: items.at(-1)!.end };
}

function parseNegatedTerm(parser: Parser): Expression {
  const { tokens } = parser;
  if (!tokens.isSymbol('-')) return parser.term();
  const { start } = tokens.advance();
  const operand = tokens.nested(() => parseNegatedTerm(parser));
  return { kind: 'negate', operand, start, end: operand.end };
}
