import type { Actor } from '../../platform/actor.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { moderates } from '../rights/index.ts';
import type { StoredDataMigration } from './data-migration.ts';

/**
 * Administrators migrate anything, moderators between blueprints that they moderate.
 * @throws AppError `missing_permissions`, whether the blueprints exist or not
 */
export function assertModerates(actor: Actor, blueprints: readonly string[]): void {
  if (moderates(actor, blueprints)) return;
  const message = 'Migrating data is for administrators and for moderators of the blueprints it reads and writes';
  throw new AppError('missing_permissions', message);
}

/** @throws AppError `not_found` for a migration that the caller may not see, as for one that is not there */
export function permitted(actor: Actor, migration: StoredDataMigration | undefined, id: string): StoredDataMigration {
  if (!migration) throw notFound('Migration', id, 'id');
  const { sourceBlueprint, targetBlueprint } = migration;
  if (!moderates(actor, [sourceBlueprint, targetBlueprint ?? sourceBlueprint])) throw notFound('Migration', id, 'id');
  return migration;
}
