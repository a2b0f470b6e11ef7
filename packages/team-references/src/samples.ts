import { isDeepStrictEqual } from 'node:util';
import { compile, JqError, renderTemplate, replaceSingleQuotes } from '@portolan/jq';
import type { Json, JsonObject, OrganizationDocuments } from './documents.ts';
import { isObject } from './json-pointer.ts';
import type { ItemSample, ManualItem } from './plan.ts';
import {
  objectAt,
  type ReferenceContext,
  type ReferenceOptions,
  referenceContext,
  toText,
} from './reference-context.ts';
import { actionBlueprint } from './walk/walk-action.ts';

/** Real data for trying suggestions, in the form before the migration. */
export interface SampleData {
  /** By blueprint. */
  readonly entities?: Readonly<Record<string, readonly JsonObject[]>>;
  readonly user?: JsonObject;
}

const budget = { wallTimeMs: 50, outputsMax: 100 } as const;

/**
 * Adds to the items the result of their expression on a sample: before the migration, and after it with the suggestion
 * (or unchanged if there is none). Items without an expression or a fitting sample stay as they are.
 */
export function addSamples(
  items: readonly ManualItem[],
  documents: OrganizationDocuments,
  data: SampleData,
  options: ReferenceOptions = {},
): ManualItem[] {
  return [...sampledItems(items, documents, data, options)];
}

/** Like `addSamples`, one at a time, so that the caller can stop at any point. */
export function* sampledItems(
  items: readonly ManualItem[],
  documents: OrganizationDocuments,
  data: SampleData,
  options: ReferenceOptions = {},
): Generator<ManualItem, void> {
  const context = toContext(documents, options);
  for (const item of items) {
    const sample = context.world.model === 'blueprints' ? undefined : toSample(item, context, data);
    yield sample === undefined ? item : { ...item, sample };
  }
}

/** Values shared by all items of an organization. */
interface Context {
  readonly world: ReferenceContext;
  /** The blueprint of each action, if it has one. */
  readonly blueprints: ReadonlyMap<string, string | undefined>;
}

function toContext(documents: OrganizationDocuments, options: ReferenceOptions): Context {
  const blueprints = documents.actions.map(
    ({ action }) => [toText(action['identifier']), actionBlueprint(action, objectAt(action, 'trigger'))] as const,
  );
  return { world: referenceContext(documents, options), blueprints: new Map(blueprints) };
}

function toSample(item: ManualItem, context: Context, data: SampleData): ItemSample | undefined {
  if (item.expression === undefined) return undefined;
  const blueprint = blueprintFor(item, context);
  const entity = blueprint === undefined ? undefined : data.entities?.[blueprint]?.[0];
  const isCalculation = item.area === 'calculation';
  if (isCalculation ? entity === undefined : data.user === undefined && entity === undefined) return undefined;
  return tryOn(item, blueprint, entity, data.user, context.world);
}

function blueprintFor({ area, resource }: ManualItem, { blueprints }: Context): string | undefined {
  return area === 'calculation' ? resource.identifier : blueprints.get(resource.identifier);
}

/** Several entities of each blueprint, and several users. */
export interface ManySamples {
  readonly entities?: SampleData['entities'];
  readonly users?: readonly JsonObject[];
}

/** The results of an unchanged expression on one sample before and after the migration. */
export interface ExpressionDifference {
  readonly item: ManualItem;
  /** The entity or user of the sample. */
  readonly of: string;
  readonly before: Json;
  readonly after: Json;
  /** The result of its suggestion after the migration; absent if there is none. */
  readonly suggested?: Json;
}

/**
 * Tries every expression that refers to teams on every sample: before and after the migration, unchanged and as
 * suggested. Yields one result at a time, so that the caller can stop at any point; undefined means no difference.
 * Skips expressions without a fitting sample, and those that fail before the migration.
 */
export function* compareExpressions(
  items: readonly ManualItem[],
  documents: OrganizationDocuments,
  data: ManySamples,
  options: ReferenceOptions = {},
): Generator<ExpressionDifference | undefined, void> {
  const context = toContext(documents, options);
  if (context.world.model === 'blueprints') return;
  for (const item of items) {
    const { suggestion, ...bare } = item;
    for (const one of samplesFor(item, context, data)) {
      const asItIs = toSample(bare, context, one);
      if (asItIs === undefined) continue;
      const { of, before, after } = asItIs;
      if (isDeepStrictEqual(before, after)) {
        yield undefined;
        continue;
      }
      const suggested = suggestion && toSample(item, context, one)?.after;
      yield { item, of, before, after, ...(suggested === undefined ? {} : { suggested }) };
    }
  }
}

