import { z } from 'zod';
import { operation } from './operation.ts';
import { secret } from './secret-fields.ts';
import { queryInteger, queryText, timestamp } from './wire.ts';

const json = z.record(z.string(), z.json());
const sourceIdentifier = z
  .string()
  .min(1)
  .max(60)
  .regex(/^[a-z0-9][a-z0-9_.-]*$/, 'begins with a small letter or digit and holds those and _ . - only');

/** How a source is; the portal shows the next step for each but the first. */
const sourceState = z.enum(['live', 'waiting', 'late', 'failing', 'paused']);
export type SourceState = z.output<typeof sourceState>;

/** What became of the items of a sync. */
const syncCounts = z.object({
  read: z.int(),
  created: z.int(),
  changed: z.int(),
  unchanged: z.int(),
  refused: z.int(),
  deleted: z.int(),
  /** Not there any more, and kept: somebody else writes it, or it waits for its days to pass. */
  released: z.int(),
  marked: z.int(),
  /** Changed by somebody else since this source wrote it. */
  contested: z.int(),
  problems: z.int(),
  requests: z.int(),
});
export type SyncCounts = z.output<typeof syncCounts>;

export const syncModes = ['full', 'changes', 'event', 'plan', 'import'] as const;
const sourceSync = z.object({
  id: z.string(),
  mode: z.enum(syncModes),
  /** `incomplete` ended before the whole was read, so that nothing was deleted. */
  status: z.enum(['waiting', 'running', 'completed', 'incomplete', 'failed', 'cancelled']),
  startedAt: timestamp,
  endedAt: timestamp.nullable(),
  counts: syncCounts,
  /** What it does at the moment, or what it waits for and until when. */
  note: z.string().nullable(),
  problem: z.object({ code: z.string(), message: z.string(), fix: z.string().optional() }).nullable(),
});
export type SourceSync = z.output<typeof sourceSync>;

const sourceSchema = z.object({
  identifier: z.string(),
  type: z.string(),
  title: z.string(),
  settings: json,
  /** When each secret was set; the secrets themselves are never answered. */
  secrets: z.record(z.string(), z.object({ setAt: timestamp, lastFour: z.string() })),
  /** How what is gone is treated. */
  deletion: z.enum(['delete', 'mark', 'keep']),
  scheduleMinutes: z.int().nullable(),
  isPaused: z.boolean(),
  state: sourceState,
  /** What its owner has to mend before it goes on. */
  problem: z.object({ code: z.string(), message: z.string(), fix: z.string().optional() }).nullable(),
  /** Its resources, in the form of an integration's. */
  mapping: z.object({ resources: z.array(json) }),
  nextSyncAt: timestamp.nullable(),
  lastSync: sourceSync.nullable(),
  /** Entities that it keeps up to date, by blueprint. */
  entities: z.record(z.string(), z.int()),
  /** Where the host sends events; only for administrators. */
  webhook: z.object({ url: z.string(), verifiedAt: timestamp.nullable() }).nullable(),
  /** Whether you may change, sync and delete it. */
  allowed: z.object({ write: z.boolean() }),
  createdAt: timestamp,
  createdBy: z.string(),
  updatedAt: timestamp,
  updatedBy: z.string(),
});
export type Source = z.output<typeof sourceSchema>;

const secrets = secret(z.record(z.string().max(100), z.string().min(1).max(20_000)));
const resources = z.array(z.record(z.string(), z.unknown())).max(100);
const fields = {
  title: z.string().min(1).max(100).optional(),
  settings: z.record(z.string(), z.unknown()).optional(),
  /** Replaces those named; null removes one. */
  secrets: secret(z.record(z.string().max(100), z.string().min(1).max(20_000).nullable())).optional(),
  deletion: z.enum(['delete', 'mark', 'keep']).optional(),
  /** Between five minutes and a week; null for by hand only. */
  scheduleMinutes: z.int().min(5).max(10_080).nullish(),
  isPaused: z.boolean().optional(),
};

/** One thing that was tried before a source is saved. */
const sourceCheck = z.object({
  name: z.enum(['address', 'credentials', 'scopes', 'rate_limit', 'first_page', 'files']),
  state: z.enum(['passed', 'failed', 'warning']),
  message: z.string(),
  /** What to do about it. */
  fix: z.string().optional(),
});
export type SourceCheck = z.output<typeof sourceCheck>;

const sourceProblem = z.object({
  severity: z.enum(['error', 'warning', 'note']),
  code: z.string(),
  message: z.string(),
  item: z.string().nullable(),
  /** Where the author finds it. */
  place: z
    .object({
      file: z.string().optional(),
      line: z.int().optional(),
      column: z.int().optional(),
      url: z.string().optional(),
      path: z.string().optional(),
    })
    .nullable(),
});
export type SourceProblem = z.output<typeof sourceProblem>;

