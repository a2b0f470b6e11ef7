import { z } from 'zod';
import { operation } from './operation.ts';
import { queryBoolean, queryText, timestamp } from './wire.ts';

/** Names with an address of their own. */
const taken = new Set(['metadata', 'provision-enabled']);

/** The name of the installation, and the last part of its user agent. */
const installationId = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^\p{Cc}]*$/u, 'may not hold control characters')
  .refine((identifier) => !taken.has(identifier), 'is the name of an address of its own');

const anyObject = z.record(z.string(), z.unknown());
const destination = anyObject.superRefine(({ type, url }, context) => {
  if (type === 'WEBHOOK' && (typeof url !== 'string' || url === '')) {
    context.addIssue({ code: 'custom', path: ['url'], message: 'must be the address to be told at' });
  }
});

/** What clients write of an integration (api contract §3.13.1); null leaves or clears, and is never refused. */
const fields = {
  title: z.string().max(1000).nullish(),
  version: z.string().max(200).nullish(),
  installationAppType: z.string().max(200).nullish(),
  installationType: z.string().max(200).nullish(),
  config: anyObject.nullish(),
  changelogDestination: destination.nullish(),
  actionsProcessingEnabled: z.boolean().nullish(),
  incrementalSyncEnabled: z.boolean().nullish(),
  processingMode: z.string().max(100).nullish(),
  createPortResourcesOrigin: z.string().max(100).nullish(),
  arePortResourcesInitialized: z.boolean().nullish(),
  spec: anyObject.nullish(),
  clientId: z.string().max(1000).nullish(),
  statusInfo: z.unknown().optional(),
};
const integrationBody = z.object({ installationId, ...fields });
export type IntegrationBody = z.output<typeof integrationBody>;
const integrationPatch = z.object({ installationId: z.string().nullish(), ...fields });
export type IntegrationPatch = z.output<typeof integrationPatch>;

/** Progress as the client reports it; the misspelt interval is the client's. */
const resyncStateBody = z.looseObject({
  status: z.string().max(100).nullish(),
  lastResyncStart: z.string().max(100).nullish(),
  lastResyncEnd: z.string().max(100).nullish(),
  nextResync: z.string().max(100).nullish(),
  intervalInMinuets: z.number().nullish(),
});
export type ResyncStateBody = z.output<typeof resyncStateBody>;

const json = z.record(z.string(), z.json());
/** The mapping and the destination are exactly as written. */
const integrationSchema = z.object({
  _id: z.string(),
  _orgId: z.string(),
  identifier: z.string(),
  installationId: z.string(),
  integrationType: z.string(),
  installationAppType: z.string().nullable(),
  installationType: z.string(),
  title: z.string().nullable(),
  version: z.string().nullable(),
  config: json.nullable(),
  changelogDestination: json.nullable(),
  actionsProcessingEnabled: z.boolean(),
  incrementalSyncEnabled: z.boolean(),
  processingMode: z.string(),
  createPortResourcesOrigin: z.string().nullable(),
  arePortResourcesInitialized: z.boolean(),
  resyncState: json,
  logAttributes: z.object({ ingestId: z.string(), ingestUrl: z.string() }),
  metricAttributes: z.object({ ingestId: z.string(), ingestUrl: z.string() }),
  ingestAttributes: z.object({ ingestUrl: z.string() }),
  spec: json.optional(),
  clientId: z.string().optional(),
  statusInfo: z.json().optional(),
  createdAt: timestamp,
  createdBy: z.string(),
  updatedAt: timestamp,
  updatedBy: z.string(),
});
export type Integration = z.output<typeof integrationSchema>;

const tag = 'Integrations';
export const integrationParams = z.object({ integration_identifier: z.string().min(1).max(1000) });
const one = z.object({ ok: z.literal(true), integration: integrationSchema });
const done = z.object({ ok: z.literal(true) });
/** Integrations may be read by administrators, moderators and machines. */
const mayNotRead = 'missing_permissions';

export const listIntegrations = operation({
  id: 'listIntegrations',
  method: 'GET',
  path: '/v1/integration',
  tag,
  summary: 'List the integrations',
  access: 'token',
  query: z.object({ actionsProcessingEnabled: queryText() }),
  answer: z.object({ ok: z.literal(true), integrations: z.array(integrationSchema) }),
  errors: [mayNotRead],
});

