import type { Expression } from './ast.ts';
import type { Tokens } from './tokens.ts';

/** Shared state of the parse functions: the tokens, and the entry points for recursion. */
export interface Parser {
  readonly tokens: Tokens;
  /** Parses `a | b`, definitions and bindings: everything that may stand in parentheses. */
  readonly pipe: () => Expression;
  /** Parses a term with its suffixes: what may stand before `as`. */
  readonly term: () => Expression;
}