const plannedChange = z.object({
  item: z.string(),
  blueprint: z.string(),
  identifier: z.string(),
  change: z.enum(['created', 'changed', 'deleted', 'marked']),
  before: json.nullable(),
  after: json.nullable(),
});
export type PlannedChange = z.output<typeof plannedChange>;

const params = z.object({ source_identifier: z.string().min(1).max(100) });
const syncParams = params.extend({ sync_id: z.string().min(1).max(100) });
const oneSource = z.object({ ok: z.literal(true), source: sourceSchema });
const oneSync = z.object({ ok: z.literal(true), sync: sourceSync });
const page = z.object({ after: queryInteger({ min: 0, max: 1_000_000_000, default: 0 }) });

export const listSources = operation({
  id: 'listSources',
  method: 'GET',
  path: '/v1/sources',
  tag: 'Sources',
  summary: 'List the sources that Portolan reads itself, with their state',
  access: 'token',
  scope: 'read:integrations',
  answer: z.object({ ok: z.literal(true), sources: z.array(sourceSchema) }),
  errors: ['missing_permissions'],
});

export const checkSource = operation({
  id: 'checkSource',
  method: 'POST',
  isReadOnly: true,
  path: '/v1/sources/check',
  tag: 'Sources',
  summary: 'Try settings and secrets of a source; nothing is stored',
  access: 'token',
  scope: 'create:integrations',
  body: z.object({
    type: z.string().min(1).max(100),
    settings: z.record(z.string(), z.unknown()).default({}),
    secrets: secrets.default({}),
    /** Takes the secrets that are not in the body from this source. */
    source: z.string().max(100).optional(),
  }),
  unknownFields: 'closed',
  answer: z.object({
    ok: z.boolean(),
    checks: z.array(sourceCheck),
    sample: z.object({ items: z.array(json), total: z.int().nullable() }),
  }),
  errors: ['not_found', 'missing_permissions'],
});

export const createSource = operation({
  id: 'createSource',
  method: 'POST',
  path: '/v1/sources',
  tag: 'Sources',
  summary: 'Save a source; its secrets are sealed',
  description: 'For administrators and moderators of every blueprint that it writes.',
  access: 'token',
  scope: 'create:integrations',
  body: z.object({
    ...fields,
    identifier: sourceIdentifier.optional(),
    type: z.string().min(1).max(100),
    secrets: secrets.optional(),
    /** Its resources, as of an integration; what is left out is the default of the type. */
    mapping: z.object({ resources }).optional(),
  }),
  unknownFields: 'closed',
  status: 201,
  answer: oneSource,
  errors: ['not_found', 'identifier_taken', 'missing_permissions', 'limit_reached'],
});

export const getSource = operation({
  id: 'getSource',
  method: 'GET',
  path: '/v1/sources/{source_identifier}',
  tag: 'Sources',
  summary: 'Read a source',
  access: 'token',
  scope: 'read:integrations',
  params,
  answer: oneSource,
  errors: ['not_found', 'missing_permissions'],
});

export const patchSource = operation({
  id: 'patchSource',
  method: 'PATCH',
  path: '/v1/sources/{source_identifier}',
  tag: 'Sources',
  summary: 'Change what the body names of a source',
  access: 'token',
  scope: 'update:integrations',
  params,
  body: z.object({ ...fields, mapping: z.object({ resources }).optional() }),
  unknownFields: 'closed',
  answer: oneSource,
  errors: ['not_found', 'missing_permissions'],
});

export const deleteSource = operation({
  id: 'deleteSource',
  method: 'DELETE',
  path: '/v1/sources/{source_identifier}',
  tag: 'Sources',
  summary: 'Delete a source; its entities stay',
  access: 'token',
  scope: 'delete:integrations',
  params,
  answer: z.object({ ok: z.literal(true) }),
  errors: ['not_found', 'missing_permissions', 'sync_in_progress'],
});

export const startSourceSync = operation({
  id: 'startSourceSync',
  method: 'POST',
  path: '/v1/sources/{source_identifier}/syncs',
  tag: 'Sources',
  summary: 'Read the source now; with `plan` nothing is written',
  access: 'token',
  scope: 'update:integrations',
  params,
  body: z.object({ mode: z.enum(['full', 'changes', 'plan']).default('full') }),
  unknownFields: 'closed',
  status: 202,
  answer: oneSync,
  errors: ['not_found', 'missing_permissions', 'sync_in_progress'],
});

export const listSourceSyncs = operation({
  id: 'listSourceSyncs',
  method: 'GET',
  path: '/v1/sources/{source_identifier}/syncs',
  tag: 'Sources',
  summary: 'List the last 50 syncs of a source, newest first',
  access: 'token',
  scope: 'read:integrations',
  params,
  answer: z.object({ ok: z.literal(true), syncs: z.array(sourceSync) }),
  errors: ['not_found', 'missing_permissions'],
});

