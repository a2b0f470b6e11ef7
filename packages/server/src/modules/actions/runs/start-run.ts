import type { RunDraft, StartRunBody } from '@portolan/contract';
import { type Actor, isAdmin } from '../../../platform/actor.ts';
import { AppError, invalidRequest, notFound } from '../../../platform/errors.ts';
import { newId } from '../../../platform/ids.ts';
import type { Work } from '../../../platform/unit-of-work.ts';
import { findActor } from '../../identity/index.ts';
import { holdAction } from '../action.store.ts';
import { approvalOf, blueprintOf, isSelfService, type SelfServiceAction } from '../action.ts';
import type { ActionsDeps } from '../actions.deps.ts';
import { encryptInputs } from '../inputs/encrypt-inputs.ts';
import { namesNotIn } from '../inputs/entity-inputs.ts';
import { entityContext } from '../inputs/form-context.ts';
import { resolveInputs } from '../inputs/resolve-inputs.ts';
import { getAction } from '../read-actions.ts';
import { type DispatchJob, storeNewRun } from './enter-run.ts';
import { hashInputs } from './inputs-hash.ts';
import type { StoredRun } from './run.ts';
import { assertMayExecute } from './run-rights.ts';
import { firstStatus } from './run-state.ts';
import { entityFor, subjectOf } from './run-subject.ts';

export interface StartDeps extends ActionsDeps {
  readonly dispatch: DispatchJob;
}

/** How a run is started beside its inputs. */
export interface StartOptions {
  /** The user on whose behalf a machine runs. */
  readonly runAs?: string | undefined;
  /** Present for a draft, which executes nothing until a person has decided. */
  readonly draft?: { readonly invocation?: string; readonly agent?: string; readonly reason?: string } | undefined;
}

/** How long a draft can be decided on (decisions: Drafts, expiry). */
const draftDays = 7;

/**
 * Makes a run of a self-service action: rights, the action's condition, the form, encryption, approval, and only then,
 * in one short transaction, the run with its way to the backend (catalog semantics §4.4). Whatever is read before holds
 * at the commit too: the action may not have changed meanwhile.
 * @throws AppError `not_found`, `missing_permissions`, `invalid_request`
 */
export async function startRun(
  deps: StartDeps,
  caller: Actor,
  identifier: string,
  body: StartRunBody,
  options: StartOptions = {},
): Promise<StoredRun> {
  const actor = await onBehalf(deps, caller, options.runAs);
  for (;;) {
    const action = await runnable(deps, actor, identifier);
    const checked = await checkRun(deps, actor, action, body);
    const clientSecret = await deps.secrets.signingSecretOf(actor.orgId);
    const properties = encryptInputs(action.definition.trigger.userInputs, checked.values, clientSecret);
    const run = await deps.unitOfWork(actor, async (work) => {
      const held = await holdAction(work.tx, actor.orgId, action.key);
      if (!held) throw notFound('Action', identifier);
      // it was changed between the check and now: check it again as it is
      if (held.version !== action.version) return undefined;
      const made = newRun(work, action, { properties, entity: checked.entity, caller, actor, options });
      await storeNewRun(work, deps.dispatch, made);
      return made;
    });
    if (run) return run;
  }
}

/** The action, if the actor may see it and it is a form. */
async function runnable(deps: ActionsDeps, actor: Actor, identifier: string): Promise<SelfServiceAction> {
  const action = await getAction(deps.database, actor, identifier);
  if (!isSelfService(action)) {
    const issue = {
      path: '{params}/action_identifier',
      message: `"${identifier}" is an automation and runs by itself`,
    };
    throw invalidRequest([issue], 'The run');
  }
  return action;
}

/** What a run would be made of, checked as far as reading goes. @throws AppError `missing_permissions`, `invalid_request` */
export async function checkRun(
  deps: ActionsDeps,
  actor: Actor,
  action: SelfServiceAction,
  body: StartRunBody,
): Promise<{ readonly values: Readonly<Record<string, unknown>>; readonly entity: string | null }> {
  const entity = await entityFor(deps, actor, action, body.entity);
  const before = await subjectOf(deps, actor, action, entity, body.properties);
  await assertMayExecute(deps, actor, before);
  await assertCondition(deps, actor, action, entity);
  const blueprint = blueprintOf(action.definition);
  const shown = entity && blueprint ? await entityContext(deps, actor, blueprint, entity) : undefined;
  const { values, issues } = await resolveInputs(deps, actor, action, body.properties, shown);
  if (issues.length > 0) throw invalidRequest([...issues], 'The run');
  // a policy may look at inputs, so it is asked about what will be stored
  await assertMayExecute(deps, actor, { ...before, inputs: values });
  return { values, entity };
}

