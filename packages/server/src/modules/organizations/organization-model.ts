import { AppError } from '../../platform/errors.ts';
import type { Work } from '../../platform/unit-of-work.ts';
import { holdModelRow, type ModelRow } from './organization.store.ts';
import type { OrganizationModel } from './organization.ts';

/**
 * Holds the model for the transaction. A writer that read the old model would write people as rows alone after they
 * became entities.
 * @throws AppError `migration_in_progress` if the model is no longer the one the actor was built with
 */
export async function holdModel({ tx, actor }: Work): Promise<ModelRow> {
  const row = await holdModelRow(tx, actor.orgId);
  if (!row) throw new AppError('unauthorized', 'The organization is gone');
  const isEntities = (model: OrganizationModel) => model !== 'legacy';
  if (actor.kind !== 'system' && isEntities(row.model) !== isEntities(actor.model)) {
    throw new AppError('migration_in_progress', 'Users and teams were just moved; send the request again', {
      retryAfterSeconds: 1,
    });
  }
  return row;
}

/** @throws AppError `migration_in_progress` while teams are frozen */
export async function holdTeams(work: Work): Promise<void> {
  const { migrationPhase } = await holdModel(work);
  if (migrationPhase === null || work.actor.origin === 'MIGRATION') return;
  const message = 'Teams cannot be written while users and teams are moved to blueprints; try again in a minute';
  throw new AppError('migration_in_progress', message, { retryAfterSeconds: 30 });
}
