import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '@portolan/contract/json-value';
import type { Actor } from '../../../../platform/actor.ts';
import { AppError, invalidRequest, notFound } from '../../../../platform/errors.ts';
import { newId } from '../../../../platform/ids.ts';
import { mergeAuthors, nameAuthor, type TextAuthor } from '../../../../platform/text-authors.ts';
import { saveAuthority } from '../../../accounts/index.ts';
import { encryptedInputs } from '../../../actions/index.ts';
import { createGraph } from '../../definitions/graph.ts';
import { assertNotPaused } from '../../definitions/pause-triggers.ts';
import type { CheckedStart } from '../../definitions/start-form.ts';
import { findStarterAuthors } from '../../definitions/starter-authors.ts';
import { findCurrentByKey, holdCurrent } from '../../definitions/workflow.store.ts';
import type { StoredWorkflow, WorkflowNode } from '../../definitions/workflow.ts';
import type { NodeKinds } from '../../nodes/node-kind.ts';
import { jsonBytes } from '../../nodes/outputs.ts';
import { assertKeyFits, hashRequest } from '../idempotency-key.ts';
import { newWorkflowRun, storeNewRun } from '../new-run.ts';
import { listNodeRunsOfRun, listResponses } from '../node-run.store.ts';
import { getRun } from '../read-runs.ts';
import { findRunByKey } from '../run.store.ts';
import type { RunsDeps } from '../runs.deps.ts';
import { versionOfRun } from '../snapshot.ts';
import type { StoredNodeRun, StoredWorkflowRun } from '../workflow-run.ts';
import { type Effect, mayCountTwice, type PlannedRerun, planRerun } from './plan-rerun.ts';
import { copyNodeRuns, placeRerun } from './rerun.store.ts';

type Values = Readonly<Record<string, unknown>>;

export interface RerunBody {
  readonly fromNodeIdentifier?: string | null | undefined;
  /** Without them: those of the run. */
  readonly inputs?: Values | null | undefined;
  readonly version?: 'same' | 'current' | null | undefined;
  readonly acknowledge?: readonly string[] | null | undefined;
}

/** A run that has ended, with what it is planned by. */
export interface PastRun {
  readonly run: StoredWorkflowRun;
  readonly nodeRuns: readonly StoredNodeRun[];
  /** The version that the run followed, and the one that a re-run follows. */
  readonly before: StoredWorkflow;
  readonly now: StoredWorkflow;
  readonly current: StoredWorkflow | undefined;
  readonly planned: PlannedRerun;
  /** Names of the steps that have to be acknowledged. */
  readonly acknowledge: readonly string[];
}

/** Reads a run and plans to run it again. @throws AppError `not_found` */
export async function readPastRun(
  deps: Pick<RunsDeps, 'database' | 'kinds'>,
  actor: Actor,
  runId: string,
  asked: {
    readonly from: string | undefined;
    readonly version: 'same' | 'current';
    readonly inputsChange: boolean;
  },
): Promise<PastRun> {
  const { database, kinds } = deps;
  const { orgId } = actor;
  const run = await getRun(database, actor, runId);
  const [before, current, carriedOut] = await Promise.all([
    versionOfRun(database, orgId, run),
    findCurrentByKey(database, orgId, run.workflowKey),
    listNodeRunsOfRun(database, orgId, run.id),
  ]);
  const nodeRuns = carriedOut.filter(({ compensates }) => compensates === null);
  const compensated = new Set(carriedOut.flatMap(({ compensates }) => compensates ?? []));
  const now = asked.version === 'current' ? current : before;
  if (!before || !now) throw notFound('Workflow', run.workflowIdentifier);
  const forms = nodeRuns.filter(({ type }) => type === 'INPUT').map(({ id }) => id);
  const responses = forms.length === 0 ? [] : await listResponses(database, orgId, forms);
  const names = [actor.id, actor.userId ?? actor.id];
  const refusal = whyNever(run);
  const planned =
    refusal !== undefined
      ? { problem: refusal }
      : planRerun({
          before: before.definition,
          now: now.definition,
          isSameVersion: before.version === now.version,
          triggerNode: run.triggerNode,
          steps: nodeRuns,
          compensated,
          pressed: new Map(forms.map((id) => [id, responses.filter(({ nodeRunId }) => nodeRunId === id)])),
          inputsChange: asked.inputsChange,
          asking: { names, isAnother: run.createdBy !== actor.id },
          from: asked.from,
          effect: (type) => findEffect(kinds, type),
        });
  const graph = createGraph(now.definition);
  const again = 'problem' in planned ? [] : planned.again.map(({ node }) => graph.node(node));
  const acknowledge = again.flatMap((node) =>
    node && mayCountTwice(node, findEffect(kinds, node.config.type)) ? [node.identifier] : [],
  );
  return { run, nodeRuns, before, now, current, planned, acknowledge: [...new Set(acknowledge)] };
}

