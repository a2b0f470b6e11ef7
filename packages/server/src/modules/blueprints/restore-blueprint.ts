import sql from 'sql-template-tag';
import type { Tx } from '../../platform/db/database.ts';
import { json } from '../../platform/db/json.ts';
import type { Permitted } from '../identity/index.ts';
import { deleteBlueprintRow } from './blueprint.store.ts';
import type { StoredBlueprint } from './blueprint.ts';

/**
 * Writes definition and rights of a blueprint as the platform moves them: who changed it last, and when, stays. Values of
 * its entities are the caller's business.
 */
export async function restoreBlueprint(
  tx: Tx,
  { orgId, key, definition, rights }: Permitted<Pick<StoredBlueprint, 'orgId' | 'key' | 'definition' | 'rights'>>,
): Promise<void> {
  await tx.execute(sql`
    update blueprints set definition = ${json(definition)}, permissions = ${rights === null ? null : json(rights)},
      version = version + 1
    where org_id = ${orgId} and key = ${key}`);
}

/** Takes a blueprint of the platform away, whose entities are gone. */
export async function removeSystemBlueprint(tx: Tx, { orgId, key }: StoredBlueprint): Promise<void> {
  await deleteBlueprintRow(tx, orgId, key);
}
