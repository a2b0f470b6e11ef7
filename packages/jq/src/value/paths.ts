import { raise } from '../evaluate/raise.ts';
import type { Run } from '../evaluate/run.ts';
import { deleteKeys, getValue, setValue } from './access.ts';
import { sortedCopy } from './arithmetic.ts';
import { compareValues } from './compare.ts';
import { type JqValue, jqType } from './value.ts';

export function getPath(run: Run, root: JqValue, path: JqValue): JqValue {
  if (!Array.isArray(path)) throw raise('Path must be specified as an array');
  let value = root;
  for (const key of path) {
    run.step();
    value = getValue(run, value, key);
  }
  return value;
}

export function setPath(run: Run, root: JqValue, path: JqValue, value: JqValue): JqValue {
  if (!Array.isArray(path)) throw raise('Path must be specified as an array');
  return updatePath(run, root, path, 0, () => value);
}

/** The root with the value at `path` replaced by the result of `change`. Missing containers are created. */
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
  const child = getValue(run, root, key);
  const changed = updatePath(run, child, path, depth + 1, change);
  return setValue(run, root, key, changed);
}

/** `delpaths`: the paths may overlap and come in any order; each refers to the original value. */
export function deletePaths(run: Run, root: JqValue, paths: JqValue): JqValue {
  if (!Array.isArray(paths)) throw raise('Paths must be specified as an array');
  if (paths.length === 0) return root;
  const sorted = sortedCopy(run, paths) as JqValue[][];
  for (const path of sorted) {
    if (!Array.isArray(path)) throw raise(`Path must be specified as array, not ${jqType(path)}`);
  }
  if (sorted[0]!.length === 0) return null;
  return deleteSorted(run, root, sorted, 0, sorted.length, 0);
}

/** The paths from `from` to `to` share their first `depth` keys and lead into `value`. */
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
    // A path that ends here comes before those that continue. The first belongs to the group even if its key is NaN.
    let end = start + 1;
    while (end < to && compareValues(paths[end]![depth]!, key, run) === 0) end++;
    run.step();
    if (paths[start]!.length === depth + 1) ends.push(key);
    else if (result !== null) {
      const child = getValue(run, value, key);
      if (child !== null) {
        const smaller = deleteSorted(run, child, paths, start, end, depth + 1);
        if (smaller !== child) result = setValue(run, result, key, smaller);
      }
    }
    start = end;
  }
  return deleteKeys(run, result, ends);
}
