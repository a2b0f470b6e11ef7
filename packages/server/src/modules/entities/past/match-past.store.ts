import type { Sql } from 'sql-template-tag';
import type { Reader } from '../../../platform/db/database.ts';
import { json } from '../../../platform/db/json.ts';
import { computed, row } from '../../../platform/db/row.ts';
import type { ReadEntity } from '../../entity-rows/index.ts';

const matching = row({ place: computed.number });

/** The places of the entities that satisfy a condition on `entities e`, though they are not stored so. */
export async function listMatching(
  reader: Reader,
  orgId: string,
  entities: readonly ReadEntity[],
  condition: Sql,
): Promise<ReadonlySet<number>> {
  if (entities.length === 0) return new Set();
  const rows = entities.map((entity, place) => ({
    place,
    blueprint_key: entity.blueprintKey,
    identifier: entity.identifier,
    title: entity.title,
    icon: entity.icon,
    properties: entity.properties,
    relations: entity.relations,
    teamRefs: entity.teamRefs,
    createdAt: entity.createdAt.toISOString(),
    createdBy: entity.createdBy,
    updatedAt: entity.updatedAt.toISOString(),
    updatedBy: entity.updatedBy,
  }));
  const found = await reader.rows(matching.sql`
    select e.place from (
      select r.*, ${orgId}::text as org_id, 0::bigint as key, r."teamRefs" as team_refs, '{}'::jsonb as derived,
        '{}'::jsonb as scorecards, ''::text as datasource, r."createdAt" as created_at, r."createdBy" as created_by,
        r."updatedAt" as updated_at, r."updatedBy" as updated_by
      from jsonb_to_recordset(${json(rows)}::jsonb) as r(place int, blueprint_key bigint, identifier text, title text,
        icon text, properties jsonb, relations jsonb, "teamRefs" text[], "createdAt" timestamptz, "createdBy" text,
        "updatedAt" timestamptz, "updatedBy" text)) e
    where e.org_id = ${orgId} and ${condition}`);
  return new Set(found.map(({ place }) => place));
}
