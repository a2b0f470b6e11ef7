import { isDeepStrictEqual } from 'node:util';
import type { ActionBody } from '@portolan/contract/actions';
import type { Actor } from '../../platform/actor.ts';
import { AppError, invalidRequest, notFound } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { assertReadVersion, momentOfChange } from '../../platform/read-version.ts';
import { writtenBy } from '../../platform/text-authors.ts';
import type { UnitOfWork, Work } from '../../platform/unit-of-work.ts';
import { authorityWhenRewritten, authorityWhenSaved, saveAuthority, warnOfAuthority } from '../accounts/index.ts';
import { findBlueprint } from '../blueprints/index.ts';
import { deleteActionRow, findAction, insertAction, lockAction, updateActionRow } from './action.store.ts';
import { type ActionDefinition, actionBlueprint, presentAction, type StoredAction } from './action.ts';
import { checkAction, warnOfAction } from './check-action.ts';

interface Deps {
  readonly unitOfWork: UnitOfWork;
}

export interface WrittenAction {
  readonly action: StoredAction;
  readonly warnings: readonly string[];
}

/** @throws AppError `invalid_request`, `not_found` (the blueprint), `identifier_taken` */
export function createAction({ unitOfWork }: Deps, actor: Actor, body: ActionBody): Promise<WrittenAction> {
  return unitOfWork(actor, (work) => createActionWithin(work, body));
}

/** Like `createAction`, within the caller's unit of work. @throws AppError as `createAction` */
export async function createActionWithin(work: Work, body: ActionBody): Promise<WrittenAction> {
  const written = await checked(work, body);
  const authority = saveAuthority(work.actor);
  const action = await insertAction(work.tx, { ...toWriteStamp(work), authority }, newId('action_'), written);
  if (!action) throw identifierTaken(body.identifier);
  record(work, 'CREATE', undefined, action);
  return { action, warnings: [...warnOfAction(body), ...warnOfAuthority(action)] };
}

/**
 * Replaces an action; another identifier renames it. An identical one changes and records nothing.
 * @throws AppError as `createAction`, and `not_found`, `stale_version`
 */
export function replaceAction(
  { unitOfWork }: Deps,
  actor: Actor,
  identifier: string,
  body: ActionBody,
  expectedVersion?: string,
): Promise<WrittenAction> {
  return unitOfWork(actor, (work) => replaceActionWithin(work, identifier, body, expectedVersion));
}

/**
 * Like `replaceAction`, within the caller's unit of work. The action gets the caller's authority; an otherwise
 * identical action gets it only if it exceeds what is left of the saved one.
 * @throws AppError as `replaceAction`
 */
export async function replaceActionWithin(
  work: Work,
  identifier: string,
  body: ActionBody,
  expectedVersion?: string,
): Promise<WrittenAction> {
  return replaceWith(work, identifier, body, { expectedVersion, authorityOf: authorityWhenSaved });
}

/** Rewrites an action on behalf of its author and keeps its authority. @throws AppError as `replaceAction` */
export async function rewriteActionWithin(work: Work, identifier: string, body: ActionBody): Promise<WrittenAction> {
  return replaceWith(work, identifier, body, { authorityOf: authorityWhenRewritten });
}

interface ReplaceOptions {
  readonly expectedVersion?: string | undefined;
  readonly authorityOf: typeof authorityWhenSaved;
}

async function replaceWith(
  work: Work,
  identifier: string,
  body: ActionBody,
  { expectedVersion, authorityOf }: ReplaceOptions,
): Promise<WrittenAction> {
  const before = await lockAction(work.tx, work.actor.orgId, identifier);
  if (!before) throw notFound('Action', identifier);
  assertReadVersion('action', before, expectedVersion);
  const written = await checked(work, body, before.definition);
  const warnings = warnOfAction(body);
  if (written.identifier !== identifier && (await findAction(work.tx, work.actor.orgId, written.identifier))) {
    throw identifierTaken(written.identifier);
  }
  const { authority, isMore } = await authorityOf(work, before);
  const isSame = written.identifier === identifier && isDeepStrictEqual(written.definition, before.definition);
  if (isSame && !isMore) return { action: before, warnings };
  const writing = { ...toWriteStamp(work), at: momentOfChange(before, work.now), authority };
  const action = await updateActionRow(work.tx, writing, before.key, written);
  record(work, 'UPDATE', before, action);
  return { action, warnings: [...warnings, ...warnOfAuthority(action)] };
}

/** @throws AppError `not_found` */
export function deleteAction({ unitOfWork }: Deps, actor: Actor, identifier: string): Promise<void> {
  return unitOfWork(actor, (work) => deleteActionWithin(work, identifier));
}

/** Like `deleteAction`, within the caller's unit of work. @throws AppError `not_found` */
export async function deleteActionWithin(work: Work, identifier: string): Promise<void> {
  const action = await lockAction(work.tx, work.actor.orgId, identifier);
  if (!action) throw notFound('Action', identifier);
  await removeAction(work, action);
}

/** Deletes an action within the caller's unit of work and keeps its runs. */
export async function removeAction(work: Work, action: StoredAction): Promise<void> {
  await deleteActionRow(work.tx, work.actor.orgId, action.key);
  record(work, 'DELETE', action, undefined);
}

async function checked({ tx, actor }: Work, { identifier, ...definition }: ActionBody, before?: ActionDefinition) {
  const issues = checkAction(definition, before);
  if (issues.length > 0) throw invalidRequest(issues, 'The action');
  const name = actionBlueprint(definition);
  const blueprint = name === undefined ? undefined : await findBlueprint(tx, actor.orgId, name);
  if (name !== undefined && !blueprint) throw notFound('Blueprint', name);
  return { identifier, definition: withoutNulls(definition), blueprintKey: blueprint?.key ?? null };
}

/** Null means unset, and unset keys are absent. */
function withoutNulls(definition: ActionDefinition): ActionDefinition {
  return Object.fromEntries(
    Object.entries(definition).filter(([, value]) => value !== null && value !== undefined),
  ) as ActionDefinition;
}

function toWriteStamp({ actor, now }: Work) {
  return { orgId: actor.orgId, by: actor.id, at: now, authors: writtenBy(actor) };
}

function identifierTaken(identifier: string): AppError {
  return new AppError('identifier_taken', `An action with identifier "${identifier}" exists; the identifier is taken`);
}

function record(
  work: Work,
  action: 'CREATE' | 'UPDATE' | 'DELETE',
  before: StoredAction | undefined,
  after: StoredAction | undefined,
): void {
  const shown = (after ?? before) as StoredAction;
  const blueprint = actionBlueprint(shown.definition);
  work.record({
    event: { CREATE: 'action.created', UPDATE: 'action.updated', DELETE: 'action.deleted' }[action],
    action,
    resourceType: 'action',
    identifier: shown.identifier,
    context: { action: shown.identifier, ...(blueprint === undefined ? {} : { blueprint }) },
    ...(before ? { before: presentAction(before) } : {}),
    ...(after ? { after: presentAction(after) } : {}),
  });
}
