import type { Blueprint } from '@portolan/contract/blueprints';
import { t } from '../../kit/translate.ts';

export type FieldSource = 'meta' | 'property' | 'relation' | 'mirror' | 'calculation' | 'aggregation' | 'scorecard';

/** A property's definition: type, format, bounds. Open, like the blueprint itself. */
export interface FieldShape {
  readonly type?: string | undefined;
  readonly format?: string | undefined;
  readonly description?: string | undefined;
  readonly enum?: readonly (string | number)[] | undefined;
  readonly enumColors?: Readonly<Record<string, string>> | undefined;
  readonly items?: FieldShape | undefined;
  readonly [key: string]: unknown;
}

/** A field of a blueprint's entities: the subject of a column, a filter or a form input. */
export interface Field {
  /** For a relation whose key is also a property: `relations.<key>`. */
  readonly key: string;
  readonly title: string;
  readonly source: FieldSource;
  readonly shape: FieldShape;
  /** How its values look, where `shape` does not say it: a mirror's are those of what it mirrors. */
  readonly shown?: FieldShape | undefined;
  readonly isRequired: boolean;
  /** Target blueprint of a relation. */
  readonly target?: string;
  readonly isMany?: boolean;
  /** Colours of a scorecard's levels. */
  readonly levels?: Readonly<Record<string, string>>;
}

export interface FieldEntity {
  readonly identifier?: string | undefined;
  readonly title?: string | null | undefined;
  readonly icon?: string | null | undefined;
  readonly blueprint?: string | undefined;
  readonly team?: readonly string[] | undefined;
  readonly properties?: Readonly<Record<string, unknown>> | undefined;
  readonly relations?: Readonly<Record<string, unknown>> | undefined;
  readonly scorecards?: Readonly<Record<string, unknown>> | undefined;
  readonly [key: string]: unknown;
}

interface ScorecardShape {
  readonly identifier: string;
  readonly title: string;
  readonly levels: readonly { readonly title: string; readonly color: string }[];
}

const moment: FieldShape = { type: 'string', format: 'date-time' };
const metaFields: readonly Field[] = [
  { key: '$title', title: t('Title'), source: 'meta', shape: { type: 'string' }, isRequired: false },
  { key: '$identifier', title: t('Identifier'), source: 'meta', shape: { type: 'string' }, isRequired: false },
  { key: '$createdAt', title: t('Created'), source: 'meta', shape: moment, isRequired: false },
  { key: '$createdBy', title: t('Created by'), source: 'meta', shape: { type: 'string' }, isRequired: false },
  { key: '$updatedAt', title: t('Updated'), source: 'meta', shape: moment, isRequired: false },
  { key: '$updatedBy', title: t('Updated by'), source: 'meta', shape: { type: 'string' }, isRequired: false },
];
const teams: FieldShape = { type: 'array', items: { type: 'string', format: 'team' } };

/** Fields that every blueprint has. */
export function commonFields(): readonly Field[] {
  const [title, identifier, ...dates] = metaFields as [Field, Field, ...Field[]];
  return [title, identifier, ownerField(t('Owning teams')), ...dates];
}

function ownerField(title: string): Field {
  return { key: '$team', title, source: 'meta', shape: teams, isRequired: false };
}

/**
 * All fields of a blueprint in the order of the model: title and owner first, dates last. With the other blueprints,
 * mirrors are shown as what they mirror.
 */
export function listFields(
  blueprint: Blueprint,
  scorecards: readonly ScorecardShape[] = [],
  others: readonly Blueprint[] = [],
): readonly Field[] {
  const [title, identifier, ...dates] = metaFields as [Field, Field, ...Field[]];
  const required = new Set(blueprint.schema.required ?? []);
  const owner: readonly Field[] =
    blueprint.ownership === undefined && blueprint.identifier.startsWith('_')
      ? []
      : [ownerField(ownerTitle(blueprint))];
  const computed = (source: FieldSource, map: Readonly<Record<string, object>>, fallback?: FieldShape): Field[] =>
    Object.entries(map).map(([key, shape]) => ({
      key,
      title: fieldTitle(key, shape),
      source,
      shape: { ...fallback, ...shape } as FieldShape,
      isRequired: false,
    }));
  return [
    title,
    identifier,
    ...owner,
    ...computed('property', blueprint.schema.properties).map((field) => ({
      ...field,
      isRequired: required.has(field.key),
    })),
    ...Object.entries(blueprint.relations).map(
      ([key, relation]): Field => ({
        key: isPropertyKey(blueprint, key) ? `${sharedPrefix}${key}` : key,
        title: fieldTitle(key, relation),
        source: 'relation',
        shape: relation.many ? { type: 'array', items: { type: 'string' } } : { type: 'string' },
        isRequired: relation.required,
        target: relation.target,
        isMany: relation.many,
      }),
    ),
    ...computed('mirror', blueprint.mirrorProperties).map((field) => ({
      ...field,
      shown: mirroredShape(blueprint, field.key, new Map(others.map((each) => [each.identifier, each]))),
    })),
    ...computed('calculation', blueprint.calculationProperties),
    ...computed('aggregation', blueprint.aggregationProperties, { type: 'number' }),
    ...scorecards.map(
      ({ identifier: key, title: name, levels }): Field => ({
        key,
        title: name,
        source: 'scorecard',
        shape: { type: 'string', enum: levels.map((level) => level.title) },
        isRequired: false,
        levels: Object.fromEntries(levels.map((level) => [level.title, level.color])),
      }),
    ),
    ...dates,
  ];
}

