import { createHash } from 'node:crypto';
import type { BlueprintBody } from '@portolan/contract/blueprints';
import { isRecord } from '@portolan/contract/json-value';
import type { PackFile, PackItemKind } from '@portolan/contract/packs';

/** What names an item among all of an organization. */
export interface ItemName {
  readonly kind: PackItemKind;
  /** Empty where the item lies in no blueprint. */
  readonly blueprint: string;
  readonly identifier: string;
}

/** One thing of a pack, or of an organization, that comes and goes as a whole. */
export interface Item extends ItemName {
  /** As people write it; for a blueprint without its parts. */
  readonly definition: object;
}

/** The kinds that are parts of a blueprint, and where a definition holds them. */
const partMaps = {
  relation: 'relations',
  mirror: 'mirrorProperties',
  calculation: 'calculationProperties',
  aggregation: 'aggregationProperties',
} as const;

export type PartKind = 'property' | keyof typeof partMaps;
const partKinds: readonly PackItemKind[] = ['property', ...(Object.keys(partMaps) as (keyof typeof partMaps)[])];

export function isPart<Named extends ItemName>(item: Named): item is Named & { readonly kind: PartKind } {
  return partKinds.includes(item.kind);
}

/** `property:service/tier`, `page:services_by_team`. */
export function itemId({ kind, blueprint, identifier }: ItemName): string {
  return blueprint === '' ? `${kind}:${identifier}` : `${kind}:${blueprint}/${identifier}`;
}

/** Everything a pack brings, blueprints before their parts, in the order in which it can be made. */
export function listItems(pack: PackFile): Item[] {
  return [
    ...pack.blueprints.map(shell),
    ...[...pack.blueprints, ...pack.extends].flatMap(listParts),
    ...pack.scorecards.map(({ blueprint, identifier, ...definition }): Item => {
      return { kind: 'scorecard', blueprint, identifier, definition };
    }),
    ...pack.actions.map(({ identifier, ...definition }): Item => {
      return { kind: 'action', blueprint: '', identifier, definition };
    }),
    ...pack.pages.map(({ identifier, ...definition }): Item => {
      return { kind: 'page', blueprint: '', identifier, definition };
    }),
  ];
}

function shell(body: BlueprintBody): Item {
  const { identifier, schema, relations: _r, mirrorProperties: _m, calculationProperties: _c, ...rest } = body;
  const { aggregationProperties: _a, ...definition } = rest;
  const required = schema.required ? { required: schema.required } : {};
  return { kind: 'blueprint', blueprint: '', identifier, definition: { ...definition, ...required } };
}

/** The parts of a blueprint, or of what extends one. */
export function listParts(body: Pick<PackFile['extends'][number], keyof PackFile['extends'][number]>): Item[] {
  const blueprint = body.identifier;
  const parts = (kind: PartKind, map: Readonly<Record<string, object>> = {}): Item[] =>
    Object.entries(map).map(([identifier, definition]) => ({ kind, blueprint, identifier, definition }));
  return [
    ...parts('property', body.schema?.properties),
    ...Object.entries(partMaps).flatMap(([kind, map]) => parts(kind as PartKind, body[map])),
  ];
}

/** A PATCH of a blueprint that sets parts, or with null removes them. */
export function toBlueprintPatch(parts: readonly (Item & { readonly kind: PartKind })[], isRemoval = false): object {
  const patch: Record<string, Record<string, unknown>> = {};
  const properties: Record<string, unknown> = {};
  for (const { kind, identifier, definition } of parts) {
    const value = isRemoval ? null : definition;
    if (kind === 'property') properties[identifier] = value;
    else patch[partMaps[kind]] = { ...patch[partMaps[kind]], [identifier]: value };
  }
  return Object.keys(properties).length > 0 ? { ...patch, schema: { properties } } : patch;
}

/** The same for the same definition, whatever the order of its keys. */
export function hashDefinition({ definition }: Pick<Item, 'definition'>): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(definition)))
    .digest('hex');
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, sorted(value[key])]));
}
