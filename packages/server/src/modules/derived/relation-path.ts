import { blueprintRelations, type StoredBlueprint } from '../blueprints/index.ts';

export type ByIdentifier = ReadonlyMap<string, StoredBlueprint>;

/** Ownership as a relation: from an entity to the entities of `_team` that own it (catalog semantics §3.6). */
export const teamHop = '$team';

/** A step over a relation: `out` along it, `in` against it. `from` and `to` are keys of blueprints. */
export interface Step {
  readonly relation: string;
  readonly direction: 'out' | 'in';
  readonly from: number;
  readonly to: number;
  readonly isMany: boolean;
}

/** A fixed path from entities of one blueprint to entities of another. */
export interface PathRoute {
  readonly kind: 'path';
  readonly id: string;
  readonly start: number;
  readonly end: StoredBlueprint;
  readonly steps: readonly Step[];
}

/** A relation of a blueprint. */
export interface Edge {
  readonly blueprintKey: number;
  readonly relation: string;
}

/** All paths to another blueprint in one direction: along relations, or against them. */
export interface OpenRoute {
  readonly kind: 'open';
  readonly id: string;
  readonly start: number;
  readonly end: StoredBlueprint;
  /** Only relations on such paths; others are not followed. */
  readonly along: readonly Edge[];
  readonly against: readonly Edge[];
  /** Blueprints where these arrive, by key. */
  readonly passed: readonly number[];
}

export type RelationPath = PathRoute | OpenRoute;

/** Whether walking the route reads the teams of entities; otherwise it reads edges alone. */
export function passesTeams(route: RelationPath): boolean {
  return route.kind === 'path' && route.steps.some(({ relation }) => relation === teamHop);
}

/** Whether the route never arrives at an entity to which nothing points. */
export function leadsToTargets(route: RelationPath): boolean {
  return route.kind === 'path' && !passesTeams(route) && route.steps.every(({ direction }) => direction === 'out');
}

/** Undefined if one of the relations is missing. */
export function routeAlong(
  start: StoredBlueprint,
  names: readonly string[],
  blueprints: ByIdentifier,
): PathRoute | undefined {
  const steps: Step[] = [];
  let at = start;
  for (const relation of names) {
    const definition = Object.hasOwn(blueprintRelations(at), relation) ? blueprintRelations(at)[relation] : undefined;
    const to = blueprints.get(relation === teamHop ? '_team' : (definition?.target ?? ''));
    if (!to) return undefined;
    const isMany = relation === teamHop || (definition?.many ?? false);
    steps.push({ relation, direction: 'out', from: at.key, to: to.key, isMany });
    at = to;
  }
  return pathRoute(start.key, at, steps);
}

/** The route from the end back to the start. */
export function reversed(route: PathRoute, start: StoredBlueprint): PathRoute {
  const steps = [...route.steps]
    .reverse()
    .map((step): Step => ({ ...step, from: step.to, to: step.from, direction: 'in' }));
  return pathRoute(route.end.key, start, steps);
}

function pathRoute(start: number, end: StoredBlueprint, steps: readonly Step[]): PathRoute {
  const names = steps.map(({ relation, direction, to }) => [relation, direction, to]);
  return { kind: 'path', id: JSON.stringify([start, end.key, names]), start, end, steps };
}

/**
 * All paths between two blueprints (catalog semantics §1.7): upstream or downstream, of any length, never changing
 * direction. Ownership does not count: a team would relate everything it owns.
 */
export function resolvePath(start: StoredBlueprint, end: StoredBlueprint, blueprints: ByIdentifier): OpenRoute {
  const edges = [...blueprints.values()].flatMap((blueprint) =>
    Object.entries(blueprintRelations(blueprint)).flatMap(([relation, { target }]) => {
      const to = blueprints.get(target);
      return to ? [{ blueprintKey: blueprint.key, relation, to: to.key }] : [];
    }),
  );
  const between = (from: number, to: number) => {
    const after = closure(
      from,
      edges,
      ({ blueprintKey }) => blueprintKey,
      (edge) => edge.to,
    );
    const before = closure(
      to,
      edges,
      (edge) => edge.to,
      ({ blueprintKey }) => blueprintKey,
    );
    return edges.filter((edge) => after.has(edge.blueprintKey) && before.has(edge.to));
  };
  const outward = between(start.key, end.key);
  const inward = between(end.key, start.key);
  const passed = [...new Set([...outward.map(({ to }) => to), ...inward.map(({ blueprintKey }) => blueprintKey)])];
  const [along, against] = [outward, inward].map((found) =>
    found.map(({ blueprintKey, relation }): Edge => ({ blueprintKey, relation })),
  ) as [Edge[], Edge[]];
  return {
    kind: 'open',
    id: JSON.stringify([start.key, end.key, along, against]),
    start: start.key,
    end,
    along,
    against,
    passed,
  };
}

function closure<E>(from: number, edges: readonly E[], source: (edge: E) => number, target: (edge: E) => number) {
  const seen = new Set([from]);
  for (const at of seen) for (const edge of edges) if (source(edge) === at) seen.add(target(edge));
  return seen;
}

export function blueprintsOn(route: RelationPath): number[] {
  return route.kind === 'path'
    ? [route.start, ...route.steps.map(({ to }) => to)]
    : [route.start, route.end.key, ...[...route.along, ...route.against].map(({ blueprintKey }) => blueprintKey)];
}

/** Blueprints a route arrives at, including its end; its start only if it returns there. */
export function blueprintsPassed(route: RelationPath): number[] {
  return route.kind === 'path' ? route.steps.map(({ to }) => to) : [route.end.key, ...route.passed];
}
