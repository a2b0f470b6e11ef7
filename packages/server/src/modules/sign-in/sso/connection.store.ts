import sql, { raw } from 'sql-template-tag';
import type { Reader, Tx } from '../../../platform/db/database.ts';
import { json } from '../../../platform/db/json.ts';
import { field, fields, type RowOf, row } from '../../../platform/db/row.ts';
import type { Permitted } from '../../accounts/index.ts';

export interface GroupTeam {
  readonly group: string;
  readonly team: string;
}

const connectionRow = row({
  ...fields(
    'sso_connections',
    'issuer',
    'client_id',
    'sealed_secret',
    'scopes',
    'groups_claim',
    'creates_users',
    'creates_teams',
    'domains',
    'updated_at',
    'updated_by',
  ),
  groupTeams: field('sso_connections', 'group_teams').as<readonly GroupTeam[]>(),
});

/** How an organization signs in at its identity provider. */
export type Connection = RowOf<typeof connectionRow>;

const columns = raw(`issuer, client_id as "clientId", sealed_secret as "sealedSecret", scopes,
  groups_claim as "groupsClaim", group_teams as "groupTeams", creates_users as "createsUsers",
  creates_teams as "createsTeams", domains, updated_at as "updatedAt", updated_by as "updatedBy"`);

export function findConnection(reader: Reader, orgId: string): Promise<Connection | undefined> {
  return reader.first(connectionRow.sql`select ${columns} from sso_connections where org_id = ${orgId}`);
}

export function lockConnection(tx: Tx, orgId: string): Promise<Connection | undefined> {
  return tx.first(connectionRow.sql`select ${columns} from sso_connections where org_id = ${orgId} for update`);
}

export async function upsertConnection(tx: Tx, orgId: string, connection: Permitted<Connection>): Promise<void> {
  const { issuer, clientId, sealedSecret, scopes, groupsClaim, groupTeams, domains } = connection;
  await tx.execute(sql`
    insert into sso_connections (org_id, issuer, client_id, sealed_secret, scopes, groups_claim, group_teams,
      creates_users, creates_teams, domains, updated_at, updated_by)
    values (${orgId}, ${issuer}, ${clientId}, ${sealedSecret}, ${scopes}, ${groupsClaim}, ${json(groupTeams)}::jsonb,
      ${connection.createsUsers}, ${connection.createsTeams}, ${domains}, ${connection.updatedAt},
      ${connection.updatedBy})
    on conflict (org_id) do update set issuer = excluded.issuer, client_id = excluded.client_id,
      sealed_secret = excluded.sealed_secret, scopes = excluded.scopes, groups_claim = excluded.groups_claim,
      group_teams = excluded.group_teams, creates_users = excluded.creates_users,
      creates_teams = excluded.creates_teams, domains = excluded.domains, updated_at = excluded.updated_at,
      updated_by = excluded.updated_by`);
}

export async function deleteConnectionRow(tx: Tx, orgId: string): Promise<void> {
  await tx.execute(sql`delete from sso_connections where org_id = ${orgId}`);
}

const userKeyRow = row(fields('users', 'key'));

/** The user of a provider's subject; undefined if the subject was never here or its user is gone. */
export async function findSubject(
  reader: Reader,
  orgId: string,
  issuer: string,
  subject: string,
): Promise<string | undefined> {
  const row = await reader.first(userKeyRow.sql`
    select u.key from sso_subjects s join users u on u.org_id = s.org_id and u.key = s.user_key
    where s.org_id = ${orgId} and s.issuer = ${issuer} and s.subject = ${subject}`);
  return row?.key;
}

const subjectUserRow = row({ key: field('sso_subjects', 'user_key') });

/** Ties a subject to a user. False if the user is tied to another one of the issuer. */
export async function linkSubject(
  tx: Tx,
  orgId: string,
  link: { readonly issuer: string; readonly subject: string; readonly userKey: string; readonly at: Date },
): Promise<boolean> {
  const { issuer, subject, userKey, at } = link;
  await tx.execute(sql`
    insert into sso_subjects as s (org_id, issuer, subject, user_key, created_at)
    values (${orgId}, ${issuer}, ${subject}, ${userKey}, ${at})
    on conflict do nothing`);
  const row = await tx.first(subjectUserRow.sql`
    update sso_subjects set user_key = ${userKey}
    where org_id = ${orgId} and issuer = ${issuer} and subject = ${subject}
      and not exists (select 1 from sso_subjects o where o.org_id = ${orgId} and o.issuer = ${issuer}
        and o.user_key = ${userKey} and o.subject <> ${subject})
    returning user_key as key`);
  return row !== undefined;
}