export function findEffect(kinds: NodeKinds, type: string): Effect {
  // what is not known here may do anything, and so may the runs that a step begins
  const effect = kinds[type]?.effect ?? 'outside';
  return effect === 'children' ? 'outside' : effect;
}

/** Why a run cannot be run again from wherever; undefined if it may. */
function whyNever({ steps, result, createdByKind, body, parentRun }: StoredWorkflowRun): string | undefined {
  if (body !== null) return `It is a part of the run "${parentRun}"; run that one again`;
  // limits keep only a part of what started a run that they stop
  const isStopped = createdByKind === 'system' && steps === 0 && result === 'FAILED';
  return isStopped ? 'It was stopped before its first step, and what it was started with is not whole' : undefined;
}

/**
 * Starts another run that begins at a step of this one, and takes over what came before. Whoever may start the workflow
 * may; what decides is planned anew from what is stored, and the current version must be the same at the commit.
 * @throws AppError `not_found`, `missing_permissions`, `invalid_request`, `trigger_unpublished`, `trigger_paused`,
 * `workflow_run_open`, `acknowledgement_needed`, `idempotency_key_reused`
 */
export async function rerunWorkflowRun(
  deps: RunsDeps,
  actor: Actor,
  runId: string,
  body: RerunBody,
  idempotencyKey?: string,
): Promise<StoredWorkflowRun> {
  assertKeyFits(idempotencyKey, 'The re-run');
  const hash = idempotencyKey === undefined ? null : hashRequest([runId, body]);
  for (;;) {
    const asked = { from: body.fromNodeIdentifier ?? undefined, version: body.version ?? 'same' } as const;
    const first = await readPastRun(deps, actor, runId, { ...asked, inputsChange: false });
    if (!first.current) throw notFound('Workflow', first.run.workflowIdentifier);
    const hindrance = whyNever(first.run);
    if (hindrance) throw invalidRequest([{ path: '/fromNodeIdentifier', message: hindrance }], 'The re-run');
    const { values, authors } = await checkedInputs(deps, actor, first, first.current, body.inputs ?? undefined);
    if (first.run.status !== 'COMPLETED') {
      throw new AppError('workflow_run_open', `The run "${runId}" has not ended; wait for its end, or cancel it first`);
    }
    const inputsChange = !isDeepStrictEqual(values, first.run.trigger);
    const past = inputsChange ? await readPastRun(deps, actor, runId, { ...asked, inputsChange }) : first;
    if ('problem' in past.planned) {
      throw invalidRequest([{ path: '/fromNodeIdentifier', message: past.planned.problem }], 'The re-run');
    }
    assertAcknowledged(past.acknowledge, body.acknowledge ?? []);
    const run = await store(deps, actor, { past, values, authors, idempotencyKey: idempotencyKey ?? null, hash });
    if (run) return run;
  }
}

