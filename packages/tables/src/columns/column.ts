import type { Cell } from '../table.ts';

/** What becomes of one column. Kept with a source, so that the next file is read the same way. */
export interface Column {
  readonly heading: string;
  /** `identifier`, `title`, `icon`, `team`, `properties.<key>` or `relations.<key>`; null leaves the column out. */
  readonly to: string | null;
  /** Replaces the cell before it is converted; its input is `{value, row}`, the row by headings. */
  readonly jq?: string;
  /** How `04/05/2026` is read, which nobody can tell by looking at it. */
  readonly dateOrder?: DateOrder;
  /** Between the values of a list. */
  readonly separator?: string;
  /** Numbers are written `1.234,56`. */
  readonly hasDecimalComma?: boolean;
}

/** What a cell became, or why it cannot. */
export type Converted = { readonly value: Cell } | { readonly message: string };

export type DateOrder = 'dmy' | 'mdy';

/** The parts of a blueprint that say what a column may become. */
export interface TableBlueprint {
  readonly identifier: string;
  readonly title?: string;
  readonly schema: {
    readonly properties: Readonly<Record<string, TableProperty>>;
    readonly required?: readonly string[] | undefined;
  };
  readonly relations?: Readonly<Record<string, TableRelation>> | undefined;
}

export interface TableProperty {
  readonly type: string;
  readonly title?: string | undefined;
  readonly format?: string | undefined;
  readonly enum?: readonly (string | number)[] | undefined;
  readonly items?: { readonly type?: string | undefined; readonly format?: string | undefined } | undefined;
}

export interface TableRelation {
  readonly target: string;
  readonly title?: string | undefined;
  readonly many?: boolean | undefined;
  readonly required?: boolean | undefined;
}

/** What a column leads to, read from its path. */
export type Target =
  | { readonly kind: 'identifier' | 'title' | 'icon' | 'team' }
  | { readonly kind: 'property'; readonly key: string; readonly property: TableProperty }
  | { readonly kind: 'relation'; readonly key: string; readonly relation: TableRelation };

const own = ['identifier', 'title', 'icon', 'team'] as const;
/** Of the teams that own an entity. */
export const teamBlueprint = '_team';

/** Takes `$team` for `team`, and the bare key of a property or relation too. Undefined if the blueprint has no such thing. */
export function findTarget(path: string, blueprint: TableBlueprint): Target | undefined {
  const plain = path.replace(/^\$/, '');
  const kind = own.find((name) => name === plain);
  if (kind) return { kind };
  const [, section, name] = /^(properties|relations)\.(.+)$/s.exec(path) ?? [undefined, undefined, path];
  const key = name as string;
  const { properties } = blueprint.schema;
  const relations = blueprint.relations ?? {};
  const property = section !== 'relations' && Object.hasOwn(properties, key) ? properties[key] : undefined;
  if (property) return { kind: 'property', key, property };
  const relation = section !== 'properties' && Object.hasOwn(relations, key) ? relations[key] : undefined;
  return relation ? { kind: 'relation', key, relation } : undefined;
}

/** The path as it is kept. */
export function targetPath(target: Target): string {
  if (target.kind === 'property') return `properties.${target.key}`;
  return target.kind === 'relation' ? `relations.${target.key}` : target.kind;
}

/** All paths that a column may lead to. */
export function listTargets(blueprint: TableBlueprint): string[] {
  return [
    ...own,
    ...Object.keys(blueprint.schema.properties).map((key) => `properties.${key}`),
    ...Object.keys(blueprint.relations ?? {}).map((key) => `relations.${key}`),
  ];
}
