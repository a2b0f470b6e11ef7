import sql, { raw } from 'sql-template-tag';
import type { Reader, Tx } from '../../../platform/db/database.ts';
import { computed, field, fields, type RowOf, row } from '../../../platform/db/row.ts';

export type MailState = 'none' | 'waiting' | 'sent' | 'failed';

interface NewInvitation {
  readonly orgId: string;
  readonly userKey: string;
  readonly invitedBy: string;
  readonly at: Date;
  readonly createdUser: boolean;
}

/** Who invited a person the last time counts; what the first invitation created stays known. */
export async function putInvitation(tx: Tx, invitation: NewInvitation): Promise<void> {
  const { orgId, userKey, invitedBy, at, createdUser } = invitation;
  await tx.execute(sql`
    insert into invitations (org_id, user_key, invited_by, invited_at, created_user, mail)
    values (${orgId}, ${userKey}, ${invitedBy}, ${at}, ${createdUser}, 'none')
    on conflict (org_id, user_key) do update set invited_by = excluded.invited_by, invited_at = excluded.invited_at,
      mail = 'none', mail_at = null, mail_problem = null`);
}

export async function setMailState(
  tx: Tx,
  { orgId, userKey }: { readonly orgId: string; readonly userKey: string },
  state: MailState,
  at: Date,
  problem: string | null = null,
): Promise<void> {
  await tx.execute(sql`
    update invitations set mail = ${state}, mail_at = ${at}, mail_problem = ${problem}
    where org_id = ${orgId} and user_key = ${userKey}`);
}

export async function deleteInvitation(tx: Tx, orgId: string, userKey: string): Promise<void> {
  await tx.execute(sql`delete from invitations where org_id = ${orgId} and user_key = ${userKey}`);
}

const originRow = row(fields('invitations', 'created_user'));

/** The invitation of a user, locked for the transaction. */
export function lockInvitation(tx: Tx, orgId: string, userKey: string): Promise<RowOf<typeof originRow> | undefined> {
  return tx.first(originRow.sql`
    select created_user as "createdUser" from invitations
    where org_id = ${orgId} and user_key = ${userKey} for update`);
}

const invitationRow = row({
  email: field('users', 'identifier'),
  invitedBy: field('invitations', 'invited_by').orNull(),
  inviterName: field('users', 'title'),
  invitedAt: computed.time,
  expiresAt: computed.time.orNull(),
  mail: field('invitations', 'mail').orNull().as<MailState>(),
  mailAt: field('invitations', 'mail_at').orNull(),
  mailProblem: field('invitations', 'mail_problem').orNull(),
});
export type Invitation = RowOf<typeof invitationRow>;

const columns = raw(`u.identifier as email, i.invited_by as "invitedBy", inviter.title as "inviterName",
  coalesce(i.invited_at, u.created_at) as "invitedAt", i.mail, i.mail_at as "mailAt", i.mail_problem as "mailProblem"`);

/** Those who were invited and have not signed in; of one user if told. */
export function listInvitationRows(reader: Reader, orgId: string, at: Date, userKey?: string): Promise<Invitation[]> {
  return reader.rows(invitationRow.sql`
    select ${columns}, (
      select max(l.expires_at) from password_links l
      where l.org_id = ${orgId} and l.user_key = u.key and l.ended_at is null and l.expires_at > ${at}) as "expiresAt"
    from users u
    left join invitations i on i.org_id = u.org_id and i.user_key = u.key
    left join users inviter on inviter.org_id = u.org_id and inviter.identifier = i.invited_by
    where u.org_id = ${orgId} and u.type = 'Standard' and u.status in ('Staged', 'Invited', 'Active')
      and u.last_login_at is null and (i.user_key is not null or u.status = 'Invited')
      and (${userKey ?? null}::text is null or u.key = ${userKey ?? null})
    order by "invitedAt" desc, u.identifier`);
}
