import { z } from 'zod';
import { operation } from './operation.ts';
import { secret } from './secret-fields.ts';
import { timestamp } from './wire.ts';

/** Also the name of a Helm release and of credentials, and the last part of the client's user agent. */
const installationId = z
  .string()
  .min(1)
  .max(50)
  .regex(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/, 'holds small letters, digits and hyphens, and begins and ends with none');

const settingValue = z.union([
  z.string().max(20_000),
  z.number(),
  z.boolean(),
  z.array(z.json()),
  z.record(z.string(), z.json()),
]);

const installBody = z.object({
  type: z.string().min(1).max(100),
  installationId,
  title: z.string().trim().min(1).max(100).optional(),
  /** Without the secrets: they stay where the client runs. */
  settings: z.record(z.string().max(100), settingValue).default({}),
  /** Names of optional secrets that the client is given too; those it cannot do without are taken anyway. */
  secrets: z.array(z.string().max(100)).max(100).default([]),
  /** Minutes between two resyncs; 0 for one resync at the start. */
  resyncMinutes: z.int().min(0).max(10_080).default(360),
  /** Properties that a blueprint of yours has with another type, as `blueprint.property`: yours stays. */
  keep: z.array(z.string().max(300)).max(1000).default([]),
});
export type InstallBody = z.output<typeof installBody>;

const plannedBlueprint = z.object({
  identifier: z.string(),
  title: z.string(),
  change: z.enum(['create', 'extend', 'none']),
  /** Keys of properties and relations that it gets. */
  adds: z.array(z.string()),
});
export type PlannedBlueprint = z.output<typeof plannedBlueprint>;

const installConflict = z.object({
  /** As `keep` takes it. */
  name: z.string(),
  message: z.string(),
});

const installPlan = z.object({
  blueprints: z.array(plannedBlueprint),
  /** Questions; an install is refused until `keep` names each. */
  conflicts: z.array(installConflict),
  /** What is left out, and why, as sentences. */
  leftOut: z.array(z.string()),
  kinds: z.array(z.string()),
  scopes: z.array(z.string()),
});
export type InstallPlan = z.output<typeof installPlan>;

/** One way to run the client: a text to run or to save. */
const installCommand = z.object({
  way: z.enum(['helm', 'docker', 'docker-once', 'github', 'gitlab', 'azure', 'kubernetes']),
  title: z.string(),
  language: z.enum(['sh', 'yaml']),
  /** Where the text is saved; null for a command. */
  file: z.string().nullable(),
  text: z.string(),
  /** Why it will not work as it is. */
  warning: z.string().nullable(),
});
export type InstallCommand = z.output<typeof installCommand>;

const installVariable = z.object({
  name: z.string(),
  /** What it holds, in words. */
  holds: z.string(),
  required: z.boolean(),
});

const stepState = z.enum(['done', 'running', 'waiting', 'failed']);
const installStep = z.object({
  step: z.enum(['credential-used', 'registered', 'examples', 'resync', 'first-entity', 'resync-done']),
  state: stepState,
  at: timestamp.nullable(),
  /** What is known, or what to look at. */
  note: z.string().nullable(),
});
export type InstallStep = z.output<typeof installStep>;

/** `waiting` for the first data; `late` after one and a half intervals without a resync, `silent` after two. */
const installHealth = z.enum(['waiting', 'live', 'late', 'silent', 'failing', 'credential-revoked']);
export type InstallHealth = z.output<typeof installHealth>;

const installSchema = z.object({
  id: installationId,
  type: z.string(),
  title: z.string(),
  health: installHealth,
  version: z.string().nullable(),
  /** The version that the catalogue pins, if the client runs another. */
  newerVersion: z.string().nullable(),
  clientId: z.string(),
  settings: z.record(z.string(), z.json()),
  resyncMinutes: z.int(),
  created: z.array(plannedBlueprint),
  createdAt: timestamp,
  createdBy: z.string(),
});
export type Install = z.output<typeof installSchema>;

const installDetails = installSchema.extend({
  steps: z.array(installStep),
  /** What to look at, most likely first, while nothing has come. */
  hints: z.array(z.string()),
  commands: z.array(installCommand),
  /** Environment variables that the commands take; secrets among them are entered where the client runs. */
  variables: z.array(installVariable),
  /** Entities by blueprint that came from it. */
  entities: z.record(z.string(), z.int()),
  firstEntity: z.object({ blueprint: z.string(), identifier: z.string(), title: z.string().nullable() }).nullable(),
});
export type InstallDetails = z.output<typeof installDetails>;

