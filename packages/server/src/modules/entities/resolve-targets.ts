import { ownValue } from '../../platform/collections.ts';
import { AppError } from '../../platform/errors.ts';
import { isSameJson } from '../../platform/same-json.ts';
import type { Work } from '../../platform/unit-of-work.ts';
import {
  type Allowed,
  hiddenTargets,
  type Link,
  type Linked,
  type Owned,
  type Pending,
  permitChange,
  policiesMetByDrafts,
} from '../access/index.ts';
import { type ResolveTeams, writtenTeams } from '../accounts/index.ts';
import { ownershipPathOf, relationsOf, type StoredBlueprint } from '../blueprints/index.ts';
import { readingOf } from '../entity-query/index.ts';
import { entityMissing, holdTargets, type TargetRow } from '../entity-rows/index.ts';
import { bareRefusals, createBareEntities, type Wanted } from './create-bare-entities.ts';

/**
 * Looks up the targets of all relations. An item whose target is missing fails with
 * `not_found`, unless the target is written by the same request or may be created; a target that the caller may not read
 * counts as missing where it is new. An item that the caller may not write fails with `missing_permissions`. Nothing is
 * created for an item that fails. Items that fail go to `failed`.
 */
export async function linkDrafts(
  work: Work,
  blueprint: StoredBlueprint,
  pending: readonly Allowed[],
  failed: Map<number, AppError>,
  options: { readonly createMissingRelated: boolean },
): Promise<Linked[]> {
  const permitted = (await permittedAmong(work, blueprint, pending, failed)).map((item) => ({
    ...item,
    wants: wantedBy(blueprint, item),
  }));
  const { found, isHidden } = await targetsOf(
    work,
    permitted.flatMap(({ wants }) => wants),
  );
  const missingOf = ({ wants }: Wanting): Wanted[] => wants.filter((want) => !found.has(nameOf(want)));
  const pendingNames = new Set(permitted.map(({ draft }) => draft.identifier));
  const isWritten = (want: Wanted, names: ReadonlySet<string>): boolean =>
    want.blueprint === blueprint.identifier && names.has(want.identifier);
  const lost = (item: Wanting): Wanted[] => missingOf(item).filter((want) => !isWritten(want, pendingNames));

  const refused = (item: Wanting): Wanted[] => {
    const gone = new Set(lost(item).map(nameOf));
    return item.wants.filter((want) => (isHidden(want) ? !hasLink(item, want) : gone.has(nameOf(want))));
  };
  const missing = ({ blueprint: name, identifier }: Wanted) => entityMissing({ identifier: name }, identifier);
  const bareRefusal = options.createMissingRelated ? await bareRefusals(work, permitted.flatMap(refused)) : missing;
  // what is hidden is refused where and as what is missing would be, and is never created
  const refusalOf = (want: Wanted) => bareRefusal(want) ?? (isHidden(want) ? missing(want) : undefined);
  let alive = permitted.filter((item) => {
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

/** Finds the teams that the items name. An item that names one by a name of several goes to `failed`. */
export async function findOwners(
  work: Work,
  blueprint: StoredBlueprint,
  pending: readonly Pending[],
  failed: Map<number, AppError>,
): Promise<Owned[]> {
  const isInherited = ownershipPathOf(blueprint.definition) !== undefined;
  const names = isInherited ? [] : pending.flatMap(({ draft }) => (draft.teamRefs ? [] : (draft.team ?? [])));
  const resolve = await writtenTeams(work, { kind: 'entity', identifier: blueprint.identifier }, names);
  return eachAlive(pending, failed, (item) => {
    const { ownTeamRefs, warnings } = owned(blueprint, item, resolve);
    return { ...item, ownTeamRefs, warnings: warnings.length === 0 ? item.warnings : [...item.warnings, ...warnings] };
  });
}

/** Leaves the items that the caller may write as they are; the others go to `failed`. */
async function permittedAmong(
  work: Work,
  blueprint: StoredBlueprint,
  items: readonly Allowed[],
  failed: Map<number, AppError>,
): Promise<Allowed[]> {
  const { actor } = work;
  const drafts = items.map(({ before, draft, ownTeamRefs = [] }) => !before && { ...draft, teamRefs: ownTeamRefs });
  const metBy = await policiesMetByDrafts(readingOf(work), actor, blueprint, drafts);
  return eachAlive(items, failed, (item, position) => {
    const met = item.before ? item.met : metBy(position);
    permitChange(actor, blueprint, item.before, item.draft, item.ownTeamRefs, met);
    return item;
  });
}

/** What becomes of each item; those that are refused go to `failed`. */
function eachAlive<Item extends Pending, Next>(
  items: readonly Item[],
  failed: Map<number, AppError>,
  next: (item: Item, position: number) => Next,
): Next[] {
  return items.flatMap((item, position) => {
    try {
      return [next(item, position)];
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      failed.set(item.index, error);
      return [];
    }
  });
}

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

/** The teams of an item. Where ownership is inherited, what is written is ignored (compatibility choices, Catalog). */
function owned(
  blueprint: StoredBlueprint,
  { draft }: Pending,
  resolve: ResolveTeams,
): Pick<Owned, 'ownTeamRefs' | 'warnings'> {
  const path = ownershipPathOf(blueprint.definition);
  if (path !== undefined && draft.team !== undefined) {
    const warning = `team is inherited along "${path}"; what was written is ignored`;
    return { ownTeamRefs: undefined, warnings: draft.team.length > 0 ? [warning] : [] };
  }
  if (draft.teamRefs) return { ownTeamRefs: draft.teamRefs, warnings: [] };
  if (draft.team === undefined) return { ownTeamRefs: undefined, warnings: [] };
  const { references, warnings } = resolve(draft.team, '/team');
  return { ownTeamRefs: references, warnings };
}
