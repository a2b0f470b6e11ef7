import { isDeepStrictEqual } from 'node:util';
import type { WebhookBody, WebhookMapping, WebhookPatch } from '@portolan/contract/webhooks';
import type { Actor } from '../../../platform/actor.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import { newId } from '../../../platform/ids.ts';
import { createSecretScope } from '../../../platform/secrets/secret-scope.ts';
import type { Work } from '../../../platform/unit-of-work.ts';
import { authorityWhenRewritten, authorityWhenSaved, saveAuthority } from '../../accounts/index.ts';
import { endTrust } from '../../organizations/index.ts';
import type { IntegrationsDeps } from '../integrations.deps.ts';
import { newIngestKey } from './ingest-key.ts';
import { openSecret, sealSecret } from './secret-of.ts';
import { deleteWebhookRow, findWebhook, insertWebhook, lockWebhook, updateWebhookRow } from './webhook.store.ts';
import type { StoredWebhook, WebhookDefinition } from './webhook.ts';

type Deps = Pick<IntegrationsDeps, 'unitOfWork' | 'secrets'>;

/** Generates an identifier if none is given. @throws AppError `identifier_taken` */
export function createWebhook(deps: Deps, actor: Actor, body: WebhookBody): Promise<StoredWebhook> {
  return deps.unitOfWork(actor, async (work) => {
    const identifier = body.identifier ?? newId('webhook_');
    const sealedSecret = sealSecret(deps.secrets, actor.orgId, body.security?.secret);
    const written = { identifier, definition: toDefinition(body), sealedSecret, authority: saveAuthority(actor) };
    const webhook = await insertWebhook(work.tx, toWriteStamp(work), newIngestKey(actor.orgId), written);
    if (!webhook) throw identifierTaken(identifier);
    record(work, undefined, webhook);
    return webhook;
  });
}

/**
 * Replaces a webhook but keeps its address. From then on it writes with the caller's authority.
 * @throws AppError `not_found`, `identifier_taken`
 */
export function replaceWebhook(
  deps: Deps,
  actor: Actor,
  identifier: string,
  body: WebhookBody,
): Promise<StoredWebhook> {
  return change(deps, actor, identifier, () => body);
}

/** Changes the fields in the body; null removes an optional one. @throws AppError `not_found`, `identifier_taken` */
export function patchWebhook(
  deps: Deps,
  actor: Actor,
  identifier: string,
  patch: WebhookPatch,
): Promise<StoredWebhook> {
  const sent = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
  return change(deps, actor, identifier, (before, secret) => ({ ...toBody(before, secret), ...sent }) as WebhookBody);
}

function toBody({ identifier, definition }: StoredWebhook, secret: string | undefined): WebhookBody {
  const security = { ...definition.security, ...(secret === undefined ? {} : { secret }) };
  return { identifier, ...definition, security } as WebhookBody;
}

/**
 * Edits the definition within the caller's unit of work. The webhook keeps its saved authority; the caller's is not
 * used.
 * @throws AppError as `patchWebhook`
 */
export function editWebhookWithin(
  deps: Pick<Deps, 'secrets'>,
  work: Work,
  identifier: string,
  edit: (definition: WebhookDefinition) => WebhookDefinition,
): Promise<StoredWebhook> {
  const write: WriteBody = (before, secret) => toBody({ ...before, definition: edit(before.definition) }, secret);
  return changeWithin(deps, work, identifier, write, authorityWhenRewritten);
}

/** @throws AppError `not_found` */
export function deleteWebhook({ unitOfWork }: Deps, actor: Actor, identifier: string): Promise<void> {
  return unitOfWork(actor, async (work) => {
    const webhook = await lockWebhook(work.tx, actor.orgId, identifier);
    if (!webhook) throw webhookMissing(identifier);
    await deleteWebhookRow(work.tx, actor.orgId, webhook.key);
    await endTrust(work.tx, actor.orgId, { kind: 'webhook', key: webhook.key });
    record(work, webhook, undefined);
  });
}

export function webhookMissing(identifier: string): AppError {
  return notFound('Webhook', identifier.slice(0, 200));
}

type WriteBody = (before: StoredWebhook, secret: string | undefined) => WebhookBody;

function change(deps: Deps, actor: Actor, target: string, write: WriteBody): Promise<StoredWebhook> {
  return deps.unitOfWork(actor, (work) => changeWithin(deps, work, target, write));
}

async function changeWithin(
  { secrets }: Pick<Deps, 'secrets'>,
  work: Work,
  target: string,
  write: WriteBody,
  authorityOf: AuthorityAfter = authorityWhenSaved,
): Promise<StoredWebhook> {
  const { actor } = work;
  const before = await lockWebhook(work.tx, actor.orgId, target);
  if (!before) throw webhookMissing(target);
  const secret = openSecret(secrets, actor.orgId, before, createSecretScope());
  const body = write(before, secret);
  const identifier = body.identifier ?? target;
  if (identifier !== target && (await findWebhook(work.tx, actor.orgId, identifier))) throw identifierTaken(identifier);
  const definition = toDefinition(body);
  const wanted = body.security?.secret ?? undefined;
  const isSame = identifier === target && wanted === secret && isDeepStrictEqual(definition, before.definition);
  const { authority, isMore } = await authorityOf(work, before);
  if (isSame && !isMore) return before;
  const sealedSecret = wanted === secret ? before.sealedSecret : sealSecret(secrets, actor.orgId, wanted);
  const after = await updateWebhookRow(work.tx, toWriteStamp(work), before.key, {
    identifier,
    definition,
    sealedSecret,
    authority,
  });
  // it may be signed or mapped otherwise now
  await endTrust(work.tx, actor.orgId, { kind: 'webhook', key: before.key });
  record(work, before, after);
  return after;
}

type AuthorityAfter = typeof authorityWhenSaved;

function toDefinition(body: WebhookBody): WebhookDefinition {
  const { title, description, icon, enabled, mappings, security, integrationType } = body;
  const { secret: _apart, ...rules } = security ?? {};
  return withoutNulls({
    title,
    description,
    icon,
    enabled: enabled ?? true,
    mappings: mappings?.map(toMapping),
    security: withoutNulls(rules),
    integrationType,
  }) as unknown as WebhookDefinition;
}

/** Null means unset, and unset keys are absent; values of properties and relations stay as written. */
function toMapping({ entity, ...mapping }: WebhookMapping): WebhookMapping {
  return { ...withoutNulls(mapping), entity: withoutNulls(entity) } as WebhookMapping;
}

function withoutNulls(object: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null && value !== undefined));
}

function toWriteStamp({ actor, now }: Work) {
  return { orgId: actor.orgId, by: actor.id, at: now };
}

function identifierTaken(identifier: string): AppError {
  return new AppError('identifier_taken', `A webhook with identifier "${identifier}" exists; the identifier is taken`);
}

/** Leaves the secret and the address out of the audit log. */
function record(work: Work, before: StoredWebhook | undefined, after: StoredWebhook | undefined): void {
  const { identifier } = (after ?? before) as StoredWebhook;
  const action = !before ? 'CREATE' : after ? 'UPDATE' : 'DELETE';
  work.record({
    event: { CREATE: 'webhook.created', UPDATE: 'webhook.updated', DELETE: 'webhook.deleted' }[action],
    action,
    resourceType: 'webhook',
    identifier,
    context: { webhookId: identifier },
    ...(before ? { before: { identifier: before.identifier, ...before.definition } } : {}),
    ...(after ? { after: { identifier, ...after.definition } } : {}),
  });
}