export const getSourceSync = operation({
  id: 'getSourceSync',
  method: 'GET',
  path: '/v1/sources/{source_identifier}/syncs/{sync_id}',
  tag: 'Sources',
  summary: 'Read a sync and how far it is',
  access: 'token',
  scope: 'read:integrations',
  params: syncParams,
  answer: oneSync,
  errors: ['not_found', 'missing_permissions'],
});

export const cancelSourceSync = operation({
  id: 'cancelSourceSync',
  method: 'DELETE',
  path: '/v1/sources/{source_identifier}/syncs/{sync_id}',
  tag: 'Sources',
  summary: 'Stop a sync after the page that it reads',
  access: 'token',
  scope: 'update:integrations',
  params: syncParams,
  answer: oneSync,
  errors: ['not_found', 'missing_permissions'],
});

export const listSourceSyncChanges = operation({
  id: 'listSourceSyncChanges',
  method: 'GET',
  path: '/v1/sources/{source_identifier}/syncs/{sync_id}/changes',
  tag: 'Sources',
  summary: 'List what a plan would change, 100 at a time',
  access: 'token',
  scope: 'read:integrations',
  params: syncParams,
  query: page.extend({ change: queryText() }),
  answer: z.object({ ok: z.literal(true), changes: z.array(plannedChange), next: z.int().nullable() }),
  errors: ['not_found', 'missing_permissions'],
});

export const listSourceSyncProblems = operation({
  id: 'listSourceSyncProblems',
  method: 'GET',
  path: '/v1/sources/{source_identifier}/syncs/{sync_id}/problems',
  tag: 'Sources',
  summary: 'List what a sync could not do, 100 at a time',
  access: 'token',
  scope: 'read:integrations',
  params: syncParams,
  query: page,
  answer: z.object({ ok: z.literal(true), problems: z.array(sourceProblem), next: z.int().nullable() }),
  errors: ['not_found', 'missing_permissions'],
});

export const renewSourceWebhook = operation({
  id: 'renewSourceWebhook',
  method: 'POST',
  path: '/v1/sources/{source_identifier}/webhook',
  tag: 'Sources',
  summary: 'Make the address and secret for events anew, for a host where Portolan may not set them itself',
  description: 'The secret is answered once. Events signed with the one before are refused from then on.',
  access: 'admin',
  scope: 'update:integrations',
  params,
  answer: z.object({ ok: z.literal(true), url: z.string(), secret: secret(z.string()) }),
  errors: ['not_found', 'missing_permissions'],
});

export const receiveSourceEvent = operation({
  id: 'receiveSourceEvent',
  method: 'POST',
  path: '/v1/source-events/{webhook_key}',
  tag: 'Sources',
  summary: 'Take an event of the host of a source, signed by it',
  description: 'The address and the secret are those of the source. What the event says is read from the host itself.',
  access: 'public',
  params: z.object({ webhook_key: z.string().min(1).max(100) }),
  rawBodyBytesMax: 1024 * 1024,
  status: 202,
  answer: z.object({ ok: z.literal(true) }),
  errors: ['not_found', 'unauthorized', 'invalid_json'],
});

const missingEntity = z.object({
  item: z.string(),
  blueprint: z.string(),
  identifier: z.string(),
  goneSince: timestamp.nullable(),
  /** Whether it would be deleted: it is this source's alone. Others are let go and stay. */
  deletes: z.boolean(),
});

export const listMissing = operation({
  id: 'listMissing',
  method: 'GET',
  path: '/v1/sources/{source_identifier}/missing',
  tag: 'Sources',
  summary: 'List entities that a source brought before and not the last time, the first 1,000',
  access: 'token',
  scope: 'read:integrations',
  params,
  answer: z.object({ ok: z.literal(true), missing: z.array(missingEntity), total: z.int() }),
  errors: ['not_found', 'missing_permissions'],
});

export const decideMissing = operation({
  id: 'decideMissing',
  method: 'POST',
  path: '/v1/sources/{source_identifier}/missing',
  tag: 'Sources',
  summary: 'Delete what a source no longer brings, or keep it and let it go',
  description:
    'Only what the source created and nobody else changed or brings is deleted. `total` is that of the list that was ' +
    'decided on; if there are others by now, nothing is done.',
  access: 'token',
  scope: 'delete:entities',
  workClass: 'bulk',
  params,
  body: z.object({ decision: z.enum(['delete', 'keep']), total: z.int().min(0) }),
  unknownFields: 'closed',
  answer: z.object({ ok: z.literal(true), deleted: z.int(), left: z.int() }),
  errors: ['not_found', 'missing_permissions', 'stale_version', 'sync_in_progress'],
});

export const sourceOperations = [
  renewSourceWebhook,
  receiveSourceEvent,
  listMissing,
  decideMissing,
  listSources,
  checkSource,
  createSource,
  getSource,
  patchSource,
  deleteSource,
  startSourceSync,
  listSourceSyncs,
  getSourceSync,
  cancelSourceSync,
  listSourceSyncChanges,
  listSourceSyncProblems,
] as const;
