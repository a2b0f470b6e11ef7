import type { AssignmentOperator, BinaryExpression } from '../syntax/ast.ts';
import { type ArithmeticOperator, arithmetic } from '../value/arithmetic.ts';
import { OwnedValues } from '../value/owned.ts';
import { pathToArray, rootPath } from '../value/path.ts';
import { deletePaths } from '../value/paths.ts';
import { shorten } from '../value/stringify.ts';
import { isTruthy, type JqValue } from '../value/value.ts';
import type { Compiler, NodeForms } from './compiler.ts';
import type { Each, EachPath, Single } from './filter.ts';
import { untilExit } from './forms-errors.ts';
import { raise } from './raise.ts';
import type { Run, Scope } from './run.ts';
import type { StaticScope } from './static-scope.ts';

type Assignment = BinaryExpression<'assignment', AssignmentOperator>;

/** `|=` always gives one value; `=` and the arithmetic forms give one per value of the right side. */
export const assignment: NodeForms<Assignment> = {
  isSingle: (compiler, node, scope) => node.operator === '|=' || compiler.isSingle(node.right, scope),
  single: (compiler, node, scope) => {
    const left = compiler.path(node.left, scope);
    if (node.operator === '|=') return modifySingle(compiler, node, scope, left);
    const right = compiler.single(node.right, scope);
    const change = toChange(node.operator);
    return (run, cells, input) => assign(run, cells, input, left, right(run, cells, input), change);
  },
  each: (compiler, node, scope) => {
    const left = compiler.path(node.left, scope);
    const right = compiler.each(node.right, scope);
    const change = toChange(node.operator);
    return (run, cells, input, emit) =>
      right(run, cells, input, (value) => emit(assign(run, cells, input, left, value, change)));
  },
};

type Change = (run: Run, old: JqValue, value: JqValue) => JqValue;

function toChange(operator: AssignmentOperator): Change {
  if (operator === '=') return (_run, _old, value) => value;
  if (operator === '//=') return (_run, old, value) => (isTruthy(old) ? old : value);
  return arithmetic[operator.slice(0, -1) as ArithmeticOperator];
}

function assign(
  run: Run,
  cells: Scope | null,
  input: JqValue,
  left: EachPath,
  value: JqValue,
  change: Change,
): JqValue {
  const owned = new OwnedValues(run);
  let root = input;
  eachPlace(run, cells, input, left, (keys) => {
    root = owned.update(root, keys, (old) => change(run, old, value));
  });
  return root;
}

/** The paths that `left` gives on `input`, as arrays; a value without a place in the input raises jq's message. */
export function eachPlace(
  run: Run,
  cells: Scope | null,
  input: JqValue,
  left: EachPath,
  visit: (keys: JqValue[]) => void,
): void {
  left(run, cells, rootPath, input, (path, value) => {
    if (path === null) throw raise(`Invalid path expression with result ${shorten(value, 29)}`);
    run.step();
    visit(pathToArray(path));
  });
}

function modifySingle(compiler: Compiler, node: Assignment, scope: StaticScope | null, left: EachPath): Single {
  if (compiler.isSingle(node.right, scope)) {
    const change = compiler.single(node.right, scope);
    return (run, cells, input) => modify(run, cells, input, left, (old) => change(run, cells, old));
  }
  const change = compiler.each(node.right, scope);
  return (run, cells, input) => modify(run, cells, input, left, (old) => firstValue(run, cells, old, change));
}

/** Replaces each place by the result of `change`; places without a result are deleted at the end (jq 1.7). */
export function modify(
  run: Run,
  cells: Scope | null,
  input: JqValue,
  left: EachPath,
  change: (old: JqValue) => JqValue | undefined,
): JqValue {
  const owned = new OwnedValues(run);
  const emptied: JqValue[][] = [];
  let root = input;
  eachPlace(run, cells, input, left, (keys) => {
    root = owned.update(root, keys, (old) => {
      const next = change(old);
      if (next === undefined) emptied.push(keys);
      return next;
    });
  });
  return emptied.length === 0 ? root : deletePaths(run, root, emptied);
}

/** The first value of `each`; undefined if there is none. */
export function firstValue(run: Run, cells: Scope | null, input: JqValue, each: Each): JqValue | undefined {
  let first: JqValue | undefined;
  untilExit(run, (exit) =>
    each(run, cells, input, (value) => {
      first = value;
      throw exit;
    }),
  );
  return first;
}
