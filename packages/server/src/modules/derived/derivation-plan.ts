import { blueprintProperties, blueprintRelations, ownershipPath, type StoredBlueprint } from '../blueprints/index.ts';
import { parseAggregation } from '../entity-query/index.ts';
import { cachedCalculation } from './calculation.ts';
import type { CalculationNode, DerivedNode, InvalidNode, RoutedNode } from './derived-node.ts';
import { findCycles, rankNodes } from './node-order.ts';
import {
  type ByIdentifier,
  blueprintsOn,
  type RelationPath,
  resolvePath,
  reversed,
  routeAlong,
  teamHop,
} from './relation-path.ts';

/** The computed values of one blueprint. */
export interface DerivationPlan {
  readonly blueprint: StoredBlueprint;
  readonly nodes: readonly DerivedNode[];
}

export interface DerivationPlans {
  readonly byIdentifier: ByIdentifier;
  readonly byBlueprint: ReadonlyMap<number, DerivationPlan>;
  readonly nodes: ReadonlyMap<string, DerivedNode>;
  /** Blueprints whose values may depend on each other form a group, numbered by the least of their keys. */
  groupOf(blueprintKey: number): number;
}

function valueKind({ definition }: StoredBlueprint, name: string): string | undefined {
  if (name.startsWith('$')) return 'meta';
  const maps: Record<string, object | undefined> = {
    property: definition.schema.properties,
    relation: definition.relations,
    mirror: definition.mirrorProperties,
    calculation: definition.calculationProperties,
    aggregation: definition.aggregationProperties,
  };
  return Object.keys(maps).find((kind) => Object.hasOwn(maps[kind] ?? {}, name));
}

/** Plans all values with their routes and the order of computation. */
export function planDerivations(blueprints: readonly StoredBlueprint[]): DerivationPlans {
  const byIdentifier = new Map(blueprints.map((blueprint) => [blueprint.identifier, blueprint]));
  const drafts = blueprints.flatMap((blueprint) => draftNodes(blueprint, byIdentifier));
  const cyclic = findCycles(drafts);
  const sound = drafts.map((node) => (cyclic.has(node.id) && node.kind !== 'calculation' ? toInvalidNode(node) : node));
  const ranks = rankNodes(sound);
  const nodes = new Map(sound.map((node) => [node.id, { ...node, rank: ranks.get(node.id) ?? 0 }]));
  const byBlueprint = new Map(
    blueprints.map((blueprint) => [
      blueprint.key,
      { blueprint, nodes: [...nodes.values()].filter((node) => node.blueprint.key === blueprint.key) },
    ]),
  );
  return { byIdentifier, byBlueprint, nodes, groupOf: groupBlueprints(blueprints, [...nodes.values()]) };
}

export function nodeId(blueprintKey: number, key: string): string {
  return `${blueprintKey}/${key}`;
}

export function isRouted(node: DerivedNode): node is RoutedNode {
  return 'route' in node;
}

/** The values of one blueprint, unordered; cycles are not yet detected. */
export function draftNodes(blueprint: StoredBlueprint, byIdentifier: ByIdentifier): DerivedNode[] {
  const { mirrorProperties = {}, aggregationProperties = {}, calculationProperties = {} } = blueprint.definition;
  return [
    ownershipNode(blueprint, byIdentifier),
    ...Object.entries(mirrorProperties).map(([key, { path }]) => mirrorNode(blueprint, key, path, byIdentifier)),
    ...Object.entries(aggregationProperties).map(([key, definition]): DerivedNode => {
      const spec = parseAggregation(definition);
      const route = spec && aggregationRoute(blueprint, definition, byIdentifier);
      if (!route) return invalidNode(blueprint, key);
      const endReads = spec.reads;
      const outline = ['aggregation', route.id, definition, listKinds(route.end, endReads)];
      const isTimed = spec.isTimed;
      return { ...base(blueprint, key, outline), kind: 'aggregation', route, endReads, spec, isTimed };
    }),
    ...Object.entries(calculationProperties).map(([key, definition]): CalculationNode => {
      const calculation = cachedCalculation(definition.calculation);
      const { reads, readsKeys, isTimeDependent: isTimed } = calculation;
      const isOpen = reads === 'all' || readsKeys;
      const seen = listKinds(blueprint, isOpen ? listNames(blueprint) : reads);
      const name = reads === 'all' || reads.has('$blueprint') ? blueprint.identifier : '';
      const outline = ['calculation', definition.calculation, definition.type, name, seen];
      return { ...base(blueprint, key, outline), kind: 'calculation', calculation, type: definition.type, isTimed };
    }),
  ];
}

