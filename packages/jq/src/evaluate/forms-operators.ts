import type { BinaryExpression } from '../syntax/ast.ts';
import {
  type ArithmeticOperator,
  arithmetic as arithmeticOperations,
  type ComparisonOperator,
  comparisons,
} from '../value/arithmetic.ts';
import { isTruthy, type JqValue } from '../value/value.ts';
import type { Compiler, NodeForms } from './compiler.ts';
import type { Each, Single } from './filter.ts';
import type { Run } from './run.ts';
import type { StaticScope } from './static-scope.ts';

type Combine = (run: Run, left: JqValue, right: JqValue) => JqValue;
type AnyBinary = BinaryExpression<string, string>;

function areSingle(compiler: Compiler, node: AnyBinary, scope: StaticScope | null): boolean {
  return compiler.isSingle(node.left, scope) && compiler.isSingle(node.right, scope);
}

/** Both operands get the input; the right one is the outer loop, as in jq. */
function eachPair(compiler: Compiler, node: AnyBinary, scope: StaticScope | null, combine: Combine): Each {
  const left = compiler.each(node.left, scope);
  const right = compiler.each(node.right, scope);
  return (run, cells, input, emit) =>
    right(run, cells, input, (second) => {
      left(run, cells, input, (first) => emit(combine(run, first, second)));
    });
}

export const arithmetic: NodeForms<BinaryExpression<'arithmetic', ArithmeticOperator>> = {
  isSingle: areSingle,
  single: (compiler, node, scope) => {
    const left = compiler.single(node.left, scope);
    const right = compiler.single(node.right, scope);
    const combine = arithmeticOperations[node.operator];
    return (run, cells, input) => {
      const second = right(run, cells, input);
      return combine(run, left(run, cells, input), second);
    };
  },
  each: (compiler, node, scope) => eachPair(compiler, node, scope, arithmeticOperations[node.operator]),
};

export const comparison: NodeForms<BinaryExpression<'comparison', ComparisonOperator>> = {
  isSingle: areSingle,
  single: (compiler, node, scope) => compareSingle(compiler, node, scope),
  each: (compiler, node, scope) => {
    const compare = comparisons[node.operator];
    return eachPair(compiler, node, scope, (run, left, right) => compare(left, right, run));
  },
};

function compareSingle(
  compiler: Compiler,
  node: BinaryExpression<'comparison', ComparisonOperator>,
  scope: StaticScope | null,
): Single {
  const left = compiler.single(node.left, scope);
  const right = compiler.single(node.right, scope);
  const compare = comparisons[node.operator];
  return (run, cells, input) => {
    const second = right(run, cells, input);
    return compare(left(run, cells, input), second, run);
  };
}

export const logical: NodeForms<BinaryExpression<'logical', 'and' | 'or'>> = {
  isSingle: areSingle,
  single: (compiler, node, scope) => {
    const left = compiler.single(node.left, scope);
    const right = compiler.single(node.right, scope);
    if (node.operator === 'and') {
      return (run, cells, input) => isTruthy(left(run, cells, input)) && isTruthy(right(run, cells, input));
    }
    return (run, cells, input) => isTruthy(left(run, cells, input)) || isTruthy(right(run, cells, input));
  },
  each: (compiler, node, scope) => {
    const left = compiler.each(node.left, scope);
    const right = compiler.each(node.right, scope);
    const decisive = node.operator === 'or';
    return (run, cells, input, emit) =>
      left(run, cells, input, (first) => {
        run.step();
        if (isTruthy(first) === decisive) emit(decisive);
        else right(run, cells, input, (second) => emit(isTruthy(second)));
      });
  },
};
