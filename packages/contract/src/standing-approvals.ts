import { z } from 'zod';
import { operation } from './operation.ts';
import { standingApprovalBounds } from './standing-approval-bounds.ts';
import { entityIdentifier, queryText, timestamp } from './wire.ts';

const { perHourMax, daysMax, entitiesMax, perAgentMax } = standingApprovalBounds;

const name = z.string().min(1).max(1000);

export const approvedEntity = z
  .union([z.enum(['any', 'question', 'trigger']), z.array(entityIdentifier).min(1).max(entitiesMax)])
  .describe(
    'The entities that it covers: `any`; the one that the `question` names exactly and alone; the `trigger`, which is the entity that the question is about or that the asking run is for; or these identifiers.',
  );
export type ApprovedEntity = z.output<typeof approvedEntity>;

export const approvedInput = z.union([
  z.enum(['any', 'closed', 'question']),
  z.strictObject({ const: z.json().refine((value) => JSON.stringify(value).length <= 2000, 'is too long') }),
]);
export type ApprovedInput = z.output<typeof approvedInput>;

const approvedInputs = z
  .record(z.string().min(1).max(100), approvedInput)
  .refine((all) => Object.keys(all).length <= 100, 'may not name more than 100 inputs')
  .describe(
    'What each input may be: `any`; `closed`, which is a number, a date, a boolean or a value of its list; words of the `question`; or `{const}`, exactly this value. Inputs that are not named keep the default of the form.',
  );

const standingApproval = z
  .object({
    id: z.string(),
    agent: z.string(),
    action: z.string(),
    actionTitle: z.string().nullable(),
    /** Null where the action has no entity. */
    entity: approvedEntity.nullable(),
    inputs: z.record(z.string(), approvedInput),
    maxPerHour: z.number().int(),
    expiresAt: timestamp,
    givenBy: z.string(),
    givenAt: timestamp,
    revokedBy: z.string().nullable(),
    revokedAt: timestamp.nullable(),
    /** Runs of the last hour, and of all time. */
    usedInHour: z.number().int(),
    used: z.number().int(),
    lastUsedAt: timestamp.nullable(),
    /** `changed` if the action or the agent is not as it was when it was given. */
    state: z.enum(['active', 'revoked', 'expired', 'changed']),
    /** Whether the caller may revoke it. */
    mayRevoke: z.boolean(),
  })
  .meta({ id: 'StandingApproval' });
export type StandingApproval = z.output<typeof standingApproval>;

const standingApprovalBody = z.strictObject({
  agent: name,
  action: name,
  entity: approvedEntity.optional(),
  inputs: approvedInputs.default({}),
  maxPerHour: z.number().int().min(1).max(perHourMax),
  expiresAt: timestamp.describe(`At most ${daysMax} days from now.`),
});
export type StandingApprovalBody = z.output<typeof standingApprovalBody>;

const tag = 'AI assistant';
const path = '/v1/ai/standing-approvals';

export const listStandingApprovals = operation({
  id: 'listStandingApprovals',
  method: 'GET',
  path,
  tag,
  summary: 'List what an agent may do by itself, with approvals that hold no more',
  description:
    'Of actions that the caller may see, newest first. `givable` names the actions for which the caller may give one.',
  access: 'token',
  invalidStatus: 400,
  query: z.object({ agent: queryText() }),
  answer: z.object({
    ok: z.literal(true),
    approvals: z.array(standingApproval),
    givable: z.array(
      z.object({
        identifier: z.string(),
        title: z.string().nullable(),
        blueprint: z.string().nullable(),
        isDestructive: z.boolean(),
        inputs: z.array(z.object({ key: z.string(), title: z.string() })),
      }),
    ),
  }),
  errors: ['not_found'],
});

export const createStandingApproval = operation({
  id: 'createStandingApproval',
  method: 'POST',
  path,
  tag,
  summary: 'Let an agent run an action by itself, in one shape and so often in an hour',
  description: `By a person who may run and approve the action; a restricted token also needs \`execute:actions\` and \`update:runs\`. It holds in mode \`Automatic\` whatever was read, until it expires, is revoked, or the action or the agent is changed, and only while its giver could still run and approve the very call. The rights of whoever asks the agent hold as ever. For an action that deletes, or is called strict, nothing in it may be \`any\`. An agent has at most ${perAgentMax} that hold.`,
  access: 'token',
  status: 201,
  invalidStatus: 400,
  body: standingApprovalBody,
  unknownFields: 'closed',
  answer: z.object({ ok: z.literal(true), approval: standingApproval }),
  errors: ['missing_permissions', 'not_found', 'limit_reached', 'insufficient_scope'],
});

export const revokeStandingApproval = operation({
  id: 'revokeStandingApproval',
  method: 'DELETE',
  path: `${path}/{approval_id}`,
  tag,
  summary: 'Revoke a standing approval',
  description: 'By whoever gave it, and whoever could give it. Revoking it again changes nothing.',
  access: 'token',
  invalidStatus: 400,
  params: z.object({ approval_id: z.string().min(1).max(100) }),
  answer: z.object({ ok: z.literal(true) }),
  errors: ['missing_permissions', 'not_found'],
});

export const standingApprovalOperations = [
  listStandingApprovals,
  createStandingApproval,
  revokeStandingApproval,
] as const;
