import type { Work } from '../../platform/unit-of-work.ts';
import { presentDataMigration, type StoredDataMigration } from './data-migration.ts';

const events = {
  CREATE: 'data-migration.started',
  UPDATE: 'data-migration.changed',
} as const;

/** Records that a data migration started, was asked to stop, or ended; writes of entities record themselves. */
export function recordDataMigration(
  work: Work,
  action: keyof typeof events,
  before: StoredDataMigration | undefined,
  after: StoredDataMigration,
): void {
  work.record({
    event: events[action],
    action,
    resourceType: 'migration',
    identifier: after.id,
    context: { blueprint: after.sourceBlueprint, migrationId: after.id },
    ...(before ? { before: presentDataMigration(before) } : {}),
    after: presentDataMigration(after),
  });
}
