import type { Expression, IndexExpression } from '../syntax/ast.ts';
import { isInputFree } from '../syntax/input-free.ts';
import { type ArithmeticOperator, arithmetic } from '../value/arithmetic.ts';
import { OwnedValues } from '../value/owned.ts';
import { isTruthy, type JqValue } from '../value/value.ts';
import type { Compiler } from './compiler.ts';
import type { Single } from './filter.ts';
import type { Run, Scope } from './run.ts';
import { bindCell, type StaticScope } from './static-scope.ts';

type Update = (run: Run, owned: OwnedValues, cells: Scope | null, state: JqValue) => JqValue;

/**
 * A form of a `reduce` update that changes the state in place; undefined if the state could be seen elsewhere.
 * Accepts chains of `. + E`, `.path op= E`, `.path |= f` and conditions over them, where `E` and the keys in the path
 * do not read `.` at all; then only the fold itself holds the state.
 */
export function compileOwnedUpdate(
  compiler: Compiler,
  node: Expression,
  scope: StaticScope | null,
): ((run: Run) => (cells: Scope | null, state: JqValue) => JqValue) | undefined {
  const update = toUpdate(compiler, node, scope);
  if (update === undefined) return undefined;
  return (run) => {
    const owned = new OwnedValues(run);
    return (cells, state) => update(run, owned, cells, state);
  };
}

function toUpdate(compiler: Compiler, node: Expression, scope: StaticScope | null): Update | undefined {
  switch (node.kind) {
    case 'identity':
      return (_run, _owned, _cells, state) => state;
    case 'group':
      return toUpdate(compiler, node.body, scope);
    case 'pipe':
      return sequence(node.items.map((item) => toUpdate(compiler, item, scope)));
    case 'arithmetic': {
      if (node.operator !== '+' || node.left.kind !== 'identity') return undefined;
      const right = freeSingle(compiler, node.right, scope);
      return right && ((run, owned, cells, state) => owned.append(state, right(run, cells, null)));
    }
    case 'bind': {
      const [pattern] = node.patterns;
      if (node.patterns.length > 1 || pattern!.kind !== 'variable') return undefined;
      const source = freeSingle(compiler, node.source, scope);
      const body = toUpdate(compiler, node.body, bindCell(scope, 'variable', pattern!.name));
      if (source === undefined || body === undefined) return undefined;
      return (run, owned, cells, state) => body(run, owned, { value: source(run, cells, null), parent: cells }, state);
    }
    case 'if': {
      if (node.branches.length > 1 || !compiler.isSingle(node.branches[0]!.condition, scope)) return undefined;
      const condition = compiler.single(node.branches[0]!.condition, scope);
      const body = toUpdate(compiler, node.branches[0]!.body, scope);
      const otherwise = node.otherwise === null ? keep : toUpdate(compiler, node.otherwise, scope);
      if (body === undefined || otherwise === undefined) return undefined;
      return (run, owned, cells, state) =>
        isTruthy(condition(run, cells, state)) ? body(run, owned, cells, state) : otherwise(run, owned, cells, state);
    }
    case 'assignment':
      return toAssignmentUpdate(compiler, node, scope);
    default:
      return undefined;
  }
}

const keep: Update = (_run, _owned, _cells, state) => state;

function sequence(updates: readonly (Update | undefined)[]): Update | undefined {
  if (updates.includes(undefined)) return undefined;
  return (run, owned, cells, state) => {
    let next = state;
    for (const update of updates) next = update!(run, owned, cells, next);
    return next;
  };
}

function toAssignmentUpdate(
  compiler: Compiler,
  node: Extract<Expression, { kind: 'assignment' }>,
  scope: StaticScope | null,
): Update | undefined {
  const keys = keysOfPath(node.left)?.map((key) => freeSingle(compiler, key, scope));
  if (keys === undefined || keys.length === 0 || keys.includes(undefined)) return undefined;
  const place = (run: Run, cells: Scope | null): JqValue[] => keys.map((key) => key!(run, cells, null));
  if (node.operator === '|=') {
    if (!compiler.isSingle(node.right, scope)) return undefined;
    const change = compiler.single(node.right, scope);
    return (run, owned, cells, state) => owned.update(state, place(run, cells), (old) => change(run, cells, old));
  }
  const right = freeSingle(compiler, node.right, scope);
  if (right === undefined) return undefined;
  if (node.operator === '=') {
    return (run, owned, cells, state) => {
      const value = right(run, cells, null);
      return owned.update(state, place(run, cells), () => value);
    };
  }
  const combine =
    node.operator === '//='
      ? (_run: Run, old: JqValue, value: JqValue): JqValue => (isTruthy(old) ? old : value)
      : arithmetic[node.operator.slice(0, -1) as ArithmeticOperator];
  return (run, owned, cells, state) => {
    const value = right(run, cells, null);
    return owned.update(state, place(run, cells), (old) => combine(run, old, value));
  };
}

/** The keys of `.a[$k]."c"`, outermost first, or undefined for any other form of path. */
function keysOfPath(node: Expression): Expression[] | undefined {
  const keys: Expression[] = [];
  let at: Expression = node;
  while (at.kind === 'index') {
    keys.push((at as IndexExpression).key);
    at = (at as IndexExpression).target;
  }
  return at.kind === 'identity' ? keys.reverse() : undefined;
}

function freeSingle(compiler: Compiler, node: Expression, scope: StaticScope | null): Single | undefined {
  return isInputFree(node) && compiler.isSingle(node, scope) ? compiler.single(node, scope) : undefined;
}
