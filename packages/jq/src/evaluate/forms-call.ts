import type { ExpressionOf } from '../syntax/ast.ts';
import type { JqValue } from '../value/value.ts';
import type { Compiler, NodeForms } from './compiler.ts';
import { type Each, type EachPath, type Filter, tailMark } from './filter.ts';
import type { Closure, Run, Scope } from './run.ts';
import {
  ascend,
  type Binding,
  type CompiledFunction,
  cellReader,
  findFunction,
  type StaticScope,
  scopeDepth,
} from './static-scope.ts';
import { isOwnCall } from './tail-calls.ts';

const closureBytes = 64;

type CallExpression = ExpressionOf<'call'>;

/** Resolves a call to a parameter, a function, or a builtin's own forms. */
export const call: NodeForms<CallExpression> = {
  isSingle: (compiler, node, scope) => {
    const binding = findFunction(scope, node.name, node.args.length);
    if (binding?.kind === 'closure') return false;
    if (binding?.kind === 'value-parameter') return true;
    const target = resolveFunction(compiler, node, binding);
    if (target === undefined) return compiler.builtin(node).isSingle(compiler, node, scope);
    return areValuesSingle(compiler, node, scope, target) && compiler.isFunctionSingle(target);
  },
  single: (compiler, node, scope, isTail) => {
    const binding = findFunction(scope, node.name, node.args.length);
    if (binding?.kind === 'value-parameter') {
      const read = cellReader(scopeDepth(scope), binding.cell);
      return (_run, cells) => read(cells) as JqValue;
    }
    const target = resolveFunction(compiler, node, binding);
    if (target === undefined) return compiler.builtin(node).single(compiler, node, scope, isTail);
    return singleCall(compiler, node, scope, target, isTail && isOwnCall(node, target));
  },
  each: (compiler, node, scope, isTail) => {
    const binding = findFunction(scope, node.name, node.args.length);
    if (binding?.kind === 'closure') {
      const read = cellReader(scopeDepth(scope), binding.cell);
      return (run, cells, input, emit) => {
        const { filter, scope: home } = read(cells) as Closure;
        run.enter();
        filter.each(run, home, input, emit);
        run.leave();
      };
    }
    const target = resolveFunction(compiler, node, binding);
    if (target === undefined) return compiler.builtin(node).each(compiler, node, scope, isTail);
    return eachCall(compiler, node, scope, target, isTail && isOwnCall(node, target));
  },
  path: (compiler, node, scope) => {
    const binding = findFunction(scope, node.name, node.args.length);
    if (binding?.kind === 'closure') {
      const read = cellReader(scopeDepth(scope), binding.cell);
      return (run, cells, path, input, emit) => {
        const { filter, scope: home } = read(cells) as Closure;
        run.enter();
        filter.path(run, home, path, input, emit);
        run.leave();
      };
    }
    if (binding?.kind === 'value-parameter') return compiler.pathOfValue(node, scope);
    const target = resolveFunction(compiler, node, binding);
    if (target === undefined) {
      const forms = compiler.builtin(node);
      return forms.path === undefined ? compiler.pathOfValue(node, scope) : forms.path(compiler, node, scope);
    }
    return pathCall(compiler, node, scope, target);
  },
};

function resolveFunction(
  compiler: Compiler,
  node: CallExpression,
  binding: Binding | undefined,
): CompiledFunction | undefined {
  return binding?.kind === 'function' ? binding.target : compiler.preludeFunction(node.name, node.args.length);
}

function areValuesSingle(
  compiler: Compiler,
  node: CallExpression,
  scope: StaticScope | null,
  target: CompiledFunction,
): boolean {
  return target.definition.parameters.every(({ isValue }, at) => !isValue || compiler.isSingle(node.args[at]!, scope));
}

/**
 * Makes the closure for an argument; a bare parameter is passed on as is, so that recursion does not chain closures.
 */
function closureMaker(
  compiler: Compiler,
  arg: CallExpression['args'][number],
  scope: StaticScope | null,
): (cells: Scope | null) => unknown {
  if (arg.kind === 'call' && arg.args.length === 0) {
    const binding = findFunction(scope, arg.name, 0);
    if (binding?.kind === 'closure') return cellReader(scopeDepth(scope), binding.cell);
  }
  const filter = compiler.filter(arg, scope);
  return (cells): Closure => ({ filter, scope: cells });
}

