import { isDeepStrictEqual } from 'node:util';
import type { IntegrationBody, IntegrationPatch, ResyncStateBody } from '@portolan/contract/integrations';
import type { Actor } from '../../platform/actor.ts';
import { AppError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import type { UnitOfWork, Work } from '../../platform/unit-of-work.ts';
import { authorityWhenSaved, saveAuthority } from '../accounts/index.ts';
import { endTrust } from '../organizations/index.ts';
import { endLift } from './guard/delete-guard.store.ts';
import { deleteIntegrationRow, insertIntegration, lockIntegration, updateIntegrationRow } from './integration.store.ts';
import type { IntegrationDetails, StoredIntegration } from './integration.ts';
import { assertWithin } from './integration-rights.ts';
import { mappedBlueprints } from './mapped-blueprints.ts';
import { integrationMissing } from './read-integrations.ts';
import { type NotifyJob, requestResync } from './sync/request-resync.ts';

export interface WriteDeps {
  readonly unitOfWork: UnitOfWork;
  readonly tell: NotifyJob;
}

/**
 * Registers an integration and requests a resync: a client that polls does not start one by itself.
 * @throws AppError `identifier_taken`
 */
export function createIntegration(
  { unitOfWork }: WriteDeps,
  actor: Actor,
  body: IntegrationBody,
): Promise<StoredIntegration> {
  return unitOfWork(actor, (work) => createIntegrationWithin(work, body));
}

/** The same within the caller's unit of work. @throws AppError as `createIntegration` */
export async function createIntegrationWithin(work: Work, body: IntegrationBody): Promise<StoredIntegration> {
  const { actor } = work;
  const { installationId, title, version, installationAppType, config, changelogDestination } = body;
  assertWithin(actor, installationId);
  const integration = await insertIntegration(work.tx, actor.orgId, {
    id: newId('int_'),
    installationId,
    title: title ?? null,
    version: version ?? null,
    appType: installationAppType ?? null,
    config: config ?? null,
    changelogDestination: changelogDestination ?? null,
    details: changedDetails({}, body),
    resyncRequestId: newId('resync_'),
    resyncRequestedAt: work.now,
    updatedAt: work.now,
    updatedBy: actor.id,
    authority: config ? saveAuthority(actor) : null,
  });
  if (!integration) {
    const message = `An integration with installation id "${installationId}" exists; the identifier is taken`;
    throw new AppError('identifier_taken', message);
  }
  record(work, undefined, integration);
  return integration;
}

export interface PatchOptions {
  /** A mapping in the body does not request a resync. */
  readonly skipsResync: boolean;
  /** The platform edits the mapping for its author; the caller's authority is not saved with it. */
  readonly isRewritten?: boolean;
}

/**
 * Changes the fields in the body. Null clears the title and leaves other fields: clients that do not manage the mapping
 * send null for it. An empty body requests a resync, and so does a mapping, even an unchanged one: a client that polls
 * waits for `updatedAt` to move. Any other change without effect writes nothing.
 * @throws AppError `not_found`
 */
export function patchIntegration(
  { unitOfWork, tell }: WriteDeps,
  actor: Actor,
  identifier: string,
  body: IntegrationPatch,
  options: PatchOptions,
): Promise<StoredIntegration> {
  return unitOfWork(actor, (work) => patchIntegrationWithin({ tell }, work, identifier, () => body, options));
}

/**
 * Like `patchIntegration`, within the caller's unit of work; the body may depend on the locked integration.
 * @throws AppError as `patchIntegration`
 */
export async function patchIntegrationWithin(
  { tell }: Pick<WriteDeps, 'tell'>,
  work: Work,
  identifier: string,
  bodyOf: (before: StoredIntegration) => IntegrationPatch,
  { skipsResync, isRewritten = false }: PatchOptions,
): Promise<StoredIntegration> {
  const { actor } = work;
  assertWithin(actor, identifier);
  const before = await lockIntegration(work.tx, actor.orgId, identifier);
  if (!before) throw integrationMissing(identifier);
  const body = bodyOf(before);
  if (actor.boundTo !== undefined && body.config) assertReached(actor.boundTo, before.config, body.config);
  const { authority, isMore } = await authorityWhenSaved(work, before);
  const isOther = !isDeepStrictEqual(body.config ?? before.config, before.config);
  // saving the same mapping with fewer rights keeps the saved ones
  const isLent = !isRewritten && (isOther || (body.config && isMore));
  const changed: StoredIntegration = {
    ...before,
    title: body.title === undefined ? before.title : body.title,
    version: body.version ?? before.version,
    appType: body.installationAppType ?? before.appType,
    config: body.config ?? before.config,
    changelogDestination: body.changelogDestination ?? before.changelogDestination,
    details: changedDetails(before.details, body),
    authority: isLent ? authority : before.authority,
  };
  const isChanged = !isDeepStrictEqual(changed, before);
  const isMapped = body.config !== undefined && body.config !== null && !skipsResync;
  const written = isChanged || isMapped ? { ...changed, updatedAt: work.now, updatedBy: actor.id } : before;
  const isAsking = Object.keys(body).length === 0 || isMapped;
  const after = isAsking ? await requestResync(work, tell, written) : written;
  if (isChanged || isAsking) await updateIntegrationRow(work.tx, actor.orgId, after);
  if (isChanged) record(work, before, after);
  return after;
}

/**
 * The mapping says which blueprints bound credentials reach, so they do not write others into it.
 * @throws AppError `missing_permissions`
 */
function assertReached(boundTo: string, before: object | null, after: object): void {
  const reached = mappedBlueprints(before);
  const wanted = mappedBlueprints(after);
  const [foreign] = [...wanted.identifiers].filter((each) => !reached.identifiers.has(each));
  if (foreign === undefined && (reached.isOpen || !wanted.isOpen)) return;
  const named = foreign === undefined ? 'computes names of blueprints' : `names the blueprint "${foreign}"`;
  const message = `The mapping ${named}, which the credentials of "${boundTo}" do not reach; an administrator has to save it`;
  throw new AppError('missing_permissions', message);
}

/** Deletes an integration and keeps the entities it wrote. @throws AppError `not_found` */
export function deleteIntegration({ unitOfWork }: WriteDeps, actor: Actor, identifier: string): Promise<void> {
  return unitOfWork(actor, (work) => deleteIntegrationWithin(work, identifier));
}

/** The same within the caller's unit of work. @throws AppError as `deleteIntegration` */
export async function deleteIntegrationWithin(work: Work, identifier: string): Promise<void> {
  const { tx, actor } = work;
  assertWithin(actor, identifier);
  const integration = await lockIntegration(tx, actor.orgId, identifier);
  if (!integration) throw integrationMissing(identifier);
  await deleteIntegrationRow(tx, actor.orgId, integration.key);
  await endTrust(tx, actor.orgId, { kind: 'integration', key: integration.key });
  record(work, integration, undefined);
}

/**
 * Stores the progress of a resync. The integration and its resync state get the same time: by that, a client tells its
 * own report from a change of the mapping. The audit log has only changes by people, so reports are not in it.
 * @throws AppError `not_found`
 */
export function reportResyncState(
  { unitOfWork }: WriteDeps,
  actor: Actor,
  identifier: string,
  body: ResyncStateBody,
): Promise<StoredIntegration> {
  return unitOfWork(actor, async (work) => {
    assertWithin(actor, identifier);
    const before = await lockIntegration(work.tx, actor.orgId, identifier);
    if (!before) throw integrationMissing(identifier);
    const { updatedAt: _theirs, ...told } = body;
    const resyncState = { ...before.resyncState, ...told, updatedAt: work.now.toISOString() };
    const after = { ...before, resyncState, updatedAt: work.now, updatedBy: actor.id };
    await updateIntegrationRow(work.tx, actor.orgId, after);
    if (body.status === 'completed') await endLift(work.tx, actor.orgId, before.key);
    return after;
  });
}

const detailKeys = [
  'installationType',
  'actionsProcessingEnabled',
  'incrementalSyncEnabled',
  'processingMode',
  'createPortResourcesOrigin',
  'arePortResourcesInitialized',
  'spec',
  'clientId',
  'statusInfo',
] as const satisfies readonly (keyof IntegrationDetails)[];

function changedDetails(before: IntegrationDetails, body: IntegrationPatch): IntegrationDetails {
  const sent = detailKeys.flatMap((key) =>
    body[key] === undefined || body[key] === null ? [] : [[key, body[key]] as const],
  );
  return { ...before, ...Object.fromEntries(sent) };
}

function record(work: Work, before: StoredIntegration | undefined, after: StoredIntegration | undefined): void {
  const { installationId } = (after ?? before) as StoredIntegration;
  const action = !before ? 'CREATE' : after ? 'UPDATE' : 'DELETE';
  work.record({
    event: { CREATE: 'integration.created', UPDATE: 'integration.updated', DELETE: 'integration.deleted' }[action],
    action,
    resourceType: 'integration',
    identifier: installationId,
    context: { installationId },
    ...(before ? { before: audited(before) } : {}),
    ...(after ? { after: audited(after) } : {}),
  });
}

function audited({
  key: _key,
  id: _id,
  resyncRequestId: _r,
  resyncRequestedAt: _at,
  authority: _authority,
  ...shown
}: StoredIntegration) {
  return shown;
}
