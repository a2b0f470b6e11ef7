import type { Collector } from '../collect.ts';
import type { Json, JsonObject } from '../documents.ts';
import { findInTemplate } from '../find-in-template.ts';
import type { Finding } from '../finding.ts';
import { formatPointer, isObject, type Path } from '../json-pointer.ts';
import { isTeamFormat, objectAt, plannedRelationChange, toText, wasSingle } from '../reference-context.ts';
import { entityShape, type Shape } from '../shape.ts';
import { findNames } from './find-names.ts';
import { walkMapping } from './walk-mapping.ts';
import { writtenRelation } from './written-relation.ts';

/**
 * Walks the destination and payload of a run: texts with `{{ }}`, a written entity, a call of the platform's own API.
 */
export function walkInvocation(
  collector: Collector,
  path: Path,
  method: JsonObject,
  shape: Shape,
  userInputs: JsonObject,
): void {
  const { mapping, ...rest } = method as JsonObject & { mapping?: Json };
  if (isObject(mapping)) {
    walkUpsert(
      collector,
      [...path, 'mapping'],
      mapping,
      toText(method['blueprintIdentifier']) || undefined,
      shape,
      userInputs,
    );
  }
  const url = toText(method['url']);
  const body = method['body'];
  const oldMapping = objectAt(objectAt(body, 'mapping'), 'entity');
  const isMigration = /\/v1\/migrations\b/.test(url) || Object.keys(oldMapping).length > 0;
  const written = /\/v1\/blueprints\/([^/]+)\/entities\b/.exec(url)?.[1];
  for (const [key, part] of Object.entries(rest)) {
    const at = [...path, key];
    if (key === 'body' && isObject(body) && isMigration) walkMigration(collector, at, body, shape);
    else if (key === 'body' && isObject(body) && written !== undefined && !/\/search\b/.test(url)) {
      walkUpsert(
        collector,
        at,
        body,
        written.includes('{{') ? undefined : decodeURIComponent(written),
        shape,
        userInputs,
      );
    } else if (key === 'body' && /\/v1\/.*entities\/search\b/.test(url) && isObject(body)) {
      collector.query({ area: 'api-call' }, at, isObject(body['query']) ? body['query'] : body, { shape });
    } else {
      collector.templates({ area: 'webhook-call' }, at, part, shape);
      walkNames(collector, at, part);
    }
  }
}

/** Plain texts that are titles, under keys that concern teams. */
function walkNames(collector: Collector, path: Path, value: Json | undefined): void {
  if (Array.isArray(value)) {
    for (const [at, item] of value.entries()) walkNames(collector, [...path, at], item);
  } else if (isObject(value)) {
    for (const [key, inner] of Object.entries(value)) {
      const at = [...path, key];
      const isOfTeams = /^(\$?team|teams|owners?|owning_?teams?|squads?)$/i.test(key);
      if (isOfTeams) collector.add({ area: 'webhook-call' }, at, inner, findNames(inner, collector.world, false));
      if (isObject(inner) || (Array.isArray(inner) && inner.some(isObject))) walkNames(collector, at, inner);
    }
  }
}

/** Walks the entity that an action writes; its texts are templates. */
function walkUpsert(
  collector: Collector,
  path: Path,
  entity: JsonObject,
  blueprint: string | undefined,
  shape: Shape,
  userInputs: JsonObject,
): void {
  const where = { area: 'action-mapping' } as const;
  const { world } = collector;
  const teamProperties = blueprint === undefined ? undefined : world.blueprints.get(blueprint)?.teamProperties;
  for (const [key, part] of Object.entries(entity)) {
    if (key === 'team' || key === '$team') {
      walkWrittenTeam(collector, [...path, key], part, shape, userInputs);
    } else if (key === 'relations' && isObject(part)) {
      walkWrittenRelations(collector, path, entity, part, blueprint, shape);
    } else if (key === 'properties' && isObject(part)) {
      for (const [name, value] of Object.entries(part)) {
        const at = [...path, key, name];
        if (teamProperties?.has(name)) collector.add({ area: 'team-format' }, at, value, findNames(value, world, true));
        collector.templates(where, at, value, shape);
      }
    } else collector.templates(where, [...path, key], part, shape);
  }
}

/** Walks what is written as an entity's teams: titles before the migration, identifiers after it. */
function walkWrittenTeam(collector: Collector, path: Path, value: Json, shape: Shape, userInputs: JsonObject): void {
  const { world } = collector;
  const finding = findWrittenTeam(value, shape, userInputs, collector);
  if (finding === undefined) return;
  collector.add(
    { area: 'action-mapping' },
    path,
    value,
    world.model === 'blueprints' && finding.verdict === 'review' ? { ...finding, verdict: 'mentions' } : finding,
  );
}

