import type { ManualItem } from '@portolan/team-references';
import type { Actor } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/errors.ts';
import type { Work } from '../../../platform/unit-of-work.ts';
import type { MigrationsDeps } from '../migrations.deps.ts';
import { type Acceptance, findDueAcceptance, resolveAcceptance } from './acceptance.store.ts';
import { isAccepted } from './acceptance.ts';
import { applyWithin } from './apply-suggestion.ts';
import { findManualItem, lockMigration, updateMigration } from './migration.store.ts';
import type { StoredMigration } from './migration.ts';
import { silently } from './silent-work.ts';

/**
 * Writes the next accepted suggestion in its own transaction. If its value or suggestion has changed, or the use case
 * refuses it, nothing is written and the reason is stored. Returns false if none is due.
 */
export async function applyNextAccepted(
  deps: MigrationsDeps,
  actor: Actor,
  { id }: Pick<StoredMigration, 'id'>,
): Promise<boolean> {
  const due = await findDueAcceptance(deps.database, actor.orgId);
  if (!due) return false;
  try {
    await markSuggestionApplied(deps, actor, id, due, null);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    await markSuggestionApplied(deps, actor, id, due, error.message);
  }
  return true;
}

function markSuggestionApplied(
  deps: MigrationsDeps,
  actor: Actor,
  id: string,
  { itemId }: Acceptance,
  refusal: string | null,
): Promise<void> {
  return deps.unitOfWork(actor, async (open) => {
    const { tx, now } = open;
    const held = await lockMigration(tx, actor.orgId);
    const due = await findDueAcceptance(tx, actor.orgId);
    // another process was first
    if (held?.id !== id || held.stage !== 'APPLYING' || due?.itemId !== itemId) return;
    if (refusal === null) await write(deps, silently(open, id), id, due);
    const state = refusal === null ? 'applied' : 'refused';
    await resolveAcceptance(tx, actor.orgId, itemId, { state, message: refusal });
    const name = `suggestions:${state}`;
    const counts = { ...held.counts, [name]: (held.counts[name] ?? 0) + 1 };
    await updateMigration(tx, held, { counts }, now);
  });
}

async function write(deps: MigrationsDeps, work: Work, migrationId: string, acceptance: Acceptance): Promise<void> {
  const { tx, actor } = work;
  const item = await findManualItem(tx, actor.orgId, migrationId, acceptance.itemId);
  if (!isAccepted(acceptance, item as ManualItem | undefined)) {
    throw new AppError('stale_version', 'It was changed between accepting it and the migration');
  }
  await applyWithin(deps, work, item as ManualItem, acceptance.acceptedBy);
}
