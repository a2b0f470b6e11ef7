import type { Actor } from '../../platform/actor.ts';
import { readConditions } from '../access/index.ts';
import { listBlueprintRows } from '../blueprints/index.ts';
import { ofBlueprint, type SearchDeps } from '../entity-query/index.ts';
import { allOf } from '../entity-rows/index.ts';
import { can } from '../rights/index.ts';
import { findLabelsByKey, findLabelsByName } from './visible.store.ts';

/** An entity by its row, or by name. */
export type SoughtEntity =
  | { readonly blueprintKey: number; readonly key: number }
  | { readonly blueprint: string; readonly identifier: string };

/** What names an entity outside its own screen. */
interface EntityLabel {
  readonly key: number;
  readonly blueprintKey: number;
  readonly blueprint: string;
  readonly identifier: string;
  readonly title: string | null;
  /** Its own, or that of its blueprint. */
  readonly icon: string | undefined;
}

interface Named {
  readonly blueprintKey: number;
  readonly identifier: string;
}

/** Those of these entities that the caller may read, in no order. */
export async function visibleEntities(
  deps: SearchDeps,
  actor: Actor,
  sought: readonly SoughtEntity[],
): Promise<EntityLabel[]> {
  if (sought.length === 0) return [];
  const all = await listBlueprintRows(deps.database, actor.orgId);
  const keyOf = new Map(all.map(({ identifier, key }) => [identifier, key]));
  const [keys, named, wanted] = [new Set<number>(), new Map<string, Named>(), new Set<number>()];
  for (const each of sought) {
    const blueprintKey = 'blueprint' in each ? keyOf.get(each.blueprint) : each.blueprintKey;
    if (blueprintKey === undefined) continue;
    wanted.add(blueprintKey);
    if ('key' in each) keys.add(each.key);
    else named.set(`${blueprintKey} ${each.identifier}`, { blueprintKey, identifier: each.identifier });
  }
  const readable = all.filter((each) => wanted.has(each.key) && can(actor, 'read', each));
  if (readable.length === 0) return [];
  const conditionOf = await readConditions(deps, actor, readable);
  const permitted = readable.map((each) => allOf([ofBlueprint(each.key), conditionOf(each)]));
  const blueprintOf = new Map(readable.map((each) => [each.key, each]));
  const { database } = deps;
  const rows = [
    ...(keys.size === 0 ? [] : await findLabelsByKey(database, actor.orgId, [...keys], permitted)),
    ...(named.size === 0 ? [] : await findLabelsByName(database, actor.orgId, [...named.values()], permitted)),
  ];
  return rows.flatMap(({ icon, ...row }) => {
    const blueprint = blueprintOf.get(row.blueprintKey);
    if (!blueprint) return [];
    return [{ ...row, blueprint: blueprint.identifier, icon: icon ?? blueprint.definition.icon ?? undefined }];
  });
}
