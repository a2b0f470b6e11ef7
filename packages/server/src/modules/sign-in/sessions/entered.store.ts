import type { Reader } from '../../../platform/db/database.ts';
import { fields, type RowOf, row } from '../../../platform/db/row.ts';

const otherRow = row(fields('organizations', 'id', 'name', 'model', 'demo_of'));
export type OtherOrganization = RowOf<typeof otherRow>;

/** The demo beside an organization, or the organization that a demo is beside. */
export function findOther(reader: Reader, orgId: string): Promise<OtherOrganization | undefined> {
  return reader.first(otherRow.sql`
    select other.id, other.name, other.model, other.demo_of as "demoOf"
    from organizations here join organizations other on other.demo_of = here.id or here.demo_of = other.id
    where here.id = ${orgId} and other.removal_requested_at is null`);
}

const originRow = row(fields('sessions', 'id', 'user_key', 'method', 'expires_at', 'last_seen_at'));
type Origin = RowOf<typeof originRow>;

/** The session of the own organization that a session of the demo was entered from. */
export function findOrigin(reader: Reader, demoId: string, ownId: string, id: string): Promise<Origin | undefined> {
  return reader.first(originRow.sql`
    select h.id, h.user_key as "userKey", h.method, h.expires_at as "expiresAt",
      h.last_seen_at as "lastSeenAt"
    from sessions s join sessions h on h.org_id = ${ownId} and h.id = s.entered_from
    where s.org_id = ${demoId} and s.id = ${id}`);
}
