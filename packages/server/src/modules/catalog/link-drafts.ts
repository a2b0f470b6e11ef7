import type { AppError } from '../../platform/errors.ts';
import type { Work } from '../../platform/unit-of-work.ts';
import { relationsOf, type StoredBlueprint } from '../blueprints/index.ts';
import { resolveTeams } from '../identity/index.ts';
import type { CatalogDeps } from './catalog.deps.ts';
import { createBareEntities } from './create-bare-entities.ts';
import type { Pending } from './entity-write.ts';
import { entityMissing } from './errors.ts';
import { holdTargets, type TargetRow } from './relation.store.ts';

/** A relation value that leads somewhere: to an entity that is stored, or to another item of the same write. */
export interface Link {
  readonly relation: string;
  readonly position: number;
  readonly target: TargetRow | { readonly pendingIdentifier: string };
}

/** A checked item whose relations and teams are found. */
export interface Linked extends Pending {
  readonly links: readonly Link[];
  /** Undefined where the write leaves the teams as they are. */
  readonly ownTeamRefs: readonly string[] | undefined;
  readonly warnings: readonly string[];
}

/**
 * Looks up the targets of all relations and the teams of all items. An item whose target is missing fails with
 * `not_found`, unless the target is written by the same request or may be created.
 */
export async function linkDrafts(
  deps: CatalogDeps,
  work: Work,
  blueprint: StoredBlueprint,
  pending: readonly Pending[],
  options: { readonly createMissingRelated: boolean; readonly validationOnly: boolean },
): Promise<{ linked: Linked[]; failed: Map<number, AppError> }> {
  const wanted = pending.flatMap((item) => wantedBy(blueprint, item));
  const found = await targetsOf(work, wanted);
  if (options.createMissingRelated) {
    const missing = wanted.filter((want) => !found.has(nameOf(want)) && !isPending(blueprint, pending, want));
    if (missing.length > 0) {
      const created = await createBareEntities(deps, work, missing, options.validationOnly);
      for (const row of created) found.set(nameOf(row), row);
    }
  }
  const failed = new Map<number, AppError>();
  let linked = await Promise.all(pending.map((item) => link(work, blueprint, pending, item, found, failed)));
  linked = linked.filter((item) => item !== undefined);
  return { linked: dropBroken(blueprint, linked as Linked[], failed), failed };
}

interface Wanted {
  readonly blueprint: string;
  readonly identifier: string;
}

function nameOf({ blueprint, identifier }: Wanted): string {
  return `${blueprint}\u0000${identifier}`;
}

function wantedBy(blueprint: StoredBlueprint, { draft }: Pending): (Wanted & { relation: string; position: number })[] {
  return Object.entries(relationsOf(blueprint)).flatMap(([relation, { target }]) => {
    const value = draft.relations[relation];
    const identifiers = value === undefined || value === null ? [] : typeof value === 'string' ? [value] : value;
    return identifiers.map((identifier, position) => ({ relation, position, blueprint: target, identifier }));
  });
}

async function targetsOf({ tx, actor }: Work, wanted: readonly Wanted[]): Promise<Map<string, TargetRow>> {
  const distinct = new Map(
    wanted.map(({ blueprint, identifier }) => [nameOf({ blueprint, identifier }), { blueprint, identifier }]),
  );
  const rows = await holdTargets(tx, actor.orgId, [...distinct.values()]);
  return new Map(rows.map((row) => [nameOf(row), row]));
}

function isPending(blueprint: StoredBlueprint, pending: readonly Pending[], want: Wanted): boolean {
  return want.blueprint === blueprint.identifier && pending.some(({ draft }) => draft.identifier === want.identifier);
}

async function link(
  { tx, actor }: Work,
  blueprint: StoredBlueprint,
  pending: readonly Pending[],
  item: Pending,
  found: ReadonlyMap<string, TargetRow>,
  failed: Map<number, AppError>,
): Promise<Linked | undefined> {
  const links: Link[] = [];
  for (const want of wantedBy(blueprint, item)) {
    const stored = found.get(nameOf(want));
    if (!stored && !isPending(blueprint, pending, want)) {
      failed.set(item.index, entityMissing({ identifier: want.blueprint }, want.identifier));
      return undefined;
    }
    const target = stored ?? { pendingIdentifier: want.identifier };
    links.push({ relation: want.relation, position: want.position, target });
  }
  if (item.draft.team === undefined) return { ...item, links, ownTeamRefs: undefined, warnings: [] };
  const { references, unresolved } = await resolveTeams(tx, actor.orgId, actor.model, item.draft.team);
  const warnings = unresolved.map((name) => `"${name}" is not a team; it is kept and grants nothing`);
  return { ...item, links, ownTeamRefs: references, warnings };
}

/** An item that points at an item that failed fails too, and so on. */
function dropBroken(blueprint: StoredBlueprint, linked: Linked[], failed: Map<number, AppError>): Linked[] {
  for (;;) {
    const alive = new Set(linked.map(({ draft }) => draft.identifier));
    const broken = linked.flatMap((item) => {
      const missing = item.links.find(
        ({ target }) => 'pendingIdentifier' in target && !alive.has(target.pendingIdentifier),
      );
      return missing && 'pendingIdentifier' in missing.target ? [{ item, name: missing.target.pendingIdentifier }] : [];
    });
    if (broken.length === 0) return linked;
    for (const { item, name } of broken) failed.set(item.index, entityMissing(blueprint, name));
    linked = linked.filter((item) => !broken.some((other) => other.item === item));
  }
}
