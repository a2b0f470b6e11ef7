import type { LiveChange } from '@portolan/contract/live';
import sql from 'sql-template-tag';
import type { Reader } from '../../../platform/db/database.ts';

/** Distinct changes since a moment, up to a limit. */
export async function selectChangesSince(
  reader: Reader,
  orgId: string,
  since: Date,
  limit: number,
): Promise<LiveChange[]> {
  const rows = await reader.rows<Record<'event' | 'resource' | 'identifier', string> & Partial<Record<string, string>>>(
    sql`
    select distinct j.event, j.resource_type as resource, j.identifier,
      j.context ->> 'blueprint' as blueprint, j.context ->> 'entity' as entity
    from (select event, resource_type, identifier, context from journal
      where org_id = ${orgId} and at >= ${since} and status = 'SUCCESS' order by at desc limit ${limit}) j`,
  );
  return rows.map(({ event, resource, identifier, blueprint, entity }) => ({
    event,
    resource,
    identifier,
    ...(blueprint == null ? {} : { blueprint }),
    ...(entity == null ? {} : { entity }),
  }));
}
