import type { WebhookMapping } from '@portolan/contract';
import { affects, JqError, type JqValue, replaceSingleQuotes } from '@portolan/jq';
import { evaluateJq } from './jq.ts';
import type { WebhookEvent } from './read-event.ts';

/** What went wrong with one item, in words; the item may still be written. */
export interface ItemIssue {
  readonly item: number;
  readonly entity?: string;
  readonly message: string;
}

/** An entity that a mapping names, as it would stand in a request. */
export interface MappedItem {
  readonly item: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** What one mapping makes of an event, before anything is written. */
export interface Mapped {
  /** Why nothing is done, or what was left out. */
  readonly reason: string | null;
  readonly isFiltered: boolean;
  readonly isFailed: boolean;
  readonly items: readonly MappedItem[];
  readonly skipped: number;
  readonly issues: readonly ItemIssue[];
}

const itemsMax = 500;
const nothing = { isFiltered: false, isFailed: false, items: [], skipped: 0, issues: [] } as const;

type Scope = { readonly [key: string]: JqValue };

export interface MapClock {
  readonly now: Date;
  /** Lets other work through between items; true once the event has had its time. */
  isOver(): Promise<boolean>;
}

/** Evaluates one mapping: filter, items, then every expression of the entity for each item (catalog semantics §6.5). */
export async function mapEvent(mapping: WebhookMapping, event: WebhookEvent, clock: MapClock): Promise<Mapped> {
  const { filter } = mapping;
  const root: Scope = { ...(event as unknown as Scope) };
  const isOfItems = mapping.itemsToParse ? readsItem(filter) : false;
  if (!isOfItems) {
    const refusal = whyFiltered(filter, root, clock.now);
    if (refusal) return { ...nothing, isFiltered: true, reason: refusal };
  }
  const found = itemsOf(mapping.itemsToParse, root, clock.now);
  if ('error' in found) return { ...nothing, isFailed: true, reason: found.error };
  const { scopes, reason } = found;
  const items: MappedItem[] = [];
  const issues: ItemIssue[] = [];
  let skipped = 0;
  for (const [item, scope] of scopes.entries()) {
    if (await clock.isOver()) {
      const left = `The mapping took too long: ${scopes.length - item} of ${scopes.length} items were left out`;
      return { ...nothing, isFailed: true, reason: left, items, issues, skipped };
    }
    if (isOfItems && whyFiltered(filter, scope, clock.now)) {
      skipped += 1;
      continue;
    }
    const mapped = mapItem(mapping, scope, clock.now);
    for (const message of mapped.problems) issues.push({ item, message });
    if (mapped.body) items.push({ item, body: mapped.body });
    else skipped += 1;
  }
  const isFiltered = isOfItems && items.length === 0 && issues.length === 0;
  return {
    reason: isFiltered ? 'The filter lets no item pass' : reason,
    isFiltered,
    isFailed: false,
    items,
    skipped,
    issues,
  };
}

/** A filter that never looks at the item is asked once, before the items. */
function readsItem(filter: string | null | undefined): boolean {
  if (!filter) return false;
  try {
    return affects(replaceSingleQuotes(filter), ['item']);
  } catch (error) {
    if (error instanceof JqError) return false;
    throw error;
  }
}

/** Only `true` passes. */
function whyFiltered(filter: string | null | undefined, scope: Scope, now: Date): string | undefined {
  if (!filter) return undefined;
  const result = evaluateJq(filter, scope, now);
  if ('error' in result) return `The filter failed: ${result.error}`;
  return result.value === true ? undefined : `The filter gave ${shown(result.value)} and not true`;
}

function itemsOf(
  expression: string | null | undefined,
  root: Scope,
  now: Date,
): { readonly scopes: readonly Scope[]; readonly reason: string | null } | { readonly error: string } {
  if (!expression) return { scopes: [root], reason: null };
  const result = evaluateJq(expression, root, now);
  if ('error' in result) return { error: `"itemsToParse" failed: ${result.error}` };
  const { value } = result;
  if (!Array.isArray(value)) return { error: `"itemsToParse" gave ${shown(value)} and no list` };
  const isCut = value.length > itemsMax;
  return {
    scopes: value.slice(0, itemsMax).map((item): Scope => ({ ...root, item: item as JqValue })),
    reason: isCut ? `Only the first ${itemsMax} of ${value.length} items were taken` : null,
  };
}

function mapItem(
  { entity, operation }: WebhookMapping,
  scope: Scope,
  now: Date,
): { readonly body: Record<string, unknown> | undefined; readonly problems: string[] } {
  const problems: string[] = [];
  const leaf = (path: string) => leafOf(scope, now, problems, path);
  const identifier = named(walk(entity.identifier, leaf('identifier')));
  if (identifier === undefined) {
    problems.push('"identifier" came to nothing, so there is no entity to write');
    return { body: undefined, problems };
  }
  const type = typeof operation === 'string' ? operation : operation?.type;
  if (type === 'delete') return { body: { identifier }, problems };
  const body: Record<string, unknown> = { identifier };
  const set = (key: string, value: unknown): void => {
    if (value !== undefined) body[key] = value;
  };
  if (entity.title) set('title', named(walk(entity.title, leaf('title'))) ?? null);
  if (entity.icon) set('icon', walk(entity.icon, leaf('icon')));
  if (entity.team) set('team', walk(entity.team, leaf('team')));
  for (const part of ['properties', 'relations'] as const) {
    const written = entity[part];
    if (!written) continue;
    const values = Object.entries(written).map(([key, value]) => [key, walk(value, leaf(`${part}.${key}`))] as const);
    body[part] = Object.fromEntries(values.filter(([, value]) => value !== undefined));
  }
  return { body, problems };
}

type Leaf = (expression: string) => unknown;

/** A failing expression clears the value and is told (catalog semantics §6.1). */
function leafOf(scope: Scope, now: Date, problems: string[], path: string): Leaf {
  return (expression) => {
    const result = evaluateJq(expression, scope, now);
    if (!('error' in result)) return result.value;
    problems.push(`"${path}" failed: ${result.error}`);
    return null;
  };
}

const literals = new Set(['and', 'or', '=', 'in', 'contains', 'containsAny']);
const depthMax = 20;

/** Every text inside objects and lists is an expression; words of a query that are none stand for themselves. */
function walk(value: unknown, leaf: Leaf, key?: string, depth = 0): unknown {
  if (typeof value === 'string') return isLiteral(value, key) ? value : leaf(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= depthMax) return null;
  if (Array.isArray(value)) return value.map((item) => walk(item, leaf, undefined, depth + 1) ?? null);
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, walk(inner, leaf, name, depth + 1) ?? null]),
  );
}

function isLiteral(text: string, key: string | undefined): boolean {
  if (key === 'combinator' || key === 'operator') return literals.has(text);
  return key === 'property' && /^\$\w+$/.test(text);
}

/** Identifiers and titles that are numbers are meant as texts; what is empty names nothing. */
function named(value: unknown): unknown {
  if (typeof value === 'number') return String(value);
  return value === null || value === '' ? undefined : value;
}

function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : (JSON.stringify(value) ?? 'nothing');
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