export const listIntegrationMetadata = operation({
  id: 'listIntegrationMetadata',
  method: 'GET',
  path: '/v1/integration/metadata',
  tag,
  summary: 'List what everybody may know of the integrations',
  access: 'token',
  answer: z.object({
    ok: z.literal(true),
    integrations: z.array(
      z.object({
        identifier: z.string(),
        installationId: z.string(),
        type: z.string(),
        title: z.string().nullable(),
        updatedAt: timestamp,
      }),
    ),
  }),
  errors: [],
});

export const listProvisionEnabled = operation({
  id: 'listProvisionEnabled',
  method: 'GET',
  path: '/v1/integration/provision-enabled',
  tag,
  summary: 'List the types of integrations whose resources the server makes: none, the clients make them',
  access: 'token',
  answer: z.object({ ok: z.literal(true), integrations: z.array(z.string()) }),
  errors: [],
});

export const createIntegration = operation({
  id: 'createIntegration',
  method: 'POST',
  path: '/v1/integration',
  tag,
  summary: 'Register an integration; a resync is asked for with it',
  access: 'admin',
  status: 201,
  body: integrationBody,
  unknownFields: 'open',
  answer: one,
  errors: ['identifier_taken'],
});

export const getIntegration = operation({
  id: 'getIntegration',
  method: 'GET',
  path: '/v1/integration/{integration_identifier}',
  tag,
  summary: 'Read an integration, by its installation id or with `byField=logIngestId` by that',
  access: 'token',
  params: integrationParams,
  query: z.object({ byField: queryText(), isPolling: queryBoolean() }),
  answer: one,
  errors: [mayNotRead, 'not_found'],
});

export const patchIntegration = operation({
  id: 'patchIntegration',
  method: 'PATCH',
  path: '/v1/integration/{integration_identifier}',
  tag,
  summary: 'Change an integration; an empty body asks for a resync',
  description:
    'A changed `config` asks for a resync too, unless the header `x-skip-resync: true` is sent. Null clears the title and leaves everything else as it is.',
  access: 'admin',
  params: integrationParams,
  body: integrationPatch,
  unknownFields: 'open',
  answer: one,
  errors: ['not_found'],
});

export const deleteIntegration = operation({
  id: 'deleteIntegration',
  method: 'DELETE',
  path: '/v1/integration/{integration_identifier}',
  tag,
  summary: 'Delete an integration with its logs and metrics; the entities it wrote stay',
  access: 'admin',
  params: integrationParams,
  answer: done,
  errors: ['not_found'],
});

export const replaceIntegrationConfig = operation({
  id: 'replaceIntegrationConfig',
  method: 'PATCH',
  path: '/v1/integration/{integration_identifier}/config',
  tag,
  summary: 'Replace the mapping; a changed one asks for a resync unless `x-skip-resync: true` is sent',
  access: 'admin',
  params: integrationParams,
  body: z.object({ config: anyObject }),
  unknownFields: 'closed',
  answer: one,
  errors: ['not_found'],
});

export const getResyncRequest = operation({
  id: 'getResyncRequest',
  method: 'GET',
  path: '/v1/integration/{integration_identifier}/resync-request',
  tag,
  summary: 'Read when a resync was last asked for',
  access: 'token',
  params: integrationParams,
  answer: z.object({ ok: z.literal(true), request: z.object({ id: z.string(), updatedAt: timestamp }).nullable() }),
  errors: [mayNotRead, 'not_found'],
});

export const reportResyncState = operation({
  id: 'reportResyncState',
  method: 'PATCH',
  path: '/v1/integration/{integration_identifier}/resync-state',
  tag,
  summary: 'Report how far a resync is; what is left out stays',
  access: 'admin',
  params: integrationParams,
  body: resyncStateBody,
  unknownFields: 'open',
  answer: one,
  errors: ['not_found'],
});

export const getKafkaCredentials = operation({
  id: 'getKafkaCredentials',
  method: 'GET',
  path: '/v1/kafka-credentials',
  tag,
  summary: 'Not built: integrations listen by polling or by a webhook',
  access: 'token',
  errors: ['not_implemented'],
});

export const integrationOperations = [
  listIntegrations,
  listIntegrationMetadata,
  listProvisionEnabled,
  createIntegration,
  getIntegration,
  patchIntegration,
  deleteIntegration,
  replaceIntegrationConfig,
  getResyncRequest,
  reportResyncState,
  getKafkaCredentials,
] as const;
