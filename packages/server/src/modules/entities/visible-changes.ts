import type { LiveChange } from '@portolan/contract/live';
import type { Actor } from '../../platform/actor.ts';
import { isNarrowed, readConditions } from '../access/index.ts';
import { listBlueprintRows } from '../blueprints/index.ts';
import { ofBlueprint, type SearchDeps } from '../entity-query/index.ts';
import { allOf } from '../entity-rows/index.ts';
import { can } from '../rights/index.ts';
import { findPermitted } from './visible.store.ts';

/**
 * Changes to entities and blueprints that the caller may read now. If only some entities of a blueprint are readable,
 * each is looked up, so that deleted entities and bulk changes are not told.
 */
export async function visibleChanges(
  deps: SearchDeps,
  actor: Actor,
  changes: readonly LiveChange[],
): Promise<LiveChange[]> {
  const named = new Set(changes.map(({ blueprint }) => blueprint));
  const blueprints = await listBlueprintRows(deps.database, actor.orgId);
  const readable = blueprints.filter((blueprint) => named.has(blueprint.identifier) && can(actor, 'read', blueprint));
  const narrowed = readable.filter((blueprint) => isNarrowed(actor, blueprint, blueprints));
  const names = new Set(readable.map(({ identifier }) => identifier));
  const narrowedNames = new Set(narrowed.map(({ identifier }) => identifier));
  const inNarrowed = changes.filter(
    ({ resource, blueprint = '' }) => resource === 'entity' && narrowedNames.has(blueprint),
  );
  const found = new Set<string>();
  if (inNarrowed.length > 0) {
    const conditionOf = await readConditions(deps, actor, narrowed);
    const permitted = narrowed.map((each) => allOf([ofBlueprint(each.key), conditionOf(each)]));
    const rows = await findPermitted(deps.database, actor.orgId, inNarrowed, permitted);
    for (const row of rows) found.add(entityKey(row));
  }
  return changes.filter((change) => {
    const { resource, blueprint = '', entity = '' } = change;
    if (!names.has(blueprint)) return false;
    if (resource !== 'entity' || !narrowedNames.has(blueprint)) return true;
    return found.has(entityKey({ blueprint, entity }));
  });
}

function entityKey({ blueprint, entity }: { readonly blueprint: string; readonly entity: string }): string {
  return `${blueprint}/${entity}`;
}
