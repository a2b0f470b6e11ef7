import { anyOne, deepPlace, extendPlace, isUnknownSegment, type Place, placeKey, type Segment } from './place.ts';

/**
 * What static analysis knows of a value: where in the input it may come from.
 * `places`: it may be exactly the value there. `members`: it may be a container built by the program, with these values
 * at its keys (`*` for unknown keys). `loose`: values from there may sit at any depth in it.
 */
export interface AbstractValue {
  readonly places: readonly Place[];
  readonly members: ReadonlyMap<string, AbstractValue> | null;
  readonly loose: readonly Place[];
}

export const fresh: AbstractValue = { places: [], members: null, loose: [] };
const unknownKey = '*';
const depthMax = 6;
const placesMax = 48;

export const atPlace = (place: Place): AbstractValue => ({ places: [place], members: null, loose: [] });
export const looseValue = (places: readonly Place[]): AbstractValue => ({
  places: [],
  members: null,
  loose: distinct(places.map(deepPlace)),
});

export function built(members: Iterable<readonly [Segment, AbstractValue]>): AbstractValue {
  const merged = new Map<string, AbstractValue>();
  for (const [key, value] of members) {
    const name = keyName(key);
    const before = merged.get(name);
    merged.set(name, before === undefined ? value : join(before, value));
  }
  return limited({ places: [], members: merged, loose: [] });
}

function keyName(key: Segment): string {
  if (isUnknownSegment(key)) return unknownKey;
  return typeof key === 'number' ? `#${key}` : `.${key}`;
}

export function join(left: AbstractValue, right: AbstractValue): AbstractValue {
  if (left === right || right === fresh) return left;
  if (left === fresh) return right;
  let members = left.members;
  if (right.members !== null) {
    const merged = new Map(left.members ?? []);
    for (const [key, value] of right.members) {
      const before = merged.get(key);
      merged.set(key, before === undefined ? value : join(before, value));
    }
    members = merged;
  }
  return limited({
    places: distinct([...left.places, ...right.places]),
    members,
    loose: distinct([...left.loose, ...right.loose]),
  });
}

export function joinAll(values: readonly AbstractValue[]): AbstractValue {
  return values.reduce(join, fresh);
}

/** Everything in the input the value may contain. */
export function listSources(value: AbstractValue): readonly Place[] {
  const nested = value.members === null ? [] : [...value.members.values()].flatMap(listSources);
  return distinct([...value.places, ...value.loose, ...nested]);
}

const counts = new WeakMap<AbstractValue, number>();

/** How many places it names, in all its parts. */
export function countSources(value: AbstractValue): number {
  let count = counts.get(value);
  if (count === undefined) {
    count = value.places.length + value.loose.length;
    for (const inner of value.members?.values() ?? []) count += countSources(inner);
    counts.set(value, count);
  }
  return count;
}

/** The same information without structure, so that a value that grows in a loop reaches a fixed point. */
export function widened(value: AbstractValue): AbstractValue {
  return looseValue(listSources(value));
}

/** The value one step in. */
export function childValue(value: AbstractValue, key: Segment): AbstractValue {
  const steps: AbstractValue[] = [
    {
      places: distinct([...value.places.map((place) => extendPlace(place, key)), ...value.loose]),
      members: null,
      loose: value.loose,
    },
  ];
  if (value.members !== null) {
    const name = keyName(key);
    for (const [member, inner] of value.members) {
      if (name === unknownKey || member === unknownKey || member === name || isNegativeIndex(key)) steps.push(inner);
    }
  }
  return joinAll(steps);
}

const isNegativeIndex = (key: Segment): boolean => typeof key === 'number' && key < 0;

export const anyElement = (value: AbstractValue): AbstractValue => childValue(value, anyOne);

export function isSameValue(left: AbstractValue, right: AbstractValue): boolean {
  if (left.places.length !== right.places.length || left.loose.length !== right.loose.length) return false;
  if ((left.members?.size ?? -1) !== (right.members?.size ?? -1)) return false;
  if (!isWithin(left.places, right.places) || !isWithin(left.loose, right.loose)) return false;
  for (const [key, inner] of left.members ?? []) {
    const other = right.members?.get(key);
    if (other === undefined || !isSameValue(inner, other)) return false;
  }
  return true;
}

function isWithin(places: readonly Place[], others: readonly Place[]): boolean {
  if (places === others || places.length === 0) return true;
  const known = new Set(others.map(placeKey));
  return places.every((place) => known.has(placeKey(place)));
}

function distinct(places: readonly Place[]): readonly Place[] {
  if (places.length < 2) return places;
  const kept = new Map<string, Place>();
  for (const place of places) if (!kept.has(placeKey(place))) kept.set(placeKey(place), place);
  return kept.size > placesMax ? [deepPlace([])] : [...kept.values()];
}

function limited(value: AbstractValue): AbstractValue {
  const size = value.members?.size ?? 0;
  return measureDepth(value) > depthMax || size > 200 ? widened(value) : value;
}

function measureDepth(value: AbstractValue): number {
  let depth = 0;
  for (const inner of value.members?.values() ?? []) depth = Math.max(depth, 1 + measureDepth(inner));
  return depth;
}
