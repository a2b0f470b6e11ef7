import type { BlueprintInfo, PropertyInfo, ScorecardInfo } from './catalog.ts';
import { pluralTitle } from './catalog.ts';
import { typeSynonyms } from './vocabulary.ts';
import { endsOfName, nameWords, stemWord, type Word } from './words.ts';

/** A property, relation or meta property of a type, with the words that name it. */
export interface Field {
  readonly key: string;
  readonly title: string;
  readonly kind: 'property' | 'relation' | 'meta';
  readonly type: string;
  readonly format?: string | undefined;
  readonly values: readonly (string | number)[];
  readonly target?: string | undefined;
  readonly isMany: boolean;
  readonly names: readonly (readonly string[])[];
}

export interface TypeInfo {
  readonly id: string;
  readonly title: string;
  readonly plural: string;
  readonly names: readonly TypeName[];
  readonly fields: readonly Field[];
  readonly description?: string | undefined;
}

interface TypeName {
  readonly words: readonly string[];
  readonly cost: number;
}

/** What words can mean to one caller: made anew for every question from what the caller may read. */
export interface Schema {
  readonly types: readonly TypeInfo[];
  readonly scorecards: readonly ScorecardInfo[];
  find(type: string): TypeInfo | undefined;
}

export function createSchema(blueprints: readonly BlueprintInfo[], scorecards: readonly ScorecardInfo[] = []): Schema {
  const byId = new Map(blueprints.map((blueprint) => [blueprint.identifier, blueprint]));
  const types = blueprints
    .filter(({ identifier }) => !hiddenTypes.has(identifier))
    .map((blueprint) => toType(blueprint, byId));
  return { types, scorecards, find: (id) => types.find((type) => type.id === id) };
}

/** Records about the catalog itself: a question that names nothing else does not mean them. */
export const hiddenTypes: ReadonlySet<string> = new Set(['_ai_invocations', '_rule_result', '_rule', '_scorecard']);

function toType(blueprint: BlueprintInfo, all: ReadonlyMap<string, BlueprintInfo>): TypeInfo {
  const { identifier: id, title } = blueprint;
  const names: TypeName[] = [title ?? '', id].map(nameWords).map((words) => ({ words, cost: 0 }));
  const [words = []] = names.map((name) => name.words).filter((name) => name.length > 1);
  if (words.length > 1) {
    names.push({ words: [words.map((word) => word[0]).join('')], cost: 0.01 });
    const last = stemWord(words.at(-1) ?? '');
    const isShared = [...all.values()].some(
      (other) =>
        other !== blueprint &&
        [other.title ?? '', other.identifier].some((name) => nameWords(name).map(stemWord).includes(last)),
    );
    if (!isShared) names.push({ words: [last], cost: 0.03 });
  }
  for (const word of typeSynonyms[id] ?? []) names.push({ words: [word], cost: 0.01 });
  const plural = pluralTitle(blueprint);
  return {
    id,
    title: title ?? id,
    plural,
    names,
    fields: toFields(blueprint, all),
    description: blueprint.description,
  };
}

function toFields(blueprint: BlueprintInfo, all: ReadonlyMap<string, BlueprintInfo>): Field[] {
  const { properties = {}, relations = {}, computedProperties } = blueprint;
  const computed = Array.isArray(computedProperties) ? {} : (computedProperties ?? {});
  const property = ([key, { title, type, format, enum: values }]: [string, PropertyInfo]): Field => ({
    key,
    title: title ?? key,
    kind: 'property',
    type: type ?? 'string',
    format,
    values: values ?? [],
    isMany: type === 'array',
    names: fieldNames(key, title),
  });
  return [
    ...Object.entries(properties).map(property),
    ...Object.entries(computed).map(([key, info]) => property([key, resolveMirror(blueprint, info, all)])),
    ...Object.entries(relations).map(
      ([key, { title, target, many }]): Field => ({
        key,
        title: title ?? key,
        kind: 'relation',
        type: 'string',
        values: [],
        target,
        isMany: many === true,
        names: fieldNames(key, title),
      }),
    ),
    meta('$createdAt', 'Created', [['created'], ['creation', 'date'], ['registered']]),
    meta('$updatedAt', 'Last changed', [['updated'], ['changed'], ['last', 'changed'], ['modified']]),
  ];
}

function meta(key: string, title: string, names: string[][]): Field {
  return { key, title, kind: 'meta', type: 'string', format: 'date-time', values: [], isMany: false, names };
}

/** A mirror has the type and the values of the property at the end of its path. */
function resolveMirror(
  blueprint: BlueprintInfo,
  info: PropertyInfo & { readonly path?: string },
  all: ReadonlyMap<string, BlueprintInfo>,
): PropertyInfo {
  if (info.path === undefined) return info;
  const steps = info.path.split('.');
  let at: BlueprintInfo | undefined = blueprint;
  for (const step of steps.slice(0, -1)) at = all.get(at?.relations?.[step]?.target ?? '');
  const mirrored = at?.properties?.[steps.at(-1) ?? ''];
  return { ...mirrored, ...(info.title ? { title: info.title } : {}) };
}

function fieldNames(key: string, title: string | undefined): string[][] {
  const names = [nameWords(key), nameWords((title ?? '').replace(/\(.*?\)/g, '').replace(/,.*$/, ''))];
  // "is public" and "public" name the same
  const bare = names.flatMap((name) => (/^(is|has)$/.test(name[0] ?? '') && name.length > 1 ? [name.slice(1)] : []));
  return [...names, ...bare].filter((name) => name.length > 0);
}

export interface Match<Value> {
  readonly value: Value;
  readonly end: number;
  readonly cost: number;
}

/** The types that the words from `at` name. */
export function typesAt({ types }: Schema, words: readonly Word[], at: number): Match<TypeInfo>[] {
  const found: Match<TypeInfo>[] = [];
  for (const type of types) {
    for (const { words: name, cost } of type.names) {
      for (const end of endsOfName(words, at, name)) {
        // "Service entities" are services
        const noun = /^entit(y|ies)$/.test(words[end]?.lower ?? '') ? [end, end + 1] : [end];
        for (const last of noun) {
          if (!found.some((known) => known.value === type && known.end === last)) {
            found.push({ value: type, end: last, cost });
          }
        }
      }
    }
  }
  return found;
}

/** The fields of a type that the words from `at` name. */
export function fieldsAt(type: TypeInfo, words: readonly Word[], at: number): Match<Field>[] {
  return type.fields.flatMap((field) => {
    const ends = new Set(field.names.flatMap((name) => endsOfName(words, at, name)));
    return [...ends].map((end) => ({ value: field, end, cost: 0 }));
  });
}

export function isDate({ format }: Field): boolean {
  return format === 'date-time' || format === 'timer';
}

export function isNumber({ type }: Field): boolean {
  return type === 'number';
}
