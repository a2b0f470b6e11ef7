import type { Each } from '../evaluate/filter.ts';
import { eachDescendantPath, notSingle, requirePlace } from '../evaluate/forms-access.ts';
import { eachPlace, firstValue, modify } from '../evaluate/forms-assignment.ts';
import { raise } from '../evaluate/raise.ts';
import type { Run } from '../evaluate/run.ts';
import { getValue, valueLength } from '../value/access.ts';
import { add } from '../value/arithmetic.ts';
import { listKeys } from '../value/object.ts';
import { OwnedValues } from '../value/owned.ts';
import { extendPathBy, pathToArray, rootPath } from '../value/path.ts';
import { deletePaths, getPath, setPath } from '../value/paths.ts';
import { shorten } from '../value/stringify.ts';
import { isObject, isTruthy, type JqValue } from '../value/value.ts';
import { type CallForms, valueForms } from './value-builtin.ts';

/** Builtins about places in the input. */

const path: CallForms = {
  isSingle: () => false,
  single: notSingle,
  each: (compiler, node, scope) => {
    const places = compiler.path(node.args[0]!, scope);
    return (run, cells, input, emit) => eachPlace(run, cells, input, places, emit);
  },
};

/** `paths` and `paths(f)`: every place except the root, filtered by its value. */
const paths: CallForms = {
  isSingle: () => false,
  single: notSingle,
  each: (compiler, node, scope) => {
    const [arg] = node.args;
    const test: Each = arg === undefined ? (_run, _cells, _input, emit) => emit(true) : compiler.each(arg, scope);
    return (run, cells, input, emit) =>
      eachDescendantPath(run, cells, rootPath, input, (place, value) => {
        if (place === null || place.parent === null) {
          if (arg !== undefined) test(run, cells, value, () => {});
          return;
        }
        test(run, cells, value, (answer) => {
          if (isTruthy(answer)) emit(pathToArray(place));
        });
      });
  },
};

const getpath: CallForms = {
  ...valueForms(getPath),
  path: (compiler, node, scope) => {
    const keys = compiler.each(node.args[0]!, scope);
    return (run, cells, at, input, emit) => {
      keys(run, cells, input, (list) => {
        if (!Array.isArray(list)) throw raise('Path must be specified as an array');
        const place = requirePlace(at, input, `access element ${shorten(list)} of`);
        emit(extendPathBy(place, list), getPath(run, input, list));
      });
    };
  },
};

const del: CallForms = {
  isSingle: () => true,
  single: (compiler, node, scope) => {
    const places = compiler.path(node.args[0]!, scope);
    return (run, cells, input) => {
      const removed: JqValue[][] = [];
      eachPlace(run, cells, input, places, (keys) => removed.push(keys));
      return deletePaths(run, input, removed);
    };
  },
  each: notSingle,
};

const pick: CallForms = {
  isSingle: () => true,
  single: (compiler, node, scope) => {
    const places = compiler.path(node.args[0]!, scope);
    return (run, cells, input) => {
      const owned = new OwnedValues(run);
      let picked: JqValue = null;
      eachPlace(run, cells, input, places, (keys) => {
        const value = getPath(run, input, keys);
        picked = owned.update(picked, keys, () => value);
      });
      return picked;
    };
  },
  each: notSingle,
};

const mapValues: CallForms = {
  isSingle: () => true,
  single: (compiler, node, scope) => {
    const change = compiler.each(node.args[0]!, scope);
    const children = compiler.path(
      { kind: 'iterate', target: { kind: 'identity', start: 0, end: 0 }, start: 0, end: 0 },
      null,
    );
    return (run, cells, input) => modify(run, cells, input, children, (old) => firstValue(run, cells, old, change));
  },
  each: notSingle,
};

/** Leaves with their paths; after the last child of a non-empty container, a closing event (manual, "Streaming"). */
function stream(run: Run, value: JqValue, at: readonly JqValue[], emit: (event: JqValue) => void): void {
  run.spend(1 + (at.length >> 2));
  const keys: readonly JqValue[] = Array.isArray(value) ? [...value.keys()] : isObject(value) ? listKeys(value) : [];
  if (keys.length === 0) return emit([at, value]);
  for (const key of keys) stream(run, getValue(run, value, key), [...at, key], emit);
  emit([[...at, keys.at(-1)!]]);
}

const tostream: CallForms = {
  isSingle: () => false,
  single: notSingle,
  each: () => (run, _cells, input, emit) => stream(run, input, [], emit),
};

/** jq's internal prefix of event paths; it appears in error messages about invalid paths. */
const streamRoot: JqValue = ['x'];

/**
 * Rebuilds values from events; a value is complete when a top-level event closes it. Invalid events are checked like in
 * jq: by length, first element, and that element's length.
 */
const fromstream: CallForms = {
  isSingle: () => false,
  single: notSingle,
  each: (compiler, node, scope) => {
    const events = compiler.each(node.args[0]!, scope);
    return (run, cells, input, emit) => {
      let owned = new OwnedValues(run);
      let value: JqValue = null;
      const complete = (): void => {
        const done = value;
        owned = new OwnedValues(run);
        value = null;
        emit(done);
      };
      return events(run, cells, input, (event) => {
        run.step();
        const hasLeaf = valueLength(event) === 2;
        const at = getValue(run, event, 0);
        const depth = valueLength(at);
        if (hasLeaf) {
          const leaf = getValue(run, event, 1);
          const keys = add(run, streamRoot, at) as JqValue[];
          value = owned.update(value, keys.slice(1), () => leaf);
        }
        if (depth === (hasLeaf ? 0 : 1)) complete();
      });
    };
  },
};

export const pathBuiltins: readonly [name: string, arity: number, forms: CallForms][] = [
  ['path', 1, path],
  ['paths', 0, paths],
  ['paths', 1, paths],
  [
    'leaf_paths',
    0,
    {
      isSingle: () => false,
      single: notSingle,
      each: () => (run, cells, input, emit) =>
        eachDescendantPath(run, cells, rootPath, input, (place, value) => {
          if (place !== null && place.parent !== null && (typeof value !== 'object' || value === null)) {
            if (isTruthy(value)) emit(pathToArray(place));
          }
        }),
    },
  ],
  ['getpath', 1, getpath],
  ['setpath', 2, valueForms((run, input, at, value) => setPath(run, input, at!, value!))],
  ['delpaths', 1, valueForms(deletePaths)],
  ['del', 1, del],
  ['pick', 1, pick],
  ['map_values', 1, mapValues],
  ['tostream', 0, tostream],
  ['fromstream', 1, fromstream],
];
