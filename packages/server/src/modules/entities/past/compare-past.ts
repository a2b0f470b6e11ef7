import type { UnknownPart } from '@portolan/contract/as-of';
import type { Entity } from '@portolan/contract/entities';
import type { ChangeKind, Difference, EntityChange } from '@portolan/contract/entity-history';
import { isSameJson } from '../../../platform/same-json.ts';

interface State {
  readonly entity: Partial<Entity>;
  readonly unknown: readonly UnknownPart[];
}

/** Never told as a difference: the change itself moves them. */
const moved = new Set(['updatedAt', 'updatedBy', 'createdAt', 'createdBy', 'blueprint']);
const nested = new Set(['properties', 'relations']);

/** What became of an entity between two states, absent where it did not exist. Unknown parts are not compared. */
export function compareStates(name: string, before: State | undefined, after: State | undefined): EntityChange {
  const unknown = new Map([...(before?.unknown ?? []), ...(after?.unknown ?? [])].map((part) => [part.path, part]));
  const differences = listDifferences(before?.entity ?? {}, after?.entity ?? {}).filter(
    ({ path }) => !unknown.has(path) && !unknown.has(path.split('.')[0] ?? ''),
  );
  const isBoth = before !== undefined && after !== undefined;
  const change: ChangeKind = isBoth
    ? differences.length > 0
      ? 'changed'
      : 'none'
    : after
      ? 'created'
      : before
        ? 'deleted'
        : 'none';
  const { identifier = name, title = null } = (after ?? before)?.entity ?? {};
  return { identifier, title, change, differences, unknown: [...unknown.values()] };
}

function listDifferences(before: Partial<Entity>, after: Partial<Entity>): Difference[] {
  const [one, other] = [flat(before), flat(after)];
  const paths = new Set([...one.keys(), ...other.keys()]);
  return [...paths].flatMap((path) => {
    const [left, right] = [one.get(path) ?? null, other.get(path) ?? null];
    return isSameValue(left, right) ? [] : [{ path, before: left, after: right }];
  });
}

/** A relation or team to none is the same as an unset one. */
function isSameValue(one: Difference['before'], other: Difference['before']): boolean {
  const isNothing = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0);
  return (isNothing(one) && isNothing(other)) || isSameJson(one, other);
}

function flat(entity: Partial<Entity>): Map<string, Difference['before']> {
  const parts = new Map<string, Difference['before']>();
  for (const [name, value] of Object.entries(entity)) {
    if (moved.has(name)) continue;
    if (!nested.has(name)) parts.set(name, value as Difference['before']);
    else for (const [key, inner] of Object.entries(value as object)) parts.set(`${name}.${key}`, inner);
  }
  return parts;
}
