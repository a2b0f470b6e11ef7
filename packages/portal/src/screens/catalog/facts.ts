import type { Blueprint } from '@portolan/contract/blueprints';
import { factKind, factMoment, factState, isClosedState } from '@portolan/contract/entity-facts';
import { isRecord } from '@portolan/contract/json-value';
import { t } from '../../kit/translate.ts';
import { type Field, type FieldEntity, fieldValue, relationKey, shownShape } from '../../parts/entities/fields.ts';

export type Model = Pick<Blueprint, 'identifier' | 'title' | 'schema' | 'relations'>;

/** A relation of another blueprint that points to the entity. */
export interface Pointing {
  readonly blueprint: string;
  readonly relation: string;
  readonly isMany: boolean;
}

type Source =
  | { readonly kind: 'field'; readonly field: Field }
  | {
      readonly kind: 'latest';
      readonly of: Pointing;
      readonly moment: string;
      readonly state: string | undefined;
      /** The property that names the version. */
      readonly version: string | undefined;
    }
  | {
      readonly kind: 'open';
      readonly of: Pointing;
      readonly state: string | undefined;
      /** The values of the state that do not count. */
      readonly closed: readonly string[];
    }
  | { readonly kind: 'scorecards' };

/** What the header of an entity tells at a glance. */
export interface Fact {
  /** What a layout stores: the name of a field, or of something computed. */
  readonly source: string;
  readonly label: string;
  readonly from: Source;
}

export const factsMax = 7;

/** What a field is called in a layout: `properties.tier`, `relations.domain`, `scorecards.readiness`, `$team`. */
export function fieldName(field: Pick<Field, 'key' | 'source'>): string {
  if (field.source === 'meta') return field.key;
  if (field.source === 'relation') return `relations.${relationKey(field)}`;
  return `${field.source === 'scorecard' ? 'scorecards' : 'properties'}.${field.key}`;
}

/** Every fact there could be, in the order of the header: those found by rule first. */
export function listFacts(
  blueprint: string,
  fields: readonly Field[],
  blueprints: readonly Model[],
): { readonly suggested: readonly Fact[]; readonly others: readonly Fact[] } {
  const pointing = listPointing(blueprint, blueprints);
  const deployments = pointing.filter(({ kind }) => kind === 'deployment').map(latestFact);
  const incidents = pointing.filter(({ kind }) => kind === 'incident').map(openFact);
  const owner = fields.find(({ key }) => key === '$team');
  const words = fields.filter(isWord);
  const lifecycle = words.find((field) => isNamed(field, /lifecycle|stage/i));
  const left = words.filter((field) => field !== lifecycle);
  const health =
    left.find((field) => isNamed(field, /health/i)) ??
    left.find((field) => isNamed(field, /status|state(?!ment)/i)) ??
    left.find((field) => isNamed(field, /risk/i));
  const onCall = fields.find((field) => isPerson(field) && isNamed(field, /on.?call/i));
  const scorecards: Fact | undefined = fields.some(({ source }) => source === 'scorecard')
    ? { source: 'scorecards', label: t('Scorecard'), from: { kind: 'scorecards' } }
    : undefined;
  const suggested = [
    owner && { ...fieldFact(owner), label: t('Owner') },
    lifecycle && fieldFact(lifecycle),
    health && fieldFact(health),
    onCall && { ...fieldFact(onCall), label: t('On call') },
    deployments[0],
    incidents[0],
    scorecards,
  ].filter((fact) => fact !== undefined);
  const known = new Set(suggested.map(({ source }) => source));
  const others = [...deployments, ...incidents, ...fields.filter(isShort).map(fieldFact)].filter(
    ({ source }) => !known.has(source),
  );
  return { suggested, others };
}

function fieldFact(field: Field): Fact {
  return { source: fieldName(field), label: field.title, from: { kind: 'field', field } };
}

