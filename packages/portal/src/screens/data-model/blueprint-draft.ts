import { isRecord } from '@portolan/contract/json-value';
import type { AnswerOf } from '../../api/api.ts';
import { type Issue, pathSegments } from '../../kit/refusal.ts';
import { t } from '../../kit/translate.ts';

export type Blueprint = AnswerOf<'getBlueprint'>['blueprint'];
/** The writable part of a blueprint. */
export type Draft = Omit<Blueprint, 'createdAt' | 'createdBy' | 'updatedAt' | 'updatedBy'>;
export type Property = Draft['schema']['properties'][string];
export type Relation = Draft['relations'][string];
/** The maps of a blueprint from key to definition. */
export type MapName = 'relations' | 'mirrorProperties' | 'calculationProperties' | 'aggregationProperties';
const mapNames: readonly MapName[] = [
  'relations',
  'mirrorProperties',
  'calculationProperties',
  'aggregationProperties',
];

export function asDraft(blueprint: Blueprint): Draft {
  const { createdAt, createdBy, updatedAt, updatedBy, ...draft } = blueprint;
  return draft;
}

export function draftText(draft: Draft): string {
  return JSON.stringify(draft, null, 2);
}

/** Parses a text as a draft, or says why it is not one. The server validates the contents. */
export function readDraft(text: string): { readonly draft: Draft } | { readonly problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { problem: (error as Error).message };
  }
  if (!isRecord(value)) return { problem: t('A blueprint is an object') };
  for (const key of ['identifier', 'title']) {
    if (typeof value[key] !== 'string') return { problem: t('"{key}" must be a text', { key }) };
  }
  const { schema } = value;
  if (!isRecord(schema) || !isMapOfObjects(schema['properties'])) {
    return { problem: '"schema" must be { "properties": { … } } with an object for each property' };
  }
  if (schema['required'] !== undefined && !isListOfTexts(schema['required'])) {
    return { problem: t('"schema.required" must be a list of keys') };
  }
  const maps: Record<string, unknown> = {};
  for (const name of mapNames) {
    const map = value[name] ?? {};
    if (!isMapOfObjects(map)) return { problem: t('"{name}" must hold an object for each key', { name }) };
    maps[name] = map;
  }
  for (const name of ['ownership', 'teamInheritance']) {
    if (value[name] !== undefined && !isRecord(value[name]))
      return { problem: t('"{name}" must be an object', { name }) };
  }
  return { draft: { ...value, ...maps } as Draft };
}

function isMapOfObjects(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every(isRecord);
}

function isListOfTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

export type TabName = 'general' | 'properties' | 'relations' | 'computed' | 'ownership' | 'json';

/** The tab that contains the place of an issue. */
export function tabOfIssue({ path }: Issue): TabName {
  const [first = ''] = pathSegments(path);
  if (first === 'schema') return 'properties';
  if (first === 'relations') return 'relations';
  if (first === 'ownership' || first === 'teamInheritance') return 'ownership';
  if (/^(mirror|calculation|aggregation)Properties$/.test(first)) return 'computed';
  return ['identifier', 'title', 'description', 'icon', 'unknownProperties'].includes(first) ? 'general' : 'json';
}

/** All keys in use: they must be unique across properties, relations and derived values. */
export function draftKeys(draft: Draft): ReadonlySet<string> {
  return new Set([
    ...Object.keys(draft.schema.properties),
    ...mapNames.flatMap((name) => Object.keys(draft[name] ?? {})),
  ]);
}
