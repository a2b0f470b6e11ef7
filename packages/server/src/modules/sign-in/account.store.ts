import sql, { raw } from 'sql-template-tag';
import type { Actor } from '../../platform/actor.ts';
import type { Reader } from '../../platform/db/database.ts';
import { nameKey } from '../accounts/index.ts';

/** A user as signing in sees it. */
export interface Account {
  readonly orgId: string;
  readonly model: Actor['model'];
  readonly key: string;
  readonly identifier: string;
  readonly status: string;
  readonly type: string;
  readonly passwordHash: string | null;
  /** Nobody has signed in as the user, and there are no credentials to act as the user with. */
  readonly isUnused: boolean;
}

const columns = raw(`u.org_id as "orgId", o.model, u.key, u.identifier, u.status, u.type, p.hash as "passwordHash",
  u.last_login_at is null and p.hash is null
    and not exists (select 1 from credentials c where c.org_id = u.org_id and c.user_key = u.key) as "isUnused"`);
const tables = raw(`users u join organizations o on o.id = u.org_id
  left join user_passwords p on p.org_id = u.org_id and p.user_key = u.key`);

/** The user of an address, whatever its case. */
export async function findAccount(reader: Reader, orgId: string, address: string): Promise<Account | undefined> {
  const found = await reader.rows<Account>(sql`
    select ${columns} from ${tables}
    where u.org_id = ${orgId} and (u.identifier = ${address} or u.address_key = ${nameKey(address)})`);
  return found.find(({ identifier }) => identifier === address) ?? found[0];
}

export function findAccountByKey(reader: Reader, orgId: string, key: string): Promise<Account | undefined> {
  return reader.first<Account>(sql`select ${columns} from ${tables} where u.org_id = ${orgId} and u.key = ${key}`);
}

/** Service accounts have credentials, not sessions; whoever is disabled has neither. */
export function maySignIn(account: Account): boolean {
  return account.type === 'Standard' && account.status !== 'Disabled';
}

/** The organization that is meant where none is named: the first of the installation. */
export async function organizationMeant(reader: Reader, named: string | undefined): Promise<string | undefined> {
  const row = await reader.first<{ id: string }>(
    named === undefined
      ? sql`select id from organizations order by entered_at, id limit 1`
      : sql`select id from organizations where id = ${named}`,
  );
  return row?.id;
}
