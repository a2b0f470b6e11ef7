import type { Actor } from '../../platform/actor.ts';
import { isNarrowed, readCondition } from '../access/index.ts';
import { listBlueprintRows } from '../blueprints/index.ts';
import type { SearchDeps } from '../entity-query/index.ts';
import { listIdentifiers } from './visible.store.ts';

/** Identifiers of readable entities of a blueprint; undefined if all are readable. */
export async function visibleIdentifiers(
  deps: SearchDeps,
  actor: Actor,
  blueprintIdentifier: string,
): Promise<ReadonlySet<string> | undefined> {
  const all = await listBlueprintRows(deps.database, actor.orgId);
  const blueprint = all.find(({ identifier }) => identifier === blueprintIdentifier);
  if (!blueprint || !isNarrowed(actor, blueprint, all)) return undefined;
  const condition = await readCondition(deps, actor, blueprint);
  return new Set(await listIdentifiers(deps.database, blueprint, condition));
}
