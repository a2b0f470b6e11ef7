import { z } from 'zod';
import { asOfEntity } from './as-of.ts';
import { blueprintParams } from './blueprints.ts';
import { effect } from './effects.ts';
import { orIdQuery } from './id-query.ts';
import { operation } from './operation.ts';
import {
  absentIfNull,
  anyEntityIdentifier,
  propertyKey,
  queryBoolean,
  queryList,
  queryMoment,
  queryText,
  strictQueryBoolean,
  timestamp,
} from './wire.ts';

/** Any JSON; the blueprint decides. */
const propertyValues = z.record(propertyKey, z.unknown());
const relationValue = z.union([z.string(), z.array(z.string()), z.null()]);
export type RelationValue = string | readonly string[] | null;
const relationValues = z.record(propertyKey, relationValue);
/** Teams are index keys, which limits their length. */
const teamReference = z.string().max(1000);
const team = z.union([teamReference, z.array(teamReference).max(1000), z.null()]);

/** An entity as it is written (api contract §3.2.1), without queries. */
export const entityBody = z.object({
  identifier: anyEntityIdentifier.optional(),
  title: z.string().max(10_000).nullable().optional(),
  icon: z.string().max(1000).nullable().optional(),
  team: team.optional(),
  properties: absentIfNull(propertyValues),
  relations: absentIfNull(relationValues),
});
export type EntityBody = z.output<typeof entityBody>;

const describable = {
  team: orIdQuery(team).optional(),
  /** Null clears all relations, also in a merge (catalog semantics §6.6). */
  relations: z.record(propertyKey, orIdQuery(relationValue)).nullish(),
};

/** An entity as PUT and PATCH take it: teams and targets of relations may be described (api contract §3.2.4). */
const entityChangeBody = entityBody.extend(describable);
export type EntityChangeBody = z.output<typeof entityChangeBody>;

/** POST and bulk bodies: the identifier may be a query too. */
export const entityWriteBody = entityChangeBody.extend({ identifier: orIdQuery(anyEntityIdentifier).optional() });
export type EntityWriteBody = z.output<typeof entityWriteBody>;

/** Fields that clients write back after reading: accepted and ignored. */
export const entityEchoFields = [
  'blueprint',
  'createdAt',
  'createdBy',
  'updatedAt',
  'updatedBy',
  'scorecards',
  'id',
  '_id',
] as const;

/** An entity as it is answered: every property of the blueprint is there, unset ones as null (api contract §3.2.3). */
export const entitySchema = z.object({
  identifier: z.string(),
  title: z.string().nullable(),
  icon: z.string().nullable(),
  blueprint: z.string(),
  team: z.array(z.string()),
  properties: z.record(z.string(), z.json()),
  relations: z.record(z.string(), z.json()),
  scorecards: z.record(z.string(), z.json()).optional(),
  createdAt: timestamp,
  createdBy: z.string(),
  updatedAt: timestamp,
  updatedBy: z.string(),
});
export type Entity = z.output<typeof entitySchema>;

export const entityParams = blueprintParams.extend({ entity_identifier: z.string().min(1).max(3000) });

/** What a read may leave out or attach (api contract §3.2.7). */
export const entityReadQuery = z.object({
  exclude_calculated_properties: queryBoolean(),
  include: queryList(),
  exclude: queryList(),
  attach_title_to_relation: queryBoolean(),
  attach_identifier_to_title_mirror_properties: queryBoolean(),
  allow_partial_results: queryBoolean(),
});
export type EntityReadQuery = z.output<typeof entityReadQuery>;

const entityWriteQuery = z.object({
  upsert: queryBoolean(),
  merge: queryBoolean(),
  validation_only: strictQueryBoolean(),
  create_missing_related_entities: queryBoolean(),
  run_id: queryText(),
});

/** The version that the caller read, like `If-Match`; another current version is refused with `stale_version`. */
const expectedVersion = { expectedVersion: queryText() };
const changeQuery = z.object({
  create_missing_related_entities: queryBoolean(),
  run_id: queryText(),
  ...expectedVersion,
});
const oneEntity = z.object({ ok: z.literal(true), entity: entitySchema });
/** The entity with warnings about how the body was read; the `Warning` header has them too. */
const writtenEntity = oneEntity.extend({ warnings: z.array(z.string()).optional() });
/** Reads may be narrowed by `include` and `exclude`, so any part of the entity may be absent. */
const readEntity = z.object({ ok: z.literal(true), entity: entitySchema.partial() });

