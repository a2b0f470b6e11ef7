import { z } from 'zod';
import { operation } from './operation.ts';
import { queryBoolean, queryText } from './wire.ts';
import { wholeWorkflowRun } from './workflow-runs.ts';

/** Which version a re-run follows: that of the run, or the current one. */
export const rerunVersions = ['same', 'current'] as const;

/** Why a step is carried out again though the caller asked to begin later. */
export const rerunReasons = [
  'inputs-changed',
  'version-changed',
  'node-changed',
  'not-pressed',
  'effect-never-reached',
  'own-approval',
  'another-requester',
  'compensated',
] as const;

const plannedStep = z.object({
  nodeIdentifier: z.string(),
  title: z.string().nullable(),
  type: z.string(),
  /** `reused`: taken over as it ended; `again`: carried out once more; `ahead`: not reached by the run, may come. */
  becomes: z.enum(['reused', 'again', 'ahead']),
  /** Of a step that is carried out again though the caller asked to begin later. */
  reason: z.enum(rerunReasons).nullable(),
  /** The node run that is taken over, or that is carried out again. */
  nodeRunIdentifier: z.string().nullable(),
  result: z.string().nullable(),
  effect: z.enum(['none', 'ours', 'outside']),
  /** Whether the caller has to name it in `acknowledge`. */
  needsAcknowledgement: z.boolean(),
});

const rerunPlan = z.object({
  runIdentifier: z.string(),
  version: z.int(),
  /** The version that is current; null of a workflow that is deleted. */
  currentVersion: z.int().nullable(),
  fromNodeIdentifier: z.string().nullable(),
  /** The step at which the run would begin; null if it cannot be run again so. */
  startsAt: z.string().nullable(),
  /** A sentence: why it cannot. */
  problem: z.string().nullable(),
  /** Whether the caller may start it. */
  mayRerun: z.boolean(),
  steps: z.array(plannedStep),
  acknowledge: z.array(z.string()),
  /** Steps that the run reached, from which it can be run again. */
  choices: z.array(z.string()),
});
export type RerunPlanAnswer = z.input<typeof rerunPlan>;

const tag = 'Workflow runs';
const params = z.object({ run_id: z.string().min(1).max(200) });
const node = z.string().min(1).max(1000);

const version = () =>
  queryText()
    .pipe(z.enum(rerunVersions, { error: 'must be "same" or "current"' }).optional())
    .meta({ type: 'string', enum: [...rerunVersions] });

export const getRerunPlan = operation({
  id: 'getRerunPlan',
  method: 'GET',
  path: '/v1/workflows/runs/{run_id}/rerun-plan',
  tag,
  summary: 'Read what a re-run of a workflow would take over, and what it would carry out again',
  description:
    '`from` names the step to begin with. It begins earlier where the output of a step before would not be what the new run would have given, and at every form whose decision was not made for it: an approval is for the same inputs and version. `inputs_change=true` asks for a re-run with other inputs.',
  access: 'token',
  scope: 'read:runs',
  params,
  query: z.object({ from: queryText(), version: version(), inputs_change: queryBoolean() }),
  answer: z.object({ ok: z.literal(true), plan: rerunPlan }),
  errors: ['not_found'],
});

export const rerunWorkflowRun = operation({
  id: 'rerunWorkflowRun',
  method: 'POST',
  path: '/v1/workflows/runs/{run_id}/rerun',
  tag,
  summary: 'Run a workflow again from one of the steps of a run that has ended',
  description:
    'Starts another run, with `rerunOf`. Steps before are taken over as they ended; see the plan for which. Whoever may start the workflow may, and the new run is theirs; runs of events and schedules are run again by administrators. Steps that call others and may count twice have to be named in `acknowledge`. The same `Idempotency-Key` starts one run.',
  access: 'token',
  scope: 'execute:actions',
  params,
  body: z.strictObject({
    fromNodeIdentifier: node.nullish(),
    /** Without them: those of the run. */
    inputs: z.record(z.string(), z.unknown()).nullish(),
    version: z.enum(rerunVersions).nullish(),
    acknowledge: z.array(node).max(100).nullish(),
  }),
  unknownFields: 'closed',
  answer: z.object({ ok: z.literal(true), run: wholeWorkflowRun }),
  errors: [
    'missing_permissions',
    'not_found',
    'trigger_unpublished',
    'trigger_paused',
    'workflow_run_open',
    'acknowledgement_needed',
    'idempotency_key_reused',
  ],
});

export const repeatCompensations = operation({
  id: 'repeatCompensations',
  method: 'POST',
  path: '/v1/workflows/runs/{run_id}/repeat-compensations',
  tag,
  summary: 'Carry out again what a run failed to undo',
  description:
    'The run goes back once more from its end, in the same order: compensations that succeeded stay, and those that failed are carried out again, and with them those that it had no time for. Calls whose effect may have happened have the same idempotency key. `nodeRunIdentifiers` chooses among `failedCompensations` of the run, and makes a repeated request harmless. Whoever may run the run again may; it ends as it had ended.',
  access: 'token',
  scope: 'execute:actions',
  params,
  body: z.strictObject({
    /** Without them: all that failed. */
    nodeRunIdentifiers: z.array(z.string().min(1).max(200)).min(1).max(100).nullish(),
  }),
  unknownFields: 'closed',
  answer: z.object({ ok: z.literal(true), run: wholeWorkflowRun }),
  errors: ['missing_permissions', 'not_found', 'trigger_unpublished', 'workflow_run_open', 'nothing_to_compensate'],
});

export const workflowRerunOperations = [getRerunPlan, rerunWorkflowRun, repeatCompensations] as const;
