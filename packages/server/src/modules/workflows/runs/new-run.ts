import { newId } from '../../../platform/ids.ts';
import type { Work } from '../../../platform/unit-of-work.ts';
import type { StoredWorkflow } from '../definitions/workflow.ts';
import { describeStart } from './describe-start.ts';
import { recordRun } from './record-run.ts';
import { insertWorkflowRun } from './run.store.ts';
import { advance } from './run-jobs.ts';
import type { StoredWorkflowRun } from './workflow-run.ts';

export interface NewRun
  extends Pick<
    StoredWorkflowRun,
    'triggerNode' | 'trigger' | 'depth' | 'causedBy' | 'textAuthors' | 'createdBy' | 'createdByKind'
  > {
  /** Of a run that a tool asked for before. */
  readonly id?: string | undefined;
  readonly now: Date;
  readonly rootId?: string | undefined;
  readonly parent?:
    | Pick<StoredWorkflowRun, 'parentRun' | 'parentNodeRun' | 'itemIndex' | 'body' | 'nesting' | 'deadlineAt'>
    | undefined;
  readonly requestedWith?: StoredWorkflowRun['requestedWith'];
  readonly impersonatedBy?: string | null;
  readonly idempotencyKey?: string | null;
  readonly idempotencyHash?: string | null;
  /** Why it is stored without being carried out. */
  readonly stoppedBecause?: string | undefined;
}

const dayMs = 86_400_000;
const deadlineDays = 90;

export function newWorkflowRun(workflow: StoredWorkflow, made: NewRun): StoredWorkflowRun {
  const {
    id = newId('wfr_'),
    now,
    stoppedBecause,
    rootId,
    parent,
    requestedWith,
    impersonatedBy,
    idempotencyKey,
    idempotencyHash,
    ...given
  } = made;
  const isStopped = stoppedBecause !== undefined;
  return {
    ...given,
    id,
    ...describeStart(workflow.definition, made.triggerNode, made.trigger),
    workflowKey: workflow.key,
    workflowIdentifier: workflow.identifier,
    version: workflow.version,
    status: isStopped ? 'COMPLETED' : 'IN_PROGRESS',
    result: isStopped ? 'FAILED' : null,
    statusLabel: null,
    message: stoppedBecause ?? null,
    messageBefore: null,
    atNodeRun: null,
    rev: 0,
    rootId: rootId ?? id,
    rerunOf: null,
    ...(parent ?? { parentRun: null, parentNodeRun: null, itemIndex: null, body: null, nesting: 0 }),
    cancel: null,
    endsAs: null,
    compensates: null,
    cancelledBy: null,
    repeatedBy: null,
    steps: 0,
    bytes: 0,
    authority: workflow.authority,
    requestedWith: requestedWith ?? null,
    idempotencyKey: idempotencyKey ?? null,
    idempotencyHash: idempotencyHash ?? null,
    impersonatedBy: impersonatedBy ?? null,
    deadlineAt: parent?.deadlineAt ?? new Date(now.getTime() + deadlineDays * dayMs),
    createdAt: now,
    updatedAt: now,
    completedAt: isStopped ? now : null,
  };
}

interface NewRunOptions {
  /** More for the first event. */
  readonly beginsWith?: object;
  /** Somebody else sends it on. */
  readonly waits?: boolean;
}

/** What the first event of a run says. */
export function beginning({ status, result, cancel, steps }: StoredWorkflowRun) {
  return { status, result, cancel, steps };
}

/** Stores a run with its first event, record and job; false if it is there already. */
export async function storeNewRun(
  work: Work,
  run: StoredWorkflowRun,
  eventKey: number | null = null,
  { beginsWith = {}, waits = false }: NewRunOptions = {},
): Promise<boolean> {
  const { orgId } = work.actor;
  const firstEvent = { ...beginning(run), ...beginsWith };
  if (!(await insertWorkflowRun(work.tx, orgId, run, eventKey, firstEvent))) return false;
  recordRun(work, undefined, { run, nodeRun: null });
  if (run.status === 'IN_PROGRESS' && !waits) await work.enqueue(advance, { runId: run.id });
  return true;
}
