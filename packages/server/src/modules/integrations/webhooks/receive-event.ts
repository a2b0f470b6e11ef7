import { createHash } from 'node:crypto';
import { mappingMillisecondsMax, stringify } from '@portolan/jq';
import { systemActor } from '../../../platform/actor.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import { shareTime } from '../../../platform/evaluation-time.ts';
import { mapWithin } from '../../../platform/expressions.ts';
import { newId } from '../../../platform/ids.ts';
import { createSecretScope } from '../../../platform/secrets/secret-scope.ts';
import type { IntegrationsDeps } from '../integrations.deps.ts';
import { insertDelivery, isFirst, type NewDelivery } from './delivery.store.ts';
import { readOrganizationId } from './ingest-key.ts';
import type { ProcessJob } from './process-deliveries.ts';
import { type RawEvent, readEvent, toHeaders, type WebhookEvent } from './read-event.ts';
import { signingSecret } from './secret-of.ts';
import { whyUnsigned } from './verify-signature.ts';
import { findReceiving } from './webhook.store.ts';
import type { StoredWebhook } from './webhook.ts';

export interface ReceiveDeps extends Pick<IntegrationsDeps, 'database' | 'clock' | 'unitOfWork' | 'secrets'> {
  readonly process: ProcessJob;
}

export interface ReceivedEvent {
  readonly deliveryId: string;
  readonly state: 'waiting' | 'dropped';
}

/** Above this many waiting events, a webhook refuses more. */
const openMax = 5_000;

/**
 * Accepts an event: stores and queues it in one transaction, to be mapped later. Refused events are recorded as
 * deliveries too.
 * @throws AppError `not_found` (no such address), `unauthorized` (signature), `invalid_json`, `invalid_request`,
 * `too_many_requests`
 */
export async function receiveEvent(deps: ReceiveDeps, ingestKey: string, raw: RawEvent): Promise<ReceivedEvent> {
  const orgId = readOrganizationId(ingestKey);
  const webhook = orgId && (await findReceiving(deps.database, orgId, ingestKey, openMax));
  if (!orgId || !webhook) throw notFound('Webhook', ingestKey, 'webhookKey');
  const note = (delivery: Pick<NewDelivery, 'state' | 'reason'>) => noteDelivery(deps, orgId, webhook, raw, delivery);
  if (!webhook.definition.enabled) return note({ state: 'dropped', reason: 'The webhook is disabled' });

  const { security } = webhook.definition;
  const opened = createSecretScope();
  const secret = await signingSecret(deps.secrets, orgId, webhook, opened);
  const unsigned = whyUnsigned(security, secret, { bytes: raw.bytes, headers: toHeaders(raw) });
  if (unsigned !== undefined) {
    await note({ state: 'refused', reason: unsigned });
    throw new AppError('unauthorized', unsigned);
  }
  if (webhook.open >= openMax) {
    const message = `${openMax} events of this webhook wait already; send it again later`;
    throw new AppError('too_many_requests', message, { retryAfterSeconds: 10 });
  }
  const event = await readOrNote(() => readEvent(raw, security.signatureHeaderName), note);
  // senders put the secret into other headers and the address too; the body stays as sent
  const { headers, queryParams } = opened.mask({ headers: event.headers, queryParams: event.queryParams });
  return storeDelivery(deps, orgId, webhook, raw, { ...event, headers, queryParams });
}

async function readOrNote(
  read: () => WebhookEvent,
  note: (delivery: Pick<NewDelivery, 'state' | 'reason'>) => Promise<unknown>,
): Promise<WebhookEvent> {
  try {
    return read();
  } catch (error) {
    if (error instanceof AppError) await note({ state: 'refused', reason: error.message.slice(0, 500) });
    throw error;
  }
}

/** Drops a repeated request if the webhook defines a request id. */
function storeDelivery(
  deps: ReceiveDeps,
  orgId: string,
  webhook: StoredWebhook,
  { bytes }: RawEvent,
  event: WebhookEvent,
): Promise<ReceivedEvent> {
  const path = webhook.definition.security.requestIdentifierPath;
  const request = path ? readRequestId(path, event, deps.clock.now()) : undefined;
  return deps.unitOfWork(systemActor(orgId), async (work) => {
    const delivery = { id: newId('delivery_'), bytes: bytes.length, at: work.now };
    if (request !== undefined && !(await isFirst(work.tx, orgId, webhook.key, request, work.now))) {
      const reason = 'A request of the same id came before';
      await insertDelivery(work.tx, orgId, webhook.key, { ...delivery, state: 'dropped', reason });
      return { deliveryId: delivery.id, state: 'dropped' };
    }
    await insertDelivery(work.tx, orgId, webhook.key, { ...delivery, state: 'waiting', payload: event });
    await work.enqueue(deps.process, { webhookKey: webhook.key });
    return { deliveryId: delivery.id, state: 'waiting' };
  });
}

/** Digest of the request id; undefined without an id, so that such requests never count as repeated. */
function readRequestId(path: string, event: WebhookEvent, now: Date): string | undefined {
  const found = mapWithin(shareTime(now, mappingMillisecondsMax)).evaluate(path, { ...event }, now);
  if ('error' in found || found.value === null || found.value === undefined) return undefined;
  return createHash('sha256').update(stringify(found.value)).digest('hex');
}

/** Records an event that was not accepted, without its content: anyone could have sent it. */
async function noteDelivery(
  { unitOfWork }: ReceiveDeps,
  orgId: string,
  webhook: StoredWebhook,
  { bytes }: RawEvent,
  { state, reason }: Pick<NewDelivery, 'state' | 'reason'>,
): Promise<ReceivedEvent> {
  const id = newId('delivery_');
  await unitOfWork(systemActor(orgId), ({ tx, now }) =>
    insertDelivery(tx, orgId, webhook.key, { id, state, reason, bytes: bytes.length, at: now }),
  );
  return { deliveryId: id, state: 'dropped' };
}
