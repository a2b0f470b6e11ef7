import { type RelatedCount, relatedCountMax } from '@portolan/contract/entity-timeline';
import type { Actor } from '../../platform/actor.ts';
import { blueprintRelations, listBlueprintRows } from '../blueprints/index.ts';
import { getEntity, type ReadDeps } from '../entities/index.ts';
import { can } from '../rights/index.ts';
import { permittedRows } from './permitted-rows.sql.ts';
import { countConnected } from './related-counts.store.ts';

interface Connection extends Pick<RelatedCount, 'direction' | 'blueprint' | 'relation'> {
  /** Of the blueprint that has the relation. */
  readonly sourceKey: number;
}

/**
 * How many entities are related over each relation, in both directions; only those that the caller may read count, and
 * relations of blueprints that they may not read are left out.
 * @throws AppError `not_found`
 */
export async function countRelated(
  deps: ReadDeps,
  actor: Actor,
  blueprintIdentifier: string,
  identifier: string,
): Promise<RelatedCount[]> {
  const { blueprint, entity } = await getEntity(deps, actor, blueprintIdentifier, identifier);
  const all = await listBlueprintRows(deps.database, actor.orgId);
  const readable = all.filter((each) => can(actor, 'read', each));
  const names = new Set(readable.map((each) => each.identifier));
  const outward = Object.entries(blueprintRelations(blueprint)).flatMap(([relation, { target }]): Connection[] =>
    names.has(target) ? [{ direction: 'outward', blueprint: target, relation, sourceKey: blueprint.key }] : [],
  );
  const inward = readable.flatMap((other) =>
    Object.entries(blueprintRelations(other))
      .filter(([, { target }]) => target === blueprint.identifier)
      .map(
        ([relation]): Connection => ({
          direction: 'inward',
          blueprint: other.identifier,
          relation,
          sourceKey: other.key,
        }),
      ),
  );
  const permitted = await permittedRows(deps, actor, readable, all);
  const counted = await Promise.all(
    ([outward, inward] as const).map(async (connections) => {
      const [first] = connections;
      if (!first) return [];
      const counts = await countConnected(deps.database.standby, actor.orgId, {
        key: entity.key,
        direction: first.direction,
        connections,
        permitted,
        limit: relatedCountMax + 1,
      });
      return connections.map(({ sourceKey: _, ...connection }, index): RelatedCount => {
        const count = counts[index] ?? 0;
        return { ...connection, count: Math.min(count, relatedCountMax), exact: count <= relatedCountMax };
      });
    }),
  );
  return counted.flat();
}
