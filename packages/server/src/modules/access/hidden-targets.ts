import { type Actor, isUnlimited } from '../../platform/actor.ts';
import { groupBy } from '../../platform/collections.ts';
import { isScorecardData, listBlueprintRows, type StoredBlueprint } from '../blueprints/index.ts';
import type { SearchDeps } from '../entity-query/index.ts';
import type { StoredEntity, TargetRow } from '../entity-rows/index.ts';
import { listVisible } from './met-grants.store.ts';
import { isNarrowed, readCondition } from './read-condition.ts';

/**
 * Keys of scorecards, rules or results hidden because of what they are about; for other blueprints rights alone decide.
 */
export async function hiddenEntityKeys(
  deps: SearchDeps,
  actor: Actor,
  { identifier }: StoredBlueprint,
  entities: readonly StoredEntity[],
): Promise<ReadonlySet<number>> {
  return isScorecardData(identifier) ? hiddenTargets(deps, actor, entities) : new Set();
}

/** Keys of those rows that the caller may not read. */
export async function hiddenTargets(
  deps: SearchDeps,
  actor: Actor,
  rows: readonly Pick<TargetRow, 'key' | 'blueprintKey'>[],
): Promise<ReadonlySet<number>> {
  const hidden = new Set<number>();
  if (rows.length === 0 || isUnlimited(actor)) return hidden;
  const all = await listBlueprintRows(deps.database, actor.orgId);
  const blueprints = new Map(all.map((each) => [each.key, each]));
  for (const [blueprintKey, group] of groupBy(rows, (row) => row.blueprintKey)) {
    const blueprint = blueprints.get(blueprintKey);
    if (blueprint && !isNarrowed(actor, blueprint, all)) continue;
    const keys = group.map(({ key }) => key);
    const visible = blueprint
      ? await listVisible(deps.database, actor.orgId, keys, await readCondition(deps, actor, blueprint))
      : [];
    const seen = new Set(visible);
    for (const key of keys) if (!seen.has(key)) hidden.add(key);
  }
  return hidden;
}
