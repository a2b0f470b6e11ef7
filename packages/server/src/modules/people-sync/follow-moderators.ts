import type { Tx } from '../../platform/db/database.ts';
import { removeModeratedBlueprint, renameModerated } from '../accounts/index.ts';
import type { StoredBlueprint } from '../blueprints/index.ts';
import { forgetModeratedInEntities, renameModeratedInEntities } from './people-entities.store.ts';

/** People who moderate a renamed blueprint moderate it still, as users and as entities of `_user`. */
export async function followModerators(
  tx: Tx,
  from: string,
  { orgId, identifier: to }: StoredBlueprint,
): Promise<void> {
  await renameModerated(tx, orgId, from, to);
  await renameModeratedInEntities(tx, orgId, from, to);
}

/** A blueprint that is gone is moderated by nobody, as users and as entities of `_user`. */
export async function removeModerators(tx: Tx, { orgId, identifier }: StoredBlueprint): Promise<void> {
  await removeModeratedBlueprint(tx, orgId, identifier);
  await forgetModeratedInEntities(tx, orgId, identifier);
}
