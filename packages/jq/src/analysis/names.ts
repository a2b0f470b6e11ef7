import type { Expression, FunctionDefinition } from '../syntax/ast.ts';
import type { AbstractValue } from './abstract-value.ts';

/** The meaning of names during interpretation: values of variables, and closures with their defining scope. */
export interface Names {
  readonly kind: 'variable' | 'closure' | 'function';
  readonly name: string;
  readonly arity: number;
  /** A `$` parameter, which can also be called without the `$`. */
  readonly isParameter?: boolean;
  readonly value?: AbstractValue;
  readonly closure?: { readonly node: Expression; readonly names: Names | null };
  readonly definition?: FunctionDefinition;
  readonly parent: Names | null;
}

/** The innermost meaning of a name. A `$` parameter can also be called without the `$`. */
export function lookup(
  names: Names | null,
  kind: 'variable' | 'function',
  name: string,
  arity: number,
): Names | undefined {
  for (let at = names; at !== null; at = at.parent) {
    if (at.name !== name || at.arity !== arity) continue;
    if (kind === 'variable' ? at.kind === 'variable' : at.kind !== 'variable' || at.isParameter === true) return at;
  }
  return undefined;
}
