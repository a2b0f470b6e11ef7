import type { Blueprint } from '@portolan/contract/blueprints';
import type { Entity } from '@portolan/contract/entities';
import type { BlueprintRecord, EntityRecord } from '@portolan/contract/transfer-file';
import type { BlueprintDefinition } from './blueprints.ts';
import { isSame, type Json } from './json.ts';
import type { Draft } from './map-documents.ts';
import { targetKey } from './settle-targets.ts';

/** What becomes of one entity. */
export interface PlannedEntity {
  readonly draft: Draft;
  readonly change: 'created' | 'changed' | 'unchanged';
  /** What differs: `title`, `team`, names of properties and relations. */
  readonly fields: readonly string[];
  readonly record: EntityRecord;
  readonly before: Entity | undefined;
}

/**
 * The blueprints to create, and what to add to those that are there. What a blueprint has already stays as it is: its
 * people may have made more of it.
 */
export function planModel(
  definitions: readonly BlueprintDefinition[],
  existing: readonly Blueprint[],
): readonly BlueprintRecord[] {
  const current = new Map(existing.map((blueprint) => [blueprint.identifier, blueprint]));
  return definitions.flatMap((definition, index): BlueprintRecord[] => {
    const { identifier } = definition;
    const before = current.get(identifier);
    const properties = missing(definition.schema.properties, before?.schema.properties);
    const relations = missing(definition.relations, before?.relations);
    const body = before
      ? { identifier, title: before.title, schema: { properties }, relations }
      : { ...definition, schema: { properties, required: [] }, relations };
    return [{ line: index + 1, identifier, body: body as unknown as BlueprintRecord['body'] }];
  });
}

function missing<T>(wanted: Readonly<Record<string, T>>, there: object | undefined): Record<string, T> {
  return Object.fromEntries(Object.entries(wanted).filter(([key]) => !Object.hasOwn(there ?? {}, key)));
}

/** Compares drafts with the catalog; each record names every value of the mapping, so that one that is gone is cleared. */
export function planDrafts(
  drafts: readonly Draft[],
  definitions: readonly BlueprintDefinition[],
  entities: ReadonlyMap<string, Entity>,
): readonly PlannedEntity[] {
  const byIdentifier = new Map(definitions.map((definition) => [definition.identifier, definition]));
  return drafts.map((draft, index) => {
    const before = entities.get(targetKey(draft));
    const body = toBody(draft, byIdentifier.get(draft.blueprint), before);
    const fields = before ? differences(body, before) : [];
    const change = !before ? 'created' : fields.length > 0 ? 'changed' : 'unchanged';
    const { blueprint, identifier } = draft;
    return { draft, change, fields, record: { line: index + 1, blueprint, identifier, body }, before };
  });
}

type Body = EntityRecord['body'];

function toBody(draft: Draft, definition: BlueprintDefinition | undefined, before: Entity | undefined): Body {
  const { identifier, title, team, properties, relations, blueprint } = draft;
  const empty = Object.fromEntries(Object.keys(definition?.schema.properties ?? {}).map((key) => [key, null]));
  const links = Object.entries(definition?.relations ?? {}).map(([key, { many }]) => [key, many ? [] : null]);
  // Memberships of somebody who is here already are added to: an import takes nobody out of a team.
  const teams = blueprint === '_user' ? [...new Set([...(before?.team ?? []), ...(team ?? [])])] : [...(team ?? [])];
  const hasTeam = definition?.ownership !== undefined || blueprint === '_user';
  return {
    identifier,
    title,
    ...(hasTeam ? { team: teams } : {}),
    properties: { ...empty, ...properties },
    relations: { ...Object.fromEntries(links), ...relations } as NonNullable<Body['relations']>,
  };
}

function differences(body: Body, before: Entity): readonly string[] {
  const properties = Object.entries(body.properties ?? {}).filter(
    ([key, value]) => !isSame(value as Json, before.properties[key] as Json),
  );
  const relations = Object.entries(body.relations ?? {}).filter(
    ([key, value]) => !isSame(toList(value), toList(before.relations[key])),
  );
  const hasOtherTeam = body.team !== undefined && !isSame(toList(body.team), toList(before.team));
  return [
    ...(body.title === before.title ? [] : ['title']),
    ...(hasOtherTeam ? ['team'] : []),
    ...[...properties, ...relations].map(([key]) => key),
  ];
}

/** Targets and teams are sets: their order says nothing. */
function toList(value: unknown): readonly Json[] {
  if (value === null || value === undefined) return [];
  return (Array.isArray(value) ? (value as Json[]) : [value as Json]).toSorted();
}