interface PointingModel extends Pointing {
  readonly model: Model;
  readonly kind: ReturnType<typeof factKind>;
}

function listPointing(blueprint: string, blueprints: readonly Model[]): PointingModel[] {
  return blueprints.flatMap((model) =>
    Object.entries(model.relations).flatMap(([relation, { target, many }]) =>
      target === blueprint
        ? [{ blueprint: model.identifier, relation, isMany: many, model, kind: factKind(model) }]
        : [],
    ),
  );
}

function latestFact({ model, kind: _, ...of }: PointingModel): Fact {
  return {
    source: `latest:${of.blueprint}.${of.relation}`,
    label: t('Last {title}', { title: (model.title || model.identifier).toLowerCase() }),
    from: {
      kind: 'latest',
      of,
      moment: factMoment('deployment', model),
      state: factState(model)?.key,
      version: Object.keys(model.schema.properties).find((key) => /version|tag/i.test(key)),
    },
  };
}

function openFact({ model, kind: _, ...of }: PointingModel): Fact {
  const state = factState(model);
  return {
    source: `open:${of.blueprint}.${of.relation}`,
    label: (model.title || model.identifier).replace(/s?$/, 's'),
    from: { kind: 'open', of, state: state?.key, closed: (state?.values ?? []).filter(isClosedState) },
  };
}

function isNamed({ key, title }: Field, name: RegExp): boolean {
  return name.test(key) || name.test(title);
}

/** A word out of a few: an enum, or a value with colors. */
function isWord(field: Field): boolean {
  const shape = shownShape(field);
  if (!['property', 'calculation', 'mirror'].includes(field.source)) return false;
  return shape.type !== 'array' && (Array.isArray(shape.enum) || isRecord(shape['colors']));
}

function isPerson(field: Field): boolean {
  if (field.source === 'relation') return field.target === '_user';
  const shape = shownShape(field);
  return [shape.format, shape.items?.format].some((format) => format === 'user' || format === 'email');
}

/** A field that fits into one line of the header. */
function isShort(field: Field): boolean {
  const shape = shownShape(field);
  if (['$title', '$identifier'].includes(field.key) || field.source === 'scorecard') return false;
  return shape.type !== 'object' && !['markdown', 'yaml', 'proto'].includes(shape.format ?? '');
}

/** The facts to show: fields without a value are left out, except the owner, whose absence is worth telling. */
export function shownFacts(facts: readonly Fact[], entity: FieldEntity): readonly Fact[] {
  return facts
    .filter(({ from }) => {
      if (from.kind === 'scorecards') return Object.keys(entity.scorecards ?? {}).length > 0;
      return from.kind !== 'field' || from.field.key === '$team' || fieldValue(entity, from.field) !== undefined;
    })
    .slice(0, factsMax);
}

interface Result {
  readonly level?: string;
  readonly rules?: readonly { readonly identifier: string; readonly status: string; readonly level: string }[];
}

/** The scorecard on which the entity is lowest, with the rules that are left to the next level. */
export function lowestLevel(
  entity: FieldEntity,
  fields: readonly Field[],
): { readonly scorecard: Field; readonly level: string; readonly next?: string; readonly left: number } | undefined {
  const reached = fields.flatMap((scorecard) => {
    const result = entity.scorecards?.[scorecard.key] as Result | undefined;
    if (scorecard.source !== 'scorecard' || result?.level === undefined) return [];
    const levels = Object.keys(scorecard.levels ?? {});
    const at = levels.indexOf(result.level);
    const next = levels[at + 1];
    const left = (result.rules ?? []).filter(({ level, status }) => level === next && status !== 'SUCCESS').length;
    return [
      { scorecard, level: result.level, ...(next ? { next } : {}), left, at: at / Math.max(levels.length - 1, 1) },
    ];
  });
  const [lowest] = reached.sort((one, other) => one.at - other.at);
  if (!lowest) return undefined;
  const { at: _, ...told } = lowest;
  return told;
}
