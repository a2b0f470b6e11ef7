import type { Work } from '../../platform/unit-of-work.ts';
import type { ChangedEntity } from '../derived/index.ts';
import { lockDependents, rewriteRelationValues, type StoredEntity } from '../entity-rows/index.ts';

/** Follows a rename: values with the old identifier get the new one. Returns the entities whose values changed. */
export async function renameEntity(
  { tx, actor }: Work,
  before: StoredEntity,
  after: StoredEntity,
): Promise<ChangedEntity[]> {
  const dependents = await lockDependents(tx, actor.orgId, [after.key]);
  await rewriteRelationValues(tx, actor.orgId, dependents, before.identifier, after.identifier);
  return dependents.map(({ sourceKey, sourceBlueprintKey, relation }) => ({
    blueprintKey: sourceBlueprintKey,
    key: sourceKey,
    names: new Set([relation]),
  }));
}