function base(blueprint: StoredBlueprint, key: string, outline: unknown) {
  return {
    id: nodeId(blueprint.key, key),
    blueprint,
    key,
    rank: 0,
    isTimed: false,
    outline: JSON.stringify(outline),
  };
}

function invalidNode(blueprint: StoredBlueprint, key: string, isOwnTeams = false): InvalidNode {
  return { ...base(blueprint, key, ['void', isOwnTeams]), kind: 'void', isOwnTeams };
}

function toInvalidNode({ blueprint, key }: DerivedNode): InvalidNode {
  return invalidNode(blueprint, key);
}

function listNames({ definition }: StoredBlueprint): string[] {
  const { schema, relations, mirrorProperties, aggregationProperties } = definition;
  return [schema.properties, relations, mirrorProperties, aggregationProperties].flatMap((map) =>
    Object.keys(map ?? {}),
  );
}

function listKinds(blueprint: StoredBlueprint, names: Iterable<string>): unknown[] {
  return [...names].sort().map((name) => {
    const kind = valueKind(blueprint, name);
    const isList = kind === 'relation' && blueprintRelations(blueprint)[name]?.many;
    return [name, kind, isList, kind === 'property' && blueprintProperties(blueprint)[name]?.type];
  });
}

function mirrorNode(blueprint: StoredBlueprint, key: string, path: string, byIdentifier: ByIdentifier): DerivedNode {
  const segments = path.split('.');
  const source = segments.pop() ?? '';
  const route = segments.length > 0 ? routeAlong(blueprint, segments, byIdentifier) : undefined;
  const kind = route && valueKind(route.end, source);
  if (!route || kind === undefined || kind === 'relation') return invalidNode(blueprint, key);
  const isMany = route.steps.some((step) => step.isMany);
  const name = source === '$blueprint' ? route.end.identifier : '';
  const outline = ['mirror', route.id, isMany, source, kind, name];
  return { ...base(blueprint, key, outline), kind: 'mirror', route, endReads: new Set([source]), source, isMany };
}

function ownershipNode(blueprint: StoredBlueprint, byIdentifier: ByIdentifier): DerivedNode {
  const path = ownershipPath(blueprint.definition);
  if (path === undefined) return invalidNode(blueprint, teamHop, true);
  const route = routeAlong(
    blueprint,
    path.split('.').filter((segment) => segment !== teamHop),
    byIdentifier,
  );
  // a path without relations leads nowhere, so a broken path owns nothing
  if (!route || route.steps.length === 0) return invalidNode(blueprint, teamHop);
  const isEnd = route.end.identifier === '_team';
  const endReads = new Set([isEnd ? '$identifier' : teamHop]);
  return { ...base(blueprint, teamHop, ['ownership', route.id, isEnd]), kind: 'ownership', route, endReads };
}

type AggregationDefinition = NonNullable<StoredBlueprint['definition']['aggregationProperties']>[string];

function aggregationRoute(
  blueprint: StoredBlueprint,
  { target, pathFilter }: AggregationDefinition,
  byIdentifier: ByIdentifier,
): RelationPath | undefined {
  const end = byIdentifier.get(target);
  const [filter] = pathFilter ?? [];
  if (!end) return undefined;
  if (!filter) return resolvePath(blueprint, end, byIdentifier);
  if (filter.fromBlueprint === target) {
    const route = routeAlong(end, filter.path, byIdentifier);
    return route?.end.key === blueprint.key ? reversed(route, end) : undefined;
  }
  if (filter.fromBlueprint !== undefined && filter.fromBlueprint !== blueprint.identifier) return undefined;
  const route = routeAlong(blueprint, filter.path, byIdentifier);
  return route?.end.key === end.key ? route : undefined;
}

function groupBlueprints(blueprints: readonly StoredBlueprint[], nodes: readonly DerivedNode[]) {
  const parent = new Map(blueprints.map(({ key }) => [key, key]));
  const find = (key: number): number => {
    const next = parent.get(key) ?? key;
    return next === key ? key : find(next);
  };
  for (const node of nodes) {
    if (!isRouted(node)) continue;
    for (const key of blueprintsOn(node.route)) {
      const [least = 0, other = 0] = [find(node.route.start), find(key)].sort((a, b) => a - b);
      parent.set(other, least);
    }
  }
  return find;
}
