import type { MappingResult, WebhookDelivery } from '@portolan/contract/webhooks';
import sql, { raw } from 'sql-template-tag';
import type { Reader, Tx } from '../../../platform/db/database.ts';
import { json } from '../../../platform/db/json.ts';
import { field, fields, type RowOf, row } from '../../../platform/db/row.ts';
import type { WebhookEvent } from './read-event.ts';

type State = WebhookDelivery['state'];

const storedDelivery = row({
  ...fields('webhook_deliveries', 'key', 'id', 'state', 'reason', 'bytes', 'replay_of', 'received_at', 'processed_at'),
  payload: field('webhook_deliveries', 'payload').as<WebhookEvent>(),
  results: field('webhook_deliveries', 'results').as<readonly MappingResult[]>(),
});
export type StoredDelivery = RowOf<typeof storedDelivery>;

const columns = raw(`d.key, d.id, d.state, d.reason, d.bytes, d.results, d.replay_of as "replayOf",
  d.received_at as "receivedAt", d.processed_at as "processedAt"`);

/** Kept per webhook and group: processed or failed, and refused or dropped. */
const kept = 200;

export interface NewDelivery {
  readonly id: string;
  readonly state: Extract<State, 'refused' | 'dropped' | 'waiting'>;
  readonly reason?: string | undefined;
  readonly payload?: WebhookEvent | undefined;
  readonly bytes: number;
  readonly replayOf?: string | undefined;
}

const webhookDeliveryKey = row(fields('webhook_deliveries', 'key'));

/** Inserts deliveries in their order. Of those that are refused or dropped, the oldest beyond those kept are deleted. */
export async function insertDeliveries(
  tx: Tx,
  orgId: string,
  webhookKey: number,
  deliveries: readonly NewDelivery[],
  at: Date,
): Promise<void> {
  const insert = sql`
    insert into webhook_deliveries (org_id, webhook_key, id, state, reason, payload, bytes, replay_of, received_at)
    select ${orgId}, ${webhookKey}, d.value->>'id', d.value->>'state', d.value->>'reason', d.value->'payload',
      (d.value->>'bytes')::integer, d.value->>'replayOf', ${at}
    from jsonb_array_elements(${json(deliveries)}::jsonb) with ordinality as d(value, place) order by d.place`;
  if (deliveries.every(({ state }) => state === 'waiting')) {
    tx.send(insert);
    return;
  }
  const keys = await tx.rows(webhookDeliveryKey.sql`${insert} returning key`);
  await deleteOldDeliveries(tx, orgId, webhookKey, keys, ['refused', 'dropped']);
}

/** Deletes the oldest deliveries of the states beyond those kept, with every twentieth that took one of the states. */
async function deleteOldDeliveries(
  tx: Tx,
  orgId: string,
  webhookKey: number,
  changed: readonly { readonly key: number }[],
  states: readonly State[],
): Promise<void> {
  if (!changed.some(({ key }) => key % 20 === 0)) return;
  await tx.execute(sql`
    delete from webhook_deliveries where org_id = ${orgId} and webhook_key = ${webhookKey}
      and state = any(${states}::text[]) and key <= (
        select o.key from webhook_deliveries o
        where o.org_id = ${orgId} and o.webhook_key = ${webhookKey} and o.state = any(${states}::text[])
        order by o.key desc offset ${kept} limit 1)`);
}

const requestsKept = 10_000;

const webhookRequest = row(fields('webhook_requests', 'request'));

/** Remembers request ids, the last ten thousand of them, and answers those that are new. */
export async function rememberRequests(
  tx: Tx,
  orgId: string,
  webhookKey: number,
  requests: readonly string[],
  at: Date,
): Promise<Set<string>> {
  if (requests.length === 0) return new Set();
  const fresh = await tx.rows(webhookRequest.sql`
    insert into webhook_requests (org_id, webhook_key, request, at)
    select ${orgId}, ${webhookKey}, r.request, ${at} from unnest(${[...requests].sort()}::text[]) as r(request)
    on conflict (org_id, webhook_key, request) do nothing
    returning request`);
  // digests are evenly distributed, so one in 256 cleans up
  if (fresh.some(({ request }) => request.startsWith('00'))) {
    await tx.execute(sql`
      delete from webhook_requests where org_id = ${orgId} and webhook_key = ${webhookKey} and at < (
        select o.at from webhook_requests o where o.org_id = ${orgId} and o.webhook_key = ${webhookKey}
        order by o.at desc offset ${requestsKept} limit 1)`);
  }
  return new Set(fresh.map(({ request }) => request));
}

export interface DeliveryClaim {
  readonly limit: number;
  /** Bound for all deliveries of the claim except the first. */
  readonly bytesMax: number;
  readonly lease: string;
  readonly now: Date;
  readonly until: Date;
}

const webhookDeliveryRow = row({
  ...fields('webhook_deliveries', 'key', 'id', 'state', 'reason', 'bytes', 'replay_of', 'received_at', 'processed_at'),
  payload: field('webhook_deliveries', 'payload').as<WebhookEvent>().notNull(),
  results: field('webhook_deliveries', 'results').as<readonly MappingResult[]>(),
});

