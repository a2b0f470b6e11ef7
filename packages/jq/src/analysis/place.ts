/**
 * One step into a value: a key, an index, `{ any: 'one' }` for one unknown step, or `{ any: 'deep' }` for any number of
 * unknown steps, including none.
 */
export type Segment = string | number | UnknownSegment;
export interface UnknownSegment {
  readonly any: 'one' | 'deep';
}

export type Place = readonly Segment[];

export const anyOne: UnknownSegment = { any: 'one' };
const anyDeep: UnknownSegment = { any: 'deep' };

export const isUnknownSegment = (segment: Segment): segment is UnknownSegment => typeof segment === 'object';

export function isSamePlace(left: Place, right: Place): boolean {
  return left === right || placeKey(left) === placeKey(right);
}

const keys = new WeakMap<Place, string>();

/** A text that is the same for equal places alone, so that many are compared at once. */
export function placeKey(place: Place): string {
  let key = keys.get(place);
  if (key === undefined) {
    key = JSON.stringify(place);
    keys.set(place, key);
  }
  return key;
}

export function isSameSegment(left: Segment, right: Segment): boolean {
  return isUnknownSegment(left) || isUnknownSegment(right)
    ? isUnknownSegment(left) && isUnknownSegment(right) && left.any === right.any
    : left === right;
}

/** Whether `pattern` matches `place`; `{ any: 'one' }` in the pattern matches any single step. */
export function matchesPlace(pattern: Place, place: Place): boolean {
  return (
    pattern.length === place.length &&
    pattern.every((segment, at) => {
      const step = place[at]!;
      if (isUnknownSegment(segment) && segment.any === 'one') return !isUnknownSegment(step) || step.any === 'one';
      return isSameSegment(segment, step);
    })
  );
}

const placeLengthMax = 24;

/** The place one step further in. "Any depth" absorbs further steps, and very long places are cut to it. */
export function extendPlace(place: Place, segment: Segment): Place {
  const last = place.at(-1);
  if (last !== undefined && isUnknownSegment(last) && last.any === 'deep') return place;
  if (place.length >= placeLengthMax) return [...place, anyDeep];
  return [...place, segment];
}

export function deepPlace(place: Place): Place {
  return extendPlace(place, anyDeep);
}

/** The possible positions of two places relative to each other, over all readings of their unknown steps. */
interface Relation {
  /** The first can equal the second or be above it. */
  readonly isAbove: boolean;
  /** Whether the first can be below the second: the minimum number of steps, else undefined. */
  readonly stepsBelow: number | undefined;
}

export function relate(first: Place, second: Place): Relation {
  return { isAbove: canBePrefix(first, 0, second, 0), stepsBelow: stepsBelow(first, second) };
}

/** Whether some reading of `prefix` from `at` on is a prefix of some reading of `whole` from `from` on. */
function canBePrefix(prefix: Place, at: number, whole: Place, from: number): boolean {
  if (at === prefix.length) return true;
  const step = prefix[at]!;
  if (isUnknownSegment(step) && step.any === 'deep') {
    return (
      canBePrefix(prefix, at + 1, whole, from) || (from < whole.length && canBePrefix(prefix, at, whole, from + 1))
    );
  }
  if (from === whole.length) return false;
  const other = whole[from]!;
  if (isUnknownSegment(other) && other.any === 'deep') return true;
  return couldBeEqual(step, other) && canBePrefix(prefix, at + 1, whole, from + 1);
}

function couldBeEqual(left: Segment, right: Segment): boolean {
  return isUnknownSegment(left) || isUnknownSegment(right) || left === right;
}

function stepsBelow(first: Place, second: Place): number | undefined {
  for (let length = 0; length <= first.length; length++) {
    const head = first.slice(0, length);
    if (!canBePrefix(second, 0, head, 0) || !canBePrefix(head, 0, second, 0)) continue;
    return first.slice(length).filter((step) => !isUnknownSegment(step) || step.any === 'one').length;
  }
  return undefined;
}

/** A place as text: `.a["b c"][0][*]`, with `..` for any depth; the root is `.`. */
export function formatPlace(place: Place): string {
  let text = '';
  for (const step of place) {
    if (isUnknownSegment(step)) text += step.any === 'one' ? '[*]' : '..';
    else if (typeof step === 'number') text += `[${step}]`;
    else text += /^[A-Za-z_]\w*$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
  }
  return text === '' || text.startsWith('[') ? `.${text}` : text;
}
