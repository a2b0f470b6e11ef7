import { raise } from '../evaluate/raise.ts';
import type { Run } from '../evaluate/run.ts';
import { deleteKeys, getValue, setValue } from './access.ts';
import { compareValues } from './compare.ts';
import { type JqValue, typeOf } from './value.ts';

/** `getpath`: once null is met on the way the answer is null, whatever the rest of the path asks for. */
export function getPath(run: Run, root: JqValue, path: JqValue): JqValue {
  if (!Array.isArray(path)) throw raise('Path must be specified as an array');
  let value = root;
  for (const key of path) {
    if (value === null) return null;
    run.step();
    value = getValue(run, value, key);
  }
  return value;
}

export function setPath(run: Run, root: JqValue, path: JqValue, value: JqValue): JqValue {
  if (!Array.isArray(path)) throw raise('Path must be specified as an array');
  return updatePath(run, root, path, 0, () => value);
}

/** The root with the value at `path` replaced by `change` of it. Missing containers are made on the way. */
function updatePath(
  run: Run,
  root: JqValue,
  path: readonly JqValue[],
  depth: number,
  change: (old: JqValue) => JqValue,
): JqValue {
  if (depth === path.length) return change(root);
  run.step();
  const key = path[depth]!;
  const child = root === null ? null : getValue(run, root, key);
  const changed = updatePath(run, child, path, depth + 1, change);
  return setValue(run, root, key, changed);
}

/** `delpaths`: the paths may overlap and come in any order; each names a place in the original value. */
export function deletePaths(run: Run, root: JqValue, paths: JqValue): JqValue {
  if (!Array.isArray(paths)) throw raise('Paths must be specified as an array');
  for (const path of paths) {
    if (!Array.isArray(path)) throw raise(`Path must be specified as array, not ${typeOf(path)}`);
  }
  if (paths.length === 0) return root;
  run.checkArray(paths.length);
  const sorted = (paths as JqValue[][]).slice().sort((left, right) => {
    run.step();
    return compareValues(left, right, run);
  });
  if (sorted[0]!.length === 0) return null;
  return deleteSorted(run, root, sorted, 0, sorted.length, 0);
}

/** Paths `from` to `to` share their first `depth` keys and lead into `value`. */
function deleteSorted(
  run: Run,
  value: JqValue,
  paths: readonly JqValue[][],
  from: number,
  to: number,
  depth: number,
): JqValue {
  let result = value;
  const ends: JqValue[] = [];
  for (let start = from; start < to; ) {
    const key = paths[start]![depth]!;
    let end = start;
    let isEnd = false;
    while (end < to && compareValues(paths[end]![depth]!, key, run) === 0) {
      if (paths[end]!.length === depth + 1) isEnd = true;
      end++;
    }
    run.step();
    if (isEnd) ends.push(key);
    else if (result !== null) {
      const child = getValue(run, value, key);
      if (child !== null) {
        const smaller = deleteSorted(run, child, paths, start, end, depth + 1);
        if (smaller !== child) result = setValue(run, result, key, smaller);
      }
    }
    start = Math.max(end, start + 1);
  }
  return deleteKeys(run, result, ends);
}
