import { z } from 'zod';

const published = z.boolean().nullish();
const jq = z.string().min(1).max(10_000);

/** Holds for what it is asked about: an event, a call, an ended run. */
export const triggerCondition = z.looseObject({
  type: z.literal('JQ'),
  expressions: z.array(z.string().max(10_000)).max(100),
  combinator: z.enum(['and', 'or']).nullish(),
});

export const triggerEvents = [
  'ENTITY_CREATED',
  'ENTITY_UPDATED',
  'ENTITY_DELETED',
  'ANY_ENTITY_CHANGE',
  'TIMER_EXPIRED',
] as const;

export const hookSignatures = ['sha256-hmac', 'bearer', 'github'] as const;

/** Others start a run by calling its address, which the workflow's administrators see. */
export const webhookTrigger = z.looseObject({
  type: z.literal('WEBHOOK_TRIGGER'),
  published,
  /** The name of a secret of the organization, which the caller proves to know. */
  secretName: z.string().min(1).max(200),
  signature: z.enum(hookSignatures),
  /** Of `sha256-hmac`; `X-Signature-256` by default. */
  signatureHeader: z.string().min(1).max(200).nullish(),
  /** Names the call, so that it starts one run; `X-Delivery-Id` by default, `X-GitHub-Delivery` of `github`. */
  deliveryHeader: z.string().min(1).max(200).nullish(),
  condition: triggerCondition.nullish(),
  /** What the run gets, each by jq over `{body, headers, queryParams}`; all of these without it. */
  mapping: z.record(z.string().min(1).max(200), jq).nullish(),
});

export const runEvents = ['ACTION_RUN_ENDED', 'WORKFLOW_RUN_ENDED'] as const;

/** A run of an action, or of a workflow, has ended. */
export const runTrigger = z.looseObject({
  type: z.literal('RUN_TRIGGER'),
  published,
  event: z.looseObject({
    type: z.enum(runEvents),
    /** Of this action alone. */
    actionIdentifier: z.string().min(1).max(1000).nullish(),
    /** Of this workflow alone. */
    workflowIdentifier: z.string().min(1).max(1000).nullish(),
  }),
  condition: triggerCondition.nullish(),
});