/** Why a single write is refused. */
const writeErrors = [
  'run_ended',
  'missing_permissions',
  'not_found',
  'identifier_taken',
  'stale_version',
  'managed_field',
  'migration_in_progress',
  // of users
  'last_administrator',
  'user_limit_reached',
] as const;

export const createEntity = operation({
  id: 'createEntity',
  method: 'POST',
  path: '/v1/blueprints/{blueprint_identifier}/entities',
  tag: 'Entities',
  summary: 'Create an entity, or with `upsert=true` create or overwrite it',
  description:
    'With `upsert=true` the whole entity is replaced; with `merge=true` beside it only the keys sent are changed. Without an identifier one is generated.',
  access: 'token',
  status: 201,
  params: blueprintParams,
  query: entityWriteQuery.extend(expectedVersion),
  body: entityWriteBody,
  unknownFields: 'open',
  answer: writtenEntity.extend({ additionalData: z.record(z.string(), z.json()).optional() }).partial({ entity: true }),
  errors: writeErrors,
});

/** The result of one item; every index is in `entities` or `errors` exactly once. */
const bulkItem = z.object({
  identifier: z.string(),
  index: z.number(),
  created: z.boolean(),
  additionalData: z.record(z.string(), z.json()).optional(),
  warnings: z.array(z.string()).optional(),
});
const bulkError = z.object({
  identifier: z.string(),
  index: z.number(),
  statusCode: z.number(),
  error: z.string(),
  message: z.string(),
});

export const bulkUpsertEntities = operation({
  id: 'bulkUpsertEntities',
  workClass: 'bulk',
  method: 'POST',
  path: '/v1/blueprints/{blueprint_identifier}/entities/bulk',
  tag: 'Entities',
  summary: 'Create or update up to 20 entities; answers 207 if some failed',
  access: 'token',
  params: blueprintParams,
  query: entityWriteQuery,
  body: z.object({ entities: z.array(z.unknown()).min(1).max(20) }),
  unknownFields: 'closed',
  answer: z.object({ ok: z.boolean(), entities: z.array(bulkItem), errors: z.array(bulkError) }),
  errors: ['run_ended', 'missing_permissions', 'not_found', 'migration_in_progress'],
});

export const getEntity = operation({
  id: 'getEntity',
  method: 'GET',
  path: '/v1/blueprints/{blueprint_identifier}/entities/{entity_identifier}',
  tag: 'Entities',
  summary: 'Read an entity, as it is or as it was',
  description:
    'With `as_of` the entity is answered as it was at that moment, under the identifier that it had then; `asOf` says what the journal does not tell of it, which is then absent: computed properties, results of scorecards, and inherited teams always. Whoever may read the entity today may read what it was; an entity that was deleted since is for administrators alone. The token needs the scope `read:audit-log` too. Example: `?as_of=2026-01-31T12:00:00Z`.',
  access: 'token',
  params: entityParams,
  query: entityReadQuery.extend({ as_of: queryMoment() }),
  answer: readEntity.extend({ asOf: asOfEntity.optional() }),
  errors: ['not_found', 'history_not_kept'],
});

export const listEntities = operation({
  id: 'listEntities',
  reads: 'standby',
  workClass: 'bulk',
  method: 'GET',
  path: '/v1/blueprints/{blueprint_identifier}/entities',
  tag: 'Entities',
  summary: 'Read all entities of a blueprint',
  access: 'token',
  params: blueprintParams,
  query: entityReadQuery,
  answer: z.object({ ok: z.literal(true), entities: z.array(entitySchema.partial()) }),
  errors: ['not_found'],
});

export const countEntities = operation({
  id: 'countEntities',
  reads: 'standby',
  method: 'GET',
  path: '/v1/blueprints/{blueprint_identifier}/entities-count',
  tag: 'Entities',
  summary: 'Count the entities of a blueprint',
  access: 'token',
  params: blueprintParams,
  answer: z.object({ ok: z.literal(true), count: z.number() }),
  errors: ['not_found'],
});

