import type { Actor } from '../../platform/actor.ts';
import type { Reader } from '../../platform/db/database.ts';
import { computed, field, fields, type RowOf, row } from '../../platform/db/row.ts';

const callerRow = row({
  ...fields('teams', 'identifier'),
  title: field('teams', 'title').orNull(),
  team: computed.texts,
  properties: computed.json.as<Readonly<Record<string, unknown>>>(),
});
export type CallerRow = RowOf<typeof callerRow>;

const callerEntity = row({
  ...fields('entities', 'identifier', 'title'),
  properties: computed.json.as<Readonly<Record<string, unknown>>>(),
});

/** The entity that stands for the caller. */
export function findCallerEntity(
  reader: Reader,
  { orgId, userId }: Actor,
): Promise<Omit<CallerRow, 'team'> | undefined> {
  return reader.first(callerEntity.sql`
    select e.identifier, e.title, e.derived || e.relations || e.properties as properties
    from blueprints b join entities e on e.org_id = b.org_id and e.blueprint_key = b.key
    where b.org_id = ${orgId} and b.identifier = '_user' and e.identifier = ${userId}`);
}

/** The caller's teams, each with what its entity holds. */
export async function listCallerTeams(reader: Reader, { orgId, teamKeys }: Actor): Promise<CallerRow[]> {
  if (teamKeys.length === 0) return [];
  return reader.rows(callerRow.sql`
    select t.identifier, t.title, '{}'::text[] as team,
      coalesce(e.derived || e.relations || e.properties, '{}'::jsonb) as properties
    from teams t
    left join blueprints b on b.org_id = t.org_id and b.identifier = '_team'
    left join entities e on e.org_id = t.org_id and e.blueprint_key = b.key and e.identifier = t.identifier
    where t.org_id = ${orgId} and t.key = any(${teamKeys}) order by t.identifier`);
}
