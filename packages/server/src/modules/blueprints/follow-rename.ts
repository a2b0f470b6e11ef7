import type { Work } from '../../platform/unit-of-work.ts';
import { unchanged } from '../accounts/index.ts';
import type { Grant } from '../rights/index.ts';
import { listBlueprintRows, setBlueprintRights, updateBlueprintRow } from './blueprint.store.ts';
import type { StoredBlueprint } from './blueprint.ts';
import { mapGrants } from './blueprint-permissions.ts';
import { followBlueprintInPolicies } from './follow-policy.ts';

/** Renames a blueprint in relations, aggregations and moderators' roles of every blueprint. */
export async function followRename(work: Work, oldIdentifier: string, renamed: StoredBlueprint): Promise<void> {
  const { tx, actor, now } = work;
  const role = (identifier: string) => `${identifier}-moderator`;
  const change = (grant: Grant): Grant => ({
    ...grant,
    ...(grant.roles
      ? { roles: grant.roles.map((each) => (each === role(oldIdentifier) ? role(renamed.identifier) : each)) }
      : {}),
  });
  for (const other of await listBlueprintRows(tx, renamed.orgId)) {
    const { rights } = other;
    if (rights && JSON.stringify(rights).includes(oldIdentifier)) {
      const next = followBlueprintInPolicies(mapGrants(rights, change), oldIdentifier, renamed.identifier);
      await setBlueprintRights(tx, renamed.orgId, other.identifier, unchanged(next));
    }
    if (other.key === renamed.key) continue;
    const definition = retargeted(other.definition, oldIdentifier, renamed.identifier);
    if (definition === other.definition) continue;
    await updateBlueprintRow(tx, unchanged({ ...other, definition }), actor, now);
  }
}

/** Renames a blueprint in a definition; the same object if it is not mentioned. */
export function retargeted<D extends StoredBlueprint['definition']>(definition: D, from: string, to: string): D {
  if (from === to) return definition;
  let isChanged = false;
  const retarget = <T extends { target: string }>(map: Record<string, T> | undefined) =>
    map &&
    Object.fromEntries(
      Object.entries(map).map(([key, entry]) => {
        if (entry.target !== from) return [key, entry];
        isChanged = true;
        return [key, { ...entry, target: to, ...renameStart(entry, from, to) }];
      }),
    );
  const relations = retarget(definition.relations);
  const aggregationProperties = retarget(definition.aggregationProperties);
  if (!isChanged) return definition;
  return { ...definition, ...(relations && { relations }), ...(aggregationProperties && { aggregationProperties }) };
}

/** A count may start at the blueprint it counts, whose name is then in its path too. */
function renameStart(entry: object, from: string, to: string): object {
  const { pathFilter } = entry as { pathFilter?: readonly { readonly fromBlueprint?: string }[] };
  if (!pathFilter?.some(({ fromBlueprint }) => fromBlueprint === from)) return {};
  return {
    pathFilter: pathFilter.map((path) => (path.fromBlueprint === from ? { ...path, fromBlueprint: to } : path)),
  };
}
