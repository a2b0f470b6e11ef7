import sql from 'sql-template-tag';
import type { Database, Reader, Tx } from '../../../platform/db/database.ts';
import { computed, field, fields, type RowOf, row } from '../../../platform/db/row.ts';
import type { Standing } from '../../identity/index.ts';

const sessionRow = row(
  fields('sessions', 'id', 'method', 'created_at', 'last_seen_at', 'expires_at', 'user_agent', 'address'),
);
export type SessionRow = RowOf<typeof sessionRow>;

export interface NewSession extends SessionRow {
  readonly orgId: string;
  readonly userKey: string;
  readonly secretHash: string;
  /** The session of the own organization, for one in the demo beside it. */
  readonly enteredFrom: string | null;
}

export async function insertSession(tx: Tx, session: NewSession): Promise<void> {
  await tx.execute(sql`
    insert into sessions (org_id, id, user_key, secret_hash, method, created_at, last_seen_at, expires_at, user_agent,
      address, entered_from)
    values (${session.orgId}, ${session.id}, ${session.userKey}, ${session.secretHash}, ${session.method},
      ${session.createdAt}, ${session.lastSeenAt}, ${session.expiresAt}, ${session.userAgent}, ${session.address},
      ${session.enteredFrom})`);
}

export interface SessionStanding extends Standing {
  readonly secretHash: string;
  readonly lastSeenAt: Date;
  readonly expiresAt: Date;
}

const sessionStanding = row({
  ...fields('sessions', 'secret_hash', 'last_seen_at', 'expires_at'),
  ...fields('organizations', 'model', 'migration_phase'),
  ...fields('users', 'role'),
  clientId: computed.text.orNull(),
  userId: field('users', 'identifier').orNull(),
  userStatus: field('users', 'status').orNull(),
  userRole: field('users', 'role').orNull(),
  moderatedBlueprints: field('users', 'moderated_blueprints').orNull(),
  teamKeys: computed.texts,
  scopes: computed.texts.orNull(),
  ownerScopes: computed.texts.orNull(),
  boundTo: computed.text.orNull(),
});

/**
 * What must hold for a session to be good, and who its user is at this moment. One in a demo is good as long as the
 * one it was entered from is there, of a user who may sign in.
 */
export function findSessionStanding(reader: Reader, orgId: string, id: string): Promise<SessionStanding | undefined> {
  return reader.first(sessionStanding.sql`
    select s.secret_hash as "secretHash", s.last_seen_at as "lastSeenAt", s.expires_at as "expiresAt", o.model,
      o.migration_phase as "migrationPhase", u.role, null as "clientId", u.identifier as "userId", u.status as "userStatus", u.role as "userRole",
      u.moderated_blueprints as "moderatedBlueprints", null as scopes, null as "ownerScopes", null as "boundTo",
      array(select m.team_key from team_members m where m.org_id = ${orgId} and m.user_key = s.user_key) as "teamKeys"
    from sessions s
    join organizations o on o.id = s.org_id
    join users u on u.org_id = s.org_id and u.key = s.user_key
    where s.org_id = ${orgId} and s.id = ${id} and (s.entered_from is null or exists (
      select 1 from sessions h join users w on w.org_id = h.org_id and w.key = h.user_key
      where h.org_id = o.demo_of and h.id = s.entered_from and w.status <> 'Disabled'))`);
}

export async function touchSession(database: Database, orgId: string, id: string, at: Date): Promise<void> {
  await database.executeAlone(
    sql`update sessions set last_seen_at = ${at} where org_id = ${orgId} and id = ${id} and last_seen_at < ${at}`,
  );
}

/** Open sessions, latest first. */
export function listSessionRows(
  reader: Reader,
  orgId: string,
  email: string,
  living: { readonly now: Date; readonly seenAfter: Date },
): Promise<SessionRow[]> {
  return reader.rows(sessionRow.sql`
    select s.id, s.method, s.created_at as "createdAt", s.last_seen_at as "lastSeenAt", s.expires_at as "expiresAt",
      s.user_agent as "userAgent", s.address
    from sessions s join users u on u.org_id = s.org_id and u.key = s.user_key
    where s.org_id = ${orgId} and u.identifier = ${email} and s.expires_at > ${living.now}
      and s.last_seen_at > ${living.seenAfter}
    order by s.created_at desc, s.id`);
}

const sessionId = row(fields('sessions', 'id'));

/** Ends sessions of a user: one, all, or all but one. Answers those that were there. */
export async function deleteSessions(
  tx: Tx,
  orgId: string,
  email: string,
  which: { readonly only?: string | undefined; readonly except?: string | undefined },
): Promise<string[]> {
  const rows = await tx.rows(sessionId.sql`
    delete from sessions s using users u
    where s.org_id = ${orgId} and u.org_id = s.org_id and u.key = s.user_key and u.identifier = ${email}
      and (${which.only ?? null}::text is null or s.id = ${which.only ?? null})
      and s.id is distinct from ${which.except ?? null}
    returning s.id`);
  return rows.map(({ id }) => id);
}

export async function deleteSsoSessions(tx: Tx, orgId: string): Promise<void> {
  await tx.execute(sql`delete from sessions where org_id = ${orgId} and method = 'sso'`);
}
