/** The answers of the catalog's tools, parsed loosely: only the fields in use, any of which may be missing. */

export interface PropertyInfo {
  readonly type?: string;
  readonly title?: string;
  readonly format?: string;
  readonly enum?: readonly (string | number)[];
}

export interface RelationInfo {
  readonly target?: string;
  readonly many?: boolean;
  readonly title?: string;
}

export interface BlueprintInfo {
  readonly identifier: string;
  readonly title?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, PropertyInfo>>;
  readonly computedProperties?: Readonly<Record<string, PropertyInfo & { readonly path?: string }>> | readonly string[];
  readonly relations?: Readonly<Record<string, RelationInfo>>;
  readonly ownership?: unknown;
}

export interface ScorecardInfo {
  readonly identifier: string;
  readonly title?: string;
  readonly blueprint?: string;
  /** The lowest first. */
  readonly levels?: readonly string[];
  readonly rules?: readonly { readonly identifier: string; readonly title?: string }[];
}

export interface EntityInfo {
  /** The reference of the record, for marks. */
  readonly _ref?: string;
  readonly identifier: string;
  readonly title?: string | null;
  readonly blueprint?: string;
  readonly team?: unknown;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly relations?: Readonly<Record<string, unknown>>;
  readonly scorecards?: Readonly<Record<string, { readonly level?: string }>>;
  readonly createdAt?: string;
  readonly updatedAt?: string;
}

/** `total` counts all matches. */
export interface EntityPage {
  /** The reference of the page's figures. */
  readonly _ref?: string | undefined;
  readonly total: number;
  readonly entities: readonly EntityInfo[];
}

export interface SearchRule {
  readonly property?: unknown;
  readonly relation?: string;
  readonly scorecard?: string;
  readonly scorecardRule?: string;
  readonly operator: string;
  readonly value?: unknown;
  readonly blueprint?: string;
}

export function readBlueprints(content: unknown): BlueprintInfo[] {
  return listIn(content, 'blueprints').filter(hasIdentifier) as BlueprintInfo[];
}

export function readPage(content: unknown): EntityPage {
  const entities = listIn(content, 'entities').filter(hasIdentifier) as EntityInfo[];
  const total = (content as { total?: unknown } | null)?.total;
  return { ...readRef(content), total: typeof total === 'number' ? total : entities.length, entities };
}

export function readRef(content: unknown): { readonly _ref?: string } {
  const ref = (content as { _ref?: unknown } | null)?._ref;
  return typeof ref === 'string' ? { _ref: ref } : {};
}

export function readOne<T>(content: unknown, key: 'entity' | 'blueprint'): T | undefined {
  const value = (content as Record<string, unknown> | null)?.[key];
  return hasIdentifier(value) ? (value as T) : undefined;
}

function listIn(content: unknown, key: string): unknown[] {
  const value = (content as Record<string, unknown> | null)?.[key];
  return Array.isArray(value) ? value : [];
}

function hasIdentifier(value: unknown): boolean {
  return typeof (value as { identifier?: unknown } | null)?.identifier === 'string';
}

/** Names in a list of texts, or of objects with a title, name or identifier. */
export function namesIn(value: unknown): string[] {
  const items = Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
  return items.flatMap((item: unknown) => {
    if (typeof item === 'string') return [item];
    const { title, name, identifier } = (item ?? {}) as Record<string, unknown>;
    const text = title ?? name ?? identifier;
    return typeof text === 'string' ? [text] : [];
  });
}

export function displayTitle(thing: {
  readonly identifier: string;
  readonly title?: string | null | undefined;
}): string {
  return thing.title || thing.identifier;
}

export function pluralTitle(blueprint: BlueprintInfo): string {
  const title = displayTitle(blueprint);
  if (/[^aeiou]y$/i.test(title)) return `${title.slice(0, -1)}ies`;
  if (/(s|x|ch|sh)$/i.test(title)) return `${title}es`;
  return `${title}s`;
}
