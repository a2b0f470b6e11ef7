import { affects } from '../analysis/analyse.ts';
import { JqError } from '../errors.ts';
import { replaceSingleQuotes } from '../template/platform-quotes.ts';
import type { JqValue } from '../value/value.ts';
import type { EvaluateExpression } from './evaluate-expression.ts';
import { type EventMapping, isLiteral, type MappingPath, mappingDepthMax } from './event-mapping.ts';

/** A problem with one item, in words; the item may still be written. */
export interface ItemIssue {
  readonly item: number;
  /** The place of the failed expression. */
  readonly path: MappingPath;
  readonly message: string;
}

/** An entity in a mapping's result, in the form of a request. */
export interface MappedItem {
  readonly item: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The result of one mapping for an event, before anything is written. */
export interface MappedEvent {
  /** Why nothing is done, or what was left out. */
  readonly reason: string | null;
  /** The expression that the reason refers to. */
  readonly path?: MappingPath;
  readonly isFiltered: boolean;
  readonly isFailed: boolean;
  readonly items: readonly MappedItem[];
  readonly skipped: number;
  readonly issues: readonly ItemIssue[];
}

const itemsMax = 500;
const nothing = { isFiltered: false, isFailed: false, items: [], skipped: 0, issues: [] } as const;

type Scope = { readonly [key: string]: JqValue };

/** The environment of a mapping's evaluation. */
export interface MapContext {
  readonly evaluate: EvaluateExpression;
  readonly now: Date;
  /** Yields to other work between items; true once the event's time is used up. */
  isOver(): Promise<boolean>;
}

/** Evaluates one mapping: filter, items, then every expression of the entity for each item (catalog semantics §6.5). */
export async function mapEvent(mapping: EventMapping, event: Scope, context: MapContext): Promise<MappedEvent> {
  const { filter } = mapping;
  const root: Scope = { ...event };
  const name = mapping.itemsToParseName || 'item';
  const isOfItems = mapping.itemsToParse ? reads(filter, name) : false;
  if (!isOfItems) {
    const refusal = whyFiltered(filter, root, context);
    if (refusal) return { ...nothing, isFiltered: true, reason: refusal, path: ['filter'] };
  }
  const found = mapItems(mapping.itemsToParse, name, root, context);
  if ('error' in found) return { ...nothing, isFailed: true, reason: found.error, path: ['itemsToParse'] };
  const { scopes, reason } = found;
  const items: MappedItem[] = [];
  const issues: ItemIssue[] = [];
  let skipped = 0;
  for (const [item, scope] of scopes.entries()) {
    if (await context.isOver()) {
      const left = `The mapping took too long: ${scopes.length - item} of ${scopes.length} items were left out`;
      return { ...nothing, isFailed: true, reason: left, items, issues, skipped };
    }
    if (isOfItems && whyFiltered(filter, scope, context)) {
      skipped += 1;
      continue;
    }
    const mapped = mapItem(mapping, scope, context);
    for (const problem of mapped.problems) issues.push({ item, ...problem });
    if (mapped.body) items.push({ item, body: mapped.body });
    else skipped += 1;
  }
  const isFiltered = isOfItems && items.length === 0 && issues.length === 0;
  return {
    reason: isFiltered ? 'The filter lets no item pass' : reason,
    ...(isFiltered ? { path: ['filter'] } : {}),
    isFiltered,
    isFailed: false,
    items,
    skipped,
    issues,
  };
}

/** Whether the filter reads the item; one that does not is evaluated only once, before the items. */
function reads(filter: string | null | undefined, name: string): boolean {
  if (!filter) return false;
  try {
    return affects(replaceSingleQuotes(filter), [name]);
  } catch (error) {
    if (error instanceof JqError) return false;
    throw error;
  }
}

/** Only `true` passes. */
function whyFiltered(
  filter: string | null | undefined,
  scope: Scope,
  { evaluate, now }: MapContext,
): string | undefined {
  if (!filter) return undefined;
  const result = evaluate(filter, scope, now);
  if ('error' in result) return `The filter failed: ${result.error}`;
  return result.value === true ? undefined : `The filter gave ${formatValue(result.value)} and not true`;
}

function mapItems(
  expression: string | null | undefined,
  name: string,
  root: Scope,
  { evaluate, now }: MapContext,
): { readonly scopes: readonly Scope[]; readonly reason: string | null } | { readonly error: string } {
  if (!expression) return { scopes: [root], reason: null };
  const result = evaluate(expression, root, now);
  if ('error' in result) return { error: `"itemsToParse" failed: ${result.error}` };
  const { value } = result;
  if (!Array.isArray(value)) return { error: `"itemsToParse" gave ${formatValue(value)} and no list` };
  const isCut = value.length > itemsMax;
  return {
    scopes: value.slice(0, itemsMax).map((item): Scope => ({ ...root, [name]: item as JqValue })),
    reason: isCut ? `Only the first ${itemsMax} of ${value.length} items were taken` : null,
  };
}

interface Problem {
  readonly path: MappingPath;
  readonly message: string;
}

function mapItem(
  { entity, operation }: EventMapping,
  scope: Scope,
  context: MapContext,
): { readonly body: Record<string, unknown> | undefined; readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const resultOf = (value: unknown, ...path: readonly string[]): unknown =>
    walk(value, ['entity', ...path], toLeaf(scope, context, problems, path.join('.')));
  const required = (key: 'identifier' | 'blueprint'): unknown => {
    const value = named(resultOf(entity[key], key));
    if (value === undefined) {
      problems.push({ path: ['entity', key], message: `"${key}" came to nothing, so there is no entity to write` });
    }
    return value;
  };
  const identifier = required('identifier');
  const blueprint = entity.blueprint === undefined ? undefined : required('blueprint');
  if (identifier === undefined || (entity.blueprint !== undefined && blueprint === undefined)) {
    return { body: undefined, problems };
  }
  const body: Record<string, unknown> = { ...(blueprint === undefined ? {} : { blueprint }), identifier };
  const type = typeof operation === 'string' ? operation : (operation as { type?: unknown } | null | undefined)?.type;
  if (type === 'delete') return { body, problems };
  const set = (key: string, value: unknown): void => {
    if (value !== undefined) body[key] = value;
  };
  if (entity.title) set('title', named(resultOf(entity.title, 'title')) ?? null);
  if (entity.icon) set('icon', resultOf(entity.icon, 'icon'));
  if (entity.team) set('team', resultOf(entity.team, 'team'));
  for (const part of ['properties', 'relations'] as const) {
    const written = entity[part];
    if (!written) continue;
    if (typeof written === 'string') {
      set(part, resultOf(written, part));
      continue;
    }
    const values = Object.entries(written).map(([key, value]) => [key, resultOf(value, part, key)] as const);
    body[part] = Object.fromEntries(values.filter(([, value]) => value !== undefined));
  }
  return { body, problems };
}

type Leaf = (expression: string, path: MappingPath) => unknown;

/** A failing expression clears the value and is reported (catalog semantics §6.1). */
function toLeaf(scope: Scope, { evaluate, now }: MapContext, problems: Problem[], name: string): Leaf {
  return (expression, path) => {
    const result = evaluate(expression, scope, now);
    if (!('error' in result)) return result.value;
    problems.push({ path, message: `"${name}" failed: ${result.error}` });
    return null;
  };
}

/** Every text inside objects and lists is an expression, except the keywords of a query. */
function walk(value: unknown, path: MappingPath, leaf: Leaf, depth = 0): unknown {
  if (typeof value === 'string') return depth > 0 && isLiteral(value, path.at(-1)) ? value : leaf(value, path);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= mappingDepthMax) return null;
  if (Array.isArray(value)) return value.map((item, index) => walk(item, [...path, index], leaf, depth + 1) ?? null);
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, walk(inner, [...path, name], leaf, depth + 1) ?? null]),
  );
}

/** Numeric identifiers and titles become texts; an empty one counts as missing. */
function named(value: unknown): unknown {
  if (typeof value === 'number') return String(value);
  return value === null || value === '' ? undefined : value;
}

function formatValue(value: unknown): string {
  const text = value === undefined ? 'nothing' : (JSON.stringify(value) ?? 'nothing');
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
