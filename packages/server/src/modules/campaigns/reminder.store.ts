import sql from 'sql-template-tag';
import type { Reader, Tx } from '../../platform/db/database.ts';
import { computed, field, fields, row } from '../../platform/db/row.ts';
import type { OrganizationModel } from '../organizations/index.ts';

/** The reminder of a campaign so many days before a due date. */
export interface Reminder {
  readonly campaign: string;
  readonly dueDate: string;
  readonly step: number;
}

export type MailOfReminder = 'none' | 'waiting' | 'sent' | 'failed';

const remindableRow = row({
  campaign: field('campaigns', 'identifier'),
  ...fields('campaigns', 'due_date'),
  orgId: field('organizations', 'id'),
  model: field('organizations', 'model').as<OrganizationModel>(),
});

/** The active campaigns of every organization that remind, due between two days. */
export function listRemindable(reader: Reader, { from, to }: { readonly from: string; readonly to: string }) {
  return reader.rows(remindableRow.sql`
    select c.identifier as campaign, c.due_date as "dueDate", o.id as "orgId", o.model
    from campaigns c join organizations o on o.id = c.org_id
    where c.status = 'active' and c.due_date between ${from} and ${to}
      and coalesce((c.definition ->> 'remindOwners')::boolean, true)
    order by o.id, c.identifier /* all organizations */`);
}

const stepRow = row(fields('campaign_reminders', 'due_date', 'step', 'at'));

/** All reminders that went for a campaign, the last first. */
export function listReminders(reader: Reader, orgId: string, campaign: string) {
  return reader.rows(stepRow.sql`
    select due_date as "dueDate", step, at from campaign_reminders
    where org_id = ${orgId} and campaign = ${campaign} order by at desc, step`);
}

/** Whether this call noted it: not if it went before, or the campaign asks nothing any more, or by another day. */
export async function insertReminder(tx: Tx, orgId: string, reminder: Reminder, at: Date): Promise<boolean> {
  const count = await tx.execute(sql`
    insert into campaign_reminders (org_id, campaign, due_date, step, at)
    select c.org_id, c.identifier, c.due_date, ${reminder.step}, ${at} from campaigns c
    where c.org_id = ${orgId} and c.identifier = ${reminder.campaign} and c.due_date = ${reminder.dueDate}
      and c.status = 'active' and coalesce((c.definition ->> 'remindOwners')::boolean, true) for share
    on conflict (org_id, campaign, due_date, step) do nothing`);
  return count > 0;
}

export async function insertPeople(
  tx: Tx,
  orgId: string,
  { campaign, dueDate, step }: Reminder,
  { userKeys, mail }: { readonly userKeys: readonly string[]; readonly mail: MailOfReminder },
): Promise<void> {
  await tx.execute(sql`
    insert into campaign_reminder_people (org_id, campaign, due_date, step, user_key, mail)
    select u.org_id, ${campaign}, ${dueDate}, ${step}, u.key, ${mail} from users u
    where u.org_id = ${orgId} and u.key = any(${userKeys})`);
}

const countRow = row({ people: computed.number });

export async function countPeople(
  reader: Reader,
  orgId: string,
  { campaign, dueDate, step }: Reminder,
): Promise<number> {
  const found = await reader.first(countRow.sql`
    select count(*)::int as people from campaign_reminder_people
    where org_id = ${orgId} and campaign = ${campaign} and due_date = ${dueDate} and step = ${step}`);
  return found?.people ?? 0;
}

const personRow = row(fields('users', 'key', 'identifier'));

/** The people of these teams who can sign in. */
export function listOwners(reader: Reader, orgId: string, teamKeys: readonly string[]) {
  return reader.rows(personRow.sql`
    select u.key, u.identifier from users u
    where u.org_id = ${orgId} and u.type = 'Standard' and u.status = 'Active' and exists (
      select 1 from team_members m
      where m.org_id = ${orgId} and m.user_key = u.key and m.team_key = any(${teamKeys}))
    order by u.identifier`);
}

const waitingRow = row(fields('users', 'identifier'));

/** Who still waits for the e-mail of a reminder, if the campaign still asks it of them by that day. */
export function findWaiting(reader: Reader, orgId: string, { campaign, dueDate, step }: Reminder, userKey: string) {
  return reader.first(waitingRow.sql`
    select u.identifier from campaign_reminder_people p
    join users u on u.org_id = p.org_id and u.key = p.user_key
    join campaigns c on c.org_id = p.org_id and c.identifier = p.campaign and c.due_date = p.due_date
    where p.org_id = ${orgId} and p.campaign = ${campaign} and p.due_date = ${dueDate} and p.step = ${step}
      and p.user_key = ${userKey} and p.mail = 'waiting' and u.status = 'Active' and c.status = 'active'
      and coalesce((c.definition ->> 'remindOwners')::boolean, true)`);
}

export async function setMail(
  tx: Tx,
  orgId: string,
  { campaign, dueDate, step }: Reminder,
  { userKey, mail }: { readonly userKey: string; readonly mail: MailOfReminder },
): Promise<void> {
  await tx.execute(sql`
    update campaign_reminder_people set mail = ${mail}
    where org_id = ${orgId} and campaign = ${campaign} and due_date = ${dueDate} and step = ${step}
      and user_key = ${userKey} and mail = 'waiting'`);
}

const remindedRow = row({ campaign: field('campaigns', 'identifier'), at: field('campaign_reminders', 'at') });

/** When a person was last reminded of campaigns, before the due dates that these have now. */
export function listRemindedAt(reader: Reader, orgId: string, user: string) {
  return reader.rows(remindedRow.sql`
    select distinct on (c.identifier) c.identifier as campaign, r.at from campaign_reminder_people p
    join users u on u.org_id = p.org_id and u.key = p.user_key
    join campaigns c on c.org_id = p.org_id and c.identifier = p.campaign and c.due_date = p.due_date
    join campaign_reminders r on r.org_id = p.org_id and r.campaign = p.campaign and r.due_date = p.due_date
      and r.step = p.step
    where p.org_id = ${orgId} and u.identifier = ${user} order by c.identifier, r.at desc`);
}
