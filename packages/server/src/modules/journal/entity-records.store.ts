import sql from 'sql-template-tag';
import type { Reader } from '../../platform/db/database.ts';
import { type NamedRecords, type StoredRecord, selectRecords } from './journal.store.ts';

interface RecordsOfSeveral extends Pick<NamedRecords, 'from' | 'to' | 'limit'> {
  readonly entities: readonly Pick<NamedRecords, 'blueprint' | 'entity' | 'since'>[];
}

/**
 * The same of several entities, the newest of all: one statement, which reads a range of an index for each entity and at
 * most `limit` records of it.
 */
export async function listRecordsOfEntities(
  reader: Reader,
  orgId: string,
  { entities, from, to, limit }: RecordsOfSeveral,
): Promise<StoredRecord[]> {
  if (entities.length === 0) return [];
  const blueprints = entities.map(({ blueprint }) => blueprint);
  const newest = sql`
    with renamed as (
      select distinct on (b.identifier) b.identifier, b.at, b.key from journal b
      where b.org_id = ${orgId} and b.identifier = any(${[...new Set(blueprints)]}::text[])
        and b.resource_type = 'blueprint' and b.before ->> 'identifier' <> b.identifier
      order by b.identifier, b.at desc, b.key desc)
    select found.key
    from unnest(${blueprints}::text[], ${entities.map(({ entity }) => entity)}::text[],
      ${entities.map(({ since }) => (since > from ? since : from).toISOString())}::timestamptz[])
      as named(blueprint, entity, since)
    left join renamed on renamed.identifier = named.blueprint
    left join lateral (
      select s.at, s.key from journal s
      where s.org_id = ${orgId} and s.context ->> 'entity' = named.entity and s.at >= named.since
        and s.context ->> 'blueprint' = named.blueprint and s.context ? 'renamedFrom'
      order by s.at desc, s.key desc limit 1) start on true
    cross join lateral (
      select r.at, r.key from journal r
      where r.org_id = ${orgId} and r.context ->> 'entity' = named.entity and r.at >= named.since and r.at <= ${to}
        and r.context ->> 'blueprint' = named.blueprint and r.resource_type = 'entity' and r.status = 'SUCCESS'
        and (renamed.at is null or (r.at, r.key) >= (renamed.at, renamed.key))
        and (start.at is null or (r.at, r.key) >= (start.at, start.key))
      order by r.at desc, r.key desc limit ${limit}) found
    order by found.at desc, found.key desc limit ${limit}`;
  const page = { after: undefined, limit, isDiffWanted: true };
  return selectRecords(reader, orgId, [sql`j.key in (${newest})`], page);
}
