import { raw } from 'sql-template-tag';
import type { Reader } from '../../platform/db/database.ts';
import { computed, fields, row } from '../../platform/db/row.ts';
import { nameKey, type PersonState } from '../accounts/index.ts';

export interface UserWithTeams extends PersonState {
  readonly key: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly picture: string | null;
  readonly lastLoginAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly teams: readonly { readonly key: string; readonly identifier: string; readonly name: string }[];
}

const columns = raw(`u.key, u.identifier, u.title, u.status, u.role, u.type,
  u.moderated_blueprints as "moderatedBlueprints", u.first_name as "firstName", u.last_name as "lastName", u.picture,
  u.last_login_at as "lastLoginAt", u.created_at as "createdAt", u.updated_at as "updatedAt",
  coalesce((
    select jsonb_agg(jsonb_build_object('key', t.key, 'identifier', t.identifier, 'name', t.title)
      order by t.title, t.identifier)
    from team_members m join teams t on t.org_id = m.org_id and t.key = m.team_key
    where m.org_id = u.org_id and m.user_key = u.key), '[]') as teams`);

const userWithTeams = row({
  ...fields(
    'users',
    'key',
    'first_name',
    'last_name',
    'picture',
    'last_login_at',
    'created_at',
    'updated_at',
    'identifier',
    'title',
    'status',
    'role',
    'type',
    'moderated_blueprints',
  ),
  teams: computed.json.as<readonly { readonly key: string; readonly identifier: string; readonly name: string }[]>(),
});

export function listUserRows(reader: Reader, orgId: string): Promise<UserWithTeams[]> {
  return reader.rows(
    userWithTeams.sql`select ${columns} from users u where u.org_id = ${orgId} order by u.created_at, u.key`,
  );
}

/** In any case of letters. */
export async function findUser(reader: Reader, orgId: string, address: string): Promise<UserWithTeams | undefined> {
  const found = await reader.rows(userWithTeams.sql`
    select ${columns} from users u
    where u.org_id = ${orgId} and (u.identifier = ${address} or u.address_key = ${nameKey(address)})`);
  return found.find(({ identifier }) => identifier === address) ?? found[0];
}

/** Keyed by the address as given. */
export async function findUsersByAddress(
  reader: Reader,
  orgId: string,
  addresses: readonly string[],
): Promise<ReadonlyMap<string, UserWithTeams>> {
  const keys = [...new Set(addresses.map(nameKey))];
  const rows = await reader.rows(userWithTeams.sql`
    select ${columns} from users u where u.org_id = ${orgId} and u.address_key = any(${keys})`);
  return new Map(rows.map((row) => [nameKey(row.identifier), row]));
}
