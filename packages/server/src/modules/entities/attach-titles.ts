import sql from 'sql-template-tag';
import type { Actor } from '../../platform/actor.ts';
import { hiddenTargets } from '../access/index.ts';
import type { SearchDeps } from '../entity-query/index.ts';
import type { ReadEntity } from '../entity-rows/index.ts';

interface Titled {
  readonly sourceKey: number;
  readonly relation: string;
  readonly identifier: string;
  readonly title: string | null;
  readonly key: number;
  readonly blueprintKey: number;
}

/**
 * `attach_title_to_relation`: each relation value becomes `{identifier, title}`. The title of an unreadable entity is
 * null.
 */
export async function attachTitles(
  deps: SearchDeps,
  actor: Actor,
  entities: readonly ReadEntity[],
  shown: readonly Record<string, unknown>[],
): Promise<Record<string, unknown>[]> {
  const rows = await deps.database.rows<Titled>(sql`
    select r.source_key as "sourceKey", r.relation, t.identifier, t.title, t.key, t.blueprint_key as "blueprintKey"
    from entity_relations r
    join entities t on t.org_id = r.org_id and t.key = r.target_key
    where r.org_id = ${actor.orgId} and r.source_key = any(${entities.map(({ key }) => key)}::bigint[])`);
  const hidden = await hiddenTargets(deps, actor, rows);
  const seen = rows.filter(({ key }) => !hidden.has(key));
  const titles = new Map(seen.map((row) => [`${row.sourceKey}:${row.relation}:${row.identifier}`, row.title]));
  return shown.map((entity, index) => {
    const relations = entity['relations'] as Record<string, string | string[] | null> | undefined;
    if (!relations) return entity;
    const key = entities[index]?.key;
    const attach = (relation: string, identifier: string) => ({
      identifier,
      title: titles.get(`${key}:${relation}:${identifier}`) ?? null,
    });
    const attached = Object.entries(relations).map(([relation, value]) => [
      relation,
      value === null
        ? null
        : Array.isArray(value)
          ? value.map((each) => attach(relation, each))
          : attach(relation, value),
    ]);
    return { ...entity, relations: Object.fromEntries(attached) };
  });
}
