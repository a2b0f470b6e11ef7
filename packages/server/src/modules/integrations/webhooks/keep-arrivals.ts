import { systemActor } from '../../../platform/actor.ts';
import { newId } from '../../../platform/ids.ts';
import type { UnitOfWork } from '../../../platform/unit-of-work.ts';
import { insertDeliveries, type NewDelivery, rememberRequests } from './delivery.store.ts';
import type { ProcessJob } from './process-deliveries.ts';
import type { WebhookEvent } from './read-event.ts';

/** What came to a webhook, as it is to be kept. */
export type Arrival = { readonly bytes: number } & (
  | {
      readonly state: 'waiting';
      readonly payload: WebhookEvent;
      /** Digest of the request id; an event whose id came before is dropped. */
      readonly request: string | undefined;
    }
  /** Without content: anyone could have sent it. */
  | { readonly state: 'refused' | 'dropped'; readonly reason: string }
);

export interface ReceivedEvent {
  readonly deliveryId: string;
  readonly state: 'waiting' | 'dropped';
}

/**
 * Keeps arrivals in their order and queues their mapping, all in one transaction.
 * @throws DatabaseError of a foreign key (23503) if the webhook was deleted meanwhile
 */
export function keepArrivals(
  { unitOfWork, process }: { readonly unitOfWork: UnitOfWork; readonly process: ProcessJob },
  orgId: string,
  webhookKey: number,
  arrivals: readonly Arrival[],
): Promise<ReceivedEvent[]> {
  return unitOfWork(systemActor(orgId), async (work) => {
    const requests = arrivals.flatMap((arrival) => ('request' in arrival ? (arrival.request ?? []) : []));
    const unseen = await rememberRequests(work.tx, orgId, webhookKey, requests, work.now);
    const deliveries = arrivals.map((arrival) => toDelivery(arrival, unseen));
    await insertDeliveries(work.tx, orgId, webhookKey, deliveries, work.now);
    if (deliveries.some(({ state }) => state === 'waiting')) await work.enqueue(process, { webhookKey });
    return deliveries.map(({ id, state }) => ({ deliveryId: id, state: state === 'waiting' ? 'waiting' : 'dropped' }));
  });
}

/** @param unseen request ids that are new; the first event of each takes it out, so that the next one is dropped */
function toDelivery(arrival: Arrival, unseen: Set<string>): NewDelivery {
  const { state, bytes } = arrival;
  const id = newId('delivery_');
  if (state !== 'waiting') return { id, state, bytes, reason: arrival.reason };
  const { payload, request } = arrival;
  if (request !== undefined && !unseen.delete(request)) {
    return { id, state: 'dropped', bytes, reason: 'A request of the same id came before' };
  }
  return { id, state, bytes, payload };
}