/**
 * Claims the oldest deliveries of a webhook that wait or whose lease has expired. Claims none while another process
 * holds an unexpired lease: events of one webhook are mapped one after another, in the order of arrival.
 */
export async function claimDeliveries(
  tx: Tx,
  orgId: string,
  webhookKey: number,
  { limit, bytesMax, lease, now, until }: DeliveryClaim,
): Promise<(StoredDelivery & { readonly payload: WebhookEvent })[]> {
  await tx.rows(
    sql`select w.key from webhooks w where w.org_id = ${orgId} and w.key = ${webhookKey} for no key update`,
  );
  const taken = await tx.rows(webhookDeliveryRow.sql`
    update webhook_deliveries d set state = 'running', lease = ${lease}, leased_until = ${until}
    where d.org_id = ${orgId} and d.webhook_key = ${webhookKey} and d.key in (
      select o.key from (
        select n.key, sum(n.bytes) over (order by n.key) - first_value(n.bytes) over (order by n.key) as others
        from (
          select f.key, f.bytes from webhook_deliveries f
          where f.org_id = ${orgId} and f.webhook_key = ${webhookKey}
            and (f.state = 'waiting' or (f.state = 'running' and f.leased_until < ${now})) order by f.key limit ${limit}
        ) n
      ) o where o.others <= ${bytesMax})
      and not exists (select 1 from webhook_deliveries r
        where r.org_id = ${orgId} and r.webhook_key = ${webhookKey} and r.state = 'running' and r.leased_until >= ${now})
    returning ${columns}, d.payload`);
  return taken.sort((left, right) => Number(left.key) - Number(right.key));
}

export interface DeliveryEnd {
  readonly key: number;
  readonly state: 'processed' | 'failed';
  readonly reason: string | null;
  readonly results: readonly MappingResult[];
}

/**
 * Stores how deliveries ended, and deletes the oldest beyond those kept; false if another process has claimed one of
 * them since.
 */
export async function finishDeliveries(
  tx: Tx,
  orgId: string,
  webhookKey: number,
  ends: readonly DeliveryEnd[],
  { lease, now }: { readonly lease: string; readonly now: Date },
): Promise<boolean> {
  const changed = await tx.execute(sql`
    update webhook_deliveries d set state = e.state, reason = e.reason, results = e.results, processed_at = ${now},
      lease = null, leased_until = null
    from jsonb_to_recordset(${json(ends)}::jsonb) as e(key bigint, state text, reason text, results jsonb)
    where d.org_id = ${orgId} and d.webhook_key = ${webhookKey} and d.key = e.key and d.state = 'running'
      and d.lease = ${lease}`);
  await deleteOldDeliveries(tx, orgId, webhookKey, ends, ['processed', 'failed']);
  return changed === ends.length;
}

export async function renewLease(tx: Tx, orgId: string, webhookKey: number, lease: string, until: Date): Promise<void> {
  await tx.execute(sql`
    update webhook_deliveries set leased_until = ${until}
    where org_id = ${orgId} and webhook_key = ${webhookKey} and state = 'running' and lease = ${lease}`);
}

export async function returnDeliveries(tx: Tx, orgId: string, webhookKey: number, lease: string): Promise<void> {
  await tx.execute(sql`
    update webhook_deliveries set state = 'waiting', lease = null, leased_until = null
    where org_id = ${orgId} and webhook_key = ${webhookKey} and state = 'running' and lease = ${lease}`);
}

export function listDeliveryRows(
  reader: Reader,
  orgId: string,
  webhookKey: number,
  { limit, state }: { readonly limit: number; readonly state?: string | undefined },
): Promise<StoredDelivery[]> {
  const inState = state === undefined ? sql`true` : sql`d.state = ${state}`;
  return reader.rows<StoredDelivery>(sql`
    select ${columns} from webhook_deliveries d
    where d.org_id = ${orgId} and d.webhook_key = ${webhookKey} and ${inState} order by d.key desc limit ${limit}`);
}

export function findDelivery(
  reader: Reader,
  orgId: string,
  webhookKey: number,
  id: string,
): Promise<StoredDelivery | undefined> {
  return reader.first(storedDelivery.sql`
    select ${columns}, d.payload from webhook_deliveries d
    where d.org_id = ${orgId} and d.webhook_key = ${webhookKey} and d.id = ${id}`);
}

const webhookKeyRow = row(fields('webhook_deliveries', 'org_id', 'webhook_key'));
export type WebhookKey = RowOf<typeof webhookKeyRow>;

/** Webhooks of all organizations with deliveries that no process holds. */
export function listStranded(
  reader: Reader,
  { now, after, limit }: { readonly now: Date; readonly after: WebhookKey | undefined; readonly limit: number },
): Promise<WebhookKey[]> {
  return reader.rows(webhookKeyRow.sql`
    select distinct d.org_id as "orgId", d.webhook_key as "webhookKey" from webhook_deliveries d
    where d.state in ('waiting', 'running') and (d.state = 'waiting' or d.leased_until < ${now})
      and (d.org_id, d.webhook_key) > (${after?.orgId ?? ''}, ${after?.webhookKey ?? 0}::bigint)
    order by 1, 2 limit ${limit} /* all organizations */`);
}
