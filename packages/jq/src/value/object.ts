import type { JqObject, JqValue } from './value.ts';

/**
 * JavaScript lists keys that look like array indices ("0", "17") first and in numeric order; jq lists keys in the
 * order they were added. Objects stay plain for speed; only one that received such a key out of place carries its true
 * order under this hidden, non-enumerable symbol. `JSON.stringify` and spreading do not see it; our printer does.
 */
const keyOrder: unique symbol = Symbol('jq key order');

type MutableObject = Record<string, JqValue> & { [keyOrder]?: string[] };

/** An object under construction: only its creator may change it. */
export type ObjectDraft = Record<string, JqValue>;

const rootPrototype: object = Object.prototype;

/** True for names every JavaScript object inherits (`constructor`, `__proto__`): such a read must check ownership. */
export function isInheritedName(key: string): boolean {
  return key in rootPrototype;
}

/** The value at `key`; undefined if the object has no such key of its own. */
export function getKey(object: JqObject, key: string): JqValue | undefined {
  const value = object[key];
  if (value === undefined) return undefined;
  return key in rootPrototype && !Object.hasOwn(object, key) ? undefined : value;
}

/** Keys in the order they were added. */
export function listKeys(object: JqObject): string[] {
  const keys = Object.keys(object);
  if (keys.length < 2 || !startsLikeIndex(keys[0]!)) return keys;
  const order = (object as MutableObject)[keyOrder];
  return order !== undefined && isOrderOf(order, object, keys.length) ? order.slice() : keys;
}

/** Keys sorted by code point, as `keys` and the ordering of objects use them. */
export function listSortedKeys(object: JqObject): string[] {
  return Object.keys(object).sort(compareKeys);
}

export function copyObject(object: JqObject): ObjectDraft {
  const copy: MutableObject = { ...object };
  const order = (object as MutableObject)[keyOrder];
  if (order !== undefined) setOrder(copy, listKeys(object));
  return copy;
}

/** Adds or replaces a key of a draft, keeping jq's order; `__proto__` becomes an ordinary key. */
export function setKey(draft: ObjectDraft, key: string, value: JqValue): void {
  const order = (draft as MutableObject)[keyOrder];
  if (order !== undefined || startsLikeIndex(key)) {
    if (!Object.hasOwn(draft, key)) {
      if (order !== undefined) order.push(key);
      else if (!isEmptyObject(draft)) setOrder(draft, [...Object.keys(draft), key]);
    }
    draft[key] = value;
  } else if (key === '__proto__') {
    Object.defineProperty(draft, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    draft[key] = value;
  }
}

export function deleteKey(draft: ObjectDraft, key: string): void {
  delete draft[key];
  const order = (draft as MutableObject)[keyOrder];
  if (order !== undefined) {
    const at = order.indexOf(key);
    if (at !== -1) order.splice(at, 1);
  }
}

/** Keys are ordered by code point; comparing UTF-16 units agrees except for surrogates. */
export function compareKeys(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a !== b) return surrogatesLast(a) - surrogatesLast(b);
  }
  return left.length - right.length;
}

/** Moves surrogates above the rest of the basic plane, which is where their code points sort. */
function surrogatesLast(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x2000 : unit >= 0xe000 ? unit - 0x800 : unit;
}

function startsLikeIndex(key: string): boolean {
  const first = key.charCodeAt(0);
  return first >= 48 && first <= 57;
}

function isEmptyObject(object: JqObject): boolean {
  for (const _ in object) return false;
  return true;
}

function isOrderOf(order: readonly string[], object: JqObject, count: number): boolean {
  return order.length === count && order.every((key) => Object.hasOwn(object, key));
}

function setOrder(draft: MutableObject, order: string[]): void {
  Object.defineProperty(draft, keyOrder, { value: order, enumerable: false, configurable: true, writable: true });
}
