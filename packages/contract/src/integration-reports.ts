import { z } from 'zod';
import { integrationParams } from './integrations.ts';
import { operation } from './operation.ts';
import { queryInteger, queryList, queryText, timestamp } from './wire.ts';

export const logLevels = ['DEBUG', 'INFO', 'WARNING', 'ERROR', 'FATAL'] as const;
export type LogLevel = (typeof logLevels)[number];

const tag = 'Integrations';
const done = z.object({ ok: z.literal(true) });
const ingestParams = z.object({ ingest_id: z.string().min(1).max(200) });
const kindParams = integrationParams.extend({ kind: z.string().min(1).max(1000) });
const name = z.string().max(1000);

/** A record of an integration's log; unknown keys are kept. */
const integrationLog = z.looseObject({
  _id: z.string(),
  level: z.enum(logLevels),
  message: z.string(),
  timestamp,
  eventId: z.string().optional(),
});
export type IntegrationLog = z.output<typeof integrationLog>;

export const listIntegrationLogs = operation({
  id: 'listIntegrationLogs',
  method: 'GET',
  path: '/v1/integration/{integration_identifier}/logs',
  tag,
  summary: 'Read the log of an integration, newest first',
  description:
    'From `timestamp` (and `log_id` among records of one moment) on: `direction=down` reads older records, `up` newer ones. Ten thousand records are kept.',
  access: 'token',
  params: integrationParams,
  query: z.object({
    limit: queryInteger({ min: 0, max: 300, default: 100 }),
    timestamp: queryText(),
    log_id: queryText(),
    direction: queryText(),
    eventId: queryText(),
    level: queryList(),
    'level[]': queryList(),
  }),
  answer: z.object({ ok: z.literal(true), data: z.array(integrationLog) }),
  errors: ['missing_permissions', 'not_found'],
});

export const ingestIntegrationLogs = operation({
  id: 'ingestIntegrationLogs',
  workClass: 'bulk',
  method: 'POST',
  path: '/v1/ingest/logs/{ingest_id}',
  tag,
  summary: 'Add records to the log of an integration: the address its `logAttributes` name',
  access: 'token',
  params: ingestParams,
  body: z.object({ logs: z.array(z.unknown()).max(5000) }),
  unknownFields: 'open',
  answer: done,
  errors: ['missing_permissions', 'not_found'],
});

/** What one kind of a resync came to (api contract §3.13.7); the counts inside `metrics` are kept as they were sent. */
const syncKindMetrics = z.looseObject({
  eventId: name.min(1),
  kindIdentifier: name.min(1),
  kind: name.nullish(),
  kindIndex: z.number().nullish(),
  syncState: name.nullish(),
});
export type SyncKindMetrics = z.output<typeof syncKindMetrics>;

export const addSyncMetrics = operation({
  id: 'addSyncMetrics',
  workClass: 'bulk',
  method: 'POST',
  path: '/v1/ingest/metrics/{ingest_id}/syncMetrics',
  tag,
  summary: 'Report the kinds of a resync: below the address its `metricAttributes` name',
  access: 'token',
  params: ingestParams,
  body: z.object({ syncKindsMetrics: z.array(syncKindMetrics).max(1000) }),
  unknownFields: 'open',
  answer: done,
  errors: ['missing_permissions', 'not_found'],
});

export const putSyncMetrics = operation({
  id: 'putSyncMetrics',
  workClass: 'bulk',
  method: 'PUT',
  path: '/v1/ingest/metrics/{ingest_id}/syncMetrics/resync/{event_id}/kind/{kind_identifier}',
  tag,
  summary: 'Report one kind of a resync',
  access: 'token',
  params: ingestParams.extend({ event_id: name.min(1), kind_identifier: name.min(1) }),
  body: z.object({ syncKindMetrics: syncKindMetrics.partial() }),
  unknownFields: 'open',
  answer: done,
  errors: ['missing_permissions', 'not_found'],
});

export const beatSync = operation({
  id: 'beatSync',
  method: 'POST',
  path: '/v1/ingest/metrics/{ingest_id}/heartbeat',
  tag,
  summary: 'Say that a resync is still under way',
  access: 'token',
  params: ingestParams,
  body: z.object({ eventId: name.nullish() }),
  unknownFields: 'open',
  answer: done,
  errors: ['missing_permissions', 'not_found'],
});

