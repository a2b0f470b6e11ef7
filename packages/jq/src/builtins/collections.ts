import { requireKey } from '../evaluate/forms-basic.ts';
import { raise, raiseAbout, raiseAboutTwo } from '../evaluate/raise.ts';
import type { Run } from '../evaluate/run.ts';
import { hasValue, listChildren, valueLength } from '../value/access.ts';
import { add, sortedCopy, subtract } from '../value/arithmetic.ts';
import { compareValues, equalValues } from '../value/compare.ts';
import { getKey, listKeys, listSortedKeys, type ObjectDraft, setKey } from '../value/object.ts';
import { OwnedValues } from '../value/owned.ts';
import { isObject, isTruthy, type JqValue, jqType } from '../value/value.ts';
import { type CallForms, valueForms } from './value-builtin.ts';

function keys(run: Run, input: JqValue, order: (object: { readonly [key: string]: JqValue }) => string[]): JqValue {
  if (Array.isArray(input)) {
    run.checkArray(input.length);
    return Array.from(input.keys());
  }
  if (!isObject(input)) throw raiseAbout(input, 'has no keys');
  const names = order(input);
  run.checkArray(names.length);
  return names;
}

function contains(run: Run, input: JqValue, part: JqValue): boolean {
  run.step();
  if (isObject(input) && isObject(part)) {
    return listKeys(part).every((key) => {
      const value = getKey(input, key);
      return value !== undefined && contains(run, value, part[key]!);
    });
  }
  if (Array.isArray(input) && Array.isArray(part)) {
    return part.every((wanted) => input.some((item) => contains(run, item, wanted)));
  }
  if (typeof input === 'string' && typeof part === 'string') {
    run.spend(input.length >> 6);
    return input.includes(part);
  }
  return equalValues(input, part, run);
}

/** Both values must be of the same kind, where true and false are separate kinds; nested kinds may differ. */
function containsSameKind(run: Run, input: JqValue, part: JqValue): boolean {
  const isSameKind = typeof input === 'boolean' ? input === part : jqType(input) === jqType(part);
  if (!isSameKind) throw raiseAboutTwo(input, part, 'cannot have their containment checked');
  return contains(run, input, part);
}

function addAll(run: Run, input: JqValue): JqValue {
  const owned = new OwnedValues(run);
  let sum: JqValue = null;
  for (const item of listChildren(input)) {
    run.step();
    sum = typeof item === 'number' ? add(run, sum, item) : owned.append(sum, item);
  }
  return sum;
}

function sort(run: Run, input: JqValue): JqValue {
  if (!Array.isArray(input)) throw raiseAbout(input, 'cannot be sorted, as it is not an array');
  return sortedCopy(run, input);
}

/** The least or greatest element; of equal ones `min` takes the first, `max` the last. */
function extreme(run: Run, input: JqValue, sign: 1 | -1): JqValue {
  if (!Array.isArray(input)) throw raiseAboutTwo(input, input, 'cannot be iterated over');
  let best: JqValue | undefined;
  for (const item of input) {
    run.step();
    if (best === undefined) best = item;
    else {
      const order = compareValues(item, best, run);
      if (sign === 1 ? order < 0 : order >= 0) best = item;
    }
  }
  return best ?? null;
}

function flatten(run: Run, input: JqValue, depth?: JqValue): JqValue {
  if (depth !== undefined && compareValues(depth, 0, run) < 0) throw raise('flatten depth must not be negative');
  const flat: JqValue[] = [];
  const visit = (value: JqValue, left: JqValue): void => {
    for (const item of listChildren(value)) {
      run.step();
      if (Array.isArray(item) && left !== 0) visit(item, subtract(run, left, 1));
      else if (flat.push(item) > run.budget.arrayLengthMax) run.checkArray(flat.length);
    }
  };
  visit(input, depth ?? -1);
  return flat;
}

function toEntries(run: Run, input: JqValue): JqValue {
  const names = keys(run, input, listKeys) as JqValue[];
  run.allocate(names.length * 64);
  return names.map((key) => ({ key, value: (input as ObjectDraft)[key as string]! }));
}

/** The accepted names of a pair's key, the preferred one first; null or false counts as missing. */
const keyNames = ['key', 'Key', 'name', 'Name'];

/** `from_entries`: keys must be strings (jq 1.7.1), and of pairs with the same key the last wins. */
export function fromEntries(run: Run, input: JqValue): JqValue {
  const draft: ObjectDraft = {};
  for (const entry of listChildren(input)) {
    run.step();
    if (entry !== null && !isObject(entry)) throw raise(`Cannot index ${jqType(entry)} with string "key"`);
    let key: JqValue = null;
    for (const name of keyNames) {
      key = entry === null ? null : (getKey(entry, name) ?? null);
      if (isTruthy(key)) break;
    }
    const text = requireKey(key);
    run.allocate(32);
    setKey(draft, text, getKey(entry!, hasValue(entry, 'value') ? 'value' : 'Value') ?? null);
  }
  return draft;
}

/** Any input of length 0 gives an empty list; otherwise only arrays can be reversed (jq 1.7.1). */
function reverse(run: Run, input: JqValue): JqValue {
  if (valueLength(input) === 0) return [];
  if (!Array.isArray(input)) throw raise(`Cannot index ${jqType(input)} with number`);
  run.checkArray(input.length);
  return input.slice().reverse();
}

function search(run: Run, input: JqValue, target: JqValue): JqValue {
  if (!Array.isArray(input)) {
    if (valueLength(input) === 0) return -1;
    throw raise(`Cannot index ${jqType(input)} with number`);
  }
  let low = 0;
  let high = input.length - 1;
  while (low <= high) {
    run.step();
    const middle = (low + high) >> 1;
    const order = compareValues(target, input[middle]!, run);
    if (order === 0) return middle;
    if (order > 0) low = middle + 1;
    else high = middle - 1;
  }
  return -1 - low;
}

export const collectionBuiltins: readonly [name: string, arity: number, forms: CallForms][] = [
  ['length', 0, valueForms((_run, input) => valueLength(input))],
  ['keys', 0, valueForms((run, input) => keys(run, input, listSortedKeys))],
  ['keys_unsorted', 0, valueForms((run, input) => keys(run, input, listKeys))],
  ['has', 1, valueForms((_run, input, key) => hasValue(input, key))],
  ['contains', 1, valueForms(containsSameKind)],
  ['inside', 1, valueForms((run, input, whole) => containsSameKind(run, whole, input), 'first-outermost')],
  ['in', 1, valueForms((_run, input, whole) => hasValue(whole, input), 'first-outermost')],
  ['add', 0, valueForms(addAll)],
  ['sort', 0, valueForms(sort)],
  ['min', 0, valueForms((run, input) => extreme(run, input, 1))],
  ['max', 0, valueForms((run, input) => extreme(run, input, -1))],
  ['flatten', 0, valueForms((run, input) => flatten(run, input))],
  ['flatten', 1, valueForms(flatten, 'first-outermost')],
  ['to_entries', 0, valueForms(toEntries)],
  ['from_entries', 0, valueForms(fromEntries)],
  ['reverse', 0, valueForms(reverse)],
  ['bsearch', 1, valueForms(search, 'first-outermost')],
  ['toarray', 0, valueForms((_run, input) => (Array.isArray(input) ? input : [input]))],
  ['type', 0, valueForms((_run, input) => jqType(input))],
  ['not', 0, valueForms((_run, input) => input === false || input === null)],
];
