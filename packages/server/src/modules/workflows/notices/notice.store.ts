import sql from 'sql-template-tag';
import type { Reader, Tx } from '../../../platform/db/database.ts';
import { countRow, field, fields, row } from '../../../platform/db/row.ts';

const table = 'notices';

/** One text to several people. */
export interface WrittenNotice {
  /** The idempotency key of its step. */
  readonly about: string;
  readonly workflow: string;
  readonly workflowTitle: string | null;
  readonly runId: string;
  readonly startedBy: string;
  readonly subject: string;
  readonly body: string;
  readonly link: string | null;
  readonly createdAt: Date;
}

const keyRow = row({ userKey: field(table, 'user_key') });

/** Keys of those of the people who were not told about it before. */
export async function insertNotices(
  tx: Tx,
  orgId: string,
  people: readonly { readonly user: string; readonly id: string }[],
  told: WrittenNotice,
): Promise<string[]> {
  const users = people.map(({ user }) => user);
  const ids = people.map(({ id }) => id);
  const inserted = await tx.rows(keyRow.sql`
    insert into notices (org_id, user_key, id, about, workflow, workflow_title, run_id, started_by, subject, body, link,
      created_at)
    select u.org_id, u.key, p.id, ${told.about}, ${told.workflow}, ${told.workflowTitle}, ${told.runId}, ${told.startedBy},
      ${told.subject}, ${told.body}, ${told.link}, ${told.createdAt}
    from unnest(${users}::text[], ${ids}::text[]) as p (identifier, id)
    join users u on u.org_id = ${orgId} and u.identifier = p.identifier
    order by u.key
    on conflict do nothing returning user_key as "userKey"`);
  return inserted.map(({ userKey }) => userKey);
}

/** Drops the oldest of what is above the number that each of these people keeps. */
export async function trimNotices(tx: Tx, orgId: string, userKeys: readonly string[], most: number): Promise<void> {
  await tx.execute(sql`
    delete from notices where org_id = ${orgId} and id in (
      select n.id from (
        select id, row_number() over (partition by user_key order by key desc) as place
        from notices where org_id = ${orgId} and user_key = any(${[...userKeys]}::text[])) n
      where n.place > ${most})`);
}

const noticeRow = row({
  ...fields(table, 'id', 'key', 'workflow', 'workflow_title', 'run_id', 'started_by', 'subject', 'link'),
  ...fields(table, 'created_at', 'read_at'),
  body: field(table, 'body').notNull(),
});

/** What a person was told and has not dismissed, newest first. */
export function selectNotices(
  reader: Reader,
  orgId: string,
  user: string,
  { before, limit }: { readonly before: number | undefined; readonly limit: number },
) {
  return reader.rows(noticeRow.sql`
    select n.id, n.key, n.workflow, n.workflow_title as "workflowTitle", n.run_id as "runId",
      n.started_by as "startedBy", n.subject, n.link, n.created_at as "createdAt", n.read_at as "readAt", n.body
    from notices n join users u on u.org_id = n.org_id and u.key = n.user_key
    where n.org_id = ${orgId} and u.identifier = ${user} and n.dismissed_at is null
      and n.key < ${before ?? Number.MAX_SAFE_INTEGER}
    order by n.key desc limit ${limit}`);
}

export async function countUnread(reader: Reader, orgId: string, user: string): Promise<number> {
  const [counted] = await reader.rows(countRow.sql`
    select count(*)::int as count from notices n join users u on u.org_id = n.org_id and u.key = n.user_key
    where n.org_id = ${orgId} and u.identifier = ${user} and n.dismissed_at is null and n.read_at is null`);
  return counted?.count ?? 0;
}

const placeRow = row(fields(table, 'key'));

/** Of a notice that the person has and has not dismissed. */
export async function findNoticeKey(
  reader: Reader,
  orgId: string,
  user: string,
  id: string,
): Promise<number | undefined> {
  const found = await reader.first(placeRow.sql`
    select n.key from notices n join users u on u.org_id = n.org_id and u.key = n.user_key
    where n.org_id = ${orgId} and u.identifier = ${user} and n.id = ${id} and n.dismissed_at is null`);
  return found?.key;
}

/** Whether the person was told something since, or read or dismissed something in another window. */
export async function hasChangedSince(reader: Reader, orgId: string, user: string, since: Date): Promise<boolean> {
  const changed = await reader.first(placeRow.sql`
    select n.key from notices n join users u on u.org_id = n.org_id and u.key = n.user_key
    where n.org_id = ${orgId} and u.identifier = ${user}
      and greatest(n.created_at, n.read_at, n.dismissed_at) >= ${since} limit 1`);
  return changed !== undefined;
}

/** Those of the person between two places, both included. */
export async function markRead(
  tx: Tx,
  orgId: string,
  user: string,
  { from, to, now }: { readonly from: number; readonly to: number; readonly now: Date },
): Promise<void> {
  await tx.execute(sql`
    update notices n set read_at = ${now} from users u
    where n.org_id = ${orgId} and u.org_id = n.org_id and u.key = n.user_key and u.identifier = ${user}
      and n.key between ${from} and ${to} and n.read_at is null and n.dismissed_at is null`);
}

/** The row stays as long as others do, so that a repeated step does not tell it again. */
export async function dismiss(tx: Tx, orgId: string, id: string, now: Date): Promise<void> {
  await tx.execute(sql`
    update notices set dismissed_at = ${now}, subject = '', body = null, link = null
    where org_id = ${orgId} and id = ${id}`);
}

const orgRow = row(fields(table, 'org_id'));

export async function listOrganizationsWithNotices(reader: Reader, before: Date): Promise<string[]> {
  const rows = await reader.rows(orgRow.sql`
    select distinct org_id as "orgId" from notices where created_at < ${before} /* all organizations */`);
  return rows.map(({ orgId }) => orgId);
}

export function deleteNoticesBefore(tx: Tx, orgId: string, before: Date, limit: number): Promise<number> {
  return tx.execute(sql`
    delete from notices where org_id = ${orgId} and id in (
      select n.id from notices n where n.org_id = ${orgId} and n.created_at < ${before}
      order by n.created_at limit ${limit})`);
}
