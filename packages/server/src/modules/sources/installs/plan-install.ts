import type { BlueprintBody, BlueprintPatch } from '@portolan/contract/blueprints';
import type { InstallPlan, PlannedBlueprint } from '@portolan/contract/installs';
import type { StoredBlueprint } from '../../blueprints/index.ts';

/** What an install does to blueprints, in the order in which it must be done. */
export interface BlueprintPlan {
  /** Blueprints without relations and computed properties. */
  readonly bare: readonly BlueprintBody[];
  /** Properties for blueprints that exist, then relations, then what is computed over them. */
  readonly patches: readonly { readonly identifier: string; readonly patch: BlueprintPatch }[];
  readonly blueprints: readonly PlannedBlueprint[];
  readonly conflicts: InstallPlan['conflicts'];
  readonly leftOut: readonly string[];
}

type Definition = Omit<BlueprintBody, 'identifier'>;
const computedMaps = ['mirrorProperties', 'calculationProperties', 'aggregationProperties'] as const;
const maps = ['relations', ...computedMaps] as const;

/**
 * Compares the blueprints of a client with those that exist: missing ones are created, others get what they lack, and
 * nothing that is there changes. Of what differs, `keep` says that the existing one is meant.
 */
export function planBlueprints(
  wanted: readonly BlueprintBody[],
  existing: readonly StoredBlueprint[],
  keep: ReadonlySet<string>,
): BlueprintPlan {
  const stored = new Map(existing.map((each) => [each.identifier, each.definition]));
  const known = new Set([...stored.keys(), ...wanted.map(({ identifier }) => identifier)]);
  const bodies = wanted.map((body) => withoutUnknown(body, known));
  const leftOut = bodies.flatMap((each) => each.leftOut);
  const steps = bodies.map(({ body }) => additions(body, stored.get(body.identifier)));
  return {
    bare: steps.flatMap(({ bare }) => (bare ? [bare] : [])),
    patches: [
      ...steps.flatMap(({ identifier, properties }) => patchOf(identifier, properties)),
      ...steps.flatMap(({ identifier, relations }) => patchOf(identifier, relations)),
      ...steps.flatMap(({ identifier, computed }) => patchOf(identifier, computed)),
    ],
    blueprints: steps.map(({ planned }) => planned),
    conflicts: steps.flatMap(({ conflicts }) => conflicts).filter(({ name }) => !keep.has(name)),
    leftOut,
  };
}

function patchOf(identifier: string, patch: BlueprintPatch): { identifier: string; patch: BlueprintPatch }[] {
  return Object.keys(patch).length === 0 ? [] : [{ identifier, patch }];
}

/** Leaves out what needs a blueprint that neither exists nor comes along. */
function withoutUnknown(body: BlueprintBody, known: ReadonlySet<string>) {
  const relations = body.relations ?? {};
  const lost = Object.entries(relations).filter(([, { target }]) => !known.has(target));
  const lostKeys = new Set(lost.map(([key]) => key));
  const isOver = (path: string): boolean => lostKeys.has(path.split('.')[0] ?? '');
  const kept = <Value>(
    map: Readonly<Record<string, Value>> | undefined,
    isLost: (key: string, value: Value) => boolean,
  ) => Object.fromEntries(Object.entries(map ?? {}).filter(([key, value]) => !isLost(key, value)));
  const { ownership, ...rest } = body;
  const isOwned = ownership && !(ownership.type === 'Inherited' && isOver(ownership.path));
  return {
    body: {
      ...rest,
      relations: kept(relations, (key) => lostKeys.has(key)),
      mirrorProperties: kept(body.mirrorProperties, (_, { path }) => isOver(path)),
      aggregationProperties: kept(body.aggregationProperties, (_, { target }) => !known.has(target)),
      ...(isOwned ? { ownership } : {}),
    },
    leftOut: lost.map(
      ([key, { target }]) => `The relation "${key}" of "${body.identifier}", for there is no blueprint "${target}"`,
    ),
  };
}

/** What one blueprint needs, by step. */
function additions(body: BlueprintBody, stored: Definition | undefined) {
  const { identifier, relations, ownership, mirrorProperties, calculationProperties, aggregationProperties, ...bare } =
    body;
  const computed = nonEmpty({ mirrorProperties, calculationProperties, aggregationProperties });
  if (!stored) {
    const adds = keysOf(body);
    return {
      identifier,
      bare: { identifier, ...bare },
      properties: {},
      relations: nonEmpty({ relations }),
      computed: { ...computed, ...(ownership ? { ownership } : {}) },
      planned: { identifier, title: body.title, change: 'create' as const, adds },
      conflicts: [],
    };
  }
  const taken = new Map(entriesOf(stored));
  const isNew = ([key]: [string, unknown]): boolean => !taken.has(key);
  const missing = (map: Readonly<Record<string, unknown>> | undefined) =>
    Object.fromEntries(Object.entries(map ?? {}).filter(isNew));
  const properties = missing(body.schema.properties);
  const adds = keysOf(body).filter((key) => !taken.has(key));
  return {
    identifier,
    bare: undefined,
    properties: (Object.keys(properties).length > 0 ? { schema: { properties } } : {}) as BlueprintPatch,
    relations: nonEmpty({ relations: missing(relations) }) as BlueprintPatch,
    computed: nonEmpty({
      mirrorProperties: missing(mirrorProperties),
      calculationProperties: missing(calculationProperties),
      aggregationProperties: missing(aggregationProperties),
    }) as BlueprintPatch,
    planned: {
      identifier,
      title: stored.title,
      change: adds.length > 0 ? ('extend' as const) : ('none' as const),
      adds,
    },
    conflicts: entriesOf(body).flatMap(([key, theirs]) => {
      const ours = taken.get(key);
      if (ours === undefined || ours === theirs) return [];
      const message = `"${key}" of your blueprint "${identifier}" is ${ours}, and the client writes ${theirs}`;
      return [{ name: `${identifier}.${key}`, message }];
    }),
  };
}

/** Every key of a blueprint with what it is, in words that can be compared. */
function entriesOf(definition: Definition): [string, string][] {
  const { schema, relations = {} } = definition;
  return [
    ...Object.entries(schema.properties).map(([key, { type }]): [string, string] => [
      key,
      `a property of type ${type}`,
    ]),
    ...Object.entries(relations).map(([key, { target, many }]): [string, string] => [
      key,
      `a relation to ${many ? 'many' : 'one'} of "${target}"`,
    ]),
    ...computedMaps.flatMap((map) =>
      Object.keys(definition[map] ?? {}).map((key): [string, string] => [key, 'a computed property']),
    ),
  ];
}

function keysOf(definition: Definition): string[] {
  return [...Object.keys(definition.schema.properties), ...maps.flatMap((map) => Object.keys(definition[map] ?? {}))];
}

function nonEmpty<Maps extends Readonly<Record<string, object | undefined>>>(all: Maps): Partial<Maps> {
  return Object.fromEntries(
    Object.entries(all).filter(([, map]) => map !== undefined && Object.keys(map).length > 0),
  ) as Partial<Maps>;
}
