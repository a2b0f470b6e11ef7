import sql from 'sql-template-tag';
import type { Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/errors.ts';
import type { Work } from '../../platform/unit-of-work.ts';
import type { OrganizationModel } from './organization.ts';

/**
 * `frozen`: teams stay as they are until the model changes. `flipping`: the change is imminent, and standings are not
 * cached.
 */
export type MigrationPhase = 'frozen' | 'flipping';

interface ModelRow {
  readonly model: OrganizationModel;
  readonly migrationPhase: MigrationPhase | null;
}

/**
 * Holds the model for the transaction. A writer that read the old model would write people as rows alone after they
 * became entities.
 * @throws AppError `migration_in_progress` if the model is no longer the one the actor was built with
 */
export async function holdModel({ tx, actor }: Work): Promise<ModelRow> {
  const row = await tx.first<ModelRow>(sql`
    select model, migration_phase as "migrationPhase" from organizations where id = ${actor.orgId} for share`);
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

/** Locks the model for the transaction that changes it. */
export function lockModel(tx: Tx, orgId: string): Promise<ModelRow | undefined> {
  return tx.first<ModelRow>(sql`
    select model, migration_phase as "migrationPhase" from organizations where id = ${orgId} for no key update`);
}

export async function setMigrationPhase(tx: Tx, orgId: string, phase: MigrationPhase | null): Promise<void> {
  await tx.execute(sql`update organizations set migration_phase = ${phase} where id = ${orgId}`);
}

/** Sets the model and ends the migration, from the commit on. */
export async function setModel(tx: Tx, orgId: string, model: OrganizationModel): Promise<void> {
  await tx.execute(sql`update organizations set model = ${model}, migration_phase = null where id = ${orgId}`);
}