export function shownShape({ shape, shown }: Field): FieldShape {
  return shown ?? shape;
}

/** Mirrors of mirrors are followed so far; those that pass themselves are empty. */
const mirrorsMax = 10;

/** The shape of what a mirror mirrors, as a list if a relation on the way leads to many. */
function mirroredShape(
  start: Blueprint,
  key: string,
  blueprints: ReadonlyMap<string, Blueprint>,
  left = mirrorsMax,
): FieldShape | undefined {
  const path = start.mirrorProperties[key]?.path.split('.') ?? [];
  const last = path.pop() ?? '';
  let at = start;
  let isMany = false;
  for (const name of path) {
    const relation = at.relations[name];
    const next = blueprints.get(name === '$team' ? '_team' : (relation?.target ?? ''));
    if (!next) return undefined;
    isMany ||= name === '$team' || relation?.many === true;
    at = next;
  }
  const shape = shapeNamed(at, last) ?? (left > 0 ? mirroredShape(at, last, blueprints, left - 1) : undefined);
  // lists of lists come as one
  return shape && isMany ? { type: 'array', items: shape.items ?? shape } : shape;
}

function shapeNamed(blueprint: Blueprint, name: string): FieldShape | undefined {
  if (name === '$team') return teams;
  const { schema, calculationProperties, aggregationProperties } = blueprint;
  const found = metaFields.find(({ key }) => key === name)?.shape;
  if (found) return found;
  if (Object.hasOwn(aggregationProperties, name)) return { type: 'number' };
  return (schema.properties[name] ?? calculationProperties[name]) as FieldShape | undefined;
}

const sharedPrefix = 'relations.';

function isPropertyKey(blueprint: Blueprint, key: string): boolean {
  const { schema, mirrorProperties, calculationProperties, aggregationProperties } = blueprint;
  return [schema.properties, mirrorProperties, calculationProperties, aggregationProperties].some((map) =>
    Object.hasOwn(map, key),
  );
}

/** The key of a relation in its blueprint and in entities. */
export function relationKey({ key }: Pick<Field, 'key'>): string {
  return key.startsWith(sharedPrefix) ? key.slice(sharedPrefix.length) : key;
}

function ownerTitle({ ownership }: Pick<Blueprint, 'ownership'>): string {
  return ownership?.title || t('Owning teams');
}

function fieldTitle(key: string, shape: object): string {
  const { title } = shape as { title?: unknown };
  return typeof title === 'string' && title !== '' ? title : key;
}

/** The value of a field; undefined if empty. */
export function fieldValue(entity: FieldEntity, { key, source }: Pick<Field, 'key' | 'source'>): unknown {
  if (source === 'meta') {
    const value = key === '$team' ? entity.team : entity[key.slice(1)];
    return Array.isArray(value) && value.length === 0 ? undefined : (value ?? undefined);
  }
  if (source === 'relation') return entity.relations?.[relationKey({ key })] ?? undefined;
  if (source === 'scorecard') return (entity.scorecards?.[key] as { level?: string } | undefined)?.level;
  return entity.properties?.[key] ?? undefined;
}

/** Whether the server can sort by it: lists, objects and scorecard results have no order. */
export function isSortable({ source, shape }: Field): boolean {
  return (
    source !== 'scorecard' && !(source === 'mirror' && !shape.type) && !['array', 'object'].includes(shape.type ?? '')
  );
}

export function isGroupable({ source, shape, key }: Field): boolean {
  if (source === 'scorecard' || key === '$title' || key === '$identifier') return false;
  if (source === 'relation' || key === '$team') return true;
  return shape.type === 'boolean' || (shape.enum ?? shape.items?.enum) !== undefined || shape.type === 'string';
}

/** Whether the value is derived, and so cannot be written. */
export function isCalculated({ source }: Field): boolean {
  return ['mirror', 'calculation', 'aggregation', 'scorecard'].includes(source);
}

const longFormats = new Set(['markdown', 'yaml', 'proto']);

/** Default columns: title, owner, three short properties with few values, updated. */
export function defaultColumns(fields: readonly Field[]): readonly string[] {
  const short = fields.filter(
    ({ source, shape }) =>
      ['property', 'calculation'].includes(source) && !longFormats.has(shape.format ?? '') && shape.type !== 'object',
  );
  const telling = (field: Field) => (field.shape.enum ? 0 : field.shape['colorized'] ? 0 : field.isRequired ? 1 : 2);
  const chosen = [...short].sort((one, other) => telling(one) - telling(other)).slice(0, 3);
  const relation = fields.find(({ source, isMany }) => source === 'relation' && !isMany);
  const keys = ['$title', '$team', ...chosen.map(({ key }) => key), ...(relation ? [relation.key] : []), '$updatedAt'];
  return keys.filter((key) => fields.some((field) => field.key === key));
}