/** Yields one entity of the item's blueprint, or one user, at a time. */
function samplesFor(item: ManualItem, context: Context, { entities = {}, users = [] }: ManySamples): SampleData[] {
  const blueprint = blueprintFor(item, context);
  const own = blueprint === undefined ? [] : (entities[blueprint] ?? []);
  const ofEntities = own.map((entity) => ({ entities: { [blueprint as string]: [entity] } }));
  if (item.area === 'calculation') return ofEntities;
  const [someone] = users;
  const withUser = ofEntities.map((each) => (someone === undefined ? each : { ...each, user: someone }));
  return [...withUser, ...users.map((user) => ({ user }))];
}

function tryOn(
  item: ManualItem,
  blueprint: string | undefined,
  entity: JsonObject | undefined,
  user: JsonObject | undefined,
  world: ReferenceContext,
): ItemSample | undefined {
  const isTemplate = item.expression!.includes('{{');
  const isMapping = ['integration-mapping', 'webhook-mapping', 'file-mapping', 'dynamic-permissions'].includes(
    item.area,
  );
  const after = item.suggestion === undefined ? item.expression! : item.suggestion.value;
  if (isMapping || typeof after !== 'string') return undefined;
  const newEntity = entity && blueprint !== undefined ? migrateEntity(entity, blueprint, world) : undefined;
  const inputOf = (own: JsonObject | undefined, person: JsonObject | undefined): Json => {
    if (item.area === 'calculation') {
      const mirrored = { ...objectAt(own, 'properties'), owner_titles: entity?.['team'] ?? null };
      return own === newEntity ? { ...own, properties: mirrored } : (own ?? null);
    }
    const diff = { before: own ?? null, after: own ?? null };
    const by = { user: person ?? null };
    return { user: person ?? null, entity: own ?? null, form: {}, inputs: {}, diff, event: { diff }, trigger: { by } };
  };
  const run = (text: string, context: Json): Json | undefined => evaluate(text, context, isTemplate);
  const before = run(item.expression!, inputOf(entity, user));
  const now = run(after, inputOf(newEntity, user && migrateEntity(user, '_user', world)));
  if (before === undefined || now === undefined) return undefined;
  const of = entity
    ? `${blueprint} "${toText(entity['identifier'])}"`
    : `user "${toText(user?.['email']) || toText(user?.['identifier'])}"`;
  return { of, before, after: now };
}

/** The outputs of an expression, or the rendered text of a template; undefined on failure. */
function evaluate(text: string, context: Json, isTemplate: boolean): Json | undefined {
  try {
    if (isTemplate) return renderTemplate(text, context, { budget, isStrict: true });
    const outputs = compile(replaceSingleQuotes(text)).run(context, { budget });
    return outputs.length === 1 ? outputs[0] : outputs;
  } catch (error) {
    if (error instanceof JqError) return undefined;
    throw error;
  }
}

/** An entity or user in the form after the migration. */
export function migrateEntity(entity: JsonObject, blueprint: string, world: ReferenceContext): JsonObject {
  const { team, relations } = entity as { team?: Json; relations?: Json };
  const removed = world.removed.get(blueprint) ?? new Set<string>();
  const [from] = [...removed].filter((name) => isObject(relations) && Object.hasOwn(relations, name));
  const moved = from === undefined ? undefined : toList(objectAt(entity, 'relations')[from]);
  const titles = toList(team).map((title) =>
    typeof title === 'string' ? (world.identifierOf.get(title) ?? title) : title,
  );
  const named = entity['teams'];
  return {
    ...entity,
    team: moved ?? titles,
    ...(isObject(relations)
      ? { relations: Object.fromEntries(Object.entries(relations).filter(([name]) => !removed.has(name))) }
      : {}),
    ...(Array.isArray(named)
      ? { teamsIdentifiers: named.flatMap((each) => (isObject(each) ? [teamIdentifier(each, world)] : [])) }
      : {}),
  };
}

function teamIdentifier(team: JsonObject, world: ReferenceContext): string {
  const name = toText(team['name']);
  return world.identifierOf.get(name) ?? name;
}

function toList(value: Json | undefined): readonly Json[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}
