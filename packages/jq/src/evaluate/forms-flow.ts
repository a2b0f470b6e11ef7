import type { BinaryExpression, ConditionalExpression, Expression, ExpressionOf } from '../syntax/ast.ts';
import { isTruthy, type JqValue } from '../value/value.ts';
import type { Compiler, NodeForms } from './compiler.ts';
import { type Done, type Each, type Emit, type Filter, tailMark } from './filter.ts';
import { notSingle } from './forms-access.ts';
import { Raised, type Run } from './run.ts';
import type { StaticScope } from './static-scope.ts';
import { endsInOwnCall } from './tail-calls.ts';

export const pipe: NodeForms<ExpressionOf<'pipe'>> = {
  isSingle: (compiler, node, scope) => node.items.every((item) => compiler.isSingle(item, scope)),
  single: (compiler, node, scope, isTail) => {
    const last = node.items.at(-1)!;
    let next: Filter['singleTail'] = isTail ? compiler.singleTail(last, scope) : compiler.single(last, scope);
    for (let at = node.items.length - 2; at >= 0; at--) {
      const first = compiler.single(node.items[at]!, scope);
      const then = next;
      next = (run, cells, input) => then(run, cells, first(run, cells, input));
    }
    return next;
  },
  each: (compiler, node, scope, isTail) => {
    const last = node.items.at(-1)!;
    const isOwnCall = isTail && endsInOwnCall(last, scope);
    let next = compiler.each(last, scope, isTail);
    for (let at = node.items.length - 2; at >= 0; at--) {
      next = piped(compiler, node.items[at]!, scope, next, isOwnCall);
    }
    return next;
  },
  path: (compiler, node, scope) => {
    let next = compiler.path(node.items.at(-1)!, scope);
    for (let at = node.items.length - 2; at >= 0; at--) {
      const first = compiler.path(node.items[at]!, scope);
      const then = next;
      next = (run, cells, path, input, emit) =>
        first(run, cells, path, input, (place, value) => then(run, cells, place, value, emit));
    }
    return next;
  },
};

function piped(compiler: Compiler, item: Expression, scope: StaticScope | null, then: Each, isOwnCall: boolean): Each {
  if (compiler.isSingle(item, scope)) {
    const first = compiler.single(item, scope);
    return (run, cells, input, emit) => then(run, cells, first(run, cells, input), emit);
  }
  const first = compiler.each(item, scope);
  if (isOwnCall) {
    return (run, cells, input, emit) =>
      lastAsTail(
        run,
        (offer) => first(run, cells, input, offer),
        (value) => then(run, cells, value, emit),
        emit,
      );
  }
  return (run, cells, input, emit) =>
    first(run, cells, input, (value) => {
      finish(run, then(run, cells, value, emit), emit);
    });
}

/** Makes the call that a tail mark stands for. */
export function finish(run: Run, mark: Done | typeof tailMark, emit: Emit): void {
  let result = mark;
  while (result === tailMark) {
    run.step();
    result = run.tailBody!.eachTail(run, run.tailScope, run.tailInput, emit);
  }
}

/**
 * `f | recurse-again` where `f` may give several values: each value is held back until the next one arrives, so that
 * the last can be continued in the caller's loop. An error of `f` itself comes after the held value.
 */
function lastAsTail(
  run: Run,
  produce: (offer: Emit) => void,
  then: (value: JqValue) => Done | typeof tailMark,
  emit: Emit,
): Done | typeof tailMark {
  let waiting: JqValue | undefined;
  let isDownstream = false;
  const flush = (value: JqValue): void => {
    isDownstream = true;
    finish(run, then(value), emit);
    isDownstream = false;
  };
  try {
    produce((value) => {
      const previous = waiting;
      waiting = value;
      if (previous !== undefined) flush(previous);
    });
  } catch (error) {
    if (!isDownstream && waiting !== undefined && error instanceof Raised) flush(waiting);
    throw error;
  }
  return waiting === undefined ? undefined : then(waiting);
}

export const comma: NodeForms<ExpressionOf<'comma'>> = {
  isSingle: () => false,
  single: notSingle,
  each: (compiler, node, scope, isTail) => {
    const items = node.items.map((item, at) => compiler.each(item, scope, isTail && at === node.items.length - 1));
    const last = items.pop()!;
    return (run, cells, input, emit) => {
      for (const item of items) {
        run.step();
        item(run, cells, input, emit);
      }
      run.step();
      return last(run, cells, input, emit);
    };
  },
  path: (compiler, node, scope) => {
    const items = node.items.map((item) => compiler.path(item, scope));
    return (run, cells, path, input, emit) => {
      for (const item of items) {
        run.step();
        item(run, cells, path, input, emit);
      }
    };
  },
};

/** `if a then b elif c then d else e end` as nested conditions; a missing `else` is `.`. */
interface Choice {
  readonly condition: Expression;
  readonly body: Expression;
  readonly otherwise: Choice | Expression | null;
}

function toChoice(node: ConditionalExpression): Choice {
  let rest: Choice | Expression | null = node.otherwise;
  for (let at = node.branches.length - 1; at >= 0; at--) rest = { ...node.branches[at]!, otherwise: rest };
  return rest as Choice;
}

const isChoice = (rest: Choice | Expression): rest is Choice => 'condition' in rest;

