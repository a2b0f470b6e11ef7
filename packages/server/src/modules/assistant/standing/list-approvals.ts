import type { OperationAnswer } from '@portolan/contract/operation';
import type { listStandingApprovals } from '@portolan/contract/standing-approvals';
import type { Actor } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/errors.ts';
import { digestAgent } from '../agents/agent-version.ts';
import { findAgent } from '../agents/find-agent.ts';
import type { AssistantDeps } from '../assistant.deps.ts';
import { maySeeApproval, presentApproval } from './present-approval.ts';
import { listStandingRows } from './standing.store.ts';

/** @throws AppError `not_found` (the agent) */
export async function listApprovals(
  deps: AssistantDeps,
  actor: Actor,
  agent: string | undefined,
): Promise<Omit<OperationAnswer<typeof listStandingApprovals>, 'ok'>> {
  const now = deps.clock.now();
  if (agent !== undefined) await findAgent(deps, actor, agent);
  const actions = await deps.effects.standingActions(actor);
  const byId = new Map(actions.map((action) => [action.id, action]));
  const rows = await listStandingRows(deps.database, actor.orgId, now, agent);
  const seen = rows.filter((approval) => maySeeApproval(approval, actor, byId.get(approval.actionId)));
  const versions = await readVersions(deps, actor, new Set(seen.map((approval) => approval.agent)));
  return {
    approvals: seen
      .filter((approval) => versions.has(approval.agent))
      .map((approval) => {
        const agentVersion = versions.get(approval.agent);
        return presentApproval(approval, { action: byId.get(approval.actionId), agentVersion, actor, now });
      }),
    givable: actions
      .filter(({ mayGive }) => mayGive && actor.kind === 'person')
      .map(({ identifier, title, blueprint, isDestructive, inputs }) => ({
        identifier,
        title,
        blueprint,
        isDestructive,
        inputs: [...inputs],
      })),
  };
}

/** Of the agents that are there and that the actor may read. */
async function readVersions(deps: AssistantDeps, actor: Actor, agents: ReadonlySet<string>) {
  const versions = new Map<string, string>();
  for (const agent of agents) {
    try {
      versions.set(agent, digestAgent((await findAgent(deps, actor, agent)).properties));
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'not_found')) throw error;
    }
  }
  return versions;
}
