import { type Actor, isAdmin } from '../../../platform/actor.ts';
import { AppError, invalidRequest, notFound } from '../../../platform/errors.ts';
import { findCurrentByKey } from '../definitions/workflow.store.ts';
import { planAndCommit } from './commit-transition.ts';
import { giveUpPlaces, hasOpenChildren } from './compensations.store.ts';
import { nextCompensation } from './compensations.ts';
import { failedCompensations } from './failed-compensations.ts';
import { transition } from './machine.ts';
import { listNodeRunsOfRun } from './node-run.store.ts';
import { getRun } from './read-runs.ts';
import { findWorkflowRun } from './run.store.ts';
import { RunMoved } from './run-moved.ts';
import type { RunsDeps } from './runs.deps.ts';
import { readSnapshot, type Snapshot, toState, versionOfRun } from './snapshot.ts';
import type { StoredNodeRun, StoredWorkflowRun } from './workflow-run.ts';

/**
 * Carries out again what a run failed to compensate, and what it had no time for: the run goes back from its end, in the
 * same order. Whoever may run it again may. With names, a repeated request finds that they were repeated.
 * @throws AppError `not_found`, `missing_permissions`, `trigger_unpublished`, `workflow_run_open`,
 * `nothing_to_compensate`, `invalid_request`
 */
export async function repeatCompensations(
  deps: RunsDeps,
  actor: Actor,
  runId: string,
  named: readonly string[] | undefined,
): Promise<StoredWorkflowRun> {
  const done = await planAndCommit(deps, actor, async () => {
    await assertMayRepeat(deps, actor, await getRun(deps.database, actor, runId));
    const before = await readSnapshot(deps.database, actor.orgId, runId);
    if (!before) throw notFound('Workflow run', runId, 'id');
    await assertEnded(deps, actor.orgId, before.run);
    const { chosen, taken } = await judged(deps, actor.orgId, before, () =>
      whatIsRepeated(deps, actor.orgId, before, named),
    );
    const name = actor.userId ?? actor.id;
    return {
      before,
      planned: {
        taken,
        run: { repeatedBy: name, message: (before.run.messageBefore ?? before.run).message, messageBefore: null },
        also: async (work) => {
          await giveUpPlaces(
            work.tx,
            actor.orgId,
            runId,
            chosen.map(({ id }) => id),
          );
          work.record({
            event: 'workflow-run.compensations-repeated',
            action: 'OTHER',
            resourceType: 'workflowRun',
            identifier: runId,
            context: { runId, workflow: before.run.workflowIdentifier },
            message: `${name} had compensations carried out again: ${chosen.map(({ node }) => `"${node}"`).join(', ') || 'those that had not begun'}`,
          });
        },
      },
    };
  });
  if (!done) throw new Error('what is repeated is planned or refused');
  return done.after.run;
}

/** @throws AppError `nothing_to_compensate`, `invalid_request` */
async function whatIsRepeated(deps: RunsDeps, orgId: string, before: Snapshot, named: readonly string[] | undefined) {
  const { run } = before;
  const failed = failedCompensations(run, await listNodeRunsOfRun(deps.database, orgId, run.id));
  const chosen = named === undefined ? failed : choose(named, failed);
  const taken = transition(toState(before), { kind: 'compensate-again' });
  if (run.compensates !== null || taken.kind === 'refused') throw nothingToCompensate(run);
  if (chosen.length === 0 && !(await hasLeft(deps, orgId, run))) throw nothingToCompensate(run);
  return { chosen, taken };
}

/**
 * A refusal holds only if the run did not move on between the reads that led to it.
 * @throws RunMoved if it did
 */
async function judged<Judgement>(
  { database }: RunsDeps,
  orgId: string,
  { run }: Snapshot,
  judge: () => Promise<Judgement>,
): Promise<Judgement> {
  try {
    return await judge();
  } catch (error) {
    const now = await findWorkflowRun(database, orgId, run.id);
    throw now?.rev === run.rev ? error : new RunMoved(run.id);
  }
}

/** Whoever may run the workflow again; a part of a run is judged by the run that it is a part of. */
async function assertMayRepeat(deps: RunsDeps, actor: Actor, run: StoredWorkflowRun): Promise<void> {
  if (isAdmin(actor)) return;
  let whole = run;
  while (whole.body !== null && whole.parentRun !== null) {
    const above = await findWorkflowRun(deps.database, actor.orgId, whole.parentRun);
    if (!above) throw notFound('Workflow run', whole.parentRun, 'id');
    whole = above;
  }
  const current = await findCurrentByKey(deps.database, actor.orgId, whole.workflowKey);
  if (!current) throw notFound('Workflow', whole.workflowIdentifier);
  await deps.checkRerun(actor, current, whole.triggerNode, whole.trigger);
}

/** It has ended, and so has all above and below it. @throws AppError `workflow_run_open`, `nothing_to_compensate` */
async function assertEnded({ database }: RunsDeps, orgId: string, run: StoredWorkflowRun): Promise<void> {
  for (let at: StoredWorkflowRun | undefined = run; at; ) {
    if (at.status !== 'COMPLETED') {
      const which = at.id === run.id ? `The run "${run.id}"` : `The run "${at.id}", of which it is a part,`;
      throw new AppError('workflow_run_open', `${which} has not ended; wait for its end`);
    }
    if (at.cancel === 'force') throw cutOff(at.id);
    at = at.parentRun === null ? undefined : await findWorkflowRun(database, orgId, at.parentRun);
  }
  if (await hasOpenChildren(database, orgId, run.id)) {
    throw new AppError('workflow_run_open', `Runs that "${run.id}" began have not ended; wait for their end`);
  }
}

async function hasLeft({ database }: RunsDeps, orgId: string, run: StoredWorkflowRun): Promise<boolean> {
  const workflow = await versionOfRun(database, orgId, run);
  return workflow !== undefined && (await nextCompensation(database, orgId, run, workflow)).kind !== 'none';
}

/** Those of a caller's list. @throws AppError `invalid_request` for any that did not fail here, or was repeated */
function choose(named: readonly string[], failed: readonly StoredNodeRun[]): readonly StoredNodeRun[] {
  const issues = named.flatMap((id, index) =>
    failed.some((each) => each.id === id)
      ? []
      : [
          {
            path: `/nodeRunIdentifiers/${index}`,
            message: 'is no compensation of this run that failed and was not repeated',
          },
        ],
  );
  if (issues.length > 0) throw invalidRequest(issues, 'What is repeated');
  return failed.filter(({ id }) => named.includes(id));
}

function nothingToCompensate({ id, compensates, parentRun }: StoredWorkflowRun): AppError {
  const why =
    compensates === null
      ? `Nothing that the run "${id}" had to undo failed`
      : `The run "${id}" undoes a part of the run "${parentRun}"; repeat what that one failed to undo`;
  return new AppError('nothing_to_compensate', why);
}

function cutOff(runId: string): AppError {
  return new AppError(
    'nothing_to_compensate',
    `The run "${runId}" was cancelled by force, which ends undoing for good`,
  );
}
