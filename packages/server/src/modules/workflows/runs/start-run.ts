import { type Actor, isAdmin } from '../../../platform/actor.ts';
import { limitTo } from '../../../platform/authority.ts';
import { AppError, invalidRequest, notFound } from '../../../platform/errors.ts';
import { newId } from '../../../platform/ids.ts';
import type { Work } from '../../../platform/unit-of-work.ts';
import { findActor, saveAuthority } from '../../accounts/index.ts';
import { findPause } from '../definitions/pause.store.ts';
import { triggerPaused } from '../definitions/pause-triggers.ts';
import { findCurrent } from '../definitions/workflow.store.ts';
import type { StoredWorkflow } from '../definitions/workflow.ts';
import { describeStart } from './describe-start.ts';
import { assertKeyFits, hashRequest } from './idempotency-key.ts';
import { holdVersions } from './listening.store.ts';
import { recordRun } from './record-run.ts';
import { findRunByKey, insertWorkflowRun } from './run.store.ts';
import { advance } from './run-jobs.ts';
import type { RunsDeps } from './runs.deps.ts';
import type { StoredWorkflowRun } from './workflow-run.ts';

export interface StartBody {
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly nodeIdentifier?: string | null | undefined;
}

export interface StartOptions {
  /** User for whom a machine starts the run. */
  readonly runAs?: string | undefined;
  /** The same key starts one run. */
  readonly idempotencyKey?: string | undefined;
}

export interface StartedRun {
  readonly run: StoredWorkflowRun;
  /** The version that a new run begins with; undefined for a run that was there. */
  readonly begins: StoredWorkflow | undefined;
}

/**
 * Starts a workflow by one of its forms: checks rights and form, then stores the run with its first job. The version must
 * be current at the commit.
 * @throws AppError `not_found`, `missing_permissions`, `invalid_request`, `trigger_unpublished`, `trigger_paused`, `idempotency_key_reused`
 */
export async function startRun(
  deps: RunsDeps,
  caller: Actor,
  identifier: string,
  body: StartBody,
  { runAs, idempotencyKey }: StartOptions = {},
): Promise<StartedRun> {
  assertKeyFits(idempotencyKey, 'The run');
  const actor = await onBehalf(deps, caller, runAs);
  for (;;) {
    const workflow = await findCurrent(deps.database, actor.orgId, identifier);
    if (!workflow) throw notFound('Workflow', identifier);
    const node = chooseTrigger(workflow, body.nodeIdentifier ?? undefined);
    const hash = idempotencyKey === undefined ? null : hashRequest([node ?? null, body.inputs]);
    // the rights first: an unknown workflow and a hidden one answer alike
    const { values } = await deps.checkStart(actor, workflow, node ?? '', body.inputs);
    if (node === undefined) throw severalTriggers(workflow);
    const started = await deps.unitOfWork(actor, async (work): Promise<StartedRun | undefined> => {
      // sent together; the pause is looked at once the workflow is held
      const [versions, pause] = await Promise.all([
        holdVersions(work.tx, actor.orgId, [workflow.key]),
        findPause(work.tx, actor.orgId, workflow.key, node),
      ]);
      // it changed after the check, or is gone: check again
      if (versions.get(workflow.key) !== workflow.version) return undefined;
      if (pause) throw triggerPaused(pause);
      const made = newWorkflowRun(workflow, {
        triggerNode: node,
        trigger: values,
        now: work.now,
        createdBy: actor.id,
        createdByKind: actor.kind,
        depth: actor.depth ?? 0,
        causedBy: actor.runId ?? null,
        textAuthors: actor.carriedAuthors ?? [],
        requestedWith: saveAuthority(actor),
        impersonatedBy: caller.id === actor.id ? null : caller.id,
        idempotencyKey: idempotencyKey ?? null,
        idempotencyHash: hash,
      });
      if (await storeNewRun(work, made)) return { run: made, begins: workflow };
      const workflowKey = workflow.key;
      const earlier = await findRunByKey(work.tx, actor.orgId, {
        workflowKey,
        by: actor.id,
        idempotencyKey: idempotencyKey ?? '',
      });
      if (!earlier) return undefined;
      if (earlier.idempotencyHash === hash) return { run: earlier, begins: undefined };
      throw new AppError('idempotency_key_reused', 'The Idempotency-Key was used for a run with other inputs');
    });
    if (started) return started;
  }
}

/** The form to start by: the one that is named, or the only one there is. */
export function chooseTrigger(workflow: StoredWorkflow, named: string | undefined): string | undefined {
  if (named !== undefined) return named;
  const forms = formsOf(workflow);
  return forms.length === 1 ? forms[0] : undefined;
}

function formsOf({ definition }: StoredWorkflow): readonly string[] {
  return definition.nodes
    .filter(({ config }) => config.type === 'SELF_SERVE_TRIGGER')
    .map(({ identifier }) => identifier);
}

export function severalTriggers(workflow: StoredWorkflow): AppError {
  const forms = formsOf(workflow);
  const message =
    forms.length === 0 ? 'the workflow has no form to be started by' : `is required: name ${forms.join(' or ')}`;
  return invalidRequest([{ path: '/nodeIdentifier', message }], 'The run');
}

/**
 * @throws AppError `missing_permissions` unless the caller is the organization's credentials, `not_found` (the user)
 */
async function onBehalf(deps: RunsDeps, caller: Actor, runAs: string | undefined): Promise<Actor> {
  if (runAs === undefined) return caller;
  if (caller.kind !== 'machine' || !isAdmin(caller)) {
    throw new AppError('missing_permissions', 'Only the credentials of the organization run on behalf of others');
  }
  const actor = await findActor(deps.database, caller.orgId, { kind: 'person', id: runAs });
  if (!actor) throw notFound('User', runAs, 'email');
  const { datasource, origin, depth } = caller;
  return { ...limitTo(actor, caller), datasource, origin, ...(depth === undefined ? {} : { depth }) };
}

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

/** Stores a run with its first event, record and job; false if it is there already. */
export async function storeNewRun(
  work: Work,
  run: StoredWorkflowRun,
  eventKey: number | null = null,
  { beginsWith = {}, waits = false }: NewRunOptions = {},
): Promise<boolean> {
  const { orgId } = work.actor;
  const { status, result, cancel, steps } = run;
  const firstEvent = { status, result, cancel, steps, ...beginsWith };
  if (!(await insertWorkflowRun(work.tx, orgId, run, eventKey, firstEvent))) return false;
  recordRun(work, undefined, { run, nodeRun: null });
  if (status === 'IN_PROGRESS' && !waits) await work.enqueue(advance, { runId: run.id });
  return true;
}
