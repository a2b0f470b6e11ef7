import type { Actor } from '../../platform/actor.ts';
import { groupBy } from '../../platform/collections.ts';
import type { StoredBlueprint } from '../blueprints/index.ts';
import type { SearchDeps } from '../entity-query/index.ts';
import type { ReadEntity } from '../entity-rows/index.ts';
import { type End, listEdges, listTitles } from './titles.store.ts';

interface ReadableEntity {
  readonly entity: ReadEntity;
  readonly blueprint: StoredBlueprint;
}

/**
 * `attach_identifier_to_title_mirror_properties`: a mirror of `$title` becomes `{identifier, title}`, or a list of them
 * along a relation to many. Mirrors over `$team` stay titles.
 */
export async function attachTitleMirrors(
  deps: SearchDeps,
  actor: Actor,
  known: readonly ReadableEntity[],
  shown: readonly Record<string, unknown>[],
  hiddenOf: (blueprint: StoredBlueprint) => ReadonlySet<string>,
): Promise<Record<string, unknown>[]> {
  const attached = shown.map((entity) => ({ ...entity }));
  const indexOf = new Map(known.map(({ entity }, index) => [entity.key, index]));
  for (const group of groupBy(known, ({ blueprint }) => blueprint.key).values()) {
    const blueprint = (group[0] as ReadableEntity).blueprint;
    for (const [key, { path }] of Object.entries(blueprint.definition.mirrorProperties ?? {})) {
      if (!path.endsWith('.$title') || path.includes('$team') || hiddenOf(blueprint).has(key)) continue;
      const ends = await findEnds(
        deps,
        actor,
        path.split('.').slice(0, -1),
        group.map(({ entity }) => entity.key),
      );
      for (const { entity } of group) {
        const properties = attached[indexOf.get(entity.key) as number]?.['properties'] as
          | Record<string, unknown>
          | undefined;
        if (!properties || !(key in properties)) continue;
        const found = ends.get(entity.key) ?? [];
        const value = Array.isArray(properties[key]) ? found : (found[0] ?? null);
        Object.assign(attached[indexOf.get(entity.key) as number] as object, {
          properties: { ...properties, [key]: value },
        });
      }
    }
  }
  return attached;
}

/** Entities with a title at the end of a path, by the key of its start, in the path's order. */
async function findEnds(
  { database }: SearchDeps,
  { orgId }: Actor,
  hops: readonly string[],
  starts: readonly number[],
): Promise<Map<number, End[]>> {
  let reached = new Map(starts.map((key) => [key, [key]]));
  for (const hop of hops) {
    const frontier = [...new Set([...reached.values()].flat())];
    const edges = await listEdges(database, orgId, hop, frontier);
    const steps = groupBy(edges, ({ sourceKey }) => sourceKey);
    reached = new Map(
      [...reached].map(([start, keys]) => [
        start,
        keys.flatMap((key) => (steps.get(key) ?? []).map(({ targetKey }) => targetKey)),
      ]),
    );
  }
  const keys = [...new Set([...reached.values()].flat())];
  const rows = await listTitles(database, orgId, keys);
  const ends = new Map(rows.map(({ key, identifier, title }) => [key, { identifier, title }]));
  return new Map([...reached].map(([start, found]) => [start, found.flatMap((key) => ends.get(key) ?? [])]));
}
