import type { RunDecision } from '@portolan/contract/action-forms';
import type { Actor } from '../../../platform/actor.ts';
import type { StoredAction } from '../action.ts';
import { mightBeGranted } from '../action-rights.ts';
import { previewRun } from '../dispatch/preview-run.ts';
import { nobodyApproves } from './approvers.ts';
import { isDecider } from './decide-run.ts';
import { readStanding, type Standing } from './decision-standing.ts';
import { approversOfRun } from './list-approvers.ts';
import { readEffect } from './read-effect.ts';
import { getRun } from './read-runs.ts';
import { listApprovals } from './run.store.ts';
import type { StoredRun } from './run.ts';
import type { StartDeps } from './start-run.ts';

/**
 * True if the run waits for a decision that the actor may take and has not taken. Thousands may wait for others, so what
 * the rights of the action rule out is not looked up.
 */
export async function mayDecide(
  deps: StartDeps,
  actor: Actor,
  run: StoredRun,
  action: StoredAction | undefined,
): Promise<boolean> {
  if (!waits(run) || !isDecider(actor) || !action) return false;
  const isPossible =
    mightBeGranted(actor, action, 'approve') || (run.status === 'DRAFT' && mightBeGranted(actor, action, 'execute'));
  if (!isPossible) return false;
  if (!(await readStanding(deps, actor, run)).mayDecide) return false;
  return !(await hasDecided(deps, actor, run));
}

/**
 * The information for a decider: whether they may decide, what prevents an approval, and the request that would be
 * sent. The request may contain data that only the organization may read, so only deciders get it.
 * @throws AppError `not_found`
 */
export async function readDecision(deps: StartDeps, actor: Actor, id: string): Promise<RunDecision> {
  const run = await getRun(deps.database, actor, id);
  const none: RunDecision = { mayDecide: false, request: null, problems: [] };
  if (!waits(run) || !isDecider(actor)) return none;
  const standing = await readStanding(deps, actor, run);
  if (standing.isRequester) return { ...none, obstacle: await whyWaiting(deps, actor, run) };
  if (!standing.mayDecide) return none;
  const obstacle = findObstacle(run, standing, deps.clock.now());
  const preview = await previewRun(deps, actor.orgId, run);
  const effect = 'shown' in preview ? await readEffect(deps, actor, run, preview.shown) : undefined;
  return {
    mayDecide: !(await hasDecided(deps, actor, run)),
    ...(obstacle ? { obstacle } : {}),
    // rendered from JSON
    request: 'shown' in preview ? (preview.shown as NonNullable<RunDecision['request']>) : null,
    problems: 'shown' in preview ? [...preview.failures] : [preview.problem],
    ...(effect ? { effect } : {}),
  };
}

async function whyWaiting(deps: StartDeps, actor: Actor, run: StoredRun): Promise<string> {
  const { users } = await approversOfRun(deps, actor, run);
  if (users.length === 0) return nobodyApproves(run);
  return 'You asked for this run, or it was asked for on your behalf: somebody else decides whether it goes on';
}

function waits({ status }: StoredRun): boolean {
  return status === 'DRAFT' || status === 'WAITING_FOR_APPROVAL';
}

async function hasDecided({ database }: StartDeps, actor: Actor, { id, status }: StoredRun): Promise<boolean> {
  const gate = status === 'DRAFT' ? 'DRAFT' : 'APPROVAL';
  return (await listApprovals(database, actor.orgId, id)).some(
    (each) => each.userId === actor.id && each.gate === gate && each.state === 'APPROVED',
  );
}

function findObstacle({ draft, createdBy }: StoredRun, standing: Standing, now: Date): string | undefined {
  if (!standing.requesterMay) return `"${createdBy}" may not run the action any more`;
  if (!draft) return undefined;
  if (new Date(draft.expiresAt) <= now) return `The draft expired at ${draft.expiresAt}`;
  if (String(standing.actionVersion) !== draft.actionVersion) {
    return 'The action was changed since the draft was made; save its inputs again to renew it';
  }
  return undefined;
}
