import type { StandingApproval as ShownApproval } from '@portolan/contract/standing-approvals';
import { type Actor, isAdmin } from '../../../platform/actor.ts';
import type { StandingAction } from '../assistant.deps.ts';
import type { NewStandingApproval, StoredStandingApproval } from './standing.store.ts';

interface Surroundings {
  /** As the actor sees it; undefined if it is gone, or is another one with its name. */
  readonly action: StandingAction | undefined;
  /** Of the agent; undefined if it is gone. */
  readonly agentVersion: string | undefined;
  readonly actor: Actor;
  readonly now: Date;
}

export function presentApproval(approval: StoredStandingApproval, around: Surroundings): ShownApproval {
  const { id, agent, action, inputs, maxPerHour, givenBy, usedInHour, used } = approval;
  return {
    id,
    agent,
    action: around.action?.identifier ?? action,
    actionTitle: around.action?.title ?? null,
    entity: approval.entity,
    inputs: { ...inputs },
    maxPerHour,
    expiresAt: approval.expiresAt.toISOString(),
    givenBy,
    givenAt: approval.givenAt.toISOString(),
    revokedBy: approval.revokedBy,
    revokedAt: approval.revokedAt?.toISOString() ?? null,
    usedInHour,
    used,
    lastUsedAt: approval.lastUsedAt?.toISOString() ?? null,
    state: findState(approval, around),
    mayRevoke: approval.revokedAt === null && mayRevoke(approval, around.actor, around.action),
  };
}

function findState(approval: StoredStandingApproval, { action, agentVersion, now }: Surroundings) {
  if (approval.revokedAt !== null) return 'revoked';
  if (approval.expiresAt <= now) return 'expired';
  const isSame = action?.version === approval.actionVersion && agentVersion === approval.agentVersion;
  return isSame ? 'active' : 'changed';
}

/** Whoever gave it, whoever could give it, and administrators. */
export function mayRevoke(
  { givenBy }: Pick<StoredStandingApproval, 'givenBy'>,
  actor: Actor,
  action: StandingAction | undefined,
): boolean {
  return isAdmin(actor) || (action?.mayGive ?? false) || (actor.kind === 'person' && actor.id === givenBy);
}

/** Whether somebody may know of it. */
export function maySeeApproval(
  approval: Pick<StoredStandingApproval, 'givenBy'>,
  actor: Actor,
  action: StandingAction | undefined,
): boolean {
  return action !== undefined || mayRevoke(approval, actor, action);
}

export function recordedApproval(approval: NewStandingApproval) {
  const { id, agent, action, actionVersion, entity, inputs, maxPerHour, expiresAt } = approval;
  return { id, agent, action, actionVersion, entity, inputs, maxPerHour, expiresAt: expiresAt.toISOString() };
}
