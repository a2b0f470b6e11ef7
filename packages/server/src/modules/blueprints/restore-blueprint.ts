import sql from 'sql-template-tag';
import type { Tx } from '../../platform/db/database.ts';
import { json } from '../../platform/db/json.ts';
import type { Permitted } from '../accounts/index.ts';
import { deleteBlueprintRow } from './blueprint.store.ts';
import type { StoredBlueprint } from './blueprint.ts';

/**
 * Writes definition and rights without touching who changed them last and when. The caller moves values of entities.
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

/** Removes a system blueprint without entities. */
export async function removeSystemBlueprint(tx: Tx, { orgId, key }: StoredBlueprint): Promise<void> {
  await deleteBlueprintRow(tx, orgId, key);
}
