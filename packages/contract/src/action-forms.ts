import { z } from 'zod';
import { actionBody, actionParams, actionPermissionsBody } from './actions.ts';
import { effect } from './effects.ts';
import { operation } from './operation.ts';

/** The state of one input of a form, with its expressions evaluated. */
const inputState = z.object({
  isVisible: z.boolean(),
  isDisabled: z.boolean(),
  isRequired: z.boolean(),
  /** The choices, if it has any. */
  enum: z.array(z.union([z.string(), z.number()])).optional(),
  pattern: z.string().optional(),
  minItems: z.number().optional(),
  maxItems: z.number().optional(),
  /** The query that selectable entities must match. */
  dataset: z.record(z.string(), z.json()).optional(),
});
export type InputState = z.output<typeof inputState>;

/** The state of a form; steps are named by their index from 0, headings by their key. */
export const formDescription = {
  inputs: z.record(z.string(), inputState),
  hiddenSteps: z.array(z.number()),
  hiddenTitles: z.array(z.string()),
};

const formState = z.object({
  /** What was sent, completed by defaults. */
  values: z.record(z.string(), z.json()),
  ...formDescription,
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
  isReadOnly: true,
  path: '/v1/actions/{action_identifier}/form',
  tag: 'Actions',
  summary: 'Evaluate the form of an action while it is filled: what shows, defaults, choices, and what is wrong',
  description:
    'Expressions see what the caller may read. Nothing is run or kept. `withApprovers` adds who would have to approve.',
  access: 'token',
  params: actionParams,
  body: formBody,
  unknownFields: 'closed',
  answer: z.object({ ok: z.literal(true), form: formState }),
  errors: ['not_found'],
});

const testFormBody = z.strictObject({
  /** The action as it would be saved. */
  action: actionBody,
  /** Rights to try; otherwise those stored for this identifier, or those of a new action. */
  permissions: actionPermissionsBody.nullish(),
  properties: z.record(z.string(), z.unknown()).default({}),
  entity: z.string().max(3000).nullish(),
  /** The address of the person to try it as. */
  user: z.string().min(1).max(1000).nullish(),
});
export type TestFormBody = z.output<typeof testFormBody>;

const formTest = z.object({
  form: formState,
  /** Whether this person sees the action at all. */
  isSeen: z.boolean(),
  /** What the backend would get, secrets masked; null if it cannot be rendered. */
  request: z.record(z.string(), z.json()).nullable(),
  /** What fails to render or was not understood, in sentences. */
  problems: z.array(z.string()),
});
export type FormTest = z.output<typeof formTest>;

export const testForm = operation({
  id: 'testForm',
  method: 'POST',
  isReadOnly: true,
  path: '/v1/forms/test',
  tag: 'Actions',
  summary: 'Try a self-service action that is not saved: its form, who may run it, and what a run would send',
  description:
    'Takes the action as `createAction` does, and evaluates it with these inputs as this person, or as the caller. Nothing is stored or sent.',
  access: 'admin',
  scope: 'create:actions',
  body: testFormBody,
  unknownFields: 'closed',
  answer: z.object({ ok: z.literal(true), test: formTest }),
  errors: ['not_found'],
});

const decision = z.object({
  /** Whether the caller may approve or decline it now. */
  mayDecide: z.boolean(),
  /** Why an approval would be refused now. */
  obstacle: z.string().optional(),
  /** What the backend would get, secrets masked; null for those who may not decide. */
  request: z.record(z.string(), z.json()).nullable(),
  problems: z.array(z.string()),
  /** Absent for those who may not decide. */
  effect: effect.optional(),
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

export const actionFormOperations = [evaluateForm, testForm, getRunDecision] as const;
