import type { Compiler } from '../evaluate/compiler.ts';
import type { EachPath } from '../evaluate/filter.ts';
import { eachDescendant, eachDescendantPath, notSingle } from '../evaluate/forms-access.ts';
import { untilExit } from '../evaluate/forms-errors.ts';
import { raise, raiseAboutTwo } from '../evaluate/raise.ts';
import { Raised, type Run } from '../evaluate/run.ts';
import type { StaticScope } from '../evaluate/static-scope.ts';
import { compareValues } from '../value/compare.ts';
import type { PathNode } from '../value/path.ts';
import { shorten } from '../value/stringify.ts';
import { isTruthy, type JqValue, jqType } from '../value/value.ts';
import type { CallForms, CallNode } from './value-builtin.ts';

/** Builtins that pass values of their input on, and so work as paths too. */

const never = (): boolean => false;

const empty: CallForms = {
  isSingle: never,
  single: notSingle,
  each: () => () => {},
  path: () => () => {},
};

const select: CallForms = {
  isSingle: never,
  single: notSingle,
  each: (compiler, node, scope) => {
    const [arg] = node.args;
    if (compiler.isSingle(arg!, scope)) {
      const condition = compiler.single(arg!, scope);
      return (run, cells, input, emit) => {
        if (isTruthy(condition(run, cells, input))) emit(input);
      };
    }
    const condition = compiler.each(arg!, scope);
    return (run, cells, input, emit) =>
      condition(run, cells, input, (answer) => {
        if (isTruthy(answer)) emit(input);
      });
  },
  path: (compiler, node, scope) => {
    const condition = compiler.each(node.args[0]!, scope);
    return (run, cells, path, input, emit) => {
      condition(run, cells, input, (answer) => {
        if (isTruthy(answer)) emit(path, input);
      });
    };
  },
};

/** `strings`, `values` and the like: the input if the test holds. */
function filtered(test: (value: JqValue) => boolean): CallForms {
  return {
    isSingle: never,
    single: notSingle,
    each: () => (_run, _cells, input, emit) => {
      if (test(input)) emit(input);
    },
    path: () => (_run, _cells, path, input, emit) => {
      if (test(input)) emit(path, input);
    },
  };
}

const error: CallForms = {
  isSingle: (compiler, node, scope) => node.args.every((arg) => compiler.isSingle(arg, scope)),
  single: (compiler, node, scope) => {
    const [arg] = node.args;
    const message = arg === undefined ? undefined : compiler.single(arg, scope);
    return (run, cells, input) => {
      throw new Raised(message === undefined ? input : message(run, cells, input));
    };
  },
  each: (compiler, node, scope) => {
    const message = compiler.each(node.args[0]!, scope);
    return (run, cells, input) =>
      message(run, cells, input, (value) => {
        throw new Raised(value);
      });
  },
};

/** Passes on the values of `f` from position `from` up to, but not including, `to`. */
interface Window {
  readonly from: number;
  readonly to: number;
  /** Raised when the first value arrives. */
  readonly refusal?: Raised;
}

/** `first`, `limit`, `skip`: some of the values of an expression, which stops as soon as the rest is not needed. */
function windowed(read: (run: Run, count: JqValue) => Window, hasCount: boolean): CallForms {
  const pass = (
    run: Run,
    { from, to, refusal }: Window,
    start: (emit: (receive: () => void) => void) => void,
  ): void => {
    if (to <= from) return;
    let position = 0;
    untilExit(run, (exit) =>
      start((receive) => {
        const at = position++;
        if (refusal !== undefined) throw refusal;
        if (at < from) return;
        receive();
        if (at + 1 >= to) throw exit;
      }),
    );
  };
  const counts = (compiler: Compiler, node: CallNode, scope: StaticScope | null): ReturnType<Compiler['each']> =>
    hasCount ? compiler.each(node.args[0]!, scope) : (_run, _cells, _input, emit) => emit(null);
  return {
    isSingle: never,
    single: notSingle,
    each: (compiler, node, scope) => {
      const count = counts(compiler, node, scope);
      const each = compiler.each(node.args.at(-1)!, scope);
      return (run, cells, input, emit) =>
        count(run, cells, input, (value) => {
          pass(run, read(run, value), (offer) =>
            each(run, cells, input, (item) => {
              run.step();
              offer(() => emit(item));
            }),
          );
        });
    },
    path: (compiler, node, scope) => {
      const count = counts(compiler, node, scope);
      const each = compiler.path(node.args.at(-1)!, scope);
      return (run, cells, path, input, emit) => {
        count(run, cells, input, (value) => {
          pass(run, read(run, value), (offer) =>
            each(run, cells, path, input, (at, item) => {
              run.step();
              offer(() => emit(at, item));
            }),
          );
        });
      };
    },
  };
}

