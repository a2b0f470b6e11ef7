import { isRecord } from '@portolan/contract/json-value';
import { t } from '../../kit/translate.ts';
import type { Draft } from './blueprint-draft.ts';

/** The mapping of a migration, in the shape of the API. */
export interface Mapping {
  readonly blueprint?: string;
  readonly filter?: string;
  readonly itemsToParse?: string;
  readonly entity: {
    readonly identifier?: string;
    readonly title?: string;
    readonly icon?: string;
    readonly team?: string;
    readonly properties?: Readonly<Record<string, string>>;
    readonly relations?: Readonly<Record<string, string>>;
  };
}

const own = ['identifier', 'title', 'icon', 'team'] as const;
const ownTitles = { identifier: 'Identifier', title: t('Title'), icon: 'Icon', team: t('Owning teams') } as const;

/** A line of the mapping: the target (`team`, `properties.tier`, `relations.domain`) and its expression. */
export interface MappingRow {
  readonly field: string;
  readonly expression: string;
}

export function mappingRows({ entity }: Mapping): readonly MappingRow[] {
  return [
    ...own.flatMap((field) => (entity[field] === undefined ? [] : [{ field, expression: entity[field] }])),
    ...(['properties', 'relations'] as const).flatMap((part) =>
      Object.entries(entity[part] ?? {}).map(([key, expression]) => ({ field: `${part}.${key}`, expression })),
    ),
  ];
}

export function withRows(mapping: Mapping, rows: readonly MappingRow[]): Mapping {
  const entity: Record<string, string | Record<string, string>> = {};
  for (const { field, expression } of rows) {
    const [part, key] = splitField(field);
    if (key === undefined) entity[part] = expression;
    else
      entity[part] = { ...(isRecord(entity[part]) ? (entity[part] as Record<string, string>) : {}), [key]: expression };
  }
  return { ...mapping, entity };
}

function splitField(field: string): readonly [string, string | undefined] {
  const dot = field.indexOf('.');
  return dot === -1 ? [field, undefined] : [field.slice(0, dot), field.slice(dot + 1)];
}

/** The possible targets of a line. */
export function fieldChoices(target: Pick<Draft, 'schema' | 'relations'>): readonly { value: string; label: string }[] {
  return [
    ...own.map((value) => ({ value, label: ownTitles[value] })),
    ...Object.entries(target.schema.properties).map(([key, { title }]) => ({
      value: `properties.${key}`,
      label: `${title ?? key} (property)`,
    })),
    ...Object.entries(target.relations).map(([key, { title }]) => ({
      value: `relations.${key}`,
      label: `${title ?? key} (relation)`,
    })),
  ];
}

/** The mapping that copies a relation to teams into ownership. */
export function ownershipPreset(relation: string): Mapping {
  // a key that is not a plain jq identifier needs quotes
  const isName = /^[A-Za-z_][A-Za-z0-9_]*$/.test(relation);
  return { entity: { team: isName ? `.relations.${relation}` : `.relations[${JSON.stringify(relation)}]` } };
}

/** Parses a text as a mapping, or says why it is not one. */
export function readMapping(text: string): { readonly mapping: Mapping } | { readonly problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { problem: (error as Error).message };
  }
  if (!isRecord(value) || !isRecord(value['entity'])) return { problem: 'A mapping is { "entity": { … } }' };
  const { entity, ...rest } = value;
  for (const [key, each] of [...Object.entries(rest), ...Object.entries(entity)]) {
    if (key === 'properties' || key === 'relations') {
      if (!isRecord(each) || !Object.values(each).every((one) => typeof one === 'string')) {
        return { problem: t('"{key}" must hold an expression for each key', { key }) };
      }
    } else if (typeof each !== 'string') return { problem: t('"{key}" must be a text', { key }) };
  }
  return { mapping: value as unknown as Mapping };
}

/** Why a mapping cannot be previewed yet; undefined if it can. */
export function mappingProblem(mapping: Mapping): string | undefined {
  const rows = mappingRows(mapping);
  if (rows.length === 0) return t('Add a field to write first.');
  const empty = rows.find(({ expression }) => expression.trim() === '');
  return empty && t('{field} needs an expression.', { field: empty.field });
}

/** The fields that the migration changes, as dotted paths with both values; timestamps of the write are ignored. */
export function changedFields(
  before: Readonly<Record<string, unknown>> | null,
  after: Readonly<Record<string, unknown>>,
): readonly { readonly field: string; readonly before: unknown; readonly after: unknown }[] {
  const found: { field: string; before: unknown; after: unknown }[] = [];
  const compare = (field: string, left: unknown, right: unknown) => {
    if (JSON.stringify(left) !== JSON.stringify(right)) found.push({ field, before: left, after: right });
  };
  for (const field of own) compare(field, before?.[field], after[field]);
  for (const part of ['properties', 'relations']) {
    const left = isRecord(before?.[part]) ? before[part] : {};
    const right = isRecord(after[part]) ? after[part] : {};
    for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
      compare(`${part}.${key}`, left[key] ?? undefined, right[key] ?? undefined);
    }
  }
  return found;
}
