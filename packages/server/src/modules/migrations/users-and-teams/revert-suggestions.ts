import type { Actor } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/errors.ts';
import type { MigrationsDeps } from '../migrations.deps.ts';
import { revertChange } from './apply-suggestion.ts';
import { lockMigration, updateMigration } from './migration.store.ts';
import type { StoredMigration } from './migration.ts';
import { silently } from './silent-work.ts';
import { type AppliedSuggestion, deleteApplied, findLastApplied } from './suggestion.store.ts';

/**
 * Reverts the suggestion applied last, after the old model is back. Later edits by people, and refusals of the use
 * case, leave it as it is. Returns false if none is left.
 */
export async function revertLastSuggestion(
  deps: MigrationsDeps,
  actor: Actor,
  { id }: Pick<StoredMigration, 'id'>,
): Promise<boolean> {
  const last = await findLastApplied(deps.database, actor.orgId, id);
  if (!last) return false;
  try {
    await finish(deps, actor, id, last, true);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    await finish(deps, actor, id, last, false);
  }
  return true;
}

function finish(
  deps: MigrationsDeps,
  actor: Actor,
  id: string,
  last: AppliedSuggestion,
  isTakenBack: boolean,
): Promise<void> {
  return deps.unitOfWork(actor, async (open) => {
    const { tx, now } = open;
    const held = await lockMigration(tx, actor.orgId);
    // another process was first
    if (held?.id !== id || !held.followUp.isUndone) return;
    if (isTakenBack) await revertChange(deps, silently(open, id), last);
    await deleteApplied(tx, actor.orgId, id, last.itemId);
    const name = isTakenBack ? 'suggestions:taken-back' : 'suggestions:kept';
    const counts = { ...held.counts, [name]: (held.counts[name] ?? 0) + 1 };
    await updateMigration(tx, held, { counts }, now);
  });
}
