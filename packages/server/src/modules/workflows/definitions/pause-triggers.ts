import type { WorkflowPause, WorkflowTriggerState } from '@portolan/contract/workflow-pauses';
import type { Actor } from '../../../platform/actor.ts';
import type { Reader, Tx } from '../../../platform/db/database.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import type { Work } from '../../../platform/unit-of-work.ts';
import { nextTick, parseCron } from './cron.ts';
import type { DefinitionsDeps } from './definitions.deps.ts';
import { isTrigger } from './graph.ts';
import {
  deletePauses,
  findPause,
  insertPause,
  listPauses,
  listSchedules,
  listTriggerRows,
  lockAllWorkflows,
  type PausePlace,
  type StoredPause,
  setNextTick,
  widestPause,
} from './pause.store.ts';
import { nodeIn } from './read-workflows.ts';
import { lockCurrent } from './workflow.store.ts';
import type { StoredWorkflow } from './workflow.ts';

/** What a pause or its end is about. */
export interface PauseQuestion {
  /** Without one: all workflows. */
  readonly identifier?: string | undefined;
  /** Without one: all triggers of the workflow. */
  readonly node?: string | undefined;
}

/**
 * Nothing starts by these triggers until they are resumed. Whoever stores a run holds its workflow, so that none is
 * stored after the pause. A pause that is there keeps its reason.
 * @throws AppError `not_found`
 */
export async function pauseTriggers(
  deps: DefinitionsDeps,
  actor: Actor,
  question: PauseQuestion,
  reason: string | undefined,
): Promise<void> {
  await deps.unitOfWork(actor, async (work) => {
    const place = await lockPlace(work, question);
    const pause = { reason: reason ?? null, pausedAt: work.now, pausedBy: work.actor.id };
    if (await insertPause(work.tx, work.actor.orgId, place, pause)) record(work, question, pause);
  });
}

/**
 * Ends a pause. Schedules go on with the tick that comes next: those of the pause are not made up for.
 * @throws AppError `not_found`
 */
export async function resumeTriggers(deps: DefinitionsDeps, actor: Actor, question: PauseQuestion): Promise<void> {
  await deps.unitOfWork(actor, async (work) => {
    const { tx, now } = work;
    const { orgId } = work.actor;
    const place = await lockPlace(work, question);
    if (!(await deletePauses(tx, orgId, place))) return;
    const left = await listPauses(tx, orgId, place.workflowKey === undefined ? undefined : [place.workflowKey]);
    for (const schedule of await listSchedules(tx, orgId, place.workflowKey)) {
      if (place.node !== undefined && place.node !== schedule.node) continue;
      if (widestPause(left, schedule.workflowKey, schedule.node)) continue;
      const cron = parseCron(schedule.cron);
      await setNextTick(tx, orgId, schedule, typeof cron === 'string' ? null : (nextTick(cron, now) ?? null));
    }
    record(work, question, null);
  });
}

/**
 * Pauses one trigger in the transaction of whoever found that it starts too much; false if it is paused already.
 * The workflow is held by the caller.
 */
export async function pauseTriggerWithin(
  work: Work,
  trigger: {
    readonly workflowKey: number;
    readonly identifier: string;
    readonly node: string;
    readonly reason: string;
  },
): Promise<boolean> {
  const { workflowKey, identifier, node, reason } = trigger;
  const pause = { reason, pausedAt: work.now, pausedBy: work.actor.id };
  if (!(await insertPause(work.tx, work.actor.orgId, { workflowKey, node }, pause))) return false;
  record(work, { identifier, node }, pause);
  return true;
}

async function lockPlace({ tx, actor }: Work, { identifier, node }: PauseQuestion): Promise<PausePlace> {
  if (identifier === undefined) {
    await lockAllWorkflows(tx, actor.orgId);
    return {};
  }
  const workflow = await lockCurrent(tx, actor.orgId, identifier);
  if (!workflow) throw notFound('Workflow', identifier);
  if (node !== undefined && !isTrigger(nodeIn(workflow, node))) throw notFound('Trigger', node);
  return { workflowKey: workflow.key, node };
}

function record(
  work: Work,
  { identifier, node }: PauseQuestion,
  pause: Pick<StoredPause, 'reason' | 'pausedAt' | 'pausedBy'> | null,
): void {
  const what = node ? `The trigger "${node}"` : identifier ? 'The workflow' : 'All workflows';
  const verb = identifier || node ? 'was' : 'were';
  const paused = pause && { reason: pause.reason, since: pause.pausedAt.toISOString(), by: pause.pausedBy };
  work.record({
    event: 'workflow.updated',
    action: 'UPDATE',
    resourceType: 'workflow',
    identifier: identifier ?? '*',
    context: { workflow: identifier ?? '*', ...(node ? { node } : {}) },
    after: { paused },
    message: `${what} ${verb} ${pause ? 'paused' : 'resumed'}`,
  });
}

export interface ShownPauses {
  readonly triggers: WorkflowTriggerState[];
  /** Of the whole organization. */
  readonly paused: WorkflowPause | null;
}

/** Which triggers of these workflows start runs now, and when schedules do next. */
export async function readTriggerStates(
  reader: Reader,
  orgId: string,
  workflows: readonly Pick<StoredWorkflow, 'key' | 'identifier'>[],
): Promise<ShownPauses> {
  const keys = workflows.map(({ key }) => key);
  const names = new Map(workflows.map(({ key, identifier }) => [key, identifier]));
  const [rows, pauses] = await Promise.all([listTriggerRows(reader, orgId, keys), listPauses(reader, orgId, keys)]);
  const whole = pauses.find(({ workflowKey }) => workflowKey === 0);
  return {
    triggers: rows.map(({ workflowKey, node, kind, published, nextRunAt }) => {
      const pause = widestPause(pauses, workflowKey, node);
      return {
        workflowIdentifier: names.get(workflowKey) ?? '',
        nodeIdentifier: node,
        type: kind,
        published,
        paused: pause ? presentPause(pause) : null,
        nextRunAt: pause || !published ? null : (nextRunAt?.toISOString() ?? null),
      };
    }),
    paused: whole ? presentPause(whole) : null,
  };
}

function presentPause({ workflowKey, node, reason, pausedAt, pausedBy }: StoredPause): WorkflowPause {
  const scope = workflowKey === 0 ? 'organization' : node === '' ? 'workflow' : 'trigger';
  return { scope, reason, since: pausedAt.toISOString(), by: pausedBy };
}

/** Asked in the transaction that stores a run, with its workflow held. @throws AppError `trigger_paused` */
export async function assertNotPaused(tx: Tx, orgId: string, workflowKey: number, node: string): Promise<void> {
  const pause = await findPause(tx, orgId, workflowKey, node);
  if (pause) throw triggerPaused(pause);
}

/** For whoever would start a run by a paused trigger. */
export function triggerPaused(pause: StoredPause): AppError {
  const shown = presentPause(pause);
  const what = {
    trigger: `The trigger "${pause.node}" is`,
    workflow: 'The workflow is',
    organization: 'All workflows are',
  }[shown.scope];
  const why = pause.reason === null ? '' : `: ${pause.reason}`;
  return new AppError('trigger_paused', `${what} paused since ${shown.since} by ${pause.pausedBy}${why}`, {
    details: { ...shown },
  });
}
