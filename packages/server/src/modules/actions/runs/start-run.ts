import type { RunDraft, StartRunBody } from '@portolan/contract/action-runs';
import type { Issue } from '@portolan/contract/errors';
import { type Actor, isAdmin, openedFor } from '../../../platform/actor.ts';
import { limitTo } from '../../../platform/authority.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { AppError, invalidRequest, notFound } from '../../../platform/errors.ts';
import { newId } from '../../../platform/ids.ts';
import { mergeAuthors, type TextAuthor, writtenBy } from '../../../platform/text-authors.ts';
import type { CallDecision } from '../../../platform/tools/call-decision.ts';
import type { Work } from '../../../platform/unit-of-work.ts';
import { findActor, saveAuthority } from '../../accounts/index.ts';
import { holdAction } from '../action.store.ts';
import { actionBlueprint, approvalRule, isSelfService, type SelfServiceAction } from '../action.ts';
import type { ActionsDeps } from '../actions.deps.ts';
import { encryptInputs } from '../inputs/encrypt-inputs.ts';
import { namesNotIn } from '../inputs/entity-inputs.ts';
import { resolveInputs } from '../inputs/resolve-inputs.ts';
import { getAction } from '../read-actions.ts';
import { holdActiveAgent } from './agent-of-draft.ts';
import { type DispatchJob, storeNewRun } from './enter-run.ts';
import { hashInputs } from './inputs-hash.ts';
import { findRunOfCall } from './run.store.ts';
import type { RunInvocation, StoredRun } from './run.ts';
import { assertMayExecute } from './run-rights.ts';
import { firstStatus } from './run-state.ts';
import { buildSubject, entityFor } from './run-subject.ts';

export interface StartDeps extends ActionsDeps {
  readonly dispatch: DispatchJob;
}

export interface StartOptions {
  /** User for whom a machine runs the action. */
  readonly runAs?: string | undefined;
  /** A draft executes nothing until a person decides; a function decides from the checked run whether to make one. */
  readonly draft?: DraftOrigin | ((checked: CheckedRun) => Promise<DecidedStart>) | undefined;
  /** The tool call, which is executed only once. Inputs that only people fill stay open. */
  readonly invocation?: RunInvocation | undefined;
  /** True if a model fills the form: encrypted inputs are left to a person. */
  readonly isFilledByModel?: boolean | undefined;
  /** Who asked for it beside the actor, and so approves nothing of it. */
  readonly askedBy?: readonly string[] | undefined;
  /** Told in the transaction that stores the run. */
  readonly also?: ((work: Work, run: StoredRun) => Promise<void>) | undefined;
}

/** What becomes of a checked run: a draft or not, and for an assistant's what that was decided by. */
export interface DecidedStart {
  readonly draft?: DraftOrigin | undefined;
  readonly decision?: CallDecision | undefined;
  /** Authors of the texts that led to it. */
  readonly label?: readonly string[] | undefined;
  /** Asked in the transaction that stores the run; false decides about it anew. */
  readonly confirm?: ((tx: Tx, run: { readonly id: string; readonly at: Date }) => Promise<boolean>) | undefined;
}

export type DraftOrigin = Pick<RunDraft, 'invocation' | 'agent' | 'reason' | 'missing'>;

export interface CheckedRun {
  readonly action: SelfServiceAction;
  readonly values: Readonly<Record<string, unknown>>;
  readonly entity: string | null;
  readonly open: readonly string[];
  /** Of the values, beside whoever sends them. */
  readonly authors: readonly TextAuthor[];
}

/** Days until a draft expires (compatibility choices, Drafts). */
const draftDays = 7;

/**
 * Starts a self-service action: checks rights, the action's condition and the form, encrypts, determines approval, and
 * stores the run with its dispatch in one short transaction (catalog semantics §4.4). The action must be unchanged at
 * the commit.
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
    const checked = await checkRun(deps, actor, action, body, options.isFilledByModel);
    const { draft, decision, label, confirm } = await decideStart(options, checked);
    const clientSecret = await deps.secrets.signingSecretOf(actor.orgId, openedFor(actor));
    const properties = encryptInputs(action.definition.trigger.userInputs, checked.values, clientSecret);
    const run = await deps.unitOfWork(actor, async (work) => {
      const held = await holdAction(work.tx, actor.orgId, action.key);
      if (!held) throw notFound('Action', identifier);
      // it changed after the check: check again
      if (held.version !== action.version) return undefined;
      const before = options.invocation && (await findRunOfCall(work.tx, actor.orgId, options.invocation));
      if (before) return before;
      const agent = options.invocation?.agent;
      if (agent !== undefined && !(await holdActiveAgent(work.tx, actor.orgId, agent))) {
        throw new AppError('agent_inactive', `The agent "${agent}" is not active any more, so nothing was run`);
      }
      const { invocation, askedBy } = options;
      const making = { properties, entity: checked.entity, caller, actor, draft, invocation, decision, askedBy };
      const id = newId('r_');
      if (draft === undefined && confirm && !(await confirm(work.tx, { id, at: work.now }))) return undefined;
      const made = newRun(action, making, { id, at: work.now });
      const behind = caller.id === actor.id ? [] : writtenBy(caller);
      const ledTo = mergeAuthors(label ?? [], behind, actor.carriedAuthors ?? [], checked.authors);
      const origin = { causedBy: work.actor.runId, label: ledTo.length > 0 ? ledTo : label };
      await storeNewRun(work, deps.dispatch, made, origin);
      await options.also?.(work, made);
      return made;
    });
    if (run) return run;
  }
}

/** Inputs left to a person always make the run a draft. */
async function decideStart({ draft }: StartOptions, checked: CheckedRun): Promise<DecidedStart> {
  const decided = typeof draft === 'function' ? await draft(checked) : { draft };
  return checked.open.length === 0 ? decided : { ...decided, draft: { ...decided.draft, missing: [...checked.open] } };
}

