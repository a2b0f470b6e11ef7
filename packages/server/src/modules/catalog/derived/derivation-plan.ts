import { ownershipPathOf, propertiesOf, relationsOf, type StoredBlueprint } from '../../blueprints/index.ts';

/** One step of a path: a relation, and the blueprint it leads to. */
export interface Hop {
  readonly relation: string;
  readonly many: boolean;
  readonly to: StoredBlueprint;
}

/** Where the value at the end of a path is read from. */
export type Source =
  | { readonly kind: 'property'; readonly key: string }
  | { readonly kind: 'derived'; readonly key: string }
  | { readonly kind: 'meta'; readonly name: string };

/** A mirror property whose path was found to lead somewhere. */
export interface MirrorPlan {
  readonly key: string;
  readonly hops: readonly Hop[];
  readonly source: Source;
}

/** An aggregation that counts the entities of a blueprint whose relation points here. */
export interface CountPlan {
  readonly key: string;
  readonly from: StoredBlueprint;
  /** A relation of `from`, or `$team` for ownership. */
  readonly relations: readonly string[];
}

/** What the platform computes on the entities of one blueprint. */
export interface DerivationPlan {
  readonly blueprint: StoredBlueprint;
  readonly mirrors: readonly MirrorPlan[];
  readonly counts: readonly CountPlan[];
  /** The path along which ownership is inherited; undefined where it is not. */
  readonly ownershipHops: readonly Hop[] | undefined;
}

/** All plans of an organization, by the key of their blueprint. */
export type DerivationPlans = ReadonlyMap<number, DerivationPlan>;

/** Reads the plans out of the definitions. A path that leads nowhere yields no plan: its value is null. */
export function planDerivations(blueprints: readonly StoredBlueprint[]): DerivationPlans {
  const byIdentifier = new Map(blueprints.map((blueprint) => [blueprint.identifier, blueprint]));
  return new Map(
    blueprints.map((blueprint) => [
      blueprint.key,
      {
        blueprint,
        mirrors: planMirrors(blueprint, byIdentifier),
        counts: planCounts(blueprint, byIdentifier),
        ownershipHops: planOwnership(blueprint, byIdentifier),
      },
    ]),
  );
}

/** What decides the values of a plan, comparable: two plans that look alike derive alike. */
export function outlineOf({ mirrors, counts, ownershipHops }: DerivationPlan): unknown {
  const hopsOf = (hops: readonly Hop[]) =>
    hops.map(({ relation, many, to }) => [relation, many, to.key, to.identifier]);
  return {
    mirrors: mirrors.map(({ key, hops, source }) => [key, hopsOf(hops), source]),
    counts: counts.map(({ key, from, relations }) => [key, from.key, relations]),
    ownership: ownershipHops && hopsOf(ownershipHops),
  };
}

type ByIdentifier = ReadonlyMap<string, StoredBlueprint>;

function planMirrors(blueprint: StoredBlueprint, byIdentifier: ByIdentifier): MirrorPlan[] {
  return Object.entries(blueprint.definition.mirrorProperties ?? {}).flatMap(([key, { path }]) => {
    const segments = path.split('.');
    const last = segments.pop() ?? '';
    const hops = followPath(blueprint, segments, byIdentifier);
    const end = hops?.at(-1)?.to;
    const source = end && sourceOf(end, last);
    return hops && source ? [{ key, hops, source }] : [];
  });
}

function followPath(
  start: StoredBlueprint,
  segments: readonly string[],
  byIdentifier: ByIdentifier,
): Hop[] | undefined {
  const hops: Hop[] = [];
  let from = start;
  for (const segment of segments) {
    const relation = Object.hasOwn(relationsOf(from), segment) ? relationsOf(from)[segment] : undefined;
    const to = relation && byIdentifier.get(relation.target);
    if (!to) return undefined;
    hops.push({ relation: segment, many: relation.many, to });
    from = to;
  }
  return hops;
}

function sourceOf(blueprint: StoredBlueprint, name: string): Source | undefined {
  if (name.startsWith('$')) return { kind: 'meta', name };
  if (Object.hasOwn(propertiesOf(blueprint), name)) return { kind: 'property', key: name };
  const { mirrorProperties, calculationProperties, aggregationProperties } = blueprint.definition;
  const isDerived = [mirrorProperties, calculationProperties, aggregationProperties].some(
    (map) => map && Object.hasOwn(map, name),
  );
  return isDerived ? { kind: 'derived', key: name } : undefined;
}

/** Counts over a relation of the target that points here; every such relation counts unless a path names one. */
function planCounts(blueprint: StoredBlueprint, byIdentifier: ByIdentifier): CountPlan[] {
  return Object.entries(blueprint.definition.aggregationProperties ?? {}).flatMap(([key, aggregation]) => {
    const { calculationSpec, target, pathFilter, query } = aggregation;
    const from = byIdentifier.get(target);
    if (!from || query || calculationSpec.calculationBy !== 'entities' || calculationSpec.func !== 'count') return [];
    const named = pathFilter?.[0];
    const relations = named
      ? named.path
      : Object.entries(relationsOf(from)).flatMap(([relation, definition]) =>
          definition.target === blueprint.identifier ? [relation] : [],
        );
    if (named && (named.path.length !== 1 || named.fromBlueprint !== target)) return [];
    return [{ key, from, relations }];
  });
}

function planOwnership(blueprint: StoredBlueprint, byIdentifier: ByIdentifier): Hop[] | undefined {
  const path = ownershipPathOf(blueprint.definition);
  if (path === undefined) return undefined;
  const segments = path.split('.').filter((segment) => segment !== '$team');
  return followPath(blueprint, segments, byIdentifier) ?? [];
}
