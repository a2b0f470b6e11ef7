import type { Compiler } from '../evaluate/compiler.ts';
import { collect } from '../evaluate/forms-basic.ts';
import { raiseAboutTwo } from '../evaluate/raise.ts';
import type { Run, Scope } from '../evaluate/run.ts';
import type { StaticScope } from '../evaluate/static-scope.ts';
import { listChildren } from '../value/access.ts';
import { type SortEntry, sortByKey } from '../value/arithmetic.ts';
import { compareValues } from '../value/compare.ts';
import { type ObjectDraft, setKey } from '../value/object.ts';
import type { JqValue } from '../value/value.ts';
import { toText } from './formats.ts';
import type { CallForms, CallNode } from './value-builtin.ts';

/** An element with the values of its key expression, as a list, because jq compares lists. */
interface KeyedEntry extends SortEntry {
  readonly value: JqValue;
}

interface KeyReader {
  readonly read: (run: Run, cells: Scope | null, value: JqValue) => JqValue;
  readonly isList: boolean;
}

/** A key expression with a single value needs no list: lists of one compare like their elements. */
function keyReader(compiler: Compiler, node: CallNode, scope: StaticScope | null): KeyReader {
  const arg = node.args[0];
  if (arg === undefined) return { read: (_run, _cells, value) => value, isList: false };
  if (compiler.isSingle(arg, scope)) return { read: compiler.single(arg, scope), isList: false };
  const each = compiler.each(arg, scope);
  return { read: (run, cells, value) => collect(run, cells, value, each), isList: true };
}

function toKeyed(run: Run, cells: Scope | null, input: JqValue, keyOf: KeyReader, complaint: string): KeyedEntry[] {
  const values = listChildren(input);
  run.checkArray(values.length);
  const keyed = values.map((value, at) => {
    run.step();
    return { key: keyOf.read(run, cells, value), value, at };
  });
  if (Array.isArray(input)) return keyed;
  throw raiseAboutTwo(
    input,
    keyed.map(({ key }) => (keyOf.isList ? key : [key])),
    complaint,
  );
}

function groups(run: Run, keyed: KeyedEntry[]): JqValue[][] {
  const result: JqValue[][] = [];
  let previous: KeyedEntry | undefined;
  for (const item of sortByKey(run, keyed)) {
    if (previous !== undefined && compareValues(previous.key, item.key, run) === 0) result.at(-1)!.push(item.value);
    else result.push([item.value]);
    previous = item;
  }
  run.checkArray(result.length);
  return result;
}

function best(run: Run, keyed: KeyedEntry[], sign: 1 | -1): JqValue {
  let found: KeyedEntry | undefined;
  for (const item of keyed) {
    run.step();
    const order = found === undefined ? -sign : compareValues(item.key, found.key, run);
    if (sign === 1 ? order < 0 : order >= 0) found = item;
  }
  return found === undefined ? null : found.value;
}

const notSortable = 'cannot be sorted, as they are not both arrays';
const notIterable = 'cannot be iterated over';

/** A builtin that reads one key per element and gives one value; `complaint` ends the message for objects. */
function keyedForms(finish: (run: Run, keyed: KeyedEntry[]) => JqValue, complaint = notSortable): CallForms {
  return {
    isSingle: () => true,
    single: (compiler, node, scope) => {
      const keyOf = keyReader(compiler, node, scope);
      return (run, cells, input) => finish(run, toKeyed(run, cells, input, keyOf, complaint));
    },
    each: () => {
      throw new Error('always single');
    },
  };
}

const pickUnique = (run: Run, keyed: KeyedEntry[]): JqValue => groups(run, keyed).map((group) => group[0]!);

/** `INDEX`: later rows replace earlier ones with the same key. */
const indexForms: CallForms = {
  isSingle: () => true,
  single: (compiler, node, scope) => {
    const source = node.args.length === 2 ? compiler.each(node.args[0]!, scope) : undefined;
    const key = compiler.each(node.args.at(-1)!, scope);
    return (run, cells, input) => {
      const draft: ObjectDraft = {};
      const visit = (row: JqValue): void =>
        void key(run, cells, row, (name) => {
          run.step();
          run.allocate(32);
          setKey(draft, toText(run, name), row);
        });
      if (source !== undefined) source(run, cells, input, visit);
      else for (const row of listChildren(input)) visit(row);
      return draft;
    };
  },
  each: () => {
    throw new Error('always single');
  },
};

export const keyedBuiltins: readonly [name: string, arity: number, forms: CallForms][] = [
  ['sort_by', 1, keyedForms((run, keyed) => sortByKey(run, keyed).map(({ value }) => value))],
  ['group_by', 1, keyedForms(groups)],
  ['unique', 0, keyedForms(pickUnique)],
  ['unique_by', 1, keyedForms(pickUnique)],
  ['min_by', 1, keyedForms((run, keyed) => best(run, keyed, 1), notIterable)],
  ['max_by', 1, keyedForms((run, keyed) => best(run, keyed, -1), notIterable)],
  ['INDEX', 1, indexForms],
  ['INDEX', 2, indexForms],
];
