import sql, { raw } from 'sql-template-tag';
import type { Actor } from '../../platform/actor.ts';
import type { Reader, Tx } from '../../platform/db/database.ts';
import { computed, field, fields, type RowOf, row } from '../../platform/db/row.ts';
import { nameKey } from '../accounts/index.ts';

export interface Account {
  readonly orgId: string;
  readonly model: Actor['model'];
  readonly key: string;
  readonly identifier: string;
  readonly status: string;
  readonly type: string;
  readonly role: string;
  readonly passwordHash: string | null;
  readonly lastLoginAt: Date | null;
  /** Nobody has signed in as the user, and no credentials act as the user. */
  readonly isUnused: boolean;
}

const columns =
  raw(`u.org_id as "orgId", o.model, u.key, u.identifier, u.status, u.type, u.role, p.hash as "passwordHash",
  u.last_login_at as "lastLoginAt",
  u.last_login_at is null and p.hash is null
    and not exists (select 1 from credentials c where c.org_id = u.org_id and c.user_key = u.key) as "isUnused"`);
const tables = raw(`users u join organizations o on o.id = u.org_id
  left join user_passwords p on p.org_id = u.org_id and p.user_key = u.key`);

const accountRow = row({
  ...fields('users', 'org_id', 'key', 'identifier', 'status', 'type', 'role', 'last_login_at'),
  ...fields('organizations', 'model'),
  passwordHash: field('user_passwords', 'hash').orNull(),
  isUnused: computed.boolean,
});

/** The user of an address, whatever its case. */
export async function findAccount(reader: Reader, orgId: string, address: string): Promise<Account | undefined> {
  const found = await reader.rows(accountRow.sql`
    select ${columns} from ${tables}
    where u.org_id = ${orgId} and (u.identifier = ${address} or u.address_key = ${nameKey(address)})`);
  return found.find(({ identifier }) => identifier === address) ?? found[0];
}

export function findAccountByKey(reader: Reader, orgId: string, key: string): Promise<Account | undefined> {
  return reader.first(accountRow.sql`select ${columns} from ${tables} where u.org_id = ${orgId} and u.key = ${key}`);
}

/** Service accounts use credentials, not sessions; disabled users have neither. */
export function maySignIn(account: Account): boolean {
  return account.type === 'Standard' && account.status !== 'Disabled';
}

const organizationId = row(fields('organizations', 'id'));

/** The organization that is meant where none is named: the first of the installation. */
export async function organizationMeant(reader: Reader, named: string | undefined): Promise<string | undefined> {
  const row = await reader.first(
    organizationId.sql`${
      named === undefined
        ? sql`select id from organizations order by entered_at, id limit 1`
        : sql`select id from organizations where id = ${named}`
    }`,
  );
  return row?.id;
}

const organizationModel = row(fields('organizations', 'model'));

export async function findModel(reader: Reader, orgId: string): Promise<Account['model'] | undefined> {
  const row = await reader.first(organizationModel.sql`select model from organizations where id = ${orgId}`);
  return row?.model;
}

const userRow = row({ ...fields('users', 'first_name', 'last_name'), isManaged: computed.boolean });

/** The names that an identity provider may change, unless the user is managed elsewhere. */
export function findProvidedNames(
  reader: Reader,
  orgId: string,
  key: string,
): Promise<{ firstName: string | null; lastName: string | null; isManaged: boolean } | undefined> {
  return reader.first(userRow.sql`
    select first_name as "firstName", last_name as "lastName", managed_by is not null as "isManaged" from users
    where org_id = ${orgId} and key = ${key}`);
}

export async function setPicture(tx: Tx, orgId: string, key: string, picture: string): Promise<void> {
  await tx.execute(sql`update users set picture = ${picture} where org_id = ${orgId} and key = ${key}`);
}

export async function setLastLogin(tx: Tx, orgId: string, key: string, at: Date): Promise<void> {
  await tx.execute(sql`update users set last_login_at = ${at} where org_id = ${orgId} and key = ${key}`);
}

const ownUser = row({
  ...fields('users', 'first_name', 'last_name', 'picture', 'status'),
  email: field('users', 'identifier'),
  name: field('users', 'title'),
  teams: computed.json.as<readonly { readonly identifier: string; readonly name: string }[]>(),
});
type OwnUser = RowOf<typeof ownUser>;

/** The user as it is shown to itself. */
export function findOwnUser(reader: Reader, orgId: string, email: string): Promise<OwnUser | undefined> {
  return reader.first(ownUser.sql`
    select u.identifier as email, u.title as name, u.first_name as "firstName", u.last_name as "lastName", u.picture,
      u.status,
      coalesce((select jsonb_agg(jsonb_build_object('identifier', t.identifier, 'name', t.title) order by t.title)
        from team_members m join teams t on t.org_id = m.org_id and t.key = m.team_key
        where m.org_id = u.org_id and m.user_key = u.key), '[]') as teams
    from users u where u.org_id = ${orgId} and u.identifier = ${email}`);
}
