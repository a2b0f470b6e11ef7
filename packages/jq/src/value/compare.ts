import { compareKeys, getKey, listSortedKeys } from './object.ts';
import { type JqObject, type JqValue, jqType } from './value.ts';

/** Called for every array or object visited, because shared values can be exponentially larger than memory. */
export interface Meter {
  step(): void;
}

const rank = { null: 0, false: 1, true: 2, number: 3, string: 4, array: 5, object: 6 } as const;

/**
 * jq's total order (manual, "sort"): null, false, true, numbers, strings by code point, arrays by element, objects first
 * by their sorted keys, then by values in that order. NaN is less than every number, itself included.
 */
export function compareValues(left: JqValue, right: JqValue, meter: Meter): number {
  if (typeof left === 'number' && typeof right === 'number') return compareNumbers(left, right);
  if (typeof left === 'string' && typeof right === 'string') return left === right ? 0 : compareKeys(left, right);
  const difference = typeRank(left) - typeRank(right);
  if (difference !== 0) return difference;
  if (Array.isArray(left)) return compareArrays(left, right as JqValue[], meter);
  if (typeof left === 'object' && left !== null) return compareObjects(left as JqObject, right as JqObject, meter);
  return 0;
}

/** Equality as `==` sees it; NaN equals nothing. */
export function equalValues(left: JqValue, right: JqValue, meter: Meter): boolean {
  if (left === right) return left === null || typeof left !== 'object' || equalToItself(left, meter);
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Array.isArray(left)) {
    meter.step();
    if (!Array.isArray(right) || left.length !== right.length) return false;
    for (let index = 0; index < left.length; index++)
      if (!equalValues(left[index]!, right[index]!, meter)) return false;
    return true;
  }
  if (Array.isArray(right)) return false;
  return equalObjects(left as JqObject, right as JqObject, meter);
}

/** A NaN anywhere inside makes even the same value unequal to itself. */
function equalToItself(value: JqValue, meter: Meter): boolean {
  if (typeof value !== 'object' || value === null) return !Number.isNaN(value);
  meter.step();
  const items = Array.isArray(value) ? value : Object.values(value);
  return items.every((item) => equalToItself(item, meter));
}

function equalObjects(left: JqObject, right: JqObject, meter: Meter): boolean {
  meter.step();
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  for (const key of keys) {
    const other = getKey(right, key);
    if (other === undefined || !equalValues(left[key]!, other, meter)) return false;
  }
  return true;
}

function typeRank(value: JqValue): number {
  if (value === false) return rank.false;
  if (value === true) return rank.true;
  return rank[jqType(value) as Exclude<ReturnType<typeof jqType>, 'boolean'>];
}

function compareNumbers(left: number, right: number): number {
  if (left < right) return -1;
  if (left === right) return 0;
  return Number.isNaN(left) ? -1 : 1;
}

function compareArrays(left: readonly JqValue[], right: readonly JqValue[], meter: Meter): number {
  meter.step();
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const order = compareValues(left[index]!, right[index]!, meter);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

function compareObjects(left: JqObject, right: JqObject, meter: Meter): number {
  const leftKeys = listSortedKeys(left);
  const rightKeys = listSortedKeys(right);
  const byKeys = compareArrays(leftKeys, rightKeys, meter);
  if (byKeys !== 0) return byKeys;
  for (const key of leftKeys) {
    const order = compareValues(left[key]!, right[key]!, meter);
    if (order !== 0) return order;
  }
  return 0;
}
