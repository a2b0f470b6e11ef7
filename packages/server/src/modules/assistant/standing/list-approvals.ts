import type { OperationAnswer, OperationInput } from '@portolan/contract/operation';
import type { listStandingApprovals } from '@portolan/contract/standing-approvals';
import type { Actor } from '../../../platform/actor.ts';
import { AppError, invalidRequest } from '../../../platform/errors.ts';
import { digestAgent } from '../agents/agent-version.ts';
import { findAgent } from '../agents/find-agent.ts';
import { readAskedCursor, writeAskedCursor } from '../asked-cursor.ts';
import type { AssistantDeps } from '../assistant.deps.ts';
import { maySeeApproval, presentApproval } from './present-approval.ts';
import { listStandingRows } from './standing.store.ts';

/** A page of them, newest first. @throws AppError `not_found` (the agent), `invalid_request` */
export async function listApprovals(
  deps: AssistantDeps,
  actor: Actor,
  { agent, limit, next }: OperationInput<typeof listStandingApprovals>['query'],
): Promise<Omit<OperationAnswer<typeof listStandingApprovals>, 'ok'>> {
  const now = deps.clock.now();
  const after = next === undefined ? undefined : readAskedCursor(next);
  if (next !== undefined && !after) {
    throw invalidRequest([{ path: '{query}/next', message: 'is not a cursor of this list' }]);
  }
  if (agent !== undefined) await findAgent(deps, actor, agent);
  const actions = await deps.effects.standingActions(actor);
  const byId = new Map(actions.map((action) => [action.id, action]));
  const found = await listStandingRows(deps.database, actor.orgId, now, { agent, after, limit: limit + 1 });
  const rows = found.slice(0, limit);
  const last = found.length > limit ? rows.at(-1) : undefined;
  const seen = rows.filter((approval) => maySeeApproval(approval, actor, byId.get(approval.actionId)));
  const versions = await readVersions(deps, actor, new Set(seen.map((approval) => approval.agent)));
  return {
    approvals: seen
      .filter((approval) => versions.has(approval.agent))
      .map((approval) => {
        const agentVersion = versions.get(approval.agent);
        return presentApproval(approval, { action: byId.get(approval.actionId), agentVersion, actor, now });
      }),
    ...(last ? { next: writeAskedCursor({ askedAt: last.givenAt, id: last.id }) } : {}),
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
