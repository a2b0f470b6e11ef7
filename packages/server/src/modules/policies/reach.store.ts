import sql, { type Sql } from 'sql-template-tag';
import type { Reader } from '../../platform/db/database.ts';
import { computed, row } from '../../platform/db/row.ts';
import type { StoredBlueprint } from '../blueprints/index.ts';
import { type StoredEntity, storedColumns, storedEntity } from '../entity-rows/index.ts';
import type { GrantName } from '../rights/index.ts';

/** An entity, whether somebody may do something with it, and whose policies it satisfies. */
export type JudgedRow = StoredEntity & {
  readonly isAllowed: boolean;
  readonly wasAllowed: boolean;
  readonly met: readonly GrantName[];
};

const judgedRow = row({
  ...storedEntity.fields,
  isAllowed: computed.boolean,
  wasAllowed: computed.boolean,
  met: computed.texts.as<readonly GrantName[]>(),
});

/** Entities of a blueprint after a key, in the order they were created, as the conditions judge them. */
export function selectJudged(
  reader: Reader,
  blueprint: StoredBlueprint,
  { after, before, met }: { readonly after: Sql; readonly before: Sql; readonly met: Sql },
  page: { readonly show: 'allowed' | 'refused' | 'all' | 'changed'; readonly afterKey: number; readonly limit: number },
): Promise<JudgedRow[]> {
  const wanted = { allowed: sql`s."isAllowed"`, refused: sql`not s."isAllowed"`, all: sql`true` };
  const filter = page.show === 'changed' ? sql`s."isAllowed" <> s."wasAllowed"` : wanted[page.show];
  return reader.rows(judgedRow.sql`
    select * from (
      select ${storedColumns}, ${after} as "isAllowed", ${before} as "wasAllowed", ${met} as met
      from entities e where e.org_id = ${blueprint.orgId} and e.blueprint_key = ${blueprint.key} and e.key > ${page.afterKey}
    ) s where ${filter} order by s.key limit ${page.limit}`);
}

/** True where the condition holds, else false. */
export function neverNull(condition: Sql): Sql {
  return sql`coalesce(${condition}, false)`;
}

const totalRow = row({ total: computed.number, allowed: computed.number, allowedBefore: computed.number });

export async function countAllowed(reader: Reader, { orgId, key }: StoredBlueprint, after: Sql, before: Sql) {
  const counts = await reader.first(totalRow.sql`
    select count(*)::int as total, count(*) filter (where ${after})::int as allowed,
      count(*) filter (where ${before})::int as "allowedBefore"
    from entities e where e.org_id = ${orgId} and e.blueprint_key = ${key}`);
  return counts ?? { total: 0, allowed: 0, allowedBefore: 0 };
}

/** How many entities of a blueprint satisfy each of two conditions. */
export async function countMoved(
  reader: Reader,
  { orgId, key }: StoredBlueprint,
  { gained, lost }: { readonly gained: Sql; readonly lost: Sql },
): Promise<{ readonly gained: number; readonly lost: number }> {
  const row = await reader.first<{ gained: number; lost: number }>(sql`
    select count(*) filter (where ${gained})::int as gained,
      count(*) filter (where ${lost})::int as lost
    from entities e where e.org_id = ${orgId} and e.blueprint_key = ${key}`);
  return row ?? { gained: 0, lost: 0 };
}
