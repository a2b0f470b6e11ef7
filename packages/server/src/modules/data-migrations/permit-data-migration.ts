import { type Actor, isAdmin } from '../../platform/actor.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import type { StoredDataMigration } from './data-migration.ts';

/**
 * Administrators migrate anything, moderators between blueprints that they moderate.
 * @throws AppError `missing_permissions`, whether the blueprints exist or not
 */
export function assertModerates(actor: Actor, blueprints: readonly string[]): void {
  if (moderatesAll(actor, blueprints)) return;
  const message = 'Migrating data is for administrators and for moderators of the blueprints it reads and writes';
  throw new AppError('missing_permissions', message);
}

/** @throws AppError `not_found` for a migration that the caller may not see, as for one that is not there */
export function permitted(actor: Actor, migration: StoredDataMigration | undefined, id: string): StoredDataMigration {
  if (!migration) throw notFound('Migration', id, 'id');
  const { sourceBlueprint, targetBlueprint } = migration;
  if (!moderatesAll(actor, [sourceBlueprint, targetBlueprint ?? sourceBlueprint]))
    throw notFound('Migration', id, 'id');
  return migration;
}

/** In lower case; undefined for all. */
export function moderatedBy(actor: Actor): string[] | undefined {
  return isAdmin(actor) ? undefined : [...moderated(actor)];
}

function moderatesAll(actor: Actor, blueprints: readonly string[]): boolean {
  const own = moderated(actor);
  return isAdmin(actor) || blueprints.every((blueprint) => own.has(blueprint.toLowerCase()));
}

/** Moderator roles are matched in any case (users-and-teams §5.1). */
function moderated({ roles }: Actor): Set<string> {
  return new Set(roles.flatMap((role) => /^(.+)-moderator$/i.exec(role)?.[1]?.toLowerCase() ?? []));
}
