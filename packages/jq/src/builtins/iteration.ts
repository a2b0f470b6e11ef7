import type { Compiler } from '../evaluate/compiler.ts';
import type { Each } from '../evaluate/filter.ts';
import { emitChildren, notSingle } from '../evaluate/forms-access.ts';
import { collect } from '../evaluate/forms-basic.ts';
import { untilExit } from '../evaluate/forms-errors.ts';
import { raise, raiseAbout } from '../evaluate/raise.ts';
import type { Run } from '../evaluate/run.ts';
import type { StaticScope } from '../evaluate/static-scope.ts';
import type { Expression } from '../syntax/ast.ts';
import { listChildren } from '../value/access.ts';
import { add } from '../value/arithmetic.ts';
import { compareValues, equalValues } from '../value/compare.ts';
import { listKeys } from '../value/object.ts';
import { isObject, isTruthy, type JqValue } from '../value/value.ts';
import { fromEntries } from './collections.ts';
import type { CallForms, CallNode } from './value-builtin.ts';

/** Builtins that run an expression over many values. */

const always = (): boolean => true;

/** The values of `.[]`, each passed through the argument. */
function eachMapped(compiler: Compiler, node: CallNode, scope: StaticScope | null): Each {
  const [arg] = node.args;
  if (compiler.isSingle(arg!, scope)) {
    const single = compiler.single(arg!, scope);
    return (run, cells, input, emit) => emitChildren(run, input, (value) => emit(single(run, cells, value)));
  }
  const each = compiler.each(arg!, scope);
  return (run, cells, input, emit) =>
    emitChildren(run, input, (value) => {
      each(run, cells, value, emit);
    });
}

const map: CallForms = {
  isSingle: always,
  single: (compiler, node, scope) => {
    const [arg] = node.args;
    if (!compiler.isSingle(arg!, scope)) {
      const each = eachMapped(compiler, node, scope);
      return (run, cells, input) => collect(run, cells, input, each);
    }
    const single = compiler.single(arg!, scope);
    return (run, cells, input) => {
      const values = listChildren(input);
      run.checkArray(values.length);
      const items: JqValue[] = [];
      for (let at = 0; at < values.length; at++) {
        run.step();
        items.push(single(run, cells, values[at]!));
      }
      return items;
    };
  },
  each: notSingle,
};

const withEntries: CallForms = {
  isSingle: always,
  single: (compiler, node, scope) => {
    const change = compiler.each(node.args[0]!, scope);
    return (run, cells, input) => {
      if (!Array.isArray(input) && !isObject(input)) throw raiseAbout(input, 'has no keys');
      const names: readonly (string | number)[] = Array.isArray(input) ? [...input.keys()] : listKeys(input as never);
      run.checkArray(names.length);
      const entries: JqValue[] = [];
      for (const key of names) {
        run.step();
        const value = (input as { readonly [key: string]: JqValue })[key]!;
        change(run, cells, { key, value }, (entry) => {
          if (entries.push(entry) > run.budget.arrayLengthMax) run.checkArray(entries.length);
          run.step();
        });
      }
      return fromEntries(run, entries);
    };
  },
  each: notSingle,
};

/** `range` with one to three arguments; the first argument is the outermost loop. */
const range: CallForms = {
  isSingle: () => false,
  single: notSingle,
  each: (compiler, node, scope) => {
    const bounds = node.args.map((arg) => compiler.each(arg, scope));
    const [from, to, by] =
      bounds.length === 1 ? [undefined, bounds[0]!, undefined] : [bounds[0], bounds[1]!, bounds[2]];
    return (run, cells, input, emit) => {
      const zero: Each = (_run, _cells, _input, receive) => receive(0);
      (from ?? zero)(run, cells, input, (start) => {
        to(run, cells, input, (end) => {
          if (by === undefined) countUp(run, start, end, emit);
          else by(run, cells, input, (step) => countBy(run, start, end, step, emit));
        });
      });
    };
  },
};

type Receiver = (value: JqValue) => void;

/** Ends once a value is not below the end; never, if one of them is NaN. */
function countUp(run: Run, start: JqValue, end: JqValue, emit: Receiver): void {
  if (typeof start !== 'number' || typeof end !== 'number') throw raise('Range bounds must be numeric');
  for (let value = start; !(value >= end); value++) {
    run.step();
    emit(value);
  }
}

/** With a step, bounds may be of any kind: jq compares and adds as `<` and `+` do. A step of 0 gives nothing. */
function countBy(run: Run, start: JqValue, end: JqValue, step: JqValue, emit: Receiver): void {
  const direction = Math.sign(compareValues(step, 0, run));
  if (direction === 0) return;
  for (let value = start; compareValues(value, end, run) * direction < 0; value = add(run, value, step)) {
    run.step();
    emit(value);
  }
}

/** Whether any value of `each` makes `test` true; stops at the first. */
function someValue(
  run: Run,
  each: (emit: (value: JqValue) => void) => void,
  test: (value: JqValue) => boolean,
): boolean {
  let isFound = false;
  untilExit(run, (exit) =>
    each((value) => {
      run.step();
      if (!test(value)) return;
      isFound = true;
      throw exit;
    }),
  );
  return isFound;
}

const self: Expression = { kind: 'identity', start: 0, end: 0 };

/** `any` and `all` with zero to two arguments: a generator (`.[]` if not given) and a condition (`.`). */
function quantifier(wanted: boolean): CallForms {
  return {
    isSingle: always,
    single: (compiler, node, scope) => {
      const source =
        node.args.length === 2
          ? compiler.each(node.args[0]!, scope)
          : (((run, _cells, input, emit) => emitChildren(run, input, emit)) as Each);
      const condition = compiler.each(node.args.at(-1) ?? self, scope);
      return (run, cells, input) => {
        const isFound = someValue(
          run,
          (emit) => source(run, cells, input, (value) => void condition(run, cells, value, emit)),
          (answer) => isTruthy(answer) === wanted,
        );
        return isFound === wanted;
      };
    },
    each: notSingle,
  };
}

const isEmpty: CallForms = {
  isSingle: always,
  single: (compiler, node, scope) => {
    const each = compiler.each(node.args[0]!, scope);
    return (run, cells, input) =>
      !someValue(
        run,
        (emit) => each(run, cells, input, emit),
        () => true,
      );
  },
  each: notSingle,
};

/** `IN(s)`: whether the input is among the values of `s`; `IN(a; b)`: whether a value of `a` is among those of `b`. */
const isIn: CallForms = {
  isSingle: always,
  single: (compiler, node, scope) => {
    const wanted = compiler.each(node.args.length === 2 ? node.args[0]! : self, scope);
    const source = compiler.each(node.args.at(-1)!, scope);
    return (run, cells, input) =>
      someValue(
        run,
        (emit) =>
          source(
            run,
            cells,
            input,
            (candidate) => void wanted(run, cells, input, (value) => emit(equalValues(value, candidate, run))),
          ),
        (answer) => answer === true,
      );
  },
  each: notSingle,
};

export const iterationBuiltins: readonly [name: string, arity: number, forms: CallForms][] = [
  ['map', 1, map],
  ['with_entries', 1, withEntries],
  ['range', 1, range],
  ['range', 2, range],
  ['range', 3, range],
  ['any', 0, quantifier(true)],
  ['any', 1, quantifier(true)],
  ['any', 2, quantifier(true)],
  ['all', 0, quantifier(false)],
  ['all', 1, quantifier(false)],
  ['all', 2, quantifier(false)],
  ['isempty', 1, isEmpty],
  ['IN', 1, isIn],
  ['IN', 2, isIn],
];
