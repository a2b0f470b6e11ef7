import { JqRefusedError } from '../errors.ts';
import type { FunctionDefinition, Parameter } from './ast.ts';
import type { Parser } from './parser-context.ts';
import { keywords, type Tokens } from './tokens.ts';

/** `def name: body;` and `def name(a; $b): body;`, with `def` as the current token. */
export function parseDefinition(parser: Parser): FunctionDefinition {
  const { tokens } = parser;
  const { start } = tokens.expectKeyword('def');
  const { text: name } = tokens.expectKind('name', 'a function name');
  const parameters: Parameter[] = [];
  if (tokens.take('(')) {
    do parameters.push(parseParameter(tokens));
    while (tokens.take(';'));
    tokens.expect(')');
  }
  tokens.expect(':');
  const body = tokens.nested(parser.pipe);
  const { end } = tokens.expect(';');
  return { name, parameters, body, start, end };
}

function parseParameter(tokens: Tokens): Parameter {
  const { kind, text } = tokens.current;
  if (kind !== 'variable' && (kind !== 'name' || keywords.has(text))) throw tokens.unexpected(['a parameter name']);
  tokens.advance();
  return { name: text, isValue: kind === 'variable' };
}

/** Modules would read files, which expressions cannot. */
export function refuseModules(tokens: Tokens): void {
  for (const word of ['import', 'include', 'module']) {
    if (tokens.isKeyword(word)) throw new JqRefusedError(word, 'expressions have no modules');
  }
}
