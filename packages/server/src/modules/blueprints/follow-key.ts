import { isRecord } from '@portolan/contract/json-value';
import { replaceSingleQuotes, rewrite } from '@portolan/jq';
import type { BlueprintDefinition } from './blueprint.ts';

export type KeyKind = 'property' | 'mirror' | 'relation';

/** A rename of one key of one blueprint. */
export interface KeyRename {
  readonly blueprint: string;
  readonly kind: KeyKind;
  readonly from: string;
  readonly to: string;
}

type NamedDefinition = { readonly identifier: string; readonly definition: BlueprintDefinition };
type ByIdentifier = ReadonlyMap<string, BlueprintDefinition>;

/**
 * Definitions that change with a key: the blueprint's own, and those with the key in mirror paths, ownership paths,
 * calculations, or targets, paths and queries of aggregations. Pure; unchanged definitions are left out.
 */
export function followKey(blueprints: readonly NamedDefinition[], rename: KeyRename): Map<string, BlueprintDefinition> {
  const byIdentifier = new Map(blueprints.map(({ identifier, definition }) => [identifier, definition]));
  const changed = new Map<string, BlueprintDefinition>();
  for (const { identifier, definition } of blueprints) {
    const next = followed(identifier, definition, rename, byIdentifier);
    if (JSON.stringify(next) !== JSON.stringify(definition)) changed.set(identifier, next);
  }
  return changed;
}

function followed(
  identifier: string,
  definition: BlueprintDefinition,
  rename: KeyRename,
  byIdentifier: ByIdentifier,
): BlueprintDefinition {
  const isOwn = identifier === rename.blueprint;
  const path = (text: string, hasProperty: boolean) => followPath(identifier, text, hasProperty, rename, byIdentifier);
  const next = { ...(isOwn ? renamedOwn(definition, rename) : definition) };
  if (next.mirrorProperties) {
    next.mirrorProperties = mapValues(next.mirrorProperties, (mirror) => ({
      ...mirror,
      path: path(mirror.path, true),
    }));
  }
  if (next.aggregationProperties) {
    next.aggregationProperties = mapValues(next.aggregationProperties, (aggregation) =>
      followAggregation(identifier, aggregation, rename, byIdentifier),
    );
  }
  if (next.ownership?.type === 'Inherited') {
    next.ownership = { ...next.ownership, path: path(next.ownership.path, false) };
  }
  if (next.teamInheritance) {
    next.teamInheritance = { ...next.teamInheritance, path: path(next.teamInheritance.path, false) };
  }
  return next;
}

function renamedOwn(definition: BlueprintDefinition, { kind, from, to }: KeyRename): BlueprintDefinition {
  const next = { ...definition };
  if (kind === 'property') {
    const { properties, required } = definition.schema;
    next.schema = {
      ...definition.schema,
      properties: renameKey(properties, from, to),
      ...(required ? { required: required.map((key) => (key === from ? to : key)) } : {}),
    };
  }
  if (kind === 'mirror' && definition.mirrorProperties) {
    next.mirrorProperties = renameKey(definition.mirrorProperties, from, to);
  }
  if (kind === 'relation' && definition.relations) next.relations = renameKey(definition.relations, from, to);
  if (definition.calculationProperties) {
    next.calculationProperties = mapValues(definition.calculationProperties, (calculation) => ({
      ...calculation,
      calculation: followExpression(calculation.calculation, kind, from, to),
    }));
  }
  return next;
}

/** Renames the key in an expression; an unparsable one stays. */
function followExpression(source: string, kind: KeyKind, from: string, to: string): string {
  const section = kind === 'relation' ? 'relations' : 'properties';
  const edit = { kind: 'path', from: [section, from], to: [section, to] } as const;
  for (const text of [source, replaceSingleQuotes(source)]) {
    try {
      const { source: next, changes } = rewrite(text, [edit]);
      return changes.length === 0 ? source : next;
    } catch {
      // single quotes are the platform's own; the second round parses them
    }
  }
  return source;
}

/** Renames each step of a dotted path that is the key of the blueprint. */
function followPath(
  start: string,
  text: string,
  hasProperty: boolean,
  rename: KeyRename,
  byIdentifier: ByIdentifier,
): string {
  const segments = text.split('.');
  let at: string | undefined = start;
  return segments
    .map((segment, index) => {
      const isHere = at === rename.blueprint && segment === rename.from;
      const isEnd = hasProperty && index === segments.length - 1;
      if (isEnd) return isHere && rename.kind !== 'relation' ? rename.to : segment;
      at = relationTarget(at, segment, byIdentifier);
      return isHere && rename.kind === 'relation' ? rename.to : segment;
    })
    .join('.');
}

function relationTarget(
  blueprint: string | undefined,
  relation: string,
  byIdentifier: ByIdentifier,
): string | undefined {
  if (relation === '$team') return '_team';
  const relations = blueprint === undefined ? undefined : byIdentifier.get(blueprint)?.relations;
  return relations && Object.hasOwn(relations, relation) ? relations[relation]?.target : undefined;
}

type Aggregation = NonNullable<BlueprintDefinition['aggregationProperties']>[string];

function followAggregation(
  identifier: string,
  aggregation: Aggregation,
  rename: KeyRename,
  byIdentifier: ByIdentifier,
): Aggregation {
  const next = { ...aggregation };
  if (aggregation.target === rename.blueprint) {
    const spec = { ...aggregation.calculationSpec } as Aggregation['calculationSpec'] & Record<string, unknown>;
    for (const member of ['property', 'measureTimeBy']) {
      if (rename.kind !== 'relation' && spec[member] === rename.from) Object.assign(spec, { [member]: rename.to });
    }
    next.calculationSpec = spec;
    if (aggregation.query) next.query = followQuery(aggregation.query, rename) as Record<string, unknown>;
  }
  if (aggregation.pathFilter) {
    next.pathFilter = aggregation.pathFilter.map((filter) => ({
      ...filter,
      path: followPath(filter.fromBlueprint ?? identifier, filter.path.join('.'), false, rename, byIdentifier).split(
        '.',
      ),
    }));
  }
  return next;
}

/** Renames the key in rules at any depth of a query on the blueprint. */
function followQuery(query: unknown, { from, to }: Pick<KeyRename, 'from' | 'to'>): unknown {
  if (Array.isArray(query)) return query.map((rule) => followQuery(rule, { from, to }));
  if (!isRecord(query)) return query;
  const next: Record<string, unknown> = { ...query };
  if (next['property'] === from) next['property'] = to;
  if (Array.isArray(next['rules'])) next['rules'] = followQuery(next['rules'], { from, to });
  return next;
}

/** Keeps the position of the entry. */
export function renameKey<Value>(
  map: Readonly<Record<string, Value>>,
  from: string,
  to: string,
): Record<string, Value> {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key === from ? to : key, value]));
}

function mapValues<Value, Next>(
  map: Readonly<Record<string, Value>>,
  change: (value: Value) => Next,
): Record<string, Next> {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value)]));
}
