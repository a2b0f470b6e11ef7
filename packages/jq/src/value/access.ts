import { raise, raiseAbout } from '../evaluate/raise.ts';
import type { Run } from '../evaluate/run.ts';
import { equalValues } from './compare.ts';
import { copyObject, deleteKey, getKey, listKeys, setKey } from './object.ts';
import { shorten } from './stringify.ts';
import { codePointLength, sliceCodePoints } from './text.ts';
import { isObject, type JqObject, type JqValue, jqType } from './value.ts';

/** `.[key]` of a value: a missing key gives null, mismatched kinds raise jq's message. */
export function getValue(run: Run, target: JqValue, key: JqValue): JqValue {
  if (typeof key === 'string') {
    if (isObject(target)) return getKey(target, key) ?? null;
    if (target === null) return null;
    throw raise(`Cannot index ${jqType(target)} with string "${key}"`);
  }
  if (typeof key === 'number') {
    if (Array.isArray(target)) return getAt(target, key);
    if (target === null) return null;
  } else if (Array.isArray(key)) {
    if (Array.isArray(target)) return indicesOfRun(run, target, key);
  } else if (isObject(key)) {
    if (target === null) return null;
    if (Array.isArray(target) || typeof target === 'string') return getSlice(run, target, toSlice(key));
  }
  throw raise(`Cannot index ${jqType(target)} with ${jqType(key)}`);
}

/** `.name` for a name that no JavaScript object inherits: the hot path of nearly every expression. */
export function getField(target: JqValue, name: string): JqValue {
  if (typeof target === 'object' && target !== null && !Array.isArray(target)) {
    return (target as JqObject)[name] ?? null;
  }
  if (target === null || target === undefined) return null;
  throw raise(`Cannot index ${jqType(target)} with string "${name}"`);
}

function getAt(array: readonly JqValue[], index: number): JqValue {
  const whole = Math.trunc(index);
  return array[whole < 0 ? whole + array.length : whole] ?? null;
}

export interface Slice {
  readonly from: JqValue;
  readonly to: JqValue;
}

/**
 * The bounds in `{"start": …, "end": …}`, the key form of a slice. A missing bound becomes `false`, which is invalid
 * (unlike null).
 */
function toSlice(key: JqObject): Slice {
  const [from, to] = [getKey(key, 'start'), getKey(key, 'end')];
  return { from: from === undefined ? false : from, to: to === undefined ? false : to };
}

/** Integer offsets for a sequence of `length`: start rounded down, end up, negative from the end, clamped. */
function sliceBounds(slice: Slice, length: number): [from: number, to: number] {
  const { from, to } = slice;
  if ((from !== null && typeof from !== 'number') || (to !== null && typeof to !== 'number')) {
    throw raise('Array/string slice indices must be integers');
  }
  let start = from === null || Number.isNaN(from) ? 0 : from;
  let end = to === null || Number.isNaN(to) ? length : to;
  if (start < 0) start += length;
  if (end < 0) end += length;
  start = Math.floor(Math.min(Math.max(start, 0), length));
  end = Math.ceil(Math.min(Math.max(end, start), length));
  return [start, Math.max(end, start)];
}

export function getSlice(run: Run, target: JqValue, slice: Slice): JqValue {
  if (target === null) return null;
  if (typeof target === 'string') {
    const [from, to] = sliceBounds(slice, codePointLength(target));
    run.checkString(to - from);
    return sliceCodePoints(target, from, to);
  }
  if (!Array.isArray(target)) throw raise(`Cannot index ${jqType(target)} with object`);
  const [from, to] = sliceBounds(slice, target.length);
  run.checkArray(to - from);
  return target.slice(from, to);
}

function indicesOfRun(run: Run, array: readonly JqValue[], wanted: readonly JqValue[]): JqValue {
  const found: number[] = [];
  if (wanted.length === 0) return found;
  run.spend(array.length);
  for (let start = 0; start + wanted.length <= array.length; start++) {
    let matched = 0;
    while (matched < wanted.length && equalValues(array[start + matched]!, wanted[matched]!, run)) matched++;
    run.spend(matched);
    if (matched === wanted.length) found.push(start);
  }
  return found;
}

