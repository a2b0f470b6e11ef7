import { z } from 'zod';
import { entitySchema } from './entities.ts';
import { operation } from './operation.ts';
import { queryList, queryText, strictQueryBoolean, timestamp } from './wire.ts';

/** The states of a data migration (api contract §3.16); the last three are final. */
const dataMigrationStatus = z.enum([
  'INITIALIZING',
  'PENDING',
  'RUNNING',
  'PENDING_CANCELLATION',
  'COMPLETED',
  'FAILURE',
  'CANCELLED',
]);
export type DataMigrationStatus = z.output<typeof dataMigrationStatus>;

const jq = z.string().min(1).max(20_000);

/** How a source entity becomes one or more entities; every text is JQ over the source entity. */
export const dataMigrationMapping = z.strictObject({
  blueprint: z.string().min(1).max(1000).optional(),
  filter: jq.optional(),
  itemsToParse: jq.optional(),
  entity: z.strictObject({
    identifier: jq.optional(),
    title: jq.optional(),
    icon: jq.optional(),
    team: jq.optional(),
    properties: z.record(z.string(), jq).optional(),
    relations: z.record(z.string(), jq).optional(),
  }),
});
export type DataMigrationMapping = z.output<typeof dataMigrationMapping>;

/** Stays readable after its blueprint is deleted. */
const dataMigrationSchema = z.object({
  id: z.string(),
  actor: z.string(),
  sourceBlueprint: z.string(),
  mapping: z.record(z.string(), z.json()),
  status: dataMigrationStatus,
  deleteBlueprint: z.boolean(),
  deleteEntities: z.boolean(),
  /** Entities to process, counted at the start. */
  totalCount: z.number(),
  /** Entities processed, including filtered and unchanged ones. */
  successCount: z.number(),
  failureCount: z.number(),
  /** Why it failed or was cancelled, or the last error of an entity. */
  message: z.string().optional(),
  /** The reason given for the cancellation. */
  reason: z.string().optional(),
  undoOf: z.string().optional(),
  /** The migration whose failed, unreached or undone entities this one maps again. */
  rerunOf: z.string().optional(),
  createdAt: timestamp,
  createdBy: z.string(),
  updatedAt: timestamp,
  updatedBy: z.string(),
});
export type DataMigration = z.output<typeof dataMigrationSchema>;

/** A source entity that was refused, or one that an undo could not restore. */
const entityError = z.object({
  identifier: z.string(),
  error: z.string(),
  message: z.string(),
  details: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
});

/** The effect of a migration; nothing is written. */
const dataMigrationPreview = z.object({
  totalCount: z.number(),
  /** Source entities examined, oldest first. */
  examinedCount: z.number(),
  /** Whether all were examined; a preview stops after 1,000 that pass the filter, and after 10,000. */
  isWhole: z.boolean(),
  filteredCount: z.number(),
  createCount: z.number(),
  updateCount: z.number(),
  unchangedCount: z.number(),
  failureCount: z.number(),
  /** The first 20 entities that would be written. */
  diffs: z.array(
    z.object({
      identifier: z.string(),
      change: z.enum(['CREATE', 'UPDATE']),
      before: entitySchema.nullable(),
      after: entitySchema,
    }),
  ),
  /** The first 100. */
  errors: z.array(entityError),
});
export type DataMigrationPreview = z.output<typeof dataMigrationPreview>;

const params = z.object({ migration_id: z.string().min(1).max(100) });
const oneMigration = z.object({ ok: z.literal(true), migration: dataMigrationSchema });
const begun = z.object({ ok: z.literal(true), migrationId: z.string(), migration: dataMigrationSchema });

export const listDataMigrations = operation({
  id: 'listDataMigrations',
  method: 'GET',
  path: '/v1/migrations',
  tag: 'Migrations',
  summary: 'List data migrations, newest first',
  description: 'Administrators see all, moderators those between blueprints that they moderate.',
  access: 'token',
  query: z.object({ status: queryList(), actor: queryText(), blueprint: queryText() }),
  answer: z.object({ ok: z.literal(true), migrations: z.array(dataMigrationSchema) }),
  errors: [],
});

export const startDataMigration = operation({
  id: 'startDataMigration',
  workClass: 'bulk',
  method: 'POST',
  path: '/v1/migrations',
  tag: 'Migrations',
  summary: 'Map the entities of a blueprint to entities, in the background',
  description:
    'With `dry_run=true` nothing is written: the answer has a `preview` in place of the migration. ' +
    'For administrators and for moderators of the source and the target.',
  access: 'token',
  query: z.object({ dry_run: strictQueryBoolean() }),
  body: z.object({ sourceBlueprint: z.string().min(1).max(100), mapping: dataMigrationMapping }),
  unknownFields: 'closed',
  answer: z.union([begun, z.object({ ok: z.literal(true), preview: dataMigrationPreview })]),
  errors: ['not_found', 'missing_permissions', 'ownership_not_direct', 'migration_in_progress'],
});

export const getDataMigration = operation({
  id: 'getDataMigration',
  method: 'GET',
  path: '/v1/migrations/{migration_id}',
  tag: 'Migrations',
  summary: 'Read a data migration and how far it is',
  access: 'token',
  params,
  answer: oneMigration,
  errors: ['not_found'],
});

export const listDataMigrationErrors = operation({
  id: 'listDataMigrationErrors',
  method: 'GET',
  path: '/v1/migrations/{migration_id}/errors',
  tag: 'Migrations',
  summary: 'List the first 1,000 entities that a data migration could not map, and why',
  access: 'token',
  params,
  answer: z.object({ ok: z.literal(true), errors: z.array(entityError), failureCount: z.number() }),
  errors: ['not_found'],
});

export const cancelDataMigration = operation({
  id: 'cancelDataMigration',
  method: 'POST',
  path: '/v1/migrations/{migration_id}/cancel',
  tag: 'Migrations',
  summary: 'Stop a data migration after the entities it is working on; what is done stays done',
  access: 'token',
  params,
  body: z.object({ reason: z.string().max(1000).optional() }),
  unknownFields: 'closed',
  answer: oneMigration,
  errors: ['not_found'],
});

export const rerunDataMigration = operation({
  id: 'rerunDataMigration',
  method: 'POST',
  path: '/v1/migrations/{migration_id}/rerun',
  tag: 'Migrations',
  summary: 'Map again, by a new migration, what failed and what one that ended early did not get to',
  access: 'token',
  params,
  answer: begun,
  errors: ['not_found', 'missing_permissions', 'ownership_not_direct', 'migration_in_progress', 'not_undoable'],
});

export const undoDataMigration = operation({
  id: 'undoDataMigration',
  method: 'POST',
  path: '/v1/migrations/{migration_id}/undo',
  tag: 'Migrations',
  summary: 'Bring back, by a new migration, what a data migration changed',
  description:
    'Entities that were changed since are left as they are and listed by `/errors`. ' +
    'Undoing an undoing maps again what it had brought back.',
  access: 'token',
  params,
  answer: begun,
  errors: ['not_found', 'missing_permissions', 'ownership_not_direct', 'migration_in_progress', 'not_undoable'],
});

export const dataMigrationOperations = [
  listDataMigrations,
  startDataMigration,
  getDataMigration,
  listDataMigrationErrors,
  cancelDataMigration,
  rerunDataMigration,
  undoDataMigration,
] as const;
