import sql from 'sql-template-tag';
import type { Reader, Tx } from '../../platform/db/database.ts';
import { field, fields, row } from '../../platform/db/row.ts';
import type { OrganizationModel } from '../organizations/index.ts';

/** What is drawn of a campaign, and so what is kept of it. */
export const daysMax = 400;

export interface CampaignDay {
  readonly day: string;
  readonly total: number;
  readonly reached: number;
}

const activeRow = row({
  campaign: field('campaigns', 'identifier'),
  orgId: field('organizations', 'id'),
  model: field('organizations', 'model').as<OrganizationModel>(),
});

/** The active campaigns of every organization. */
export function listActive(reader: Reader) {
  return reader.rows(activeRow.sql`
    select c.identifier as campaign, o.id as "orgId", o.model from campaigns c join organizations o on o.id = c.org_id
    where c.status = 'active' order by o.id, c.identifier /* all organizations */`);
}

/** The count of a day, in place of an earlier one of that day. A campaign that is gone meanwhile gets none. */
export async function saveDay(
  tx: Tx,
  orgId: string,
  campaign: string,
  { day, total, reached }: CampaignDay,
): Promise<void> {
  await tx.execute(sql`
    insert into campaign_days (org_id, campaign, day, total, reached)
    select c.org_id, c.identifier, ${day}, ${total}, ${reached} from campaigns c
    where c.org_id = ${orgId} and c.identifier = ${campaign} for key share
    on conflict (org_id, campaign, day) do update set total = excluded.total, reached = excluded.reached`);
}

const dayRow = row(fields('campaign_days', 'day', 'total', 'reached'));

/** The latest days, oldest first. */
export async function listDays(
  reader: Reader,
  orgId: string,
  campaign: string,
  daysMax: number,
): Promise<CampaignDay[]> {
  const rows = await reader.rows(dayRow.sql`
    select day, total, reached from campaign_days where org_id = ${orgId} and campaign = ${campaign}
    order by day desc limit ${daysMax}`);
  return rows.reverse();
}

/** Days before one, or all of them. */
export async function deleteDays(tx: Tx, orgId: string, campaign: string, before?: string): Promise<void> {
  await tx.execute(sql`
    delete from campaign_days where org_id = ${orgId} and campaign = ${campaign}
      and (${before ?? null}::text is null or day < ${before ?? null}::text)`);
}
