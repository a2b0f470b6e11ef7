import { z } from 'zod';
import { operation } from './operation.ts';
import { secret } from './secret-fields.ts';
import { queryInteger, queryText, timestamp } from './wire.ts';

/** Identifier of a webhook (api contract §3.14). */
const webhookIdentifier = z
  .string()
  .min(1)
  .max(30)
  .regex(/^(?!\.{1,2}$)[\p{L}0-9@_.+:\\/=-]+$/u, 'may hold letters, digits and @ _ . + : \\ / = - only')
  .refine((identifier) => identifier !== 'metadata', 'is the name of an address of its own');

const signatureAlgorithms = ['sha1', 'sha256', 'plain'] as const;
const jq = z.string().max(20_000);
/** A query in place of names; every text in it is JQ. */
const described = z.looseObject({ combinator: z.string(), rules: z.array(z.unknown()).max(100) });

const security = z.strictObject({
  secret: secret(z.string().max(1000)).nullish(),
  signatureHeaderName: z.string().max(200).nullish(),
  signatureAlgorithm: z.enum(signatureAlgorithms).nullish(),
  signaturePrefix: z.string().max(200).nullish(),
  requestIdentifierPath: jq.nullish(),
});
export type WebhookSecurity = z.output<typeof security>;

const mappingEntity = z.strictObject({
  identifier: z.union([jq, described]),
  title: jq.nullish(),
  icon: jq.nullish(),
  team: z.union([jq, described]).nullish(),
  properties: z.record(z.string(), z.unknown()).nullish(),
  relations: z.record(z.string(), z.union([jq, described, z.null()])).nullish(),
});
export const webhookMapping = z.strictObject({
  blueprint: z.string().min(1).max(1000),
  operation: z
    .union([
      z.enum(['create', 'delete']),
      z.strictObject({ type: z.literal('create') }),
      z.strictObject({ type: z.literal('delete'), deleteDependents: z.boolean().nullish() }),
    ])
    .nullish(),
  filter: jq.nullish(),
  itemsToParse: jq.nullish(),
  entity: mappingEntity,
});
export type WebhookMapping = z.output<typeof webhookMapping>;

const fields = {
  identifier: webhookIdentifier.optional(),
  title: z.string().max(30),
  description: z.string().max(200).nullish(),
  icon: z.string().max(200).nullish(),
  enabled: z.boolean().nullish(),
  mappings: z.array(webhookMapping).max(100).nullish(),
  security: security.nullish(),
  integrationType: z.enum(['custom', 'template']).nullish(),
  // accepted from clients that read them, and ignored
  webhookKey: secret(z.string()).optional(),
  url: secret(z.string()).optional(),
};
const webhookBody = z.object(fields);
export type WebhookBody = z.output<typeof webhookBody>;
/** A list or `security` that is sent replaces the stored one. */
const webhookPatch = z.object({ ...fields, title: fields.title.optional() });
export type WebhookPatch = z.output<typeof webhookPatch>;

const json = z.record(z.string(), z.json());
/** Only administrators see its address and secret. */
const webhookSchema = z.object({
  identifier: z.string(),
  title: z.string(),
  description: z.string().optional(),
  icon: z.string().optional(),
  enabled: z.boolean(),
  mappings: z.array(json).optional(),
  security: z.object({ secret: secret(z.string()).optional() }).catchall(z.json()),
  integrationType: z.string().optional(),
  webhookKey: secret(z.string()).optional(),
  url: secret(z.string()).optional(),
  createdAt: timestamp,
  createdBy: z.string(),
  updatedAt: timestamp,
  updatedBy: z.string(),
});
export type Webhook = z.output<typeof webhookSchema>;

/** The result of one mapping. */
const mappingResult = z.object({
  mapping: z.number(),
  blueprint: z.string(),
  operation: z.enum(['create', 'delete']),
  /** `filtered`: the filter rejects the event. `partial`: some items were refused. */
  verdict: z.enum(['applied', 'filtered', 'partial', 'failed']),
  reason: z.string().nullable(),
  created: z.number(),
  updated: z.number(),
  deleted: z.number(),
  skipped: z.number(),
  failed: z.number(),
  /** The first issues, item by item. */
  issues: z.array(z.object({ item: z.number(), entity: z.string().optional(), message: z.string() })),
  /** Values that were dropped or converted. */
  warnings: z.array(z.string()).optional(),
});
export type MappingResult = z.output<typeof mappingResult>;

const deliveryStates = ['refused', 'dropped', 'waiting', 'running', 'processed', 'failed'] as const;
const delivery = z.object({
  id: z.string(),
  state: z.enum(deliveryStates),
  reason: z.string().nullable(),
  bytes: z.number(),
  replayOf: z.string().nullable(),
  receivedAt: timestamp,
  processedAt: timestamp.nullable(),
  results: z.array(mappingResult),
});
export type WebhookDelivery = z.output<typeof delivery>;
const deliveryWithPayload = delivery.extend({
  payload: z.object({ body: z.json(), headers: json, queryParams: json }).nullable(),
});
export type WebhookDeliveryWithPayload = z.output<typeof deliveryWithPayload>;

const tag = 'Webhooks';
const params = z.object({ webhook_identifier: z.string().min(1).max(1000) });
const deliveryParams = params.extend({ delivery_id: z.string().min(1).max(100) });
const one = z.object({ ok: z.literal(true), integration: webhookSchema });
const oneDelivery = z.object({ ok: z.literal(true), delivery });