const params = z.object({ install_id: z.string().min(1).max(200) });
const mayNot = ['missing_permissions', 'not_found'] as const;

export const planInstall = operation({
  id: 'planInstall',
  workClass: 'bulk',
  method: 'POST',
  isReadOnly: true,
  path: '/v1/installs/plan',
  tag: 'Sources',
  summary: 'Show what an install would create; nothing is written',
  access: 'admin',
  scope: 'read:integrations',
  body: installBody,
  unknownFields: 'closed',
  answer: z.object({ ok: z.literal(true), plan: installPlan }),
  errors: ['not_found'],
});

export const createInstall = operation({
  id: 'createInstall',
  method: 'POST',
  path: '/v1/installs',
  tag: 'Sources',
  summary: 'Prepare a client that runs elsewhere: blueprints, mapping and credentials in one transaction',
  description:
    'The blueprints that the client writes are made where they are missing, and blueprints of the same name get what they lack. The client finds its mapping and makes nothing itself. Its credentials are bound to the installation id and to the blueprints of its mapping. The client secret is in this answer and never again.',
  access: 'admin',
  scope: 'create:integrations',
  status: 201,
  body: installBody,
  unknownFields: 'closed',
  answer: z.object({
    ok: z.literal(true),
    install: installDetails,
    clientSecret: secret(z.string().meta({ description: 'Shown now and never again' })),
  }),
  errors: ['not_found', 'identifier_taken', 'limit_reached', 'too_many_requests'],
});

export const listInstalls = operation({
  id: 'listInstalls',
  method: 'GET',
  path: '/v1/installs',
  tag: 'Sources',
  summary: 'List the clients that were installed from the catalogue, with their health',
  access: 'token',
  scope: 'read:integrations',
  answer: z.object({ ok: z.literal(true), installs: z.array(installSchema) }),
  errors: ['missing_permissions'],
});

export const getInstall = operation({
  id: 'getInstall',
  method: 'GET',
  path: '/v1/installs/{install_id}',
  tag: 'Sources',
  summary: 'Read an install: how far it is, its commands, and what came from it',
  access: 'token',
  scope: 'read:integrations',
  params,
  answer: z.object({ ok: z.literal(true), install: installDetails }),
  errors: [...mayNot],
});

export const deleteInstall = operation({
  id: 'deleteInstall',
  method: 'DELETE',
  path: '/v1/installs/{install_id}',
  tag: 'Sources',
  summary:
    'Remove an install: its credentials end, its integration goes, and so do blueprints it made that nobody uses',
  description: 'Entities stay. A blueprint stays if it has entities, was changed since, or others point at it.',
  access: 'admin',
  scope: 'delete:integrations',
  params,
  answer: z.object({
    ok: z.literal(true),
    removed: z.array(z.string()),
    kept: z.array(z.object({ identifier: z.string(), reason: z.string() })),
  }),
  errors: ['not_found', 'credential_in_use'],
});

/**
 * What clients from the catalogue call, and all that credentials made for one may be used for. Scopes alone are too wide:
 * the one that lets a client register also lets it create webhooks and installs.
 */
export const clientOperations: ReadonlySet<string> = new Set([
  ...['getOwnOrganization', 'getPermissions', 'listBlueprints', 'getBlueprint', 'getDataMigration'],
  ...['listProvisionEnabled', 'getIntegration', 'createIntegration', 'patchIntegration', 'replaceIntegrationConfig'],
  ...['deleteIntegration', 'getResyncRequest', 'reportResyncState', 'getKafkaCredentials'],
  ...['ingestIntegrationLogs', 'addSyncMetrics', 'putSyncMetrics', 'beatSync', 'addKindExamples', 'listKinds'],
  ...['getSyncCursor', 'putSyncCursor', 'createSyncCursor'],
  ...['createEntity', 'bulkUpsertEntities', 'getEntity', 'deleteEntity', 'bulkDeleteEntities'],
  ...['searchEntities', 'searchByDatasource'],
  ...['claimRuns', 'acknowledgeRun', 'listRuns', 'getRun', 'reportRun', 'addRunLog', 'listNodeRuns', 'claimNodeRuns'],
  ...['acknowledgeNodeRun', 'reportNodeRun', 'addNodeRunLogs'],
]);

export const installOperations = [planInstall, createInstall, listInstalls, getInstall, deleteInstall] as const;