/** Whether the caller may run it again at all. */
export async function mayRerun(deps: RunsDeps, actor: Actor, { run, current }: PastRun): Promise<boolean> {
  if (!current || run.status !== 'COMPLETED') return false;
  try {
    await deps.checkRerun(actor, current, run.triggerNode, run.trigger);
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

/** What the run is started with: rights first, then the form where it is filled anew. */
async function checkedInputs(
  deps: RunsDeps,
  actor: Actor,
  { run, before, now }: PastRun,
  current: StoredWorkflow,
  inputs: Values | undefined,
): Promise<Pick<CheckedStart, 'values' | 'authors'>> {
  await deps.checkRerun(actor, current, run.triggerNode, inputs ?? run.trigger);
  // the name of whoever runs it again, and what the version that is followed now reads of it
  const asBefore = async () => ({ values: run.trigger, authors: await findStarterAuthors(deps, actor, now) });
  const form = (workflow: StoredWorkflow) => createGraph(workflow.definition).node(run.triggerNode);
  if (form(now)?.config.type !== 'SELF_SERVE_TRIGGER') {
    if (inputs === undefined) return asBefore();
    const message = 'can be given only to a run that a form started';
    throw invalidRequest([{ path: '/inputs', message }], 'The re-run');
  }
  const isSameForm = isDeepStrictEqual(form(before)?.config['userInputs'], form(now)?.config['userInputs']);
  if (inputs === undefined && isSameForm) return asBefore();
  return deps.checkStart(actor, now, run.triggerNode, inputs ?? readable(form(before), run.trigger));
}

/** Whoever started it wrote its inputs, in the name of another now. */
function startedBy({ createdBy, createdByKind }: StoredWorkflowRun, actor: Actor): readonly TextAuthor[] {
  return createdBy === actor.id ? [] : [nameAuthor({ kind: createdByKind, id: createdBy })];
}

/** Encrypted inputs are opened for their receiver alone, so that another form asks for them again. */
function readable(node: WorkflowNode | undefined, trigger: Values): Values {
  const form = node?.config['userInputs'];
  const sealed = isRecord(form) && isRecord(form['properties']) ? encryptedInputs(form as never) : [];
  return Object.fromEntries(Object.entries(trigger).filter(([key]) => !sealed.includes(key)));
}

function assertAcknowledged(needed: readonly string[], given: readonly string[]): void {
  const nodes = needed.filter((each) => !given.includes(each));
  if (nodes.length === 0) return;
  const named = nodes.map((each) => `"${each}"`).join(', ');
  throw new AppError(
    'acknowledgement_needed',
    `The re-run repeats ${named}, which may count twice for whoever is called; name them in "acknowledge" if they may be repeated`,
    { details: { nodes } },
  );
}

/** Stores the run with the steps that it takes over; undefined if the workflow has changed meanwhile. */
function store(
  deps: RunsDeps,
  actor: Actor,
  asked: {
    readonly past: PastRun;
    readonly values: Values;
    readonly authors: readonly TextAuthor[];
    readonly idempotencyKey: string | null;
    readonly hash: string | null;
  },
): Promise<StoredWorkflowRun | undefined> {
  const { past, values, authors, idempotencyKey, hash } = asked;
  const { run, now, current, planned, nodeRuns } = past;
  if ('problem' in planned || !current) throw new Error('a re-run is stored as it was planned');
  return deps.unitOfWork(actor, async (work) => {
    const { tx } = work;
    const held = await holdCurrent(tx, actor.orgId, current.identifier);
    if (held?.versionId !== current.versionId) return undefined;
    await assertNotPaused(tx, actor.orgId, current.key, run.triggerNode);
    const taken = planned.reused.map(({ id }, index) => ({ from: id, to: newId('wfnr_'), step: index + 1 }));
    const made: StoredWorkflowRun = {
      ...newWorkflowRun(now, {
        triggerNode: run.triggerNode,
        trigger: values,
        now: work.now,
        createdBy: actor.id,
        createdByKind: actor.kind,
        depth: actor.depth ?? 0,
        causedBy: actor.runId ?? null,
        // what was written into the earlier run by others stays theirs
        textAuthors: mergeAuthors(startedBy(run, actor), run.textAuthors, actor.carriedAuthors ?? [], authors),
        requestedWith: saveAuthority(actor),
        idempotencyKey,
        idempotencyHash: hash,
      }),
      steps: taken.length,
      bytes: bytesOf(nodeRuns.slice(0, taken.length)),
      atNodeRun: taken.at(-1)?.to ?? null,
      rerunOf: run.id,
    };
    const last = planned.reused.at(-1);
    const at = last && { node: last.node, phase: last.phase, nodeResult: last.result, outlet: last.outlet };
    if (await storeNewRun(work, made, null, { beginsWith: { rerunOf: run.id, ...at } })) {
      await copyNodeRuns(tx, actor.orgId, made.id, taken, work.now);
      await placeRerun(tx, actor.orgId, made.id, {
        atNodeRun: made.atNodeRun,
        rerunOf: run.id,
        fromNode: planned.startsAt.identifier,
      });
      return made;
    }
    const earlier = await findRunByKey(tx, actor.orgId, {
      workflowKey: current.key,
      by: actor.id,
      idempotencyKey: idempotencyKey ?? '',
    });
    if (!earlier) return undefined;
    if (earlier.idempotencyHash === hash) return earlier;
    throw new AppError('idempotency_key_reused', 'The Idempotency-Key was used for another run');
  });
}

function bytesOf(nodeRuns: readonly StoredNodeRun[]): number {
  return nodeRuns.reduce((sum, { raw, output }) => sum + jsonBytes(raw) + jsonBytes(output), 0);
}
