import sql, { type Sql } from 'sql-template-tag';
import type { Reader } from '../../platform/db/database.ts';
import { computed, field, fields, row } from '../../platform/db/row.ts';
import type { StoredEntity } from '../entity-rows/index.ts';

const previewed = row({
  ...fields(
    'entities',
    'key',
    'identifier',
    'title',
    'icon',
    'team_refs',
    'created_at',
    'created_by',
    'updated_at',
    'updated_by',
  ),
  properties: computed.json.as<StoredEntity['properties']>(),
  derived: computed.json.as<StoredEntity['derived']>(),
  relations: field('entities', 'relations').as<StoredEntity['relations']>(),
  before: computed.text.orNull(),
});

/** The next entities of a condition with no more than what a scorecard asks for, and the level each is at now. */
export function listPreviewed(
  reader: Reader,
  orgId: string,
  of: { readonly condition: Sql; readonly names: readonly string[]; readonly scorecard: string },
  { afterKey, limit }: { readonly afterKey: number; readonly limit: number },
) {
  const { condition, names, scorecard } = of;
  return reader.rows(previewed.sql`
    select e.key, e.identifier, e.title, e.icon, e.team_refs as "teamRefs", e.created_at as "createdAt",
      e.created_by as "createdBy", e.updated_at as "updatedAt", e.updated_by as "updatedBy", e.relations,
      ${named(sql`e.properties`, names)} as properties, ${named(sql`e.derived`, names)} as derived,
      e.scorecards -> ${scorecard}::text ->> 'level' as before
    from entities e
    where e.org_id = ${orgId} and ${condition} and e.key > ${afterKey} order by e.key limit ${limit}`);
}

function named(values: Sql, names: readonly string[]): Sql {
  return sql`coalesce((select jsonb_object_agg(n.name, ${values} -> n.name)
    from unnest(${names}::text[]) as n(name) where ${values} ? n.name), '{}')`;
}
