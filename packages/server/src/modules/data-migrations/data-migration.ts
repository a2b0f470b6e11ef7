import type { DataMigration, DataMigrationMapping, DataMigrationStatus } from '@portolan/contract/data-migrations';
import type { Actor } from '../../platform/actor.ts';

/** Who asked for a data migration; the model of the organization is read anew when it runs. */
export type AskedBy = Omit<Actor, 'orgId' | 'model'>;

/**
 * Work on all entities of a blueprint: `wipe` deletes them, `map` makes entities of them, `undo` brings back what a
 * `map` changed.
 */
export interface StoredDataMigration {
  readonly orgId: string;
  readonly id: string;
  readonly kind: 'wipe' | 'map' | 'undo';
  readonly sourceBlueprint: string;
  readonly blueprintKey: number;
  /** The blueprint that is written; null of a wipe, and of migrations from before this was kept. */
  readonly targetBlueprint: string | null;
  readonly targetKey: number | null;
  /** Of `undo`: what is undone. Of `map`: what is run again. */
  readonly originId: string | null;
  readonly mapping: DataMigrationMapping | Record<string, never>;
  readonly status: DataMigrationStatus;
  readonly deleteBlueprint: boolean;
  readonly totalCount: number;
  readonly successCount: number;
  readonly failureCount: number;
  /** Entities up to this key are done. */
  readonly lastKey: number;
  /** Entities after this key are not mapped: they came later, or the migration made them. */
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

/** The data migration as it is answered (api contract §3.16). */
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
