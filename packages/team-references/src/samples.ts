import { compile, JqError, renderTemplate, replaceSingleQuotes } from '@portolan/jq';
import type { Json, JsonObject, OrganizationDocuments } from './documents.ts';
import { isObject } from './json-pointer.ts';
import type { ItemSample, ManualItem } from './plan.ts';
import { blueprintOf } from './walk/walk-action.ts';
import { objectAt, textOf, type World, type WorldOptions, worldOf } from './world.ts';

/** Real data to try suggestions on, in the form it has before the migration. */
export interface SampleData {
  /** By blueprint. */
  readonly entities?: Readonly<Record<string, readonly JsonObject[]>>;
  readonly user?: JsonObject;
}

const budget = { wallTimeMs: 50, outputsMax: 100 } as const;

/**
 * The items with what their expression gives on a sample before the migration, and what the suggestion, or the expression
 * as it is, gives after it. Items without an expression, and those no sample fits, stay as they are.
 */
export function addSamples(
  items: readonly ManualItem[],
  documents: OrganizationDocuments,
  data: SampleData,
  options: WorldOptions = {},
): ManualItem[] {
  const world = worldOf(documents, options);
  if (world.model === 'blueprints') return [...items];
  const blueprints = new Map(
    documents.actions.map(({ action }) => [
      textOf(action['identifier']),
      blueprintOf(action, objectAt(action, 'trigger')),
    ]),
  );
  return items.map((item) => {
    if (item.expression === undefined) return item;
    const isCalculation = item.area === 'calculation';
    const blueprint = isCalculation ? item.resource.identifier : blueprints.get(item.resource.identifier);
    const entity = blueprint === undefined ? undefined : data.entities?.[blueprint]?.[0];
    if (isCalculation ? entity === undefined : data.user === undefined && entity === undefined) return item;
    const sample = tryOn(item, blueprint, entity, data.user, world);
    return sample === undefined ? item : { ...item, sample };
  });
}

function tryOn(
  item: ManualItem,
  blueprint: string | undefined,
  entity: JsonObject | undefined,
  user: JsonObject | undefined,
  world: World,
): ItemSample | undefined {
  const isTemplate = item.expression!.includes('{{');
  const isMapping = ['integration-mapping', 'webhook-mapping', 'file-mapping', 'dynamic-permissions'].includes(
    item.area,
  );
  const after = item.suggestion === undefined ? item.expression! : item.suggestion.value;
  if (isMapping || typeof after !== 'string') return undefined;
  const newEntity = entity && blueprint !== undefined ? migrateEntity(entity, blueprint, world) : undefined;
  const contextOf = (own: JsonObject | undefined, person: JsonObject | undefined): Json => {
    if (item.area === 'calculation') {
      const mirrored = { ...objectAt(own, 'properties'), owner_titles: entity?.['team'] ?? null };
      return own === newEntity ? { ...own, properties: mirrored } : (own ?? null);
    }
    const diff = { before: own ?? null, after: own ?? null };
    const by = { user: person ?? null };
    return { user: person ?? null, entity: own ?? null, form: {}, inputs: {}, diff, event: { diff }, trigger: { by } };
  };
  const run = (text: string, context: Json): Json | undefined => evaluate(text, context, isTemplate);
  const before = run(item.expression!, contextOf(entity, user));
  const now = run(after, contextOf(newEntity, user && migrateEntity(user, '_user', world)));
  if (before === undefined || now === undefined) return undefined;
  const of = entity
    ? `${blueprint} "${textOf(entity['identifier'])}"`
    : `user "${textOf(user?.['email']) || textOf(user?.['identifier'])}"`;
  return { of, before, after: now };
}

/** The outputs of an expression, or the text a template comes to; undefined where it fails. */
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

/** An entity or a user as the migration leaves it. */
export function migrateEntity(entity: JsonObject, blueprint: string, world: World): JsonObject {
  const { team, relations } = entity as { team?: Json; relations?: Json };
  const removed = world.removed.get(blueprint) ?? new Set<string>();
  const [from] = [...removed].filter((name) => isObject(relations) && Object.hasOwn(relations, name));
  const moved = from === undefined ? undefined : listOf(objectAt(entity, 'relations')[from]);
  const titles = listOf(team).map((title) =>
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
      ? { teamsIdentifiers: named.flatMap((each) => (isObject(each) ? [identifierOf(each, world)] : [])) }
      : {}),
  };
}

function identifierOf(team: JsonObject, world: World): string {
  const name = textOf(team['name']);
  return world.identifierOf.get(name) ?? name;
}

function listOf(value: Json | undefined): readonly Json[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}