/** Calls `enter` with the callee's scope for each combination of its `$` arguments (the first is the outer loop). */
function argumentBinder(
  compiler: Compiler,
  node: CallExpression,
  scope: StaticScope | null,
  target: CompiledFunction,
): (run: Run, cells: Scope | null, input: JqValue, enter: (inner: Scope | null) => void) => void {
  const distance = scopeDepth(scope) - target.depth;
  const binders = target.definition.parameters.map((parameter, at) => {
    const arg = node.args[at]!;
    if (!parameter.isValue) return { make: closureMaker(compiler, arg, scope) };
    return { each: compiler.each(arg, scope) };
  });
  return (run, cells, input, enter) => {
    const bindFrom = (at: number, inner: Scope | null): void => {
      let bound = inner;
      for (let next = at; next < binders.length; next++) {
        const { make, each } = binders[next]!;
        if (each !== undefined) {
          const before = bound;
          each(run, cells, input, (value) => bindFrom(next + 1, { value, parent: before }));
          return;
        }
        bound = { value: make!(cells), parent: bound };
      }
      enter(bound);
    };
    bindFrom(0, ascend(cells, distance));
  };
}

function singleBinder(
  compiler: Compiler,
  node: CallExpression,
  scope: StaticScope | null,
  target: CompiledFunction,
): (run: Run, cells: Scope | null, input: JqValue) => Scope | null {
  const distance = scopeDepth(scope) - target.depth;
  const binders = target.definition.parameters.map((parameter, at) => {
    const arg = node.args[at]!;
    if (parameter.isValue) return compiler.single(arg, scope);
    const make = closureMaker(compiler, arg, scope);
    return (run: Run, cells: Scope | null): unknown => {
      // A loop of tail calls can chain closures without end, which no other limit counts.
      run.allocate(closureBytes);
      return make(cells);
    };
  });
  if (binders.length === 0) return (_run, cells) => ascend(cells, distance);
  return (run, cells, input) => {
    let inner = ascend(cells, distance);
    for (const bind of binders) inner = { value: bind(run, cells, input), parent: inner };
    return inner;
  };
}

function singleCall(
  compiler: Compiler,
  node: CallExpression,
  scope: StaticScope | null,
  target: CompiledFunction,
  isTail: boolean,
): Filter['singleTail'] {
  const bind = singleBinder(compiler, node, scope, target);
  const { body } = target;
  if (isTail) {
    return (run, cells, input) => {
      run.tailScope = bind(run, cells, input);
      run.tailBody = body;
      run.tailInput = input;
      return tailMark;
    };
  }
  return (run, cells, input) => {
    const inner = bind(run, cells, input);
    run.enter();
    let result = body.singleTail(run, inner, input);
    while (result === tailMark) {
      run.step();
      result = run.tailBody!.singleTail(run, run.tailScope, run.tailInput);
    }
    run.leave();
    return result;
  };
}

function eachCall(
  compiler: Compiler,
  node: CallExpression,
  scope: StaticScope | null,
  target: CompiledFunction,
  isTail: boolean,
): Each {
  const { body } = target;
  if (areValuesSingle(compiler, node, scope, target)) {
    const bind = singleBinder(compiler, node, scope, target);
    if (isTail) {
      return (run, cells, input) => {
        run.tailScope = bind(run, cells, input);
        run.tailBody = body;
        run.tailInput = input;
        return tailMark;
      };
    }
    return (run, cells, input, emit) => callBody(run, body, bind(run, cells, input), input, emit);
  }
  const bind = argumentBinder(compiler, node, scope, target);
  return (run, cells, input, emit) => bind(run, cells, input, (inner) => callBody(run, body, inner, input, emit));
}

function callBody(run: Run, body: Filter, inner: Scope | null, input: JqValue, emit: (value: JqValue) => void): void {
  run.enter();
  let result = body.eachTail(run, inner, input, emit);
  while (result === tailMark) {
    run.step();
    result = run.tailBody!.eachTail(run, run.tailScope, run.tailInput, emit);
  }
  run.leave();
}

function pathCall(
  compiler: Compiler,
  node: CallExpression,
  scope: StaticScope | null,
  target: CompiledFunction,
): EachPath {
  const bind = argumentBinder(compiler, node, scope, target);
  const { body } = target;
  return (run, cells, path, input, emit) =>
    bind(run, cells, input, (inner) => {
      run.enter();
      body.path(run, inner, path, input, emit);
      run.leave();
    });
}
