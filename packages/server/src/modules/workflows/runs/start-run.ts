import { type Actor, isAdmin } from '../../../platform/actor.ts';
import { limitTo } from '../../../platform/authority.ts';
import { DatabaseError } from '../../../platform/db/database-error.ts';
import { passingReason } from '../../../platform/db/passing-failure.ts';
import { AppError, invalidRequest, notFound } from '../../../platform/errors.ts';
import { mergeAuthors, writtenBy } from '../../../platform/text-authors.ts';
import type { Work } from '../../../platform/unit-of-work.ts';
import { findActor, saveAuthority } from '../../accounts/index.ts';
import { findPause } from '../definitions/pause.store.ts';
import { triggerPaused } from '../definitions/pause-triggers.ts';
import { findCurrent } from '../definitions/workflow.store.ts';
import type { StoredWorkflow } from '../definitions/workflow.ts';
import { carryStart, leftToJob } from './carry-start.ts';
import { type CarriedStart, commitStart } from './commit-transition.ts';
import { assertKeyFits, hashRequest } from './idempotency-key.ts';
import { holdVersions } from './listening.store.ts';
import { newWorkflowRun, storeNewRun } from './new-run.ts';
import { findRunByKey } from './run.store.ts';
import type { RunsDeps } from './runs.deps.ts';
import type { StoredNodeRun, StoredWorkflowRun } from './workflow-run.ts';

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
  /** What a new run begins with; undefined for a run that was there. */
  readonly begins: { readonly workflow: StoredWorkflow; readonly nodeRuns: readonly StoredNodeRun[] } | undefined;
}

/**
 * Starts a workflow by one of its forms: checks rights and form, then stores the run with the steps it begins with that
 * only compute (decision 0212), and the job that goes on. The version must be current at the commit.
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
    const { values, authors } = await deps.checkStart(actor, workflow, node ?? '', body.inputs);
    if (node === undefined) throw severalTriggers(workflow);
    const made = newWorkflowRun(workflow, {
      triggerNode: node,
      trigger: values,
      now: deps.clock.now(),
      createdBy: actor.id,
      createdByKind: actor.kind,
      depth: actor.depth ?? 0,
      causedBy: actor.runId ?? null,
      textAuthors: mergeAuthors(caller.id === actor.id ? [] : writtenBy(caller), actor.carriedAuthors ?? [], authors),
      requestedWith: saveAuthority(actor),
      impersonatedBy: caller.id === actor.id ? null : caller.id,
      idempotencyKey: idempotencyKey ?? null,
      idempotencyHash: hash,
    });
    const carried = await carryStart(deps, actor, made, workflow);
    const started = await storing(deps, actor, made, carried, async (work, kept): Promise<StartedRun | undefined> => {
      // sent together; the pause is looked at once the workflow is held
      const [versions, pause] = await Promise.all([
        holdVersions(work.tx, actor.orgId, [workflow.key]),
        findPause(work.tx, actor.orgId, workflow.key, node),
      ]);
      // it changed after the check, or is gone: check again
      if (versions.get(workflow.key) !== workflow.version) return undefined;
      if (pause) throw triggerPaused(pause);
      const stored = await store(deps, work, made, kept);
      if (stored) return { run: stored.run, begins: { workflow, nodeRuns: stored.nodeRuns } };
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

/** Stores with what was carried; alone where the database refuses that, which the job of the run then finds out. */
async function storing<Stored>(
  deps: RunsDeps,
  actor: Actor,
  run: StoredWorkflowRun,
  carried: CarriedStart | undefined,
  write: (work: Work, carried: CarriedStart | undefined) => Promise<Stored>,
): Promise<Stored> {
  try {
    return await deps.unitOfWork(actor, (work) => write(work, carried));
  } catch (error) {
    const isRefused = error instanceof DatabaseError && passingReason(error) === undefined;
    if (!carried || !isRefused) throw error;
    leftToJob(deps, actor, run, error);
    return deps.unitOfWork(actor, (work) => write(work, undefined));
  }
}

/** Undefined if the run is there already. */
async function store(
  deps: RunsDeps,
  work: Work,
  run: StoredWorkflowRun,
  carried: CarriedStart | undefined,
): Promise<{ readonly run: StoredWorkflowRun; readonly nodeRuns: readonly StoredNodeRun[] } | undefined> {
  if (!carried) return (await storeNewRun(work, run)) ? { run, nodeRuns: [] } : undefined;
  const states = await commitStart(deps, work, run, carried);
  if (!states) return undefined;
  const nodeRuns = new Map(states.flatMap(({ nodeRun }) => (nodeRun ? [[nodeRun.id, nodeRun]] : [])));
  return { run: states.at(-1)?.run ?? run, nodeRuns: [...nodeRuns.values()] };
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