/** The action, if it is self-service and visible to the actor. @throws AppError `not_found`, `invalid_request` */
export async function runnable(deps: ActionsDeps, actor: Actor, identifier: string): Promise<SelfServiceAction> {
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

/** Makes all checks of a run that only read. @throws AppError `missing_permissions`, `invalid_request` */
export async function checkRun(
  deps: ActionsDeps,
  actor: Actor,
  action: SelfServiceAction,
  body: StartRunBody,
  isFilledByModel = false,
): Promise<CheckedRun> {
  const entity = await entityFor(deps, actor, action, body.entity);
  const before = await buildSubject(deps, actor, action, entity, body.properties);
  await assertMayExecute(deps, actor, before);
  const unmet = await conditionIssues(deps, actor, action, entity);
  if (unmet.length > 0) throw invalidRequest(unmet, 'The run');
  const resolved = await resolveInputs(deps, actor, action, body.properties, entity, isFilledByModel);
  const { values, issues, open, authors } = resolved;
  if (issues.length > 0) throw invalidRequest([...issues], 'The run');
  // policies may read inputs, so they get the values to be stored
  await assertMayExecute(deps, actor, { ...before, inputs: values });
  return { action, values, entity, open, authors };
}

/** The condition limits the entities for which an action is offered, and is checked for runs too. */
export async function conditionIssues(
  deps: ActionsDeps,
  actor: Actor,
  action: SelfServiceAction,
  entity: string | null,
): Promise<Issue[]> {
  const { trigger } = action.definition;
  if (entity === null || trigger.operation === 'CREATE' || !trigger.condition) return [];
  const { combinator, rules } = trigger.condition;
  const blueprint = actionBlueprint(action.definition) as string;
  const query = { combinator, rules } as Parameters<typeof namesNotIn>[4];
  const [missing] = await namesNotIn(deps, actor, blueprint, [entity], query);
  if (missing === undefined) return [];
  return [{ path: '/entity', message: `does not meet the condition of the action "${action.identifier}"` }];
}

/**
 * @throws AppError `missing_permissions` unless the caller is the organization's credentials, `not_found` (the user)
 */
async function onBehalf(deps: ActionsDeps, caller: Actor, runAs: string | undefined): Promise<Actor> {
  if (runAs === undefined) return caller;
  if (caller.kind !== 'machine' || !isAdmin(caller)) {
    throw new AppError('missing_permissions', 'Only the credentials of the organization run on behalf of others');
  }
  const actor = await findActor(deps.database, caller.orgId, { kind: 'person', id: runAs });
  if (!actor) throw notFound('User', runAs, 'email');
  const { datasource, origin, depth } = caller;
  return { ...limitTo(actor, caller), datasource, origin, ...(depth === undefined ? {} : { depth }) };
}

interface NewRunInput {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly entity: string | null;
  readonly caller: Actor;
  readonly actor: Actor;
  readonly draft: DraftOrigin | undefined;
  readonly invocation: RunInvocation | undefined;
  readonly decision?: CallDecision | undefined;
  readonly askedBy?: readonly string[] | undefined;
}

export function newRun(
  action: SelfServiceAction,
  making: NewRunInput,
  { id, at: now }: { readonly id: string; readonly at: Date },
): StoredRun {
  const { properties, entity, caller, actor, draft, invocation, decision, askedBy } = making;
  const { definition } = action;
  const approval = approvalRule(definition);
  const isDraft = draft !== undefined;
  const method = definition.invocationMethod;
  const run: StoredRun = {
    id,
    status: firstStatus({ isDraft, needsApproval: approval !== undefined }),
    statusLabel: null,
    actionKey: action.key,
    actionIdentifier: action.identifier,
    action: { id: action.id, version: action.version, definition },
    authority: action.authority,
    requestedWith: saveAuthority(actor),
    editedBy: [...(askedBy ?? [])],
    blueprint: actionBlueprint(definition) ?? null,
    entity,
    properties,
    source: actor.origin === 'UI' ? 'UI' : 'API',
    link: [],
    summary: null,
    externalRunId: null,
    payload: null,
    response: null,
    draft: null,
    invocation: invocation ?? null,
    decision: decision ?? null,
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
  return draft === undefined ? run : { ...run, draft: buildDraft(run, draft, now) };
}

/** Binds a draft: the hash covers action, version, inputs, entity and requester. */
export function buildDraft(
  run: StoredRun,
  { invocation, agent, reason, missing = [] }: DraftOrigin,
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
    ...(invocation ? { invocation } : {}),
    ...(agent ? { agent } : {}),
    ...(reason ? { reason } : {}),
    ...(missing.length > 0 ? { missing: [...missing] } : {}),
    expiresAt: new Date(now.getTime() + draftDays * 86_400_000).toISOString(),
  };
}