function findWrittenTeam(value: Json, shape: Shape, userInputs: JsonObject, { world }: Collector): Finding | undefined {
  const written = { kind: 'team', text: 'team' } as const;
  const literal = findNames(value, world, true);
  const texts = (Array.isArray(value) ? value : [value]).filter((each): each is string => typeof each === 'string');
  if (literal !== undefined)
    return {
      ...literal,
      references: [written, ...literal.references],
      why: `Writes the title of a team, where its identifier is expected after the migration.`,
    };
  const [first] = texts;
  if (first === undefined) return undefined;
  const input = /^\s*\{\{\s*\.inputs\.(?:"([^"]+)"|([A-Za-z_]\w*))\s*\}\}\s*$/.exec(first);
  const key = input?.[1] ?? input?.[2];
  const definition = key === undefined ? undefined : objectAt(objectAt(userInputs, 'properties'), key);
  if (definition !== undefined && toText(definition['blueprint']) === '_team' && texts.length === 1) {
    const identifier = `{{ .inputs.${/^[A-Za-z_]\w*$/.test(key!) ? key : JSON.stringify(key)}.identifier }}`;
    return {
      references: [written],
      verdict: 'review',
      why: 'Writes what an input for a team holds; the identifier is what is expected.',
      expression: first,
      suggestion: {
        value: Array.isArray(value) ? [identifier] : identifier,
        explanation: 'The input names an entity; its identifier is the team.',
      },
    };
  }
  if (definition !== undefined && isTeamFormat(definition)) {
    return {
      references: [written],
      verdict: 'review',
      why: 'Writes what an input for a team holds, which is its identifier after the migration.',
      expression: first,
    };
  }
  const inTemplate = texts.flatMap((text) => findInTemplate(text, shape, world, 'team') ?? [])[0];
  if (inTemplate !== undefined && texts.length === 1) {
    const { suggestion } = inTemplate;
    const kept =
      suggestion === undefined || !Array.isArray(value) ? suggestion : { ...suggestion, value: [suggestion.value] };
    return {
      ...inTemplate,
      references: [written, ...inTemplate.references],
      ...(kept === undefined ? {} : { suggestion: kept }),
    };
  }
  const isDynamic = texts.some((text) => text.includes('{{'));
  const isKnown = !isDynamic && texts.every((text) => world.identifiers.has(text));
  return {
    references: [written],
    verdict: isKnown ? 'mentions' : 'review',
    why: isDynamic
      ? 'Writes a value as the team that was a title; after the migration it must be an identifier.'
      : isKnown
        ? 'Writes the identifier of a team.'
        : 'Writes the name of a team that is not known.',
    ...(isDynamic ? { expression: first } : {}),
  };
}

/** Rewrites a write of a removed relation as a write of the team. */
function walkWrittenRelations(
  collector: Collector,
  path: Path,
  entity: JsonObject,
  relations: JsonObject,
  blueprint: string | undefined,
  shape: Shape,
): void {
  const { world } = collector;
  const where = { area: 'action-mapping' } as const;
  for (const [name, value] of Object.entries(relations)) {
    const at = [...path, 'relations', name];
    const change = plannedRelationChange(world, blueprint, name);
    if (change === 'none') collector.templates(where, at, value, shape);
    else
      collector.add(
        where,
        at,
        value,
        writtenRelation(
          name,
          change,
          value,
          !('team' in entity),
          formatPointer([...path, 'team']),
          wasSingle(world, blueprint, name),
        ),
      );
  }
}

/** Walks the body of a data migration, whose texts are plain expressions over entities. */
function walkMigration(collector: Collector, path: Path, body: JsonObject, shape: Shape): void {
  const where = { area: 'api-call' } as const;
  const blueprint = toText(body['sourceBlueprint']) || undefined;
  const { mapping, ...rest } = body as JsonObject & { mapping?: Json };
  for (const [key, part] of Object.entries(rest)) collector.templates(where, [...path, key], part, shape);
  if (!isObject(mapping)) return;
  const at = [...path, 'mapping'];
  for (const key of ['filter', 'itemsToParse']) {
    const text = mapping[key];
    if (typeof text === 'string' && text.includes('{{')) collector.template(where, [...at, key], text, shape, 'value');
    else collector.expression(where, [...at, key], text, entityShape(blueprint), 'truth');
  }
  const entity = objectAt(mapping, 'entity');
  walkMapping(
    collector,
    where,
    [...at, 'entity'],
    entity,
    toText(mapping['blueprint']) || blueprint,
    entityShape(blueprint),
    shape,
  );
}
