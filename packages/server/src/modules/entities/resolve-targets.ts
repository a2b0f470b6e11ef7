import { ownValue } from '../../platform/collections.ts';
import type { AppError } from '../../platform/errors.ts';
import { isSameJson } from '../../platform/same-json.ts';
import type { Work } from '../../platform/unit-of-work.ts';
import { type Allowed, hiddenTargets, type Link, type Linked, type Pending } from '../access/index.ts';
import { relationsOf, type StoredBlueprint } from '../blueprints/index.ts';
import { readingOf } from '../entity-query/index.ts';
import { entityMissing, holdTargets, type TargetRow } from '../entity-rows/index.ts';
import { bareRefusals, createBareEntities, type Wanted } from './create-bare-entities.ts';

/**
 * Looks up the targets of all relations. An item whose target is missing fails with
 * `not_found`, unless the target is written by the same request or may be created; a target that the caller may not read
 * counts as missing where it is new. Nothing is created for an item that fails. Items that fail go to `failed`.
 */
export async function linkDrafts(
  work: Work,
  blueprint: StoredBlueprint,
  permitted: readonly Allowed[],
  failed: Map<number, AppError>,
  options: { readonly createMissingRelated: boolean },
): Promise<Linked[]> {
  const wanting = permitted.map((item): Wanting => ({ ...item, wants: wantedBy(blueprint, item) }));
  const { found, isHidden } = await targetsOf(
    work,
    wanting.flatMap(({ wants }) => wants),
  );
  const missingOf = ({ wants }: Wanting): Wanted[] => wants.filter((want) => !found.has(nameOf(want)));
  const pendingNames = new Set(wanting.map(({ draft }) => draft.identifier));
  const isWritten = (want: Wanted, names: ReadonlySet<string>): boolean =>
    want.blueprint === blueprint.identifier && names.has(want.identifier);
  const lost = (item: Wanting): Wanted[] => missingOf(item).filter((want) => !isWritten(want, pendingNames));

  const refused = (item: Wanting): Wanted[] => {
    const gone = new Set(lost(item).map(nameOf));
    return item.wants.filter((want) => (isHidden(want) ? !hasLink(item, want) : gone.has(nameOf(want))));
  };
  const missing = ({ blueprint: name, identifier }: Wanted) => entityMissing({ identifier: name }, identifier);
  const bareRefusal = options.createMissingRelated ? await bareRefusals(work, wanting.flatMap(refused)) : missing;
  // what is hidden is refused where and as what is missing would be, and is never created
  const refusalOf = (want: Wanted) => bareRefusal(want) ?? (isHidden(want) ? missing(want) : undefined);
  let alive = wanting.filter((item) => {
    const [reason] = refused(item).flatMap((want) => refusalOf(want) ?? []);
    if (reason) failed.set(item.index, reason);
    return !reason;
  });
  // an item that points at an item that failed fails too, and so on
  for (let isSettled = false; !isSettled; ) {
    const names = new Set(alive.map(({ draft }) => draft.identifier));
    const left = alive.filter((item) => {
      const broken = missingOf(item).find((want) => isWritten(want, pendingNames) && !isWritten(want, names));
      if (broken) failed.set(item.index, entityMissing(blueprint, broken.identifier));
      return !broken;
    });
    isSettled = left.length === alive.length;
    alive = left;
  }

  const creatable = alive.flatMap(lost);
  for (const row of creatable.length > 0 ? await createBareEntities(work, creatable) : []) found.set(nameOf(row), row);
  return alive.map(({ wants, ...item }) => ({ ...item, links: linksOf(wants, found) }));
}

/** A target that an item names, and where. */
type Want = Wanted & { readonly relation: string; readonly position: number };

type Wanting = Allowed & { readonly wants: readonly Want[] };

/** Whether the entity points there already: what stays as it was needs no right to see it. */
function hasLink({ before }: Pending, { relation, identifier }: { relation: string; identifier: string }): boolean {
  const value = before && ownValue(before.relations, relation);
  return value === identifier || (Array.isArray(value) && value.includes(identifier));
}

function nameOf({ blueprint, identifier }: Wanted): string {
  return `${blueprint}\u0000${identifier}`;
}

/**
 * The targets an item names; none where all of them stay. Its row is held, and whoever deletes a target must change that
 * row first, so what was there when the row was locked is there still.
 */
function wantedBy(blueprint: StoredBlueprint, { draft, before }: Pending): Want[] {
  if (before && isSameJson(before.relations, draft.relations)) return [];
  const wants: Want[] = [];
  const relations = relationsOf(blueprint);
  for (const relation of Object.keys(relations)) {
    const value = ownValue(draft.relations, relation);
    if (value === undefined || value === null) continue;
    const { target } = relations[relation] as { readonly target: string };
    for (const [position, identifier] of (typeof value === 'string' ? [value] : value).entries()) {
      wants.push({ relation, position, blueprint: target, identifier });
    }
  }
  return wants;
}

async function targetsOf(work: Work, wanted: readonly Wanted[]) {
  const { tx, actor } = work;
  const distinct = new Map(
    wanted.map(({ blueprint, identifier }) => [nameOf({ blueprint, identifier }), { blueprint, identifier }]),
  );
  const rows = await holdTargets(tx, actor.orgId, [...distinct.values()]);
  const hidden = await hiddenTargets(readingOf(work), actor, rows);
  const found = new Map<string, TargetRow>(rows.map((row) => [nameOf(row), row]));
  const isHidden = (want: Wanted): boolean => {
    const row = found.get(nameOf(want));
    return row !== undefined && hidden.has(row.key);
  };
  return { found, isHidden };
}

function linksOf(wants: readonly Want[], found: ReadonlyMap<string, TargetRow>): Link[] {
  return wants.map((want) => {
    const target = found.get(nameOf(want)) ?? { pendingIdentifier: want.identifier };
    return { relation: want.relation, position: want.position, target };
  });
}