/** `limit`: NaN, and what jq sorts below zero, let every value through; text and containers cannot be counted down. */
function firstValues(run: Run, count: JqValue): Window {
  if (compareValues(count, 0, run) < 0) return { from: 0, to: Number.POSITIVE_INFINITY };
  if (typeof count === 'number') return { from: 0, to: count };
  return { from: 0, to: 1, refusal: raiseAboutTwo(count, 1, 'cannot be subtracted') };
}

/** `skip`, which is newer than jq 1.7.1. */
function laterValues(_run: Run, count: JqValue): Window {
  if (typeof count !== 'number') throw raise(`${jqType(count)} (${shorten(count)}) is not a number`);
  return { from: count, to: Number.POSITIVE_INFINITY };
}

/** `nth(n; f)`: a fraction is rounded up. */
function onlyValue(run: Run, position: JqValue): Window {
  if (compareValues(position, 0, run) < 0) throw raise("nth doesn't support negative indices");
  if (typeof position !== 'number') throw raiseAboutTwo(position, 1, 'cannot be added');
  return { from: Math.ceil(position), to: Math.ceil(position) + 1 };
}

/** Without values, `last(f)` is null (jq 1.7.1). */
const last: CallForms = {
  isSingle: () => true,
  single: (compiler, node, scope) => {
    const each = compiler.each(node.args[0]!, scope);
    return (run, cells, input) => {
      let value: JqValue = null;
      each(run, cells, input, (item) => {
        run.step();
        value = item;
      });
      return value;
    };
  },
  each: notSingle,
  path: (compiler, node, scope) => {
    const each = compiler.path(node.args[0]!, scope);
    return (run, cells, path, input, emit) => {
      let place: PathNode | null = null;
      let value: JqValue = null;
      each(run, cells, path, input, (at, item) => {
        run.step();
        place = at;
        value = item;
      });
      emit(place, value);
    };
  },
};

const descendants: CallForms = {
  isSingle: never,
  single: notSingle,
  each: () => eachDescendant,
  path: () => eachDescendantPath,
};

/** `recurse(f)`: parents before children, one JavaScript frame set per level of depth. */
const recurseBy: CallForms = {
  isSingle: never,
  single: notSingle,
  each: (compiler, node, scope) => {
    const step = compiler.each(node.args[0]!, scope);
    const isSingle = compiler.isSingle(node.args[0]!, scope);
    return (run, cells, input, emit) => {
      if (isSingle) {
        const next = compiler.single(node.args[0]!, scope);
        for (let value = input; ; value = next(run, cells, value)) {
          run.step();
          emit(value);
        }
      }
      const visit = (value: JqValue): void => {
        run.enter();
        emit(value);
        step(run, cells, value, visit);
        run.leave();
      };
      visit(input);
    };
  },
  path: (compiler, node, scope) => {
    const step = compiler.path(node.args[0]!, scope);
    return (run, cells, path, input, emit) => {
      const visit: Parameters<EachPath>[4] = (at, value) => {
        run.enter();
        emit(at, value);
        step(run, cells, at, value, visit);
        run.leave();
      };
      visit(path, input);
    };
  },
};

const isContainer = (value: JqValue): boolean => typeof value === 'object' && value !== null;

export const selectionBuiltins: readonly [name: string, arity: number, forms: CallForms][] = [
  ['empty', 0, empty],
  ['select', 1, select],
  ['error', 0, error],
  ['error', 1, error],
  ['first', 1, windowed(() => ({ from: 0, to: 1 }), false)],
  ['limit', 2, windowed(firstValues, true)],
  ['skip', 2, windowed(laterValues, true)],
  ['nth', 2, windowed(onlyValue, true)],
  ['last', 1, last],
  ['recurse', 0, descendants],
  ['recurse', 1, recurseBy],
  ['recurse_down', 0, descendants],
  ['values', 0, filtered((value) => value !== null)],
  ['nulls', 0, filtered((value) => value === null)],
  ['booleans', 0, filtered((value) => typeof value === 'boolean')],
  ['numbers', 0, filtered((value) => typeof value === 'number')],
  ['strings', 0, filtered((value) => typeof value === 'string')],
  ['arrays', 0, filtered((value) => Array.isArray(value))],
  ['objects', 0, filtered((value) => isContainer(value) && !Array.isArray(value))],
  ['iterables', 0, filtered(isContainer)],
  ['scalars', 0, filtered((value) => !isContainer(value))],
];
