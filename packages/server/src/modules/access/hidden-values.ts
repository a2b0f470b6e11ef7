import type { Actor } from '../../platform/actor.ts';
import type { StoredBlueprint } from '../blueprints/index.ts';
import {
  blueprintsPassed,
  blueprintsRead,
  type DerivedNode,
  draftNodes,
  isRouted,
  type RoutedNode,
} from '../derived/index.ts';
import { isNarrowed } from './read-condition.ts';

/**
 * Decides which computed properties are hidden: mirrors and aggregations whose path passes or ends at entities the
 * caller may not all read, or whose filter reads such, and what is computed from those (decision 0012). They read as
 * null, and searches find nothing by them.
 */
export function hiddenValues(
  actor: Actor,
  blueprints: readonly StoredBlueprint[],
): (blueprint: StoredBlueprint) => ReadonlySet<string> {
  const byIdentifier = new Map(blueprints.map((blueprint) => [blueprint.identifier, blueprint]));
  const closed = new Set(
    blueprints.filter((blueprint) => isNarrowed(actor, blueprint, blueprints)).map(({ key }) => key),
  );
  const drafted = new Map<number, ReadonlyMap<string, DerivedNode>>();
  const known = new Map<string, boolean>();

  const nodesOf = (blueprint: StoredBlueprint): ReadonlyMap<string, DerivedNode> => {
    const kept = drafted.get(blueprint.key);
    if (kept) return kept;
    const nodes = new Map(draftNodes(blueprint, byIdentifier).map((node) => [node.key, node]));
    drafted.set(blueprint.key, nodes);
    return nodes;
  };

  /** The teams of an entity are never secret. */
  const isHidden = (node: DerivedNode | undefined): boolean => {
    if (!node || node.kind === 'void' || node.kind === 'ownership') return false;
    const kept = known.get(node.id);
    if (kept !== undefined) return kept;
    // a value that reads itself is null, so nothing leaks in a cycle
    known.set(node.id, false);
    const hidden = isRouted(node) ? isReadHidden(node) : isCalculatedHidden(node);
    known.set(node.id, hidden);
    return hidden;
  };

  const isReadHidden = (node: Extract<DerivedNode, { kind: 'mirror' | 'aggregation' }>): boolean => {
    const { route, endReads } = node;
    if (!isWithinSubject(node) && blueprintsPassed(route).some((key) => closed.has(key))) return true;
    const query = node.kind === 'aggregation' ? node.spec.query : undefined;
    if (query && blueprintsRead(query, route.end, byIdentifier).some((key) => closed.has(key))) return true;
    const ends = nodesOf(route.end);
    return [...endReads].some((name) => isHidden(ends.get(name)));
  };

  /** Whoever sees a result sees its rule, and whoever sees a rule its scorecard: they are about the same blueprint. */
  const isWithinSubject = ({ blueprint: { identifier }, route }: Pick<RoutedNode, 'blueprint' | 'route'>): boolean => {
    if (route.kind !== 'path') return false;
    const managed = { _rule_result: 'rule,rule/scorecard', _rule: 'scorecard' }[identifier] ?? '';
    const steps = route.steps.map(({ relation, direction }) => (direction === 'out' ? relation : ''));
    return managed.split(',').includes(steps.join('/'));
  };

  const isCalculatedHidden = (node: Extract<DerivedNode, { kind: 'calculation' }>): boolean => {
    const { reads } = node.calculation;
    // calculations do not read each other
    return [...nodesOf(node.blueprint).values()].some(
      (other) => other.kind !== 'calculation' && (reads === 'all' || reads.has(other.key)) && isHidden(other),
    );
  };

  return (blueprint) =>
    closed.size === 0
      ? nothing
      : new Set([...nodesOf(blueprint).values()].filter((node) => isHidden(node)).map(({ key }) => key));
}

const nothing: ReadonlySet<string> = new Set();
