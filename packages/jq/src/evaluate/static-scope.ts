import type { FunctionDefinition } from '../syntax/ast.ts';
import type { Filter } from './filter.ts';
import type { Scope } from './run.ts';

/** A function of a program or of the prelude, with its body's compiled forms. */
export interface CompiledFunction {
  readonly definition: FunctionDefinition;
  /** Cells visible where the function is defined. */
  readonly depth: number;
  readonly body: Filter;
}

/**
 * The meaning of a name at a place in the source. Only variables, closure parameters and labels have a cell at run
 * time; `cell` is its number counted from the outermost.
 */
export type Binding =
  | {
      readonly kind: 'variable' | 'closure' | 'label' | 'value-parameter';
      readonly name: string;
      readonly cell: number;
    }
  | { readonly kind: 'function'; readonly name: string; readonly arity: number; readonly target: CompiledFunction };

/** The chain of bindings at a place; `depth` is the number of cells. */
export interface StaticScope {
  readonly binding: Binding;
  readonly parent: StaticScope | null;
  readonly depth: number;
}

export function scopeDepth(scope: StaticScope | null): number {
  return scope === null ? 0 : scope.depth;
}

export function bindCell(
  scope: StaticScope | null,
  kind: 'variable' | 'closure' | 'label' | 'value-parameter',
  name: string,
): StaticScope {
  const cell = scopeDepth(scope);
  return { binding: { kind, name, cell }, parent: scope, depth: cell + 1 };
}

export function bindFunction(
  scope: StaticScope | null,
  name: string,
  arity: number,
  target: CompiledFunction,
): StaticScope {
  return { binding: { kind: 'function', name, arity, target }, parent: scope, depth: scopeDepth(scope) };
}

/** The binding of `$name`. */
export function findVariable(scope: StaticScope | null, name: string): Binding | undefined {
  for (let at = scope; at !== null; at = at.parent) {
    const { binding } = at;
    if (binding.name === name && (binding.kind === 'variable' || binding.kind === 'value-parameter')) return binding;
  }
  return undefined;
}

export function findLabel(scope: StaticScope | null, name: string): Binding | undefined {
  for (let at = scope; at !== null; at = at.parent) {
    if (at.binding.kind === 'label' && at.binding.name === name) return at.binding;
  }
  return undefined;
}

/** The binding of a call of `name` with `arity` arguments; undefined for a builtin. */
export function findFunction(scope: StaticScope | null, name: string, arity: number): Binding | undefined {
  for (let at = scope; at !== null; at = at.parent) {
    const { binding } = at;
    if (binding.name !== name) continue;
    if (binding.kind === 'function') {
      if (binding.arity === arity) return binding;
    } else if (arity === 0 && (binding.kind === 'closure' || binding.kind === 'value-parameter')) {
      return binding;
    }
  }
  return undefined;
}

/** The run-time scope `count` cells further out. */
export function ascend(scope: Scope | null, count: number): Scope | null {
  let at = scope;
  for (let left = count; left > 0; left--) at = at!.parent;
  return at;
}

/** A function reading the cell numbered `cell` from a place with `depth` cells. */
export function cellReader(depth: number, cell: number): (scope: Scope | null) => unknown {
  const distance = depth - cell - 1;
  switch (distance) {
    case 0:
      return (scope) => scope!.value;
    case 1:
      return (scope) => scope!.parent!.value;
    case 2:
      return (scope) => scope!.parent!.parent!.value;
    default:
      return (scope) => ascend(scope, distance)!.value;
  }
}
