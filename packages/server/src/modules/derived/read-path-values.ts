import type { Tx } from '../../platform/db/database.ts';
import type { StoredEntity } from '../entity-rows/index.ts';
import { isRouted } from './derivation-plan.ts';
import type { RoutedNode } from './derived-node.ts';
import type { DueNode } from './due-node.ts';
import type { LockedEntities } from './locked-entities.ts';
import { emptyValue, type ReadingContext, readInputs } from './read-inputs.store.ts';
import { type RelationPath, teamHop } from './relation-path.ts';

/** A changed value, with its entity. */
export interface ComputedChange {
  readonly name: string;
  readonly key: number;
  readonly teamsBefore?: readonly string[];
}

/** Computes values at the ends of routes and sets them; nodes with the same route share the walk. */
export async function readPathValues(
  tx: Tx,
  context: ReadingContext,
  taken: readonly DueNode[],
  held: LockedEntities,
): Promise<ComputedChange[]> {
  const byRoute = new Map<string, { nodes: RoutedNode[]; keys: Set<number> }>();
  for (const { node, keys } of taken) {
    if (!isRouted(node)) continue;
    const group = byRoute.get(node.route.id) ?? { nodes: [], keys: new Set() };
    byRoute.set(node.route.id, group);
    group.nodes.push(node);
    for (const key of keys) group.keys.add(key);
  }
  const changes: ComputedChange[] = [];
  for (const { nodes, keys } of byRoute.values()) {
    const { route } = nodes[0] as RoutedNode;
    const entities = held.some(keys);
    const isNowhere = (entity: StoredEntity) => isUnresolvedPath(route, entity, held.isUnpointed(entity.key));
    const walking = entities.filter((entity) => !isNowhere(entity)).map(({ key }) => key);
    const values = walking.length > 0 ? await readInputs(tx, context, nodes, walking) : undefined;
    for (const node of nodes) {
      const found = values?.get(node.id);
      for (const { key, teamRefs } of entities) {
        const value = found?.has(key) ? found.get(key) : emptyValue(node);
        if (!held.set(key, node.key, value)) continue;
        changes.push({ name: node.key, key, ...(node.kind === 'ownership' ? { teamsBefore: teamRefs } : {}) });
      }
    }
  }
  return changes;
}

/** Whether the entity lacks the first step of a route, so that no look-up is needed. */
export function isUnresolvedPath(
  route: RelationPath,
  { relations, teamRefs }: StoredEntity,
  isUnpointed: boolean,
): boolean {
  if (route.kind === 'open') {
    const isLeaving = route.along.some(
      ({ blueprintKey, relation }) => blueprintKey === route.start && Object.hasOwn(relations, relation),
    );
    return !isLeaving && (isUnpointed || route.against.length === 0);
  }
  const [first] = route.steps;
  if (!first) return true;
  if (first.relation === teamHop) return first.direction === 'out' && teamRefs.length === 0;
  return first.direction === 'out' ? !Object.hasOwn(relations, first.relation) : isUnpointed;
}
