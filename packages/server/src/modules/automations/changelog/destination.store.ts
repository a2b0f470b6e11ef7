import sql, { raw } from 'sql-template-tag';
import type { Reader, Tx } from '../../../platform/db/database.ts';
import { json } from '../../../platform/db/json.ts';
import { computed, field, fields, type RowOf, row } from '../../../platform/db/row.ts';
import type { SavedAuthority } from '../../accounts/index.ts';

const destinationRow = row({
  ...fields(
    'changelog_destinations',
    'id',
    'type',
    'is_enabled',
    'created_at',
    'created_by',
    'updated_at',
    'updated_by',
  ),
  /** Null if a message broker receives the changes. */
  url: field('changelog_destinations', 'url'),
  /** Resource types whose changes are sent; null for all. */
  resources: field('changelog_destinations', 'resources').as<readonly string[]>(),
  /** Authority of the last author, which limits what is sent; null if saved before it was stored. */
  authority: field('changelog_destinations', 'authority').as<SavedAuthority>(),
});

export type Destination = RowOf<typeof destinationRow>;

export interface ShownDestination extends Destination {
  readonly failures: number;
  readonly failingSince: Date | null;
  readonly nextAttemptAt: Date | null;
  readonly lastError: string | null;
  readonly lastSentAt: Date | null;
  readonly waiting: number;
}

const columns = raw(`d.id, d.type, d.url, d.resources, d.is_enabled as "isEnabled", d.created_at as "createdAt",
  d.created_by as "createdBy", d.updated_at as "updatedAt", d.updated_by as "updatedBy", d.authority`);

const shownDestination = row({
  ...fields('changelog_receivers', 'failing_since', 'next_attempt_at', 'last_error', 'last_sent_at'),
  ...fields(
    'changelog_destinations',
    'id',
    'type',
    'url',
    'is_enabled',
    'created_at',
    'created_by',
    'updated_at',
    'updated_by',
  ),
  failures: computed.number,
  waiting: computed.number,
  resources: field('changelog_destinations', 'resources').as<readonly string[]>(),
  authority: field('changelog_destinations', 'authority').as<SavedAuthority>(),
});

export function listDestinations(reader: Reader, orgId: string): Promise<ShownDestination[]> {
  return reader.rows(shownDestination.sql`
    select ${columns}, coalesce(r.failures, 0) as failures, r.failing_since as "failingSince",
      r.next_attempt_at as "nextAttemptAt", r.last_error as "lastError", r.last_sent_at as "lastSentAt",
      (select count(*)::int from event_deliveries e
        where e.org_id = ${orgId} and e.consumer = 'changelog' and e.target = 'organization:' || d.id) as waiting
    from changelog_destinations d
    left join changelog_receivers r on r.org_id = d.org_id and r.target = 'organization:' || d.id
    where d.org_id = ${orgId} order by d.created_at, d.id`);
}

export function lockDestination(tx: Tx, orgId: string, id: string): Promise<Destination | undefined> {
  return tx.first(
    destinationRow.sql`select ${columns} from changelog_destinations d where d.org_id = ${orgId} and d.id = ${id} for update`,
  );
}

export async function putDestination(tx: Tx, orgId: string, destination: Destination): Promise<void> {
  const { id, type, url, resources, isEnabled, createdAt, createdBy, updatedAt, updatedBy, authority } = destination;
  await tx.execute(sql`
    insert into changelog_destinations (org_id, id, type, url, resources, is_enabled, created_at, created_by, updated_at,
      updated_by, authority)
    values (${orgId}, ${id}, ${type}, ${url}, ${resources && json(resources)}, ${isEnabled}, ${createdAt}, ${createdBy},
      ${updatedAt}, ${updatedBy}, ${authority && json(authority)})
    on conflict (org_id, id) do update set type = excluded.type, url = excluded.url, resources = excluded.resources,
      is_enabled = excluded.is_enabled, updated_at = excluded.updated_at, updated_by = excluded.updated_by,
      authority = excluded.authority`);
}

export async function deleteDestinationRow(tx: Tx, orgId: string, id: string): Promise<void> {
  await tx.execute(sql`delete from changelog_destinations where org_id = ${orgId} and id = ${id}`);
}

/** An HTTP address, or the broker with an optional address for an agent. */
export type Address = (
  | { readonly kind: 'webhook'; readonly url: string }
  | { readonly kind: 'broker'; readonly agentDestination?: unknown }
) & {
  /** Absent if not stored with the target. */
  readonly saved?: Pick<Destination, 'authority' | 'updatedBy'>;
};

const addressRow = row({ destination: computed.json.as<{ type: string; url: string; agent?: boolean }>() });

/** Resolves a target to its address; undefined once the destination is gone. */
export async function findAddress(reader: Reader, orgId: string, target: string): Promise<Address | undefined> {
  const [kind, name = ''] = target.split(':', 2);
  if (kind === 'organization') {
    const row = await reader.first(
      destinationRow.sql`select ${columns} from changelog_destinations d where d.org_id = ${orgId} and d.id = ${name} and d.is_enabled`,
    );
    return row && { ...(row.url === null ? { kind: 'broker' } : { kind: 'webhook', url: row.url }), saved: row };
  }
  const row = await reader.first(addressRow.sql`
    select definition -> 'changelogDestination' as destination from blueprints
    where org_id = ${orgId} and key = ${Number(name)} and (has_changelog or has_broker_changelog)`);
  if (!row) return undefined;
  const { destination } = row;
  if (destination.type === 'KAFKA') return { kind: 'broker' };
  return destination.agent
    ? { kind: 'broker', agentDestination: destination }
    : { kind: 'webhook', url: destination.url };
}
