import sql from 'sql-template-tag';
import type { Reader, Tx } from '../../platform/db/database.ts';
import type { OrganizationModel } from './organization.ts';

export interface Credential {
  readonly orgId: string;
  readonly clientId: string;
  readonly secretHash: string;
  readonly role: 'Admin' | 'Member';
  readonly userKey: string | null;
}

/** What must still hold for a token to be good, read at most once a second per credential. */
export interface Standing {
  readonly role: 'Admin' | 'Member';
  readonly model: OrganizationModel;
  readonly userId: string | null;
  readonly userStatus: string | null;
  readonly moderatedBlueprints: readonly string[] | null;
  readonly teamKeys: readonly string[];
}

/** @throws DatabaseError with constraint `credential_directory_pkey` if the client id is in use */
export async function insertCredential(
  tx: Tx,
  credential: Credential & { readonly name: string; readonly createdAt: Date },
): Promise<void> {
  const { orgId, clientId, secretHash, role, userKey, name, createdAt } = credential;
  await tx.execute(sql`insert into credential_directory (client_id, org_id) values (${clientId}, ${orgId})`);
  await tx.execute(sql`
    insert into credentials (org_id, client_id, secret_hash, name, role, user_key, created_at)
    values (${orgId}, ${clientId}, ${secretHash}, ${name}, ${role}, ${userKey}, ${createdAt})`);
}

export function findCredential(reader: Reader, clientId: string): Promise<Credential | undefined> {
  return reader.first<Credential>(sql`
    select c.org_id as "orgId", c.client_id as "clientId", c.secret_hash as "secretHash", c.role,
      c.user_key as "userKey"
    from credential_directory d
    join credentials c on c.org_id = d.org_id and c.client_id = d.client_id
    where d.client_id = ${clientId} and c.revoked_at is null`);
}

export function findStanding(reader: Reader, orgId: string, clientId: string): Promise<Standing | undefined> {
  return reader.first<Standing>(sql`
    select c.role, o.model, u.identifier as "userId", u.status as "userStatus",
      u.moderated_blueprints as "moderatedBlueprints",
      array(select m.team_key from team_members m where m.org_id = c.org_id and m.user_key = c.user_key) as "teamKeys"
    from credentials c
    join organizations o on o.id = c.org_id
    left join users u on u.org_id = c.org_id and u.key = c.user_key
    where c.org_id = ${orgId} and c.client_id = ${clientId} and c.revoked_at is null`);
}
