import type { Compiler, NodeForms } from '../evaluate/compiler.ts';
import type { Each, Single } from '../evaluate/filter.ts';
import type { Run } from '../evaluate/run.ts';
import type { StaticScope } from '../evaluate/static-scope.ts';
import type { ExpressionOf } from '../syntax/ast.ts';
import type { JqValue } from '../value/value.ts';

export type CallNode = ExpressionOf<'call'>;
export type CallForms = NodeForms<CallNode>;

/** A builtin that computes one value from its input and the values of its arguments. */
export type ValueFunction = (run: Run, input: JqValue, ...args: JqValue[]) => JqValue;

/**
 * Which of several multi-valued arguments is the outermost loop: the last for jq's C functions, the first for functions
 * defined in jq with `$` parameters.
 */
export type ArgumentOrder = 'last-outermost' | 'first-outermost';

export function valueForms(evaluate: ValueFunction, order: ArgumentOrder = 'last-outermost'): CallForms {
  return {
    isSingle: (compiler, node, scope) => node.args.every((arg) => compiler.isSingle(arg, scope)),
    single: (compiler, node, scope) => compileSingle(compiler, node, scope, evaluate),
    each: (compiler, node, scope) => compileEach(compiler, node, scope, evaluate, order),
  };
}

function compileSingle(compiler: Compiler, node: CallNode, scope: StaticScope | null, evaluate: ValueFunction): Single {
  const args = node.args.map((arg) => compiler.single(arg, scope));
  const [first, second] = args;
  switch (args.length) {
    case 0:
      return (run, _cells, input) => evaluate(run, input);
    case 1:
      return (run, cells, input) => evaluate(run, input, first!(run, cells, input));
    case 2:
      return (run, cells, input) => evaluate(run, input, first!(run, cells, input), second!(run, cells, input));
    default:
      return (run, cells, input) => evaluate(run, input, ...args.map((arg) => arg(run, cells, input)));
  }
}

function compileEach(
  compiler: Compiler,
  node: CallNode,
  scope: StaticScope | null,
  evaluate: ValueFunction,
  order: ArgumentOrder,
): Each {
  const args = node.args.map((arg) => compiler.each(arg, scope));
  const positions = args.map((_, at) => at);
  if (order === 'last-outermost') positions.reverse();
  return (run, cells, input, emit) => {
    const values: JqValue[] = new Array(args.length).fill(null);
    const visit = (level: number): void => {
      if (level === positions.length) return emit(evaluate(run, input, ...values));
      const at = positions[level]!;
      args[at]!(run, cells, input, (value) => {
        run.step();
        values[at] = value;
        visit(level + 1);
      });
    };
    visit(0);
  };
}
