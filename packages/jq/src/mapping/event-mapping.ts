import { type Unreadable, whyUnreadable } from '../template/unreadable.ts';

/** Turns an event, or one raw item of an integration, into entities; every text in it is an expression. */
export interface EventMapping {
  readonly filter?: string | null | undefined;
  readonly itemsToParse?: string | null | undefined;
  /** The name of an item in expressions; default `item`. */
  readonly itemsToParseName?: string | null | undefined;
  readonly operation?: unknown;
  readonly entity: {
    readonly identifier: unknown;
    /** Also an expression in mappings of integrations. */
    readonly blueprint?: unknown;
    readonly title?: unknown;
    readonly icon?: unknown;
    readonly team?: unknown;
    /** Or one expression for all of them. */
    readonly properties?: Readonly<Record<string, unknown>> | string | null | undefined;
    readonly relations?: Readonly<Record<string, unknown>> | string | null | undefined;
  };
}

/** A place in a document: keys and indexes from its root. */
export type MappingPath = readonly (string | number)[];

/** A mapping of an integration's resource, with the places of its parts. */
export interface ResourceMapping {
  readonly mapping: EventMapping;
  /** The place in the resource of an expression of the mapping. */
  placeOf(path: MappingPath): MappingPath;
}

/** One item of `resources` in the configuration of an integration. */
export interface MappedResource {
  readonly selector?: { readonly query?: string | null | undefined } | null | undefined;
  readonly port: {
    readonly itemsToParse?: string | null | undefined;
    readonly itemsToParseName?: string | null | undefined;
    readonly entity: { readonly mappings: EventMapping['entity'] | readonly EventMapping['entity'][] };
  };
}

/** The mappings of a resource: one, or several if one raw item makes several entities. */
export function mappingsOfResource({ selector, port }: MappedResource): readonly ResourceMapping[] {
  const { mappings } = port.entity;
  const isList = Array.isArray(mappings);
  return (isList ? (mappings as readonly EventMapping['entity'][]) : [mappings as EventMapping['entity']]).map(
    (entity, index) => ({
      mapping: {
        filter: selector?.query,
        itemsToParse: port.itemsToParse,
        itemsToParseName: port.itemsToParseName,
        entity,
      },
      placeOf: ([first, ...rest]) => {
        if (first === 'filter') return ['selector', 'query'];
        if (first !== 'entity') return ['port', first ?? ''];
        return ['port', 'entity', 'mappings', ...(isList ? [index] : []), ...rest];
      },
    }),
  );
}

const literals = new Set(['and', 'or', '=', 'in', 'contains', 'containsAny']);
/** Deeper values are ignored. */
export const mappingDepthMax = 20;

/** Keywords of a query, which are not expressions. */
export function isLiteral(text: string, key: string | number | undefined): boolean {
  if (key === 'combinator' || key === 'operator') return literals.has(text);
  return key === 'property' && /^\$\w+$/.test(text);
}

export interface MappingExpression {
  readonly path: MappingPath;
  readonly expression: string;
}

/** Every expression of a mapping with its place. */
export function mappingExpressions({ filter, itemsToParse, entity }: EventMapping): readonly MappingExpression[] {
  const { identifier, blueprint, title, icon, team, properties, relations } = entity;
  return Object.entries({
    filter,
    itemsToParse,
    entity: { identifier, blueprint, title, icon, team, properties, relations },
  }).flatMap(([key, value]) => textsIn(value, [key]));
}

function textsIn(value: unknown, path: MappingPath): MappingExpression[] {
  if (typeof value === 'string') {
    // only inside a value: a property may be called "operator"
    const isInside = path.length > (path[1] === 'properties' || path[1] === 'relations' ? 3 : 2);
    return value === '' || (isInside && isLiteral(value, path.at(-1))) ? [] : [{ path, expression: value }];
  }
  if (typeof value !== 'object' || value === null || path.length > mappingDepthMax + 3) return [];
  const inner: [string | number, unknown][] = Array.isArray(value)
    ? value.map((each, index) => [index, each])
    : Object.entries(value);
  return inner.flatMap(([key, each]) => textsIn(each, [...path, key]));
}

/** The expressions that do not parse, with the error; they fail for every event. */
export function unreadableExpressions(mapping: EventMapping): readonly Unreadable[] {
  return mappingExpressions(mapping).flatMap(({ path, expression }) => {
    const message = whyUnreadable(expression);
    return message === undefined ? [] : [{ path, message }];
  });
}
