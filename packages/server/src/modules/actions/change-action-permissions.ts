import type { ActionPermissions, ActionPermissionsBody } from '@portolan/contract/actions';
import type { Issue } from '@portolan/contract/errors';
import type { Actor } from '../../platform/actor.ts';
import { checkStoredJq, type StoredJq } from '../../platform/check-stored-jq.ts';
import type { Database, Reader } from '../../platform/db/database.ts';
import { invalidRequest, notFound } from '../../platform/errors.ts';
import type { UnitOfWork, Work } from '../../platform/unit-of-work.ts';
import { type GrantChange, grantedScopes, permitGrants, teamNames, writtenTeams } from '../accounts/index.ts';
import { jqOfPolicy } from '../policies/index.ts';
import { lockAction, setActionRights } from './action.store.ts';
import type { ActionRights, StoredAction } from './action.ts';
import { actionGrant, actionTeamReferences, mergeGrant, presentRights } from './action-rights.ts';
import { getAction } from './read-actions.ts';

/** @throws AppError `not_found` */
export async function readActionPermissions(
  { database }: { readonly database: Database },
  actor: Actor,
  identifier: string,
): Promise<ActionPermissions> {
  return presentPermissions(database, actor, await getAction(database, actor, identifier));
}

export interface ChangedPermissions {
  readonly permissions: ActionPermissions;
  readonly warnings: readonly string[];
}

/** Changes rights list by list; an unknown team is kept and grants nothing. @throws AppError `not_found` */
export function changeActionPermissions(
  { unitOfWork }: { readonly unitOfWork: UnitOfWork },
  actor: Actor,
  identifier: string,
  body: ActionPermissionsBody,
): Promise<ChangedPermissions> {
  return unitOfWork(actor, (work) => changeActionPermissionsWithin(work, identifier, body));
}

/** Like `changeActionPermissions`, within the caller's unit of work. @throws AppError as `changeActionPermissions` */
export async function changeActionPermissionsWithin(
  work: Work,
  identifier: string,
  body: ActionPermissionsBody,
): Promise<ChangedPermissions> {
  const { tx, actor } = work;
  const action = await lockAction(tx, actor.orgId, identifier);
  if (!action) throw notFound('Action', identifier);
  const issues = policyIssues(body, action.rights);
  if (issues.length > 0) throw invalidRequest(issues, 'The permissions');
  const names = [...(body.execute?.teams ?? []), ...(body.approve?.teams ?? [])];
  const resolve = await writtenTeams(work, { kind: 'action-permissions', identifier }, names);
  const rights: ActionRights = {
    ...action.rights,
    ...(body.execute ? { execute: mergeGrant(action, 'execute', body.execute, resolve) } : {}),
    ...(body.approve ? { approve: mergeGrant(action, 'approve', body.approve, resolve) } : {}),
  };
  await setActionRights(tx, actor.orgId, action.key, permitGrants(actor, rights, listGrantChanges(action, rights)));
  const permissions = await presentPermissions(tx, actor, { ...action, rights });
  work.record({
    event: 'action-permissions.updated',
    action: 'UPDATE',
    resourceType: 'action',
    identifier,
    context: { action: identifier },
    before: { permissions: await presentPermissions(tx, actor, action) },
    after: { permissions },
  });
  return { permissions, warnings: resolve(names).warnings };
}

/**
 * Refuses policies that can never be evaluated, because they would silently grant nothing. Stored ones are accepted
 * again, so that the rest of them can be changed.
 */
export function policyIssues(body: ActionPermissionsBody, before: ActionRights | null): Issue[] {
  return (['execute', 'approve'] as const).flatMap((verb) => {
    const policy = body[verb]?.policy;
    if (!policy) return [];
    const stored = before?.[verb]?.policy;
    const kept = new Set(stored ? jqOfPolicy(stored, '').map(jqText) : []);
    const added = jqOfPolicy(policy, `/${verb}/policy`).filter((each) => !kept.has(jqText(each)));
    return checkStoredJq(added).issues;
  });
}

function jqText(stored: StoredJq): unknown {
  return 'template' in stored ? stored.template : stored.expression;
}

function listGrantChanges(action: StoredAction, rights: ActionRights): GrantChange[] {
  const change = (verb: 'execute' | 'approve', what: string): GrantChange => ({
    before: actionGrant(action, verb),
    after: actionGrant({ rights }, verb),
    what,
    scopes: grantedScopes[verb],
    isNarrowed: true,
  });
  const { identifier } = action;
  return [change('execute', `run the action "${identifier}"`), change('approve', `approve runs of "${identifier}"`)];
}

async function presentPermissions(reader: Reader, actor: Actor, action: StoredAction): Promise<ActionPermissions> {
  return presentRights(action, await teamNames(reader, actor.orgId, actor.model, actionTeamReferences(action)));
}
