import type { Actor } from '../../platform/actor.ts';
import { hiddenTargets } from '../access/index.ts';
import type { SearchDeps } from '../entity-query/index.ts';
import type { ReadEntity } from '../entity-rows/index.ts';
import { listTargets } from './titles.store.ts';

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
  const rows = await listTargets(
    deps.database,
    actor.orgId,
    entities.map(({ key }) => key),
  );
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