/** A copy of the value with `key` set to `value`. */
export function setValue(run: Run, target: JqValue, key: JqValue, value: JqValue): JqValue {
  if (typeof key === 'string' && (target === null || isObject(target))) {
    const draft = target === null ? {} : copyChecked(run, target);
    setKey(draft, key, value);
    return draft;
  }
  if (typeof key === 'number' && (target === null || Array.isArray(target))) {
    const index = toArrayIndex(run, target ?? [], key);
    run.checkArray(Math.max(target?.length ?? 0, index + 1));
    const copy = target === null ? [] : target.slice();
    fillTo(copy, index);
    copy[index] = value;
    return copy;
  }
  if (isObject(key) && (target === null || Array.isArray(target))) return setSlice(run, target ?? [], key, value);
  if (isObject(key) && typeof target === 'string') throw raise('Cannot update string slices');
  if (Array.isArray(key) && Array.isArray(target)) throw raise('Cannot update field at array index of array');
  if (typeof key === 'string') throw raise(`Cannot index ${jqType(target)} with string "${key}"`);
  throw raise(`Cannot index ${jqType(target)} with ${jqType(key)}`);
}

/**
 * The index that a write targets. jq refuses indexes before the start and absurdly large ones; the budget's limit is
 * lower.
 */
export function toArrayIndex(run: Run, target: readonly JqValue[], key: number): number {
  if (Number.isNaN(key)) throw raise('Cannot set array element at NaN index');
  const whole = Math.trunc(key);
  const index = whole < 0 ? whole + target.length : whole;
  if (index < 0) throw raise('Out of bounds negative array index');
  if (index > 536_870_911) throw raise('Array index too large');
  if (index >= run.budget.arrayLengthMax) run.checkArray(index + 1);
  return index;
}

export function fillTo(draft: JqValue[], index: number): void {
  while (draft.length < index) draft.push(null);
}

function setSlice(run: Run, target: readonly JqValue[], key: JqObject, value: JqValue): JqValue {
  const [from, to] = sliceBounds(toSlice(key), target.length);
  if (!Array.isArray(value)) throw raise('A slice of an array can only be assigned another array');
  run.checkArray(target.length - (to - from) + value.length);
  return target.slice(0, from).concat(value, target.slice(to));
}

export function copyChecked(run: Run, object: JqObject): Record<string, JqValue> {
  const draft = copyObject(object);
  run.checkArray(4 * Object.keys(draft).length);
  return draft;
}

/** The value without the given keys, which all belong to this one value. */
export function deleteKeys(run: Run, target: JqValue, keys: readonly JqValue[]): JqValue {
  if (target === null || keys.length === 0) return target;
  if (Array.isArray(target)) return deleteElements(run, target, keys);
  if (!isObject(target)) throw raise(`Cannot delete fields from ${jqType(target)}`);
  const draft = copyChecked(run, target);
  for (const key of keys) {
    if (typeof key !== 'string') throw raise(`Cannot delete ${jqType(key)} field of object`);
    deleteKey(draft, key);
  }
  return draft;
}

function deleteElements(run: Run, target: readonly JqValue[], keys: readonly JqValue[]): JqValue {
  const gone = new Uint8Array(target.length);
  run.checkArray(target.length);
  for (const key of keys) {
    if (typeof key === 'number') {
      const index = key < 0 ? Math.trunc(key) + target.length : Math.trunc(key);
      if (index >= 0 && index < target.length) gone[index] = 1;
    } else if (isObject(key)) {
      const [from, to] = sliceBounds(toSlice(key), target.length);
      gone.fill(1, from, to);
      run.spend(to - from);
    } else {
      throw raise(`Cannot delete ${jqType(key)} element of array`);
    }
  }
  return target.filter((_, index) => gone[index] === 0);
}

export function hasValue(target: JqValue, key: JqValue): boolean {
  if (target === null) return false;
  if (isObject(target) && typeof key === 'string') return Object.hasOwn(target, key);
  if (Array.isArray(target) && typeof key === 'number') return key > -1 && Math.trunc(key) < target.length;
  throw raise(`Cannot check whether ${jqType(target)} has a ${jqType(key)} key`);
}

/** The result of `length`; for a number its absolute value. */
export function valueLength(value: JqValue): number {
  if (typeof value === 'string') return codePointLength(value);
  if (typeof value === 'number') return Math.abs(value);
  if (Array.isArray(value)) return value.length;
  if (isObject(value)) return Object.keys(value).length;
  if (value === null) return 0;
  throw raiseAbout(value, 'has no length');
}

/** The values of `.[]`, without copying arrays. */
export function listChildren(target: JqValue): readonly JqValue[] {
  if (Array.isArray(target)) return target;
  if (isObject(target)) return listKeys(target).map((key) => target[key]!);
  throw raise(`Cannot iterate over ${jqType(target)} (${shorten(target)})`);
}