/** The condition says for which entities the action is offered; it holds here too. */
async function assertCondition(deps: ActionsDeps, actor: Actor, action: SelfServiceAction, entity: string | null) {
  const { trigger } = action.definition;
  if (entity === null || trigger.operation === 'CREATE' || !trigger.condition) return;
  const { combinator, rules } = trigger.condition;
  const blueprint = blueprintOf(action.definition) as string;
  const query = { combinator, rules } as Parameters<typeof namesNotIn>[4];
  const [missing] = await namesNotIn(deps, actor, blueprint, [entity], query);
  if (missing === undefined) return;
  const message = `does not meet the condition of the action "${action.identifier}"`;
  throw invalidRequest([{ path: '/entity', message }], 'The run');
}

/** @throws AppError `missing_permissions` unless a machine of the organization asks for a user who is there */
async function onBehalf(deps: ActionsDeps, caller: Actor, runAs: string | undefined): Promise<Actor> {
  if (runAs === undefined) return caller;
  if (caller.kind !== 'machine' || !isAdmin(caller)) {
    throw new AppError('missing_permissions', 'Only the credentials of the organization run on behalf of others');
  }
  const actor = await findActor(deps.database, caller.orgId, { kind: 'person', id: runAs });
  if (!actor) throw notFound('User', runAs, 'email');
  const { datasource, origin, depth } = caller;
  return { ...actor, datasource, origin, ...(depth === undefined ? {} : { depth }) };
}

interface Making {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly entity: string | null;
  readonly caller: Actor;
  readonly actor: Actor;
  readonly options: StartOptions;
}

function newRun({ now }: Work, action: SelfServiceAction, making: Making): StoredRun {
  const { properties, entity, caller, actor, options } = making;
  const { definition } = action;
  const approval = approvalOf(definition);
  const isDraft = options.draft !== undefined;
  const method = definition.invocationMethod;
  const run: StoredRun = {
    id: newId('r_'),
    status: firstStatus({ isDraft, needsApproval: approval !== undefined }),
    statusLabel: null,
    actionKey: action.key,
    actionIdentifier: action.identifier,
    action: { id: action.id, version: action.version, definition },
    blueprint: blueprintOf(definition) ?? null,
    entity,
    properties,
    source: actor.origin === 'UI' ? 'UI' : 'API',
    link: [],
    summary: null,
    externalRunId: null,
    payload: null,
    response: null,
    draft: null,
    requiredApproval: approval ?? null,
    event: null,
    installationId: method.type === 'INTEGRATION_ACTION' ? method.installationId : null,
    claimedUntil: null,
    acknowledgedAt: null,
    dispatchedAt: null,
    depth: actor.depth ?? 0,
    followed: null,
    createdBy: actor.id,
    createdByKind: actor.kind,
    impersonatedBy: caller.id === actor.id ? null : caller.id,
    updatedBy: caller.id,
    createdAt: now,
    updatedAt: now,
    endedAt: null,
  };
  return options.draft === undefined ? run : { ...run, draft: draftOf(run, options.draft, now) };
}

/** What binds a draft to exactly this: its hash goes over action, version, inputs, entity and requester. */
export function draftOf(
  run: StoredRun,
  origin: Pick<RunDraft, 'invocation' | 'agent' | 'reason'>,
  now: Date,
): RunDraft {
  const actionVersion = String(run.action.version);
  return {
    inputsHash: hashInputs({
      action: run.action.id,
      actionVersion,
      properties: run.properties,
      blueprint: run.blueprint,
      entity: run.entity,
      requester: run.createdBy,
    }),
    actionVersion,
    requester: run.createdBy,
    ...(origin.invocation ? { invocation: origin.invocation } : {}),
    ...(origin.agent ? { agent: origin.agent } : {}),
    ...(origin.reason ? { reason: origin.reason } : {}),
    expiresAt: new Date(now.getTime() + draftDays * 86_400_000).toISOString(),
  };
}
