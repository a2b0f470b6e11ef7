import type { Collector, SiteContext } from '../collect.ts';
import type { Json, JsonObject } from '../documents.ts';
import type { Finding } from '../finding.ts';
import { isObject, type Path } from '../json-pointer.ts';
import { plannedRelationChange, type ReferenceContext, toText } from '../reference-context.ts';
import { any, entityShape, record } from '../shape.ts';

/** Walks the widgets at any depth, and the page's filters. */
export function walkPage(collector: Collector, page: JsonObject): void {
  const blueprint = toText(page['blueprint']) || undefined;
  const filters = page['pageFilters'];
  for (const [index, filter] of (Array.isArray(filters) ? filters : []).entries()) {
    if (!isObject(filter)) continue;
    const identifier = toText(filter['identifier']);
    const where = { area: 'page-filter', element: { kind: 'filter', identifier, ...toTitle(filter) } } as const;
    collector.query(where, ['pageFilters', index, 'query'], filter['query'], known(blueprint));
  }
  walkWidgets(collector, ['widgets'], page['widgets'], blueprint);
}

const known = (blueprint: string | undefined) => ({
  shape: record({ user: { kind: 'user' }, entity: entityShape(blueprint) }, any),
  ...(blueprint === undefined ? {} : { blueprint }),
});

function toTitle(part: JsonObject) {
  const title = toText(part['title']);
  return title === '' ? {} : { title };
}

function walkWidgets(collector: Collector, path: Path, widgets: Json | undefined, blueprint: string | undefined): void {
  for (const [index, widget] of (Array.isArray(widgets) ? widgets : []).entries()) {
    if (!isObject(widget)) continue;
    const identifier = toText(widget['id']) || String(index);
    const where = { area: 'widget', element: { kind: 'widget', identifier, ...toTitle(widget) } } as const;
    walkWidget(collector, where, [...path, index], widget, blueprint);
  }
}

/** Keys that hold the name of one field. */
const oneField = new Set([
  'property',
  'groupBy',
  'sortBy',
  'breakdownProperty',
  'measureTimeBy',
  'chartProperty',
  'xAxis',
  'yAxis',
]);
/** Keys that hold a list of field names. */
const manyFields = new Set([
  'excludedFields',
  'hidden',
  'shown',
  'order',
  'groupBy',
  'properties',
  'fields',
  'hiddenFields',
]);
/** Texts for people, or for other systems. */
const prose = new Set([
  'id',
  'type',
  'title',
  'icon',
  'description',
  'markdown',
  'emptyStateText',
  'url',
  'links',
  'html',
]);

function walkWidget(
  collector: Collector,
  where: SiteContext,
  path: Path,
  part: JsonObject,
  blueprint: string | undefined,
): void {
  const own = toText(part['blueprint']) || toText(part['targetBlueprint']) || blueprint;
  for (const [key, value] of Object.entries(part)) {
    const at = [...path, key];
    if (prose.has(key)) {
      if (typeof value === 'string') collector.template(where, at, value, known(own).shape, 'value');
    } else if (key === 'widgets') walkWidgets(collector, at, value, own);
    else if (key === 'blueprintConfig' && isObject(value)) {
      for (const [name, config] of Object.entries(value)) {
        const about = collector.world.blueprints.has(name) ? name : own;
        if (isObject(config)) walkWidget(collector, where, [...at, name], config, about);
      }
    } else if (isQuery(value)) {
      const named = isObject(value) ? toText(value['blueprint']) : '';
      collector.query(where, at, value, known(named || own));
    } else if (typeof value === 'string') {
      if (oneField.has(key)) collector.add(where, at, value, findFields(value, own, collector.world));
    } else if (Array.isArray(value)) walkList(collector, where, at, key, value, own);
    else if (isObject(value)) walkWidget(collector, where, at, value, own);
  }
}

function walkList(
  collector: Collector,
  where: SiteContext,
  path: Path,
  key: string,
  list: readonly Json[],
  blueprint: string | undefined,
): void {
  if (manyFields.has(key) && list.every((each) => typeof each === 'string')) {
    collector.add(where, path, list, findFields(list, blueprint, collector.world));
    return;
  }
  for (const [index, item] of list.entries()) {
    if (isQuery(item)) collector.query(where, [...path, index], item, known(blueprint));
    else if (isObject(item)) walkWidget(collector, where, [...path, index], item, blueprint);
  }
}

/** Whether the value is a group of rules or a list of them. */
function isQuery(value: Json | undefined): boolean {
  if (Array.isArray(value))
    return value.some((each) => isObject(each) && 'operator' in each && ('property' in each || 'relation' in each));
  return isObject(value) && (Array.isArray(value['rules']) || Array.isArray(value['conditions']));
}

const fieldOfRelation = /^(?:relations?[.#])?(.+)$/;

/** Names of fields that include a removed relation or `$team`. */
function findFields(
  value: string | readonly Json[],
  blueprint: string | undefined,
  world: ReferenceContext,
): Finding | undefined {
  const names = (typeof value === 'string' ? [value] : value).filter(
    (each): each is string => typeof each === 'string',
  );
  const going = names.filter((name) => isGoing(name, blueprint, world));
  const owned = names.filter((name) => name === '$team' || name === 'relations.$team');
  if (going.length === 0 && owned.length === 0) return undefined;
  const references = [
    ...going.map((name) => ({ kind: 'relation', text: name, name: name.replace(fieldOfRelation, '$1') }) as const),
    ...owned.map((name) => ({ kind: 'team', text: name }) as const),
  ];
  if (going.length === 0)
    return { references, verdict: 'mentions', why: 'Shows or hides the teams of entities and goes on working.' };
  const after = (name: Json): Json => (typeof name === 'string' && going.includes(name) ? '$team' : name);
  return {
    references,
    verdict: 'breaks',
    why: `Names the relation "${going[0]!.replace(fieldOfRelation, '$1')}", which the migration removes.`,
    suggestion: {
      value: typeof value === 'string' ? '$team' : [...new Set(value.map(after))],
      explanation: 'What the relation held is in $team after the migration.',
    },
  };
}

function isGoing(field: string, blueprint: string | undefined, world: ReferenceContext): boolean {
  const name = field.replace(fieldOfRelation, '$1');
  if (plannedRelationChange(world, blueprint, name) !== 'removed') return false;
  if (name !== field || blueprint !== undefined) return true;
  // without a blueprint, a bare name counts only if no property has it
  return ![...world.blueprints.values()].some(({ properties }) => properties.has(name));
}
