import sql, { join, raw, type Sql } from 'sql-template-tag';
import type { Reader, Tx } from '../../../platform/db/database.ts';
import { computed, countRow, field, fields, type RowOf, row } from '../../../platform/db/row.ts';
import { nameKey } from '../../accounts/index.ts';
import { ScimError } from './scim-error.ts';
import type { Comparison } from './scim-filter.ts';

const scimUserRow = row({
  ...fields(
    'users',
    'key',
    'identifier',
    'title',
    'first_name',
    'last_name',
    'status',
    'external_id',
    'managed_by',
    'last_login_at',
    'created_at',
  ),
  updatedAt: computed.time,
  groups: computed.json.as<readonly { readonly value: string; readonly display: string }[]>(),
});
export type ScimUserRow = RowOf<typeof scimUserRow>;

const scimGroupRow = row({
  ...fields('teams', 'key', 'identifier', 'external_id', 'provider', 'created_at', 'updated_at'),
  name: field('teams', 'title'),
  members: computed.json.as<readonly ScimMember[]>(),
});
export type ScimGroupRow = RowOf<typeof scimGroupRow>;

export interface ScimMember {
  readonly value: string;
  readonly display: string | null;
  readonly email: string;
  readonly isPerson: boolean;
}

export interface Page {
  readonly startIndex: number;
  readonly count: number;
}

export interface FoundPage<Row> {
  readonly total: number;
  readonly rows: readonly Row[];
}

const userColumns = raw(`u.key, u.identifier, u.title, u.first_name as "firstName", u.last_name as "lastName", u.status,
  u.external_id as "externalId", u.managed_by as "managedBy", u.last_login_at as "lastLoginAt",
  u.created_at as "createdAt", greatest(u.updated_at, u.scim_updated_at) as "updatedAt",
  coalesce((select jsonb_agg(jsonb_build_object('value', t.key, 'display', t.title) order by t.title)
    from team_members m join teams t on t.org_id = m.org_id and t.key = m.team_key
    where m.org_id = u.org_id and m.user_key = u.key), '[]') as groups`);

const groupColumns = raw(`t.key, t.identifier, t.title as name, t.external_id as "externalId", t.provider,
  t.created_at as "createdAt", t.updated_at as "updatedAt",
  coalesce((select jsonb_agg(jsonb_build_object('value', u.key, 'display', u.title, 'email', u.identifier,
      'isPerson', u.type = 'Standard') order by m.position, u.key)
    from team_members m join users u on u.org_id = m.org_id and u.key = m.user_key
    where m.org_id = t.org_id and m.team_key = t.key), '[]') as members`);

/** People; service accounts are the portal's own. */
export async function findUsers(
  reader: Reader,
  orgId: string,
  filter: readonly Comparison[],
  { startIndex, count }: Page,
): Promise<FoundPage<ScimUserRow>> {
  const where = conditions(filter, userCondition);
  const total = await reader.first(countRow.sql`
    select count(*)::int as count from users u where u.org_id = ${orgId} and u.type = 'Standard' and ${where}`);
  const rows = await reader.rows(scimUserRow.sql`
    select ${userColumns} from users u where u.org_id = ${orgId} and u.type = 'Standard' and ${where}
    order by u.created_at, u.key limit ${count} offset ${startIndex - 1}`);
  return { total: total?.count ?? 0, rows };
}

export async function findScimUser(reader: Reader, orgId: string, key: string): Promise<ScimUserRow | undefined> {
  const filter = [{ attribute: 'id', value: key }];
  return (await findUsers(reader, orgId, filter, { startIndex: 1, count: 1 })).rows[0];
}

export async function findGroups(
  reader: Reader,
  orgId: string,
  filter: readonly Comparison[],
  { startIndex, count }: Page,
): Promise<FoundPage<ScimGroupRow>> {
  const where = conditions(filter, groupCondition);
  const total = await reader.first(countRow.sql`
    select count(*)::int as count from teams t where t.org_id = ${orgId} and ${where}`);
  const rows = await reader.rows(scimGroupRow.sql`
    select ${groupColumns} from teams t where t.org_id = ${orgId} and ${where}
    order by t.created_at, t.key limit ${count} offset ${startIndex - 1}`);
  return { total: total?.count ?? 0, rows };
}

export async function findGroup(reader: Reader, orgId: string, key: string): Promise<ScimGroupRow | undefined> {
  const filter = [{ attribute: 'id', value: key }];
  return (await findGroups(reader, orgId, filter, { startIndex: 1, count: 1 })).rows[0];
}

const userRow = row({ ...fields('users', 'key'), email: field('users', 'identifier') });

/** Addresses of people by their ids. */
export async function findMembers(
  reader: Reader,
  orgId: string,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await reader.rows(userRow.sql`
    select u.key, u.identifier as email from users u
    where u.org_id = ${orgId} and u.key = any(${keys}) and u.type = 'Standard'`);
  return new Map(rows.map(({ key, email }) => [key, email]));
}

/** Marks the user as managed by the identity provider, under its id. */
export async function manageUser(
  tx: Tx,
  orgId: string,
  key: string,
  { externalId, at }: { readonly externalId: string | null; readonly at: Date },
): Promise<void> {
  await tx.execute(sql`
    update users set managed_by = 'scim', scim_updated_at = ${at}, external_id = ${externalId}
    where org_id = ${orgId} and key = ${key}`);
}

function conditions(filter: readonly Comparison[], one: (comparison: Comparison) => Sql): Sql {
  return filter.length === 0 ? sql`true` : join(filter.map(one), ' and ');
}

function userCondition({ attribute, value }: Comparison): Sql {
  if (attribute === 'active' && typeof value === 'boolean') return sql`(u.status <> 'Disabled') = ${value}`;
  if (typeof value === 'string') {
    if (attribute === 'username') return sql`(u.identifier = ${value} or u.address_key = ${nameKey(value)})`;
    if (attribute === 'externalid') return sql`u.external_id = ${value}`;
    if (attribute === 'id') return sql`u.key = ${value}`;
    if (attribute === 'displayname') return sql`lower(coalesce(u.title, u.identifier)) = lower(${value})`;
  }
  throw unknownAttribute(attribute, 'userName, externalId, displayName, id, active');
}

function groupCondition({ attribute, value }: Comparison): Sql {
  if (typeof value === 'string') {
    if (attribute === 'displayname') return sql`(t.title = ${value} or t.name_key = ${nameKey(value)})`;
    if (attribute === 'externalid') return sql`t.external_id = ${value}`;
    if (attribute === 'id') return sql`t.key = ${value}`;
  }
  throw unknownAttribute(attribute, 'displayName, externalId, id');
}

function unknownAttribute(attribute: string, known: string): ScimError {
  return new ScimError(400, `The filter cannot compare "${attribute}" so; it knows ${known}`, 'invalidFilter');
}