export const listWebhooks = operation({
  id: 'listWebhooks',
  method: 'GET',
  path: '/v1/webhooks',
  tag,
  summary: 'List the webhooks that receive events',
  access: 'token',
  answer: z.object({ ok: z.literal(true), integrations: z.array(webhookSchema) }),
  errors: ['missing_permissions'],
});

export const listWebhookMetadata = operation({
  id: 'listWebhookMetadata',
  method: 'GET',
  path: '/v1/webhooks/metadata',
  tag,
  summary: 'List what everybody may know of the webhooks',
  access: 'token',
  answer: z.object({
    ok: z.literal(true),
    integrations: z.array(
      z.object({ identifier: z.string(), title: z.string(), icon: z.string().nullable(), updatedAt: timestamp }),
    ),
  }),
  errors: [],
});

export const createWebhook = operation({
  id: 'createWebhook',
  method: 'POST',
  path: '/v1/webhooks',
  tag,
  summary: 'Create a webhook; its address is `url` in the answer',
  access: 'admin',
  status: 201,
  body: webhookBody,
  unknownFields: 'closed',
  answer: one,
  errors: ['identifier_taken'],
});

export const getWebhook = operation({
  id: 'getWebhook',
  method: 'GET',
  path: '/v1/webhooks/{webhook_identifier}',
  tag,
  summary: 'Read a webhook',
  access: 'token',
  params,
  answer: one,
  errors: ['missing_permissions', 'not_found'],
});

export const replaceWebhook = operation({
  id: 'replaceWebhook',
  method: 'PUT',
  path: '/v1/webhooks/{webhook_identifier}',
  tag,
  summary: 'Replace a webhook; another identifier renames it, the address stays',
  access: 'admin',
  params,
  body: webhookBody,
  unknownFields: 'closed',
  answer: one,
  errors: ['not_found', 'identifier_taken'],
});

export const patchWebhook = operation({
  id: 'patchWebhook',
  method: 'PATCH',
  path: '/v1/webhooks/{webhook_identifier}',
  tag,
  summary: 'Change parts of a webhook; null takes an optional part away',
  access: 'admin',
  params,
  body: webhookPatch,
  unknownFields: 'closed',
  answer: one,
  errors: ['not_found', 'identifier_taken'],
});

export const deleteWebhook = operation({
  id: 'deleteWebhook',
  method: 'DELETE',
  path: '/v1/webhooks/{webhook_identifier}',
  tag,
  summary: 'Delete a webhook with its deliveries; the entities it wrote stay',
  access: 'admin',
  params,
  answer: z.object({ ok: z.literal(true) }),
  errors: ['not_found'],
});

export const listWebhookDeliveries = operation({
  id: 'listWebhookDeliveries',
  method: 'GET',
  path: '/v1/webhooks/{webhook_identifier}/deliveries',
  tag,
  summary:
    'List the last deliveries, newest first, each with why it was let in or not and what the mappings made of it',
  description: 'The last 200 that were let in and the last 200 that were refused are kept.',
  access: 'admin',
  params,
  query: z.object({ limit: queryInteger({ min: 1, max: 200, default: 50 }), state: queryText() }),
  answer: z.object({ ok: z.literal(true), deliveries: z.array(delivery) }),
  errors: ['not_found'],
});

export const getWebhookDelivery = operation({
  id: 'getWebhookDelivery',
  method: 'GET',
  path: '/v1/webhooks/{webhook_identifier}/deliveries/{delivery_id}',
  tag,
  summary: 'Read a delivery with what was received',
  access: 'admin',
  params: deliveryParams,
  answer: z.object({ ok: z.literal(true), delivery: deliveryWithPayload }),
  errors: ['not_found'],
});

export const replayWebhookDelivery = operation({
  id: 'replayWebhookDelivery',
  workClass: 'bulk',
  method: 'POST',
  path: '/v1/webhooks/{webhook_identifier}/deliveries/{delivery_id}/replay',
  tag,
  summary: 'Map what was received once more, by the mappings of now',
  access: 'admin',
  status: 202,
  params: deliveryParams,
  answer: oneDelivery,
  errors: ['not_found', 'not_replayable'],
});

export const ingestWebhook = operation({
  id: 'ingestWebhook',
  method: 'POST',
  path: '/ingest/{webhook_key}',
  tag,
  summary: 'Receive an event: the address of a webhook',
  description:
    'Takes JSON or a form of up to 512 KiB and answers before it is mapped; the deliveries of the webhook tell what became of it. Needs no token: the address, and the signature where the webhook asks for one, are the proof.',
  access: 'public',
  status: 202,
  params: z.object({ webhook_key: z.string().min(1).max(200) }),
  rawBodyBytesMax: 512 * 1024,
  answer: z.object({ ok: z.literal(true), deliveryId: z.string(), state: z.enum(['waiting', 'dropped']) }),
  errors: ['unauthorized', 'not_found', 'payload_too_large', 'invalid_json', 'invalid_request'],
});

export const webhookOperations = [
  listWebhooks,
  listWebhookMetadata,
  createWebhook,
  getWebhook,
  replaceWebhook,
  patchWebhook,
  deleteWebhook,
  listWebhookDeliveries,
  getWebhookDelivery,
  replayWebhookDelivery,
  ingestWebhook,
] as const;
