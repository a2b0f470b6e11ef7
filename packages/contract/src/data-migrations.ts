import { z } from 'zod';
import { operation } from './operation.ts';
import { queryList, queryText, timestamp } from './wire.ts';

/** The states of a data migration (api contract §3.16); the last three are final. */
export const dataMigrationStatus = z.enum([
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

/** How each entity of the source becomes one or more entities; every text is a JQ expression over the source entity. */
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

/** A data migration as it is answered; it stays readable when its blueprint is gone. */
export const dataMigrationSchema = z.object({
  id: z.string(),
  actor: z.string(),
  sourceBlueprint: z.string(),
  mapping: z.record(z.string(), z.json()),
  status: dataMigrationStatus,
  deleteBlueprint: z.boolean(),
  deleteEntities: z.boolean(),
  successCount: z.number(),
  failureCount: z.number(),
  /** Why it failed or was cancelled, or the last failure of an entity. */
  message: z.string().optional(),
  createdAt: timestamp,
  createdBy: z.string(),
  updatedAt: timestamp,
  updatedBy: z.string(),
});
export type DataMigration = z.output<typeof dataMigrationSchema>;

const params = z.object({ migration_id: z.string().min(1).max(100) });
const oneMigration = z.object({ ok: z.literal(true), migration: dataMigrationSchema });

export const listDataMigrations = operation({
  id: 'listDataMigrations',
  method: 'GET',
  path: '/v1/migrations',
  tag: 'Migrations',
  summary: 'List data migrations, newest first',
  access: 'admin',
  query: z.object({ status: queryList(), actor: queryText(), blueprint: queryText() }),
  answer: z.object({ ok: z.literal(true), migrations: z.array(dataMigrationSchema) }),
  errors: [],
});

export const startDataMigration = operation({
  id: 'startDataMigration',
  method: 'POST',
  path: '/v1/migrations',
  tag: 'Migrations',
  summary: 'Map the entities of a blueprint to entities, in the background',
  access: 'admin',
  body: z.object({ sourceBlueprint: z.string().min(1).max(100), mapping: dataMigrationMapping }),
  unknownFields: 'closed',
  answer: z.object({ ok: z.literal(true), migrationId: z.string(), migration: dataMigrationSchema }),
  errors: ['not_found'],
});

export const getDataMigration = operation({
  id: 'getDataMigration',
  method: 'GET',
  path: '/v1/migrations/{migration_id}',
  tag: 'Migrations',
  summary: 'Read a data migration',
  access: 'admin',
  params,
  answer: oneMigration,
  errors: ['not_found'],
});

export const cancelDataMigration = operation({
  id: 'cancelDataMigration',
  method: 'POST',
  path: '/v1/migrations/{migration_id}/cancel',
  tag: 'Migrations',
  summary: 'Stop a data migration after the entities it is working on; what is done stays done',
  access: 'admin',
  params,
  body: z.object({ reason: z.string().max(1000).optional() }),
  unknownFields: 'closed',
  answer: oneMigration,
  errors: ['not_found'],
});

export const dataMigrationOperations = [
  listDataMigrations,
  startDataMigration,
  getDataMigration,
  cancelDataMigration,
] as const;
