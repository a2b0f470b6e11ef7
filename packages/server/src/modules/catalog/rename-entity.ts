import type { Work } from '../../platform/unit-of-work.ts';
import type { StoredEntity } from './entity.ts';
import { lockDependents, rewriteRelationValues } from './relation.store.ts';

/** References keep working after a rename: the values that named the old identifier name the new one. */
export async function renameEntity({ tx, actor }: Work, before: StoredEntity, after: StoredEntity): Promise<void> {
  const dependents = await lockDependents(tx, actor.orgId, [after.key]);
  await rewriteRelationValues(tx, actor.orgId, dependents, before.identifier, after.identifier);
}
