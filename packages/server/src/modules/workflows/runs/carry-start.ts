import type { Actor } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/errors.ts';
import { createGraph } from '../definitions/graph.ts';
import type { StoredWorkflow } from '../definitions/workflow.ts';
import { takeStep } from './advance-run.ts';
import type { CarriedStart } from './commit-transition.ts';
import type { RunsDeps } from './runs.deps.ts';
import { keepOutput, readForStart, type Snapshot } from './snapshot.ts';
import { createStartBatch, NotStored, type TransitionBatch } from './transition-batch.ts';
import type { StoredWorkflowRun } from './workflow-run.ts';

/**
 * Plans a run that is not stored yet as far as its steps only compute, within the bounds of one batch of a job. Undefined
 * if it does not come to the end of its first step: what fails here is left to the job, which knows how to try it again,
 * and said in the log.
 * @throws AppError what the job would not try again
 */
export async function carryStart(
  deps: RunsDeps,
  actor: Actor,
  run: StoredWorkflowRun,
  workflow: StoredWorkflow,
): Promise<CarriedStart | undefined> {
  const batch = createStartBatch(deps);
  if (!goesAnywhere(deps, batch, run, workflow)) return undefined;
  const advancing = { orgId: actor.orgId, runId: run.id, signal: new AbortController().signal, isLastTry: false };
  const reading = readForStart(deps, actor, run, workflow);
  try {
    let at: Snapshot | undefined = { run, nodeRun: null };
    while (at && !batch.isFull()) {
      at = await takeStep(deps, advancing, at, reading, batch);
      if (at) keepOutput(reading, at);
    }
  } catch (error) {
    if (error instanceof AppError && !error.isRetryable) throw error;
    // what was planned before it is kept
    if (!(error instanceof NotStored)) leftToJob(deps, actor, run, error);
  }
  const [first, ...others] = batch.listPlanned();
  return first && { bookkeeper: reading.bookkeeper, steps: [first, ...others] };
}

/** Says what failed in a start, whose run its job takes on. */
export function leftToJob({ log }: Pick<RunsDeps, 'log'>, { orgId }: Actor, { id }: StoredWorkflowRun, error: unknown) {
  log.warn({ error, orgId, workflowRun: id }, 'what a start of a workflow computes failed and is left to its job');
}

/** Most runs that begin otherwise than by computing are spared what is read for it. */
function goesAnywhere(
  { kinds }: RunsDeps,
  batch: TransitionBatch,
  { triggerNode }: StoredWorkflowRun,
  { definition }: StoredWorkflow,
): boolean {
  const graph = createGraph(definition);
  const node = graph.node(graph.next(triggerNode) ?? '');
  const kind = node && kinds[node.config.type];
  return kind?.effect === 'outside' || batch.carries(kind);
}
