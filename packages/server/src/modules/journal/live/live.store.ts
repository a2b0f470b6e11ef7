import type { LiveChange } from '@portolan/contract/live';
import sql from 'sql-template-tag';
import type { Reader } from '../../../platform/db/database.ts';

/** Distinct changes since a moment; undefined if there were more than `most`, however alike. */
export async function selectChangesSince(
  reader: Reader,
  orgId: string,
  since: Date,
  most: number,
): Promise<LiveChange[] | undefined> {
  const rows = await reader.rows<
    Record<'event' | 'resource' | 'identifier', string> & {
      blueprint: string | null;
      entity: string | null;
      found: number;
    }
  >(
    sql`
    with j as materialized (select event, resource_type, identifier, context from journal
      where org_id = ${orgId} and at >= ${since} and status = 'SUCCESS' order by at desc limit ${most + 1})
    select distinct j.event, j.resource_type as resource, j.identifier,
      j.context ->> 'blueprint' as blueprint, j.context ->> 'entity' as entity, (select count(*)::int from j) as found
    from j`,
  );
  if ((rows[0]?.found ?? 0) > most) return undefined;
  return rows.map(({ event, resource, identifier, blueprint, entity }) => ({
    event,
    resource,
    identifier,
    ...(blueprint == null ? {} : { blueprint }),
    ...(entity == null ? {} : { entity }),
  }));
}
