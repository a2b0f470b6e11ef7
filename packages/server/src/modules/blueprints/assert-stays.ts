import { AppError } from '../../platform/errors.ts';
import type { StoredBlueprint } from './blueprint.ts';

/**
 * @throws AppError `migration_in_progress` for a blueprint that is being deleted with its entities: a write now would
 * be deleted too
 */
export function assertStays({ identifier, deletionId }: Pick<StoredBlueprint, 'identifier' | 'deletionId'>): void {
  if (deletionId === null) return;
  const message = `The blueprint "${identifier}" is being deleted with all its entities by the migration "${deletionId}". Nothing is written there unless that is cancelled or fails.`;
  throw new AppError('migration_in_progress', message, { details: { migrationId: deletionId } });
}
