import sql, { raw } from 'sql-template-tag';
import type { Reader, Tx } from '../../platform/db/database.ts';
import { json } from '../../platform/db/json.ts';
import { computed, field, fields, row } from '../../platform/db/row.ts';
import type { StoredCampaign } from './campaign.ts';

const columns = raw(`c.identifier, c.blueprint_key as "blueprintKey", b.identifier as blueprint, c.status,
  c.due_date as "dueDate", c.definition, c.created_at as "createdAt", c.created_by as "createdBy",
  c.updated_at as "updatedAt", c.updated_by as "updatedBy"`);
const rows = raw('campaigns c join blueprints b on b.org_id = c.org_id and b.key = c.blueprint_key');

const storedCampaign = row({
  ...fields('campaigns', 'identifier', 'blueprint_key', 'due_date', 'created_at', 'created_by'),
  ...fields('campaigns', 'updated_at', 'updated_by'),
  blueprint: field('blueprints', 'identifier'),
  status: field('campaigns', 'status').as<StoredCampaign['status']>(),
  definition: field('campaigns', 'definition').as<StoredCampaign['definition']>(),
});

/** Those due first at the top. */
export function listCampaignRows(reader: Reader, orgId: string): Promise<StoredCampaign[]> {
  return reader.rows(storedCampaign.sql`
    select ${columns} from ${rows} where c.org_id = ${orgId} order by c.due_date, c.created_at, c.identifier`);
}

export function findCampaignRow(
  reader: Reader,
  orgId: string,
  identifier: string,
): Promise<StoredCampaign | undefined> {
  return reader.first(storedCampaign.sql`
    select ${columns} from ${rows} where c.org_id = ${orgId} and c.identifier = ${identifier}`);
}

/** Serializes changes of an organization's campaigns. */
export async function lockCampaigns(tx: Tx, orgId: string): Promise<void> {
  await tx.rows(sql`select pg_advisory_xact_lock(4771010, hashtext(${orgId}))`);
}

const counts = row({ all: computed.number, active: computed.number });

/** How many campaigns there are, and how many are active, without the named one. */
export async function countCampaigns(
  reader: Reader,
  orgId: string,
  without: string,
): Promise<{ readonly all: number; readonly active: number }> {
  const [found] = await reader.rows(counts.sql`
    select count(*)::int as "all", (count(*) filter (where status = 'active'))::int as active
    from campaigns where org_id = ${orgId} and identifier <> ${without}`);
  return found ?? { all: 0, active: 0 };
}

export async function insertCampaign(tx: Tx, orgId: string, campaign: StoredCampaign): Promise<void> {
  await tx.execute(sql`
    insert into campaigns (org_id, identifier, blueprint_key, status, due_date, definition, created_at, created_by,
      updated_at, updated_by)
    values (${orgId}, ${campaign.identifier}, ${campaign.blueprintKey}, ${campaign.status}, ${campaign.dueDate},
      ${json(campaign.definition)}, ${campaign.createdAt}, ${campaign.createdBy}, ${campaign.updatedAt},
      ${campaign.updatedBy})`);
}

export async function updateCampaignRow(tx: Tx, orgId: string, campaign: StoredCampaign): Promise<void> {
  await tx.execute(sql`
    update campaigns set status = ${campaign.status}, due_date = ${campaign.dueDate},
      definition = ${json(campaign.definition)}, updated_at = ${campaign.updatedAt}, updated_by = ${campaign.updatedBy}
    where org_id = ${orgId} and identifier = ${campaign.identifier}`);
}

export async function deleteCampaignRow(tx: Tx, orgId: string, identifier: string): Promise<void> {
  await tx.execute(sql`delete from campaigns where org_id = ${orgId} and identifier = ${identifier}`);
}
