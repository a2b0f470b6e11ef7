import { type Budget, completeBudget } from '../budget.ts';
import { JqBudgetError } from '../errors.ts';
import type { AssignmentOperator, Expression } from './ast.ts';
import { parseDefinition, refuseModules } from './parse-definition.ts';
import { parsePatterns } from './parse-pattern.ts';
import { parseTerm } from './parse-term.ts';
import type { Parser } from './parser-context.ts';
import { Tokens } from './tokens.ts';

/**
 * Parses one jq program. Throws {@link JqSyntaxError} with the place and the accepted tokens, and {@link JqBudgetError}
 * for text longer than `sourceLengthMax` or nested deeper than `nestingMax`.
 */
export function parse(source: string, limits?: Partial<Budget>): Expression {
  const budget = completeBudget(limits);
  if (source.length > budget.sourceLengthMax) throw new JqBudgetError('sourceLength', budget.sourceLengthMax);
  try {
    const tokens = new Tokens(source, budget.nestingMax);
    const parser: Parser = {
      tokens,
      pipe: () => parsePipe(parser),
      term: () => parseTerm(parser),
    };
    refuseModules(tokens);
    if (isAtEnd(tokens)) return { kind: 'identity', start: 0, end: 0 };
    const expression = parseProgram(parser);
    if (!isAtEnd(tokens)) throw tokens.unexpected(['an operator', 'end of expression']);
    return expression;
  } catch (error) {
    if (error instanceof RangeError) throw new JqBudgetError('nesting', budget.nestingMax);
    throw error;
  }
}

function isAtEnd(tokens: Tokens): boolean {
  return tokens.current.kind === 'end';
}

/** A program may consist only of definitions, which then returns the input unchanged. */
function parseProgram(parser: Parser): Expression {
  const { tokens } = parser;
  if (!tokens.isKeyword('def')) return parsePipe(parser);
  const definition = parseDefinition(parser);
  const at = tokens.current.start;
  const body: Expression = isAtEnd(tokens)
    ? { kind: 'identity', start: at, end: at }
    : tokens.nested(() => parseProgram(parser));
  return { kind: 'define', definition, body, start: definition.start, end: body.end };
}

/** The lowest precedence: definitions, labels and bindings extend as far to the right as possible. */
function parsePipe(parser: Parser): Expression {
  const { tokens } = parser;
  const first = parseComma(parser);
  if (!tokens.isSymbol('|')) return first;
  const items = [first];
  while (tokens.take('|')) items.push(parseComma(parser));
  return { kind: 'pipe', items, start: first.start, end: items.at(-1)!.end };
}

function parseComma(parser: Parser): Expression {
  const { tokens } = parser;
  const first = parseOperators(parser, 0);
  if (!tokens.isSymbol(',')) return first;
  const items = [first];
  while (tokens.take(',')) items.push(parseOperators(parser, 0));
  return { kind: 'comma', items, start: first.start, end: items.at(-1)!.end };
}

interface Operator {
  readonly kind: 'arithmetic' | 'comparison' | 'logical' | 'alternative' | 'assignment';
  readonly level: number;
  readonly side: 'left' | 'right' | 'none';
}

const assignments: readonly AssignmentOperator[] = ['=', '|=', '+=', '-=', '*=', '/=', '%=', '//='];
const operators: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ['//', { kind: 'alternative', level: 1, side: 'right' }],
  ...assignments.map((text): [string, Operator] => [text, { kind: 'assignment', level: 2, side: 'none' }]),
  ['or', { kind: 'logical', level: 3, side: 'left' }],
  ['and', { kind: 'logical', level: 4, side: 'left' }],
  ...['==', '!=', '<', '<=', '>', '>='].map((text): [string, Operator] => [
    text,
    { kind: 'comparison', level: 5, side: 'none' },
  ]),
  ['+', { kind: 'arithmetic', level: 6, side: 'left' }],
  ['-', { kind: 'arithmetic', level: 6, side: 'left' }],
  ['*', { kind: 'arithmetic', level: 7, side: 'left' }],
  ['/', { kind: 'arithmetic', level: 7, side: 'left' }],
  ['%', { kind: 'arithmetic', level: 7, side: 'left' }],
]);

function currentOperator(tokens: Tokens): Operator | undefined {
  const { kind, text } = tokens.current;
  return kind === 'symbol' || kind === 'name' ? operators.get(text) : undefined;
}

/** Precedence climbing over the binary operators of the manual's grammar. */
function parseOperators(parser: Parser, levelMin: number): Expression {
  const { tokens } = parser;
  let left = parseUnary(parser);
  let chain = 0;
  for (let closedLevel = -1; ; ) {
    const operator = currentOperator(tokens);
    if (operator === undefined || operator.level < levelMin) break;
    if (operator.level === closedLevel) throw tokens.unexpected(["'|'", "','", 'parentheses around the comparison']);
    const text = tokens.advance().text;
    const rightLevel = operator.side === 'right' ? operator.level : operator.level + 1;
    const right = tokens.nested(() => parseOperators(parser, rightLevel));
    left = { kind: operator.kind, operator: text, left, right, start: left.start, end: right.end } as Expression;
    closedLevel = operator.side === 'none' ? operator.level : -1;
    if (++chain > 400) throw new JqBudgetError('nesting', 400);
  }
  return left;
}

function parseUnary(parser: Parser): Expression {
  const { tokens } = parser;
  const { start } = tokens.current;
  if (tokens.isSymbol('-')) {
    tokens.advance();
    const operand = tokens.nested(() => parseOperators(parser, 7));
    return { kind: 'negate', operand, start, end: operand.end };
  }
  if (tokens.isKeyword('def')) {
    const definition = parseDefinition(parser);
    const body = tokens.nested(parser.pipe);
    return { kind: 'define', definition, body, start, end: body.end };
  }
  if (tokens.isKeyword('label')) {
    tokens.advance();
    const { text: name } = tokens.expectKind('variable', 'a label such as $out');
    tokens.expect('|');
    const body = tokens.nested(parser.pipe);
    return { kind: 'label', name, body, start, end: body.end };
  }
  const term = parseTerm(parser);
  if (!tokens.isKeyword('as')) return term;
  tokens.advance();
  const patterns = parsePatterns(parser);
  tokens.expect('|');
  const body = tokens.nested(parser.pipe);
  return { kind: 'bind', source: term, patterns, body, start, end: body.end };
}
