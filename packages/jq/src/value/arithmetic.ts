import { raiseAboutTwo } from '../evaluate/raise.ts';
import type { Run } from '../evaluate/run.ts';
import { copyChecked } from './access.ts';
import { compareValues, equalValues } from './compare.ts';
import { getKey, listKeys, setKey } from './object.ts';
import { isObject, type JqObject, type JqValue } from './value.ts';

export type ArithmeticOperator = '+' | '-' | '*' | '/' | '%';
export type ComparisonOperator = '==' | '!=' | '<' | '<=' | '>' | '>=';
type Operation = (run: Run, left: JqValue, right: JqValue) => JqValue;

export function add(run: Run, left: JqValue, right: JqValue): JqValue {
  if (typeof left === 'number' && typeof right === 'number') return left + right;
  if (typeof left === 'string' && typeof right === 'string') {
    run.checkString(left.length + right.length);
    return left + right;
  }
  if (left === null) return right;
  if (right === null) return left;
  if (Array.isArray(left) && Array.isArray(right)) {
    run.checkArray(left.length + right.length);
    return left.length === 0 ? right : right.length === 0 ? left : left.concat(right);
  }
  if (isObject(left) && isObject(right)) {
    const draft = copyChecked(run, left);
    const keys = listKeys(right);
    run.checkArray(keys.length);
    for (const key of keys) setKey(draft, key, right[key]!);
    return draft;
  }
  throw raiseAboutTwo(left, right, 'cannot be added');
}

export function subtract(run: Run, left: JqValue, right: JqValue): JqValue {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  if (Array.isArray(left) && Array.isArray(right)) {
    run.checkArray(left.length);
    if (left.length * right.length < 64) {
      return left.filter((item) => !right.some((other) => equalValues(item, other, run)));
    }
    const unwanted = sortedCopy(run, right);
    return left.filter((item) => !isInSorted(run, unwanted, item));
  }
  throw raiseAboutTwo(left, right, 'cannot be subtracted');
}

function multiply(run: Run, left: JqValue, right: JqValue): JqValue {
  if (typeof left === 'number' && typeof right === 'number') return left * right;
  if (typeof left === 'string' && typeof right === 'number') return repeatText(run, left, right);
  if (typeof left === 'number' && typeof right === 'string') return repeatText(run, right, left);
  if (isObject(left) && isObject(right)) return mergeDeep(run, left, right);
  throw raiseAboutTwo(left, right, 'cannot be multiplied');
}

function divide(run: Run, left: JqValue, right: JqValue): JqValue {
  if (typeof left === 'number' && typeof right === 'number') {
    if (right === 0) throw raiseAboutTwo(left, right, 'cannot be divided because the divisor is zero');
    return left / right;
  }
  if (typeof left === 'string' && typeof right === 'string') return splitText(run, left, right);
  throw raiseAboutTwo(left, right, 'cannot be divided');
}

function remainder(_run: Run, left: JqValue, right: JqValue): JqValue {
  if (typeof left !== 'number' || typeof right !== 'number') {
    throw raiseAboutTwo(left, right, 'cannot be divided (remainder)');
  }
  if (Number.isNaN(left) || Number.isNaN(right)) return Number.NaN;
  const divisor = Math.trunc(right);
  if (divisor === 0) throw raiseAboutTwo(left, right, 'cannot be divided (remainder) because the divisor is zero');
  const dividend = Math.trunc(left);
  if (Number.isSafeInteger(dividend) && Number.isSafeInteger(divisor)) return dividend % divisor || 0;
  return Number(toInt64(dividend) % toInt64(divisor));
}

const int64Max = 2n ** 63n - 1n;

/** A C cast of a double to a 64-bit integer, saturating at both ends as jq does. */
function toInt64(value: number): bigint {
  if (value >= 2 ** 63) return int64Max;
  if (value <= -(2 ** 63)) return -int64Max - 1n;
  return BigInt(value);
}

export const arithmetic: Record<ArithmeticOperator, Operation> = {
  '+': add,
  '-': subtract,
  '*': multiply,
  '/': divide,
  '%': remainder,
};

export const comparisons: Record<ComparisonOperator, (left: JqValue, right: JqValue, run: Run) => boolean> = {
  '==': equalValues,
  '!=': (left, right, run) => !equalValues(left, right, run),
  '<': (left, right, run) => compareValues(left, right, run) < 0,
  '<=': (left, right, run) => compareValues(left, right, run) <= 0,
  '>': (left, right, run) => compareValues(left, right, run) > 0,
  '>=': (left, right, run) => compareValues(left, right, run) >= 0,
};

/** `"ab" * n`: null for a negative n and NaN, otherwise the text n times, with n truncated to an integer. */
function repeatText(run: Run, text: string, times: number): JqValue {
  if (!(times >= 0)) return null;
  const whole = Math.trunc(times);
  if (text === '' || whole === 0) return '';
  run.checkString(text.length * whole);
  return text.repeat(whole);
}

export function splitText(run: Run, text: string, separator: string): JqValue {
  if (text === '') return [];
  run.spend(text.length >> 3);
  const parts = separator === '' ? Array.from(text) : text.split(separator);
  run.checkArray(parts.length);
  return parts;
}

function mergeDeep(run: Run, left: JqObject, right: JqObject): JqValue {
  const draft = copyChecked(run, left);
  const keys = listKeys(right);
  run.checkArray(keys.length);
  for (const key of keys) {
    const value = right[key]!;
    const old = getKey(draft, key);
    setKey(draft, key, old !== undefined && isObject(old) && isObject(value) ? mergeDeep(run, old, value) : value);
  }
  return draft;
}

/** A sorted copy; equal elements keep their order. */
export function sortedCopy(run: Run, array: readonly JqValue[]): JqValue[] {
  run.checkArray(array.length);
  if (array.some((item) => typeof item === 'object' && item !== null)) {
    return sortByKey(
      run,
      array.map((value, at) => ({ key: value, at })),
    ).map(({ key }) => key);
  }
  return array.slice().sort((left, right) => {
    run.step();
    return compareValues(left, right, run);
  });
}

/** An entry to sort by key; `at` is its previous index. */
export interface SortEntry {
  readonly key: JqValue;
  readonly at: number;
}

/**
 * Sorts in place. NaN is below NaN, so the order of two keys depends on which is compared first: always the one that
 * was earlier, as in jq, so that keys with NaN in them keep their order.
 */
export function sortByKey<Entry extends SortEntry>(run: Run, entries: Entry[]): Entry[] {
  return entries.sort((left, right) => {
    run.step();
    return left.at < right.at ? compareValues(left.key, right.key, run) : -compareValues(right.key, left.key, run);
  });
}

function isInSorted(run: Run, sorted: readonly JqValue[], item: JqValue): boolean {
  if (Number.isNaN(item)) return false;
  let low = 0;
  let high = sorted.length - 1;
  while (low <= high) {
    run.step();
    const middle = (low + high) >> 1;
    const order = compareValues(sorted[middle]!, item, run);
    if (order === 0) return true;
    if (order < 0) low = middle + 1;
    else high = middle - 1;
  }
  return false;
}
