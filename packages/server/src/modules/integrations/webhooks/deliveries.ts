import type { WebhookDelivery, WebhookDeliveryWithPayload } from '@portolan/contract/webhooks';
import type { Actor } from '../../../platform/actor.ts';
import type { Database } from '../../../platform/db/database.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import { newId } from '../../../platform/ids.ts';
import type { UnitOfWork } from '../../../platform/unit-of-work.ts';
import { findDelivery, insertDeliveries, listDeliveryRows, type StoredDelivery } from './delivery.store.ts';
import type { ProcessJob } from './process-deliveries.ts';
import { requireWebhook } from './read-webhooks.ts';

/** Latest deliveries, newest first. @throws AppError `not_found` */
export async function listDeliveries(
  database: Database,
  actor: Actor,
  identifier: string,
  page: { readonly limit: number; readonly state?: string | undefined },
): Promise<WebhookDelivery[]> {
  const webhook = await requireWebhook(database, actor, identifier);
  return (await listDeliveryRows(database, actor.orgId, webhook.key, page)).map(present);
}

/** One delivery with its payload. @throws AppError `not_found` */
export async function getDelivery(
  database: Database,
  actor: Actor,
  identifier: string,
  id: string,
): Promise<WebhookDeliveryWithPayload> {
  const webhook = await requireWebhook(database, actor, identifier);
  const delivery = await findDelivery(database, actor.orgId, webhook.key, id);
  if (!delivery) throw notFound('Delivery', id);
  return { ...present(delivery), payload: delivery.payload as WebhookDeliveryWithPayload['payload'] };
}

/**
 * Maps a received payload again with the current mappings, as a new delivery.
 * @throws AppError `not_found`, `not_replayable` if the event was refused or is still being processed
 */
export async function replayDelivery(
  { database, unitOfWork, process }: { database: Database; unitOfWork: UnitOfWork; process: ProcessJob },
  actor: Actor,
  identifier: string,
  id: string,
): Promise<WebhookDelivery> {
  const webhook = await requireWebhook(database, actor, identifier);
  const delivery = await findDelivery(database, actor.orgId, webhook.key, id);
  if (!delivery) throw notFound('Delivery', id);
  const { payload, bytes, state } = delivery;
  if (!payload) throw new AppError('not_replayable', 'What was not let in is not kept; let the sender send it again');
  if (state === 'waiting' || state === 'running') {
    throw new AppError('not_replayable', 'The delivery has not been mapped yet; wait until it is');
  }
  const replayed = newId('delivery_');
  await unitOfWork(actor, async (work) => {
    const fresh = { id: replayed, state: 'waiting', payload, bytes, replayOf: id } as const;
    await insertDeliveries(work.tx, actor.orgId, webhook.key, [fresh], work.now);
    await work.enqueue(process, { webhookKey: webhook.key });
    work.record({
      event: 'webhook.replayed',
      action: 'OTHER',
      resourceType: 'webhook',
      identifier,
      context: { webhookId: identifier, webhookEventId: replayed },
      message: `The delivery ${id} was mapped once more`,
    });
  });
  const stored = (await findDelivery(database, actor.orgId, webhook.key, replayed)) as StoredDelivery;
  return present(stored);
}

function present({ id, state, reason, bytes, replayOf, receivedAt, processedAt, results }: StoredDelivery) {
  return {
    id,
    state,
    reason,
    bytes,
    replayOf,
    receivedAt: receivedAt.toISOString(),
    processedAt: processedAt?.toISOString() ?? null,
    results: [...(results ?? [])],
  };
}
