import type { UnknownPart } from '@portolan/contract/as-of';
import { isSameJson } from '../../../platform/same-json.ts';
import type { RecordedEntity } from '../../journal/index.ts';
import type { KeyChange, KeysOfChange } from './past-blueprint.ts';

/** A state on one side of the moment, with the key of its record; a state of now has none. */
export interface Side {
  readonly key: number;
  readonly at: Date;
  readonly state: RecordedEntity;
}

export interface Sides {
  /** What the last record until the moment left. */
  readonly earlier: Side | undefined;
  /** What the first record after it found, or what is there now. */
  readonly later: Side;
}

type Kind = 'properties' | 'relations';
type Values = Readonly<Record<string, unknown>>;

export interface PastValues {
  readonly values: Record<string, unknown>;
  readonly unknown: UnknownPart[];
}

/**
 * The properties at a moment. Removing and renaming properties of a blueprint changes its entities without a record of
 * each, so the state before is carried forward over such changes, or the state after carried back.
 */
export function pastProperties({ earlier, later }: Sides, at: Date, changes: readonly KeyChange[]): PastValues {
  const { before, after } = changesAround({ earlier, later }, at, changes);
  if (earlier && before.length === 0) {
    const found = { values: { ...earlier.state.properties }, unknown: [] };
    return after.length === 0 ? compared(found, later.state.properties, earlier, later) : found;
  }
  if (after.length === 0) return { values: { ...later.state.properties }, unknown: [] };
  return earlier ? forward('properties', earlier, before) : backward('properties', later, after);
}

/** Relations likewise, but with the identifiers that their targets had on that side. */
export function pastRelations({ earlier, later }: Sides, at: Date, changes: readonly KeyChange[]): PastValues {
  const { before, after } = changesAround({ earlier, later }, at, changes);
  return earlier ? forward('relations', earlier, before) : backward('relations', later, after);
}

function changesAround({ earlier, later }: Sides, at: Date, changes: readonly KeyChange[]) {
  return {
    before: changes.filter((change) => earlier && change.key > earlier.key && change.at <= at),
    after: changes.filter((change) => change.at > at && change.key < later.key),
  };
}

/** Both sides must agree where no change of the blueprint stands between them. */
function compared({ values }: PastValues, other: Values, earlier: Side, later: Side): PastValues {
  const keys = new Set([...Object.keys(values), ...Object.keys(other)]);
  const differing = [...keys].filter((key) => !isSameJson(values[key], other[key]));
  const reason = `It changed between ${earlier.at.toISOString()} and ${later.at.toISOString()} without a record`;
  return { values, unknown: differing.map((key) => ({ path: `properties.${key}`, reason })) };
}

/** A renaming of old is recorded as if one key had gone and another come, with the values or without. */
const ambiguous = 'The blueprint was changed in between, and its record does not tell whether the value was kept';

function forward(kind: Kind, { state }: Side, changes: readonly KeyChange[]): PastValues {
  const unknown = new Map<string, string>();
  let values: Record<string, unknown> = { ...state[kind] };
  for (const change of changes) {
    const { renamed, gone, added } = change[kind];
    for (const key of gone) {
      delete values[key];
      unknown.delete(key);
    }
    if (isAmbiguous(change[kind])) for (const key of added) unknown.set(key, ambiguous);
    if (renamed) values = moved(values, unknown, renamed.from, renamed.to);
  }
  return { values, unknown: toParts(kind, unknown) };
}

function backward(kind: Kind, { state }: Side, changes: readonly KeyChange[]): PastValues {
  const unknown = new Map<string, string>();
  let values: Record<string, unknown> = { ...state[kind] };
  for (const change of [...changes].reverse()) {
    const { renamed, gone, added } = change[kind];
    if (renamed) values = moved(values, unknown, renamed.to, renamed.from);
    for (const key of added) {
      delete values[key];
      unknown.delete(key);
    }
    const reason = `It was removed from the blueprint at ${change.at.toISOString()}, and the journal has no earlier record`;
    for (const key of gone) unknown.set(key, reason);
  }
  return { values, unknown: toParts(kind, unknown) };
}

function isAmbiguous({ renamed, gone, added }: KeysOfChange): boolean {
  return renamed === undefined && gone.length > 0 && added.length > 0;
}

function moved(values: Record<string, unknown>, unknown: Map<string, string>, from: string, to: string) {
  const { [from]: value, ...rest } = values;
  const reason = unknown.get(from);
  if (reason !== undefined) {
    unknown.delete(from);
    unknown.set(to, reason);
  }
  return value === undefined ? rest : { ...rest, [to]: value };
}

function toParts(kind: Kind, unknown: ReadonlyMap<string, string>): UnknownPart[] {
  return [...unknown].map(([key, reason]) => ({ path: `${kind}.${key}`, reason }));
}
