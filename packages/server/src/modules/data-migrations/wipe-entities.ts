import type { Work } from '../../platform/unit-of-work.ts';
import { type BlueprintListener, deleteBlueprintWithin, listBlueprintRows } from '../blueprints/index.ts';
import { deleteWithin } from '../entities/index.ts';
import { lockEntities } from '../entity-rows/index.ts';
import type { Progress } from './data-migration.store.ts';
import type { StoredDataMigration } from './data-migration.ts';
import { listFirst } from './next-entities.store.ts';
import { assertNotRequired } from './start-data-migration.ts';

/** Entities per transaction. */
const partSize = 200;

/**
 * Deletes the next entities, then the blueprint if requested. If the blueprint stays, entities created meanwhile are
 * deleted too.
 * @throws AppError `has_dependents` if another blueprint has come to require these entities
 */
export async function wipePart(
  { listener }: { readonly listener: BlueprintListener },
  work: Work,
  { blueprintKey, deleteBlueprint }: StoredDataMigration,
): Promise<Progress> {
  const { tx, actor } = work;
  const blueprint = (await listBlueprintRows(tx, actor.orgId)).find(({ key }) => key === blueprintKey);
  if (!blueprint) return { status: 'COMPLETED' };
  const identifiers = await listFirst(tx, actor.orgId, blueprintKey, partSize);
  if (identifiers.length > 0) {
    await assertNotRequired(work, blueprint);
    const found = await lockEntities(tx, actor.orgId, blueprintKey, identifiers);
    // only entities of this blueprint can require each other, and all are deleted
    return { succeeded: await deleteWithin(work, found, true), lastKey: found.at(-1)?.key };
  }
  if (!deleteBlueprint) return { status: 'COMPLETED' };
  await deleteBlueprintWithin({ listener }, work, blueprint.identifier, { withActions: false });
  return { status: 'COMPLETED' };
}
