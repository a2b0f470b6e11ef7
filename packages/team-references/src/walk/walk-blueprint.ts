import type { Collector } from '../collect.ts';
import type { BlueprintDocument, Json, JsonObject } from '../documents.ts';
import { gone } from '../find-in-query.ts';
import { isObject } from '../json-pointer.ts';
import { inheritancePath, isTeamFormat, objectAt, toText } from '../reference-context.ts';
import { entityShape } from '../shape.ts';
import { findFormat, findNames } from './find-names.ts';

/** Walks calculations, aggregations, mirrors, properties with the format `team`, and the changelog destination. */
export function walkBlueprint(collector: Collector, document: BlueprintDocument, withStructure: boolean): void {
  const { blueprint } = document;
  const identifier = toText(blueprint['identifier']);
  for (const [key, property] of Object.entries(objectAt(blueprint, 'calculationProperties'))) {
    const where = { area: 'calculation', element: named(key, property) } as const;
    const path = ['calculationProperties', key, 'calculation'];
    if (isObject(property))
      collector.expression(where, path, property['calculation'], entityShape(identifier), 'value');
  }
  for (const [key, property] of Object.entries(objectAt(blueprint, 'aggregationProperties'))) {
    if (!isObject(property)) continue;
    const where = { area: 'aggregation', element: named(key, property) } as const;
    const target = toText(property['target']);
    collector.query(where, ['aggregationProperties', key, 'query'], property['query'], { blueprint: target });
    if (withStructure) walkPathFilter(collector, where, key, property, identifier);
  }
  for (const [key, property] of Object.entries(objectAt(blueprint, 'mirrorProperties'))) {
    if (withStructure && isObject(property)) walkMirror(collector, key, property, identifier);
  }
  walkProperties(collector, objectAt(objectAt(blueprint, 'schema'), 'properties'));
  const owns =
    (document.entitiesWithTeam ?? 0) > 0 ||
    inheritancePath(blueprint) !== undefined ||
    isObject(blueprint['ownership']);
  const destination = blueprint['changelogDestination'];
  if (owns && isObject(destination)) {
    collector.add({ area: 'consumer' }, ['changelogDestination'], destination, {
      references: [{ kind: 'consumer', text: toText(destination['type']) }],
      verdict: collector.world.model === 'blueprints' ? 'mentions' : 'review',
      why: 'Is told of changes of entities, whose "team" holds identifiers after the migration. Tell whoever receives them.',
    });
  }
}

function named(key: string, property: Json | undefined) {
  const title = isObject(property) ? toText(property['title']) : '';
  return { kind: 'property', identifier: key, ...(title === '' ? {} : { title }) } as const;
}

function walkPathFilter(
  collector: Collector,
  where: Parameters<Collector['add']>[0],
  key: string,
  property: JsonObject,
  identifier: string,
): void {
  const filters = property['pathFilter'];
  for (const [index, filter] of (Array.isArray(filters) ? filters : []).entries()) {
    if (!isObject(filter) || !Array.isArray(filter['path'])) continue;
    const start = toText(filter['fromBlueprint']) || identifier;
    const followed = follow(collector, filter['path'], start);
    const path = ['aggregationProperties', key, 'pathFilter', index, 'path'];
    collector.add(where, path, filter['path'], followed);
  }
}

function walkMirror(collector: Collector, key: string, property: JsonObject, identifier: string): void {
  const path = toText(property['path']);
  const followed = follow(collector, path.split('.'), identifier);
  if (followed === undefined) return;
  const { suggestion, ...finding } = followed;
  const where = { area: 'mirror', element: named(key, property) } as const;
  const value = (suggestion!.value as string[]).join('.');
  collector.add(where, ['mirrorProperties', key, 'path'], path, { ...finding, suggestion: { ...suggestion!, value } });
}

/** Replaces the removed relation in a path by `$team`. */
function follow({ world }: Collector, hops: readonly Json[], start: string) {
  const at = gone(hops, start, world);
  if (at === undefined) return undefined;
  const relation = String(hops[at]);
  return {
    references: [{ kind: 'relation', text: relation, name: relation }] as const,
    verdict: 'breaks' as const,
    why: `Leads over the relation "${relation}", which the migration removes.`,
    suggestion: {
      value: hops.map((hop, index) => (index === at ? '$team' : hop)),
      explanation: `The relation "${relation}" has become the teams of the entity, $team.`,
    },
  };
}

function walkProperties(collector: Collector, properties: JsonObject): void {
  for (const [key, property] of Object.entries(properties)) {
    if (!isTeamFormat(property)) continue;
    const where = { area: 'team-format', element: named(key, property) } as const;
    const path = ['schema', 'properties', key];
    collector.add(where, path, property!, findFormat('property', collector.world));
    if (!isObject(property)) continue;
    for (const part of ['default', 'enum']) {
      collector.add(where, [...path, part], property[part] ?? null, findNames(property[part], collector.world, true));
    }
  }
}
