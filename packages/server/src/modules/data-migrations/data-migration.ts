import type { DataMigration, DataMigrationMapping, DataMigrationStatus } from '@portolan/contract/data-migrations';
import type { Actor } from '../../platform/actor.ts';

/** The organization's model is read again at each run. */
export type AskedBy = Omit<Actor, 'orgId' | 'model'>;

/** Work on all entities of a blueprint: `wipe` deletes them, `map` maps them to entities, `undo` reverts a `map`. */
export interface StoredDataMigration {
  readonly orgId: string;
  readonly id: string;
  readonly kind: 'wipe' | 'map' | 'undo';
  readonly sourceBlueprint: string;
  readonly blueprintKey: number;
  /** Target; null for a wipe, and for migrations older than this column. */
  readonly targetBlueprint: string | null;
  readonly targetKey: number | null;
  /** For `undo`, the migration it reverts; for `map`, the one it reruns. */
  readonly originId: string | null;
  readonly mapping: DataMigrationMapping | Record<string, never>;
  readonly status: DataMigrationStatus;
  readonly deleteBlueprint: boolean;
  readonly totalCount: number;
  readonly successCount: number;
  readonly failureCount: number;
  /** Entities up to this key are done. */
  readonly lastKey: number;
  /** Later entities are not mapped: they were created since, or by the migration. */
  readonly untilKey: number;
  readonly message: string | null;
  readonly reason: string | null;
  readonly actor: AskedBy;
  readonly createdAt: Date;
  readonly createdBy: string;
  readonly updatedAt: Date;
  readonly updatedBy: string;
}

const finals: ReadonlySet<DataMigrationStatus> = new Set(['COMPLETED', 'FAILURE', 'CANCELLED']);

export function isFinal({ status }: Pick<StoredDataMigration, 'status'>): boolean {
  return finals.has(status);
}

/** As the API returns it (api contract §3.16). */
export function presentDataMigration(migration: StoredDataMigration): DataMigration {
  const { message, reason, originId } = migration;
  return {
    id: migration.id,
    actor: migration.createdBy,
    sourceBlueprint: migration.sourceBlueprint,
    mapping: migration.mapping as DataMigration['mapping'],
    status: migration.status,
    deleteBlueprint: migration.deleteBlueprint,
    deleteEntities: migration.kind === 'wipe',
    totalCount: migration.totalCount,
    successCount: migration.successCount,
    failureCount: migration.failureCount,
    ...(message === null ? {} : { message }),
    ...(reason === null ? {} : { reason }),
    ...(originId === null ? {} : migration.kind === 'undo' ? { undoOf: originId } : { rerunOf: originId }),
    createdAt: migration.createdAt.toISOString(),
    createdBy: migration.createdBy,
    updatedAt: migration.updatedAt.toISOString(),
    updatedBy: migration.updatedBy,
  };
}
