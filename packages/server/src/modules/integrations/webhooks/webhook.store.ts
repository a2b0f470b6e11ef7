import sql, { raw } from 'sql-template-tag';
import type { Reader, Tx } from '../../../platform/db/database.ts';
import { json } from '../../../platform/db/json.ts';
import { computed, field, fields, row } from '../../../platform/db/row.ts';
import type { SavedAuthority } from '../../accounts/index.ts';
import type { StoredWebhook, WebhookDefinition } from './webhook.ts';

const columns =
  raw(`w.key, w.identifier, w.ingest_key as "ingestKey", w.definition, w.sealed_secret as "sealedSecret", w.authority,
  w.created_at as "createdAt", w.created_by as "createdBy", w.updated_at as "updatedAt", w.updated_by as "updatedBy"`);

const storedWebhook = row({
  ...fields(
    'webhooks',
    'key',
    'identifier',
    'ingest_key',
    'sealed_secret',
    'created_at',
    'created_by',
    'updated_at',
    'updated_by',
  ),
  definition: field('webhooks', 'definition').as<StoredWebhook['definition']>(),
  authority: field('webhooks', 'authority').as<StoredWebhook['authority']>(),
});

export function listWebhookRows(reader: Reader, orgId: string): Promise<StoredWebhook[]> {
  return reader.rows(storedWebhook.sql`select ${columns} from webhooks w where w.org_id = ${orgId} order by w.key`);
}

export function findWebhook(reader: Reader, orgId: string, identifier: string): Promise<StoredWebhook | undefined> {
  return reader.first(
    storedWebhook.sql`select ${columns} from webhooks w where w.org_id = ${orgId} and w.identifier = ${identifier}`,
  );
}

export function findWebhookByKey(reader: Reader, orgId: string, key: number): Promise<StoredWebhook | undefined> {
  return reader.first(
    storedWebhook.sql`select ${columns} from webhooks w where w.org_id = ${orgId} and w.key = ${key}`,
  );
}

const webhookRow = row({
  ...fields(
    'webhooks',
    'key',
    'identifier',
    'ingest_key',
    'sealed_secret',
    'created_at',
    'created_by',
    'updated_at',
    'updated_by',
  ),
  definition: field('webhooks', 'definition').as<WebhookDefinition>(),
  authority: field('webhooks', 'authority').as<SavedAuthority>(),
  open: computed.number,
});

/** The webhook at an ingest key, with its number of waiting events, counted up to `countMax`. */
export function findReceiving(
  reader: Reader,
  orgId: string,
  ingestKey: string,
  countMax: number,
): Promise<(StoredWebhook & { readonly open: number }) | undefined> {
  return reader.first(webhookRow.sql`
    select ${columns}, (select count(*)::int from (
      select 1 from webhook_deliveries d where d.org_id = ${orgId} and d.webhook_key = w.key
        and d.state in ('waiting', 'running') limit ${countMax}) as open) as open
    from webhooks w where w.org_id = ${orgId} and w.ingest_key = ${ingestKey}`);
}

export function lockWebhook(tx: Tx, orgId: string, identifier: string): Promise<StoredWebhook | undefined> {
  return tx.first(storedWebhook.sql`
    select ${columns} from webhooks w where w.org_id = ${orgId} and w.identifier = ${identifier} for no key update`);
}

interface WebhookRow {
  readonly identifier: string;
  readonly definition: WebhookDefinition;
  readonly sealedSecret: string | null;
  readonly authority: SavedAuthority | null;
}
interface WebhookStamp {
  readonly orgId: string;
  readonly by: string;
  readonly at: Date;
}

/** Returns undefined if the identifier is in use. */
export function insertWebhook(
  tx: Tx,
  { orgId, by, at }: WebhookStamp,
  ingestKey: string,
  { identifier, definition, sealedSecret, authority }: WebhookRow,
): Promise<StoredWebhook | undefined> {
  return tx.first(storedWebhook.sql`
    insert into webhooks as w (org_id, identifier, ingest_key, definition, sealed_secret, authority, created_at,
      created_by, updated_at, updated_by)
    values (${orgId}, ${identifier}, ${ingestKey}, ${json(definition)}, ${sealedSecret},
      ${authority && json(authority)}, ${at}, ${by}, ${at}, ${by})
    on conflict (org_id, identifier) do nothing
    returning ${columns}`);
}

/** @throws DatabaseError with constraint `webhooks_identifier` */
export async function updateWebhookRow(
  tx: Tx,
  { orgId, by, at }: WebhookStamp,
  key: number,
  { identifier, definition, sealedSecret, authority }: WebhookRow,
): Promise<StoredWebhook> {
  const [row] = await tx.rows(storedWebhook.sql`
    update webhooks w set identifier = ${identifier}, definition = ${json(definition)}, sealed_secret = ${sealedSecret},
      authority = ${authority && json(authority)}, updated_at = ${at}, updated_by = ${by}
    where w.org_id = ${orgId} and w.key = ${key}
    returning ${columns}`);
  return row as StoredWebhook;
}

export async function deleteWebhookRow(tx: Tx, orgId: string, key: number): Promise<void> {
  await tx.execute(sql`delete from webhooks where org_id = ${orgId} and key = ${key}`);
}
