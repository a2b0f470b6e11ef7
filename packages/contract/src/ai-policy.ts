import { z } from 'zod';
import { receiptsModes } from './assistant.ts';
import { operation } from './operation.ts';
import { timestamp } from './wire.ts';

const risks = z
  .record(z.string().min(1).max(200), z.enum(['open', 'standard', 'strict', 'never']))
  .refine((all) => Object.keys(all).length <= 1000, 'may not name more than 1,000 actions')
  .describe(
    'By the identifier of an action, `workflow:` and the identifier of a workflow (with `.` and its trigger where it has several forms), or the name of a connected tool: `open` runs by itself whatever was read, `strict` only if it is asked for in so many words, `never` not by itself. `standard` unless named, and `strict` for actions that delete.',
  );

const injection = z
  .enum(['enforce', 'observe'])
  .describe(
    'What becomes of a call in mode `Automatic` that text of others may have led to: `enforce` makes it a draft with its reason, `observe` runs it and records what it would have been.',
  );

const trustedSource = z.strictObject({
  kind: z.enum(['integration', 'webhook', 'source']),
  /** Of an integration its installation id. */
  identifier: z.string().min(1).max(1000),
});
export type TrustedSourceName = z.output<typeof trustedSource>;

const trustedSources = z
  .array(trustedSource)
  .max(200)
  .describe(
    'Integrations, webhooks and sources whose texts do not hold calls up. What they write from now on has them as its author; what they wrote before stays from outside. An integration is known by the credentials that were made for its installation, a webhook by its secret, and never by what a client calls itself. Trust ends when a webhook or a source is changed, when any of them is deleted, and when it is left out here.',
  );

const receipts = z
  .enum(receiptsModes)
  .describe(
    '`strict`: every answer is compared with what was read before any of it is said. What is not backed is asked again once, and then held back. An agent with the label `receipts: strict`, and a request with `receipts: "strict"`, ask for the same where this is `off`.',
  );

const policy = z.object({
  injection,
  /** After this time the rule is enforced, unless somebody chooses otherwise. */
  observedUntil: timestamp.nullable(),
  risks,
  trustedSources,
  receipts,
});

const common = { path: '/v1/ai/policy', tag: 'AI assistant', invalidStatus: 400 } as const;
const answer = z.object({ ok: z.literal(true), policy });

export const getAiPolicy = operation({
  ...common,
  id: 'getAiPolicy',
  method: 'GET',
  summary: 'Read what the assistant may do by itself',
  access: 'token',
  answer,
  errors: [],
});

export const putAiPolicy = operation({
  ...common,
  id: 'putAiPolicy',
  method: 'PUT',
  summary: 'Decide what the assistant may do by itself',
  access: 'admin',
  scope: 'update:organization',
  body: z.strictObject({
    injection,
    risks: risks.optional(),
    trustedSources: trustedSources.optional(),
    receipts: receipts.optional(),
  }),
  unknownFields: 'closed',
  answer,
  errors: [],
});

export const aiPolicyOperations = [getAiPolicy, putAiPolicy] as const;