export const replaceEntity = operation({
  id: 'replaceEntity',
  method: 'PUT',
  path: '/v1/blueprints/{blueprint_identifier}/entities/{entity_identifier}',
  tag: 'Entities',
  summary: 'Replace an entity; another identifier in the body renames it',
  access: 'token',
  params: entityParams,
  query: changeQuery,
  body: entityChangeBody,
  unknownFields: 'open',
  answer: writtenEntity,
  errors: writeErrors,
});

export const patchEntity = operation({
  id: 'patchEntity',
  method: 'PATCH',
  path: '/v1/blueprints/{blueprint_identifier}/entities/{entity_identifier}',
  tag: 'Entities',
  summary: 'Change parts of an entity; null clears, keys left out stay',
  access: 'token',
  params: entityParams,
  query: changeQuery,
  body: entityChangeBody,
  unknownFields: 'closed',
  answer: writtenEntity,
  errors: writeErrors,
});

export const previewDeletion = operation({
  id: 'previewDeletion',
  method: 'GET',
  path: '/v1/blueprints/{blueprint_identifier}/entities/{entity_identifier}/deletion',
  tag: 'Entities',
  summary: 'Read what deleting an entity would take along, and what would still lead to it',
  description: 'Refused as the deletion itself would be. Nothing is deleted.',
  access: 'token',
  params: entityParams,
  query: z.object({ delete_dependents: queryBoolean() }),
  answer: z.object({ ok: z.literal(true), effect }),
  errors: ['missing_permissions', 'not_found', 'has_dependents', 'managed_field'],
});

export const deleteEntity = operation({
  id: 'deleteEntity',
  method: 'DELETE',
  path: '/v1/blueprints/{blueprint_identifier}/entities/{entity_identifier}',
  tag: 'Entities',
  summary: 'Delete an entity; with `delete_dependents=true` also those that require it',
  access: 'token',
  params: entityParams,
  query: z.object({ delete_dependents: queryBoolean(), run_id: queryText(), ...expectedVersion }),
  answer: z.object({ ok: z.literal(true) }),
  errors: [
    'run_ended',
    'missing_permissions',
    'not_found',
    'has_dependents',
    'stale_version',
    'managed_field',
    'last_administrator',
  ],
});

export const deleteAllEntities = operation({
  id: 'deleteAllEntities',
  workClass: 'bulk',
  method: 'DELETE',
  path: '/v1/blueprints/{blueprint_identifier}/all-entities',
  tag: 'Entities',
  summary: 'Delete all entities of a blueprint in the background, with `delete_blueprint=true` the blueprint too',
  description:
    'Answers the id of a data migration, which tells how far it is. With `delete_blueprint=true`, writes of entities are refused with `migration_in_progress` from then on, unless the migration is cancelled or fails. People and teams are not deleted so: nobody could ' +
    'sign in any more, and what teams own would be lost.',
  access: 'admin',
  params: blueprintParams,
  query: z.object({ delete_blueprint: strictQueryBoolean(), run_id: queryText() }),
  answer: z.object({ ok: z.literal(true), migrationId: z.string() }),
  errors: ['not_found', 'has_dependents', 'wipe_refused', 'migration_in_progress'],
});

export const bulkDeleteEntities = operation({
  id: 'bulkDeleteEntities',
  workClass: 'bulk',
  method: 'POST',
  path: '/v1/blueprints/{blueprint_identifier}/bulk/entities/delete',
  tag: 'Entities',
  summary: 'Delete up to 100 entities, all or none',
  access: 'token',
  params: blueprintParams,
  query: z.object({ delete_dependents: queryBoolean(), run_id: queryText() }),
  body: z.object({ entities: z.array(z.string()).min(1).max(100) }),
  unknownFields: 'closed',
  answer: z.object({ ok: z.literal(true), deletedEntities: z.array(z.string()) }),
  errors: ['run_ended', 'missing_permissions', 'not_found', 'has_dependents', 'managed_field', 'last_administrator'],
});

export const entityOperations = [
  createEntity,
  bulkUpsertEntities,
  listEntities,
  countEntities,
  getEntity,
  replaceEntity,
  patchEntity,
  previewDeletion,
  deleteEntity,
  bulkDeleteEntities,
  deleteAllEntities,
] as const;
