import { z } from 'zod';
import { actionParams } from './actions.ts';
import { operation } from './operation.ts';

/** What one input of a form has come to, with everything that was an expression evaluated. */
const inputState = z.object({
  isVisible: z.boolean(),
  isDisabled: z.boolean(),
  isRequired: z.boolean(),
  /** The choices, where it has any. */
  enum: z.array(z.union([z.string(), z.number()])).optional(),
  pattern: z.string().optional(),
  minItems: z.number().optional(),
  maxItems: z.number().optional(),
  /** The query that entities must fit which can be chosen. */
  dataset: z.record(z.string(), z.json()).optional(),
});
export type InputState = z.output<typeof inputState>;

const formState = z.object({
  /** What was sent, with the defaults of what was not. */
  values: z.record(z.string(), z.json()),
  inputs: z.record(z.string(), inputState),
  /** Steps by their place, from 0, and headings by their key. */
  hiddenSteps: z.array(z.number()),
  hiddenTitles: z.array(z.string()),
  issues: z.array(z.object({ path: z.string(), message: z.string() })),
  /** Whether the caller may run it with these inputs. */
  mayRun: z.boolean(),
  approval: z.object({ type: z.enum(['ALL', 'ANY']), approvers: z.array(z.string()).optional() }).optional(),
});
export type FormState = z.output<typeof formState>;

const formBody = z.strictObject({
  properties: z.record(z.string(), z.unknown()).default({}),
  entity: z.string().max(3000).nullish(),
  withApprovers: z.boolean().default(false),
});
export type FormBody = z.output<typeof formBody>;

export const evaluateForm = operation({
  id: 'evaluateForm',
  method: 'POST',
  path: '/v1/actions/{action_identifier}/form',
  tag: 'Actions',
  summary: 'Evaluate the form of an action while it is filled: what shows, defaults, choices, and what is wrong',
  description:
    'Expressions see what the caller may read. Nothing is run or kept. `withApprovers` adds who would have to approve.',
  access: 'token',
  scope: 'read:actions',
  params: actionParams,
  body: formBody,
  unknownFields: 'closed',
  answer: z.object({ ok: z.literal(true), form: formState }),
  errors: ['not_found'],
});

const decision = z.object({
  /** Whether the caller may approve or decline it as it stands. */
  mayDecide: z.boolean(),
  /** Why an approval would be refused now. */
  obstacle: z.string().optional(),
  /** What would be handed to the backend, secrets masked; null for those who may not decide. */
  request: z.record(z.string(), z.json()).nullable(),
  problems: z.array(z.string()),
});
export type RunDecision = z.output<typeof decision>;

export const getRunDecision = operation({
  id: 'getRunDecision',
  method: 'GET',
  path: '/v1/actions/runs/{run_id}/decision',
  tag: 'Action runs',
  summary: 'Read what a run that waits would do, and whether the caller may decide on it',
  access: 'token',
  params: z.object({ run_id: z.string().min(1).max(200) }),
  answer: z.object({ ok: z.literal(true), decision }),
  errors: ['not_found'],
});

export const actionFormOperations = [evaluateForm, getRunDecision] as const;
