import type { Issue } from '@portolan/contract/errors';
import { scopesCover } from '@portolan/contract/scopes';
import { standingApprovalBounds } from '@portolan/contract/standing-approval-bounds';
import type { StandingApproval as ShownApproval, StandingApprovalBody } from '@portolan/contract/standing-approvals';
import type { Actor } from '../../../platform/actor.ts';
import { AppError, invalidRequest, notFound } from '../../../platform/errors.ts';
import { newId } from '../../../platform/ids.ts';
import { insufficientScope } from '../../../platform/scopes.ts';
import { digestAgent } from '../agents/agent-version.ts';
import { findAgent } from '../agents/find-agent.ts';
import type { AssistantDeps, StandingAction } from '../assistant.deps.ts';
import { readPolicy } from '../calls/policy.store.ts';
import { leavesOpen } from './cover-call.ts';
import { presentApproval, recordedApproval } from './present-approval.ts';
import { countStandingRows, insertStandingRow, type NewStandingApproval } from './standing.store.ts';

const dayMs = 86_400_000;

/**
 * Lets an agent run an action by itself in one shape. It is bound to the action and the agent as they are now.
 * @throws AppError `missing_permissions`, `insufficient_scope`, `not_found`, `invalid_request`, `limit_reached`
 */
export async function giveApproval(
  deps: AssistantDeps,
  actor: Actor,
  body: StandingApprovalBody,
): Promise<ShownApproval> {
  assertPerson(actor);
  const { orgId } = actor;
  const { agent } = body;
  const found = await findAgent(deps, actor, agent);
  const action = (await deps.effects.standingActions(actor)).find(({ identifier }) => identifier === body.action);
  if (!action) throw notFound('Action', body.action);
  if (!action.mayGive) {
    const message = `Only who may run and approve the action "${action.identifier}" lets an agent run it by itself`;
    throw new AppError('missing_permissions', message);
  }
  const { risks } = await readPolicy(deps.database, orgId, deps.clock.now());
  const isGuarded = action.isDestructive || risks[action.identifier] === 'strict';
  const issues = findIssues(body, action, { isGuarded, now: deps.clock.now() });
  if (issues.length > 0) throw invalidRequest(issues, 'The standing approval');
  return deps.unitOfWork(actor, async ({ tx, now, record }) => {
    if ((await countStandingRows(tx, orgId, agent, now)) >= standingApprovalBounds.perAgentMax) {
      const message = `The agent "${agent}" has ${standingApprovalBounds.perAgentMax} standing approvals; revoke one first`;
      throw new AppError('limit_reached', message);
    }
    const made: NewStandingApproval = {
      id: newId('standing_'),
      agent,
      agentVersion: digestAgent(found.properties),
      actionId: action.id,
      action: action.identifier,
      actionVersion: action.version,
      entity: body.entity ?? null,
      inputs: body.inputs,
      maxPerHour: body.maxPerHour,
      expiresAt: new Date(body.expiresAt),
      givenAt: now,
      givenBy: actor.id,
    };
    await insertStandingRow(tx, orgId, made);
    record({
      event: 'organization.updated',
      action: 'UPDATE',
      resourceType: 'organization',
      identifier: 'standing-approval',
      context: { agent },
      after: recordedApproval(made),
    });
    const unused = { revokedAt: null, revokedBy: null, used: 0, usedInHour: 0, lastUsedAt: null };
    return presentApproval({ ...made, ...unused }, { action, agentVersion: made.agentVersion, actor, now });
  });
}

/** @throws AppError `missing_permissions`, `insufficient_scope` */
function assertPerson(actor: Actor): void {
  // a program would give itself leave to act unasked
  if (actor.kind !== 'person' || actor.origin === 'AI' || actor.origin === 'MCP' || actor.origin === 'AUTOMATION') {
    throw new AppError('missing_permissions', 'Standing approvals are given by people, in the portal or over the API');
  }
  // it stands for runs and for decisions on drafts
  const missing = ['execute:actions', 'update:runs'].find((scope) => !scopesCover(actor.scopes, scope));
  if (missing !== undefined) throw insufficientScope(missing, actor.limitedBy);
}

function findIssues(
  { entity, inputs, expiresAt }: StandingApprovalBody,
  action: StandingAction,
  { isGuarded, now }: { readonly isGuarded: boolean; readonly now: Date },
): Issue[] {
  const issues: Issue[] = [];
  const at = (path: string, message: string) => issues.push({ path, message });
  const name = `the action "${action.identifier}"`;
  if (action.blueprint !== null && entity === undefined) at('/entity', `is required: ${name} acts on an entity`);
  if (action.blueprint === null && entity !== undefined) at('/entity', `must be left out: ${name} acts on no entity`);
  const known = new Set(action.inputs.map(({ key }) => key));
  for (const key of Object.keys(inputs)) if (!known.has(key)) at(`/inputs/${key}`, `is no input of ${name}`);
  const end = Date.parse(expiresAt);
  if (end <= now.getTime()) at('/expiresAt', 'must be in the future');
  if (end > now.getTime() + standingApprovalBounds.daysMax * dayMs) {
    at('/expiresAt', `must be at most ${standingApprovalBounds.daysMax} days from now`);
  }
  if (isGuarded && leavesOpen({ entity: entity ?? null, inputs })) {
    const open = Object.keys(inputs).find((key) => inputs[key] === 'any');
    at(
      entity === 'any' || open === undefined ? '/entity' : `/inputs/${open}`,
      `may not be "any": ${name} ${action.isDestructive ? 'deletes' : 'is called strict'}`,
    );
  }
  return issues;
}