function choiceEndsInOwnCall(choice: Choice, scope: StaticScope | null): boolean {
  const { body, otherwise } = choice;
  if (endsInOwnCall(body, scope)) return true;
  if (otherwise === null) return false;
  return isChoice(otherwise) ? choiceEndsInOwnCall(otherwise, scope) : endsInOwnCall(otherwise, scope);
}

export const conditional: NodeForms<ConditionalExpression> = {
  isSingle: (compiler, node, scope) =>
    node.branches.every(
      ({ condition, body }) => compiler.isSingle(condition, scope) && compiler.isSingle(body, scope),
    ) &&
    (node.otherwise === null || compiler.isSingle(node.otherwise, scope)),
  single: (compiler, node, scope, isTail) => singleChoice(compiler, toChoice(node), scope, isTail),
  each: (compiler, node, scope, isTail) => eachChoice(compiler, toChoice(node), scope, isTail),
  path: (compiler, node, scope) => pathChoice(compiler, toChoice(node), scope),
};

type TailSingle = Filter['singleTail'];

function singleChoice(compiler: Compiler, choice: Choice, scope: StaticScope | null, isTail: boolean): TailSingle {
  const compile = (node: Expression): TailSingle =>
    isTail ? compiler.singleTail(node, scope) : compiler.single(node, scope);
  const condition = compiler.single(choice.condition, scope);
  const body = compile(choice.body);
  const { otherwise: rest } = choice;
  if (rest === null)
    return (run, cells, input) => (isTruthy(condition(run, cells, input)) ? body(run, cells, input) : input);
  const otherwise = isChoice(rest) ? singleChoice(compiler, rest, scope, isTail) : compile(rest);
  return (run, cells, input) =>
    isTruthy(condition(run, cells, input)) ? body(run, cells, input) : otherwise(run, cells, input);
}

function eachChoice(compiler: Compiler, choice: Choice, scope: StaticScope | null, isTail: boolean): Each {
  const isDirect = compiler.isSingle(choice.condition, scope);
  const isOwnCall = isTail && !isDirect && choiceEndsInOwnCall(choice, scope);
  const bodyTail = isTail && (isDirect || isOwnCall);
  const body = compiler.each(choice.body, scope, bodyTail);
  const { otherwise: rest } = choice;
  const otherwise: Each =
    rest === null
      ? (_run, _cells, input, emit) => emit(input)
      : isChoice(rest)
        ? eachChoice(compiler, rest, scope, bodyTail)
        : compiler.each(rest, scope, bodyTail);
  if (isDirect) {
    const condition = compiler.single(choice.condition, scope);
    return (run, cells, input, emit) =>
      isTruthy(condition(run, cells, input)) ? body(run, cells, input, emit) : otherwise(run, cells, input, emit);
  }
  const condition = compiler.each(choice.condition, scope);
  if (isOwnCall) {
    return (run, cells, input, emit) =>
      lastAsTail(
        run,
        (offer) => condition(run, cells, input, offer),
        (answer) => (isTruthy(answer) ? body(run, cells, input, emit) : otherwise(run, cells, input, emit)),
        emit,
      );
  }
  return (run, cells, input, emit) =>
    condition(run, cells, input, (answer) => {
      if (isTruthy(answer)) body(run, cells, input, emit);
      else otherwise(run, cells, input, emit);
    });
}

function pathChoice(compiler: Compiler, choice: Choice, scope: StaticScope | null): ReturnType<Compiler['path']> {
  const condition = compiler.each(choice.condition, scope);
  const body = compiler.path(choice.body, scope);
  const { otherwise: rest } = choice;
  const otherwise =
    rest === null ? undefined : isChoice(rest) ? pathChoice(compiler, rest, scope) : compiler.path(rest, scope);
  return (run, cells, path, input, emit) => {
    condition(run, cells, input, (answer) => {
      if (isTruthy(answer)) body(run, cells, path, input, emit);
      else if (otherwise === undefined) emit(path, input);
      else otherwise(run, cells, path, input, emit);
    });
  };
}

/** Errors of the left side do not select the default: they propagate, as in jq. */
export const alternative: NodeForms<BinaryExpression<'alternative', '//'>> = {
  isSingle: (compiler, node, scope) => compiler.isSingle(node.left, scope) && compiler.isSingle(node.right, scope),
  single: (compiler, node, scope) => {
    const left = compiler.single(node.left, scope);
    const right = compiler.single(node.right, scope);
    return (run, cells, input) => {
      const value = left(run, cells, input);
      return isTruthy(value) ? value : right(run, cells, input);
    };
  },
  each: (compiler, node, scope, isTail) => {
    const left = compiler.each(node.left, scope);
    const right = compiler.each(node.right, scope, isTail);
    return (run, cells, input, emit) => {
      let isAny = false;
      left(run, cells, input, (value) => {
        if (!isTruthy(value)) return;
        isAny = true;
        emit(value);
      });
      return isAny ? undefined : right(run, cells, input, emit);
    };
  },
  path: (compiler, node, scope) => {
    const left = compiler.path(node.left, scope);
    const right = compiler.path(node.right, scope);
    return (run, cells, path, input, emit) => {
      let isAny = false;
      left(run, cells, path, input, (place, value) => {
        if (!isTruthy(value)) return;
        isAny = true;
        emit(place, value);
      });
      if (!isAny) right(run, cells, path, input, emit);
    };
  },
};
