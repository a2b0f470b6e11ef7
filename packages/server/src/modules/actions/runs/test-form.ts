import type { FormTest, TestFormBody } from '@portolan/contract/action-forms';
import { type Actor, openedFor } from '../../../platform/actor.ts';
import { invalidRequest, notFound } from '../../../platform/errors.ts';
import { findActor, saveAuthority, teamResolver } from '../../accounts/index.ts';
import { findAction } from '../action.store.ts';
import { type ActionRights, isSelfService, type SelfServiceAction, type StoredAction } from '../action.ts';
import { maySee, mergeGrant } from '../action-rights.ts';
import { policyIssues } from '../change-action-permissions.ts';
import { checkAction, warnOfAction } from '../check-action.ts';
import { previewRun } from '../dispatch/preview-run.ts';
import { encryptInputs } from '../inputs/encrypt-inputs.ts';
import { buildFormState } from './evaluate-form.ts';
import { entityFor } from './run-subject.ts';
import { newRun, type StartDeps } from './start-run.ts';

/**
 * Tries an unsaved action with these inputs as a given user: the state of its form, whether they see it and may run it,
 * and the request it would send. Stores and sends nothing.
 * @throws AppError `not_found`, `invalid_request`
 */
export async function testForm(deps: StartDeps, caller: Actor, body: TestFormBody): Promise<FormTest> {
  const { properties, entity, user } = body;
  const { action, warnings } = await unsaved(deps, caller, body);
  const actor = user ? await personAs(deps, caller, user) : caller;
  const on = entity ? await entityFor(deps, actor, action, entity) : null;
  const form = await buildFormState(deps, actor, action, { properties, entity, withApprovers: true });
  const clientSecret = await deps.secrets.signingSecretOf(caller.orgId, openedFor(caller));
  const making = {
    properties: encryptInputs(action.definition.trigger.userInputs, form.values, clientSecret),
    entity: on,
    caller: actor,
    actor,
    draft: undefined,
    invocation: undefined,
  };
  const run = newRun(action, making, { id: 'r_0000000000000000', at: deps.clock.now() });
  const preview = await previewRun(deps, caller.orgId, run);
  return {
    form,
    isSeen: maySee(actor, action),
    // values come from JSON or jq
    request: 'shown' in preview ? (preview.shown as NonNullable<FormTest['request']>) : null,
    problems: [...warnings, ...('shown' in preview ? preview.failures : [preview.problem])],
  };
}

/** The action as it would be stored. @throws AppError `invalid_request` if saving it would be refused */
async function unsaved(
  { database, clock }: StartDeps,
  actor: Actor,
  { action: { identifier, ...definition }, permissions }: TestFormBody,
): Promise<{ readonly action: SelfServiceAction; readonly warnings: readonly string[] }> {
  const { id, orgId, model } = actor;
  const issues = checkAction(definition);
  if (issues.length > 0) throw invalidRequest(issues, 'The action');
  const stored = await findAction(database, orgId, identifier);
  const refused = policyIssues(permissions ?? {}, stored?.rights ?? null);
  if (refused.length > 0) throw invalidRequest(refused, 'The permissions');
  const now = clock.now();
  const action: StoredAction = {
    textAuthors: [],
    key: 0,
    id: 'action_0000000000000000',
    identifier,
    blueprintKey: null,
    version: 0,
    createdAt: now,
    createdBy: id,
    ...stored,
    updatedAt: now,
    updatedBy: id,
    definition,
    authority: saveAuthority(actor),
    rights: stored?.rights ?? null,
  };
  const names = [...(permissions?.execute?.teams ?? []), ...(permissions?.approve?.teams ?? [])];
  const resolve = await teamResolver(database, orgId, model, names);
  const rights: ActionRights = {
    ...action.rights,
    ...(permissions?.execute ? { execute: mergeGrant(action, 'execute', permissions.execute, resolve) } : {}),
    ...(permissions?.approve ? { approve: mergeGrant(action, 'approve', permissions.approve, resolve) } : {}),
  };
  const tried: StoredAction = { ...action, rights };
  if (!isSelfService(tried)) {
    const message = 'must be of the type "self-service": automations run by themselves';
    throw invalidRequest([{ path: '/action/trigger', message }], 'The test');
  }
  return { action: tried, warnings: [...warnOfAction({ identifier, ...definition }), ...resolve(names).warnings] };
}

async function personAs(deps: StartDeps, caller: Actor, user: string): Promise<Actor> {
  const actor = await findActor(deps.database, caller.orgId, { kind: 'person', id: user });
  if (!actor) throw notFound('User', user, 'email');
  return { ...actor, datasource: caller.datasource, origin: caller.origin };
}
