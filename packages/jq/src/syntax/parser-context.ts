import type { Expression } from './ast.ts';
import type { Tokens } from './tokens.ts';

/** What the parse functions of the grammar's parts share: the tokens, and the way back to the lowest level. */
export interface Parser {
  readonly tokens: Tokens;
  /** Parses `a | b`, definitions and bindings: everything that may stand in parentheses. */
  readonly pipe: () => Expression;
  /** Parses a term with its suffixes: what may stand before `as`. */
  readonly term: () => Expression;
}
