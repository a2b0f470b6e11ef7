import { z } from 'zod';
import { operation } from './operation.ts';
import { timestamp } from './wire.ts';

/** Since when nothing starts by a trigger, and why. */
export const workflowPause = z.object({
  /** What was paused: this trigger, all of its workflow, or all of the organization. */
  scope: z.enum(['trigger', 'workflow', 'organization']),
  reason: z.string().nullable(),
  since: timestamp,
  by: z.string(),
});
export type WorkflowPause = z.output<typeof workflowPause>;

/** Whether a trigger starts runs now, and when a schedule does next. */
export const workflowTriggerState = z.object({
  workflowIdentifier: z.string(),
  nodeIdentifier: z.string(),
  type: z.string(),
  published: z.boolean(),
  paused: workflowPause.nullable(),
  /** Of a schedule that is published and not paused. */
  nextRunAt: timestamp.nullable(),
});
export type WorkflowTriggerState = z.output<typeof workflowTriggerState>;

const tag = 'Workflows';
const path = '/v1/workflows';
const params = z.object({ identifier: z.string().min(1).max(1000) });
const pausing = { reason: z.string().max(500).nullish() };
const triggers = z.object({ ok: z.literal(true), triggers: z.array(workflowTriggerState) });
const allTriggers = triggers.extend({ paused: workflowPause.nullable() });
const pauses =
  'Nothing starts by it until it is resumed, also in versions saved meanwhile; runs in progress go on. Events and ticks of that time are not made up for.';

export const pauseWorkflows = operation({
  id: 'pauseWorkflows',
  method: 'POST',
  path: `${path}/pause`,
  tag,
  summary: 'Pause all triggers of all workflows',
  description: `${pauses} Pauses of single workflows stay when this one ends.`,
  access: 'admin',
  scope: 'update:actions',
  body: z.strictObject(pausing),
  unknownFields: 'closed',
  answer: allTriggers,
  errors: [],
});

export const resumeWorkflows = operation({
  id: 'resumeWorkflows',
  method: 'POST',
  path: `${path}/resume`,
  tag,
  summary: 'End the pause of all workflows',
  description: 'Workflows and triggers that were paused by themselves stay so.',
  access: 'admin',
  scope: 'update:actions',
  body: z.strictObject({}),
  unknownFields: 'closed',
  answer: allTriggers,
  errors: [],
});

export const pauseWorkflow = operation({
  id: 'pauseWorkflow',
  method: 'POST',
  path: `${path}/{identifier}/pause`,
  tag,
  summary: 'Pause the triggers of a workflow, or one of them',
  description: pauses,
  access: 'admin',
  scope: 'update:actions',
  params,
  body: z.strictObject({ ...pausing, nodeIdentifier: z.string().min(1).max(1000).nullish() }),
  unknownFields: 'closed',
  answer: triggers,
  errors: ['not_found'],
});

export const resumeWorkflow = operation({
  id: 'resumeWorkflow',
  method: 'POST',
  path: `${path}/{identifier}/resume`,
  tag,
  summary: 'Resume the triggers of a workflow, or one of them',
  description:
    'Without `nodeIdentifier` the pause of the workflow and those of its triggers end. A pause of the whole organization stays.',
  access: 'admin',
  scope: 'update:actions',
  params,
  body: z.strictObject({ nodeIdentifier: z.string().min(1).max(1000).nullish() }),
  unknownFields: 'closed',
  answer: triggers,
  errors: ['not_found'],
});

/** Fixed names come before `{identifier}`. */
export const workflowPauseOperations = [pauseWorkflows, resumeWorkflows, pauseWorkflow, resumeWorkflow] as const;