const syncMetrics = z.looseObject({
  integrationType: z.string(),
  integrationIdentifier: z.string(),
  integrationVersion: z.string(),
  oceanVersion: z.string(),
  kindIdentifier: z.string(),
  kind: z.string(),
  eventId: z.string(),
  syncState: z.string(),
  metrics: z.json(),
  createdAt: timestamp,
  updatedAt: timestamp,
});
export type SyncMetrics = z.output<typeof syncMetrics>;

export const listSyncMetrics = operation({
  id: 'listSyncMetrics',
  method: 'GET',
  path: '/v1/integration/{integration_identifier}/syncMetrics',
  tag,
  summary: 'Read the kinds of a resync, the latest unless `resyncId` names one; `_id` of an integration is taken too',
  access: 'token',
  params: integrationParams,
  query: z.object({ resyncId: queryText() }),
  answer: z.object({ ok: z.literal(true), data: z.array(syncMetrics) }),
  errors: ['missing_permissions', 'not_found'],
});

const syncMetadata = z.object({
  eventId: z.string(),
  syncState: z.string(),
  createdAt: timestamp,
  updatedAt: timestamp,
});
export type SyncMetadata = z.output<typeof syncMetadata>;

export const listSyncs = operation({
  id: 'listSyncs',
  method: 'GET',
  path: '/v1/integration/{integration_identifier}/syncsMetadata',
  tag,
  summary: 'List the resyncs of the last four days, at least fifty, newest first',
  access: 'token',
  params: integrationParams,
  answer: z.object({ ok: z.literal(true), count: z.number(), data: z.array(syncMetadata) }),
  errors: ['missing_permissions', 'not_found'],
});

export const addKindExamples = operation({
  id: 'addKindExamples',
  workClass: 'bulk',
  method: 'POST',
  path: '/v1/integration/{integration_identifier}/kinds/{kind}/examples',
  tag,
  summary: 'Keep raw samples of a kind, masked by the client; the last ten stay',
  access: 'admin',
  params: kindParams,
  body: z.object({ examples: z.array(z.record(z.string(), z.unknown())).max(1000) }),
  unknownFields: 'open',
  answer: done,
  errors: ['not_found'],
});

const example = z.object({ _id: z.string(), data: z.record(z.string(), z.json()) });
export type KindExample = z.output<typeof example>;

export const listKinds = operation({
  id: 'listKinds',
  method: 'GET',
  path: '/v1/integration/{integration_identifier}/kinds',
  tag,
  summary: 'Read the raw samples of every kind',
  access: 'token',
  params: integrationParams,
  answer: z.object({
    ok: z.literal(true),
    data: z.record(z.string(), z.object({ examples: z.array(example) })),
  }),
  errors: ['missing_permissions', 'not_found'],
});

const cursorQuery = z.object({ kind: queryText(), index: queryText() });
const cursorBody = z.looseObject({ primary: z.string().max(1000).nullish() });
const cursorAnswer = z.object({ ok: z.literal(true), cursor: z.record(z.string(), z.json()).nullable() });

export const getSyncCursor = operation({
  id: 'getSyncCursor',
  method: 'GET',
  path: '/v1/integration/{integration_identifier}/cursor',
  tag,
  summary: 'Read how far the incremental sync of a kind is',
  access: 'token',
  params: integrationParams,
  query: cursorQuery,
  answer: cursorAnswer,
  errors: ['missing_permissions', 'not_found'],
});

export const putSyncCursor = operation({
  id: 'putSyncCursor',
  method: 'PUT',
  path: '/v1/integration/{integration_identifier}/cursor',
  tag,
  summary: 'Move the cursor of a kind; 404 where there is none',
  access: 'admin',
  params: integrationParams,
  query: cursorQuery,
  body: cursorBody,
  unknownFields: 'open',
  answer: cursorAnswer,
  errors: ['not_found'],
});

export const createSyncCursor = operation({
  id: 'createSyncCursor',
  method: 'POST',
  path: '/v1/integration/{integration_identifier}/cursor',
  tag,
  summary: 'Set the cursor of a kind, also where there is none',
  access: 'admin',
  params: integrationParams,
  query: cursorQuery,
  body: cursorBody,
  unknownFields: 'open',
  answer: cursorAnswer,
  errors: ['not_found'],
});

export const integrationReportOperations = [
  listIntegrationLogs,
  ingestIntegrationLogs,
  addSyncMetrics,
  putSyncMetrics,
  beatSync,
  listSyncMetrics,
  listSyncs,
  addKindExamples,
  listKinds,
  getSyncCursor,
  putSyncCursor,
  createSyncCursor,
] as const;
