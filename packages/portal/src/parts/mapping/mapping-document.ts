import { isRecord } from '@portolan/contract/json-value';
import type { TestMappingBody } from '@portolan/contract/mapping-tests';
import { type EventMapping, type MappedResource, type MappingPath, mappingsOfResource } from '@portolan/jq';
import { t } from '../../kit/translate.ts';

/** One of the mappings of a document. */
export interface MappingPart {
  readonly title: string;
  readonly mapping: EventMapping;
  /** Set for webhook mappings; those of integrations compute the blueprint. */
  readonly blueprint?: string;
  /** The part of the document to send to the server; `answer` is the index of this mapping in its result. */
  readonly asked: TestMappingBody['mapping'];
  readonly answer: number;
  /** The document path of an expression of the mapping. */
  placeOf(path: MappingPath): MappingPath;
}

export interface DocumentProblem {
  readonly path: MappingPath;
  readonly message: string;
}

export interface ReadDocument {
  readonly parts: readonly MappingPart[];
  readonly problems: readonly DocumentProblem[];
}

/** The `mappings` of a webhook. */
export function readWebhookMappings(value: unknown): ReadDocument {
  if (!Array.isArray(value)) return failed([], t('The mappings of a webhook are a list'));
  return joined(value.map((each, index) => readWebhookMapping(each, index)));
}

function readWebhookMapping(value: unknown, index: number): ReadDocument {
  if (!isRecord(value)) return failed([index], t('A mapping is an object with "blueprint" and "entity"'));
  const { blueprint, entity } = value;
  if (typeof blueprint !== 'string' || blueprint === '') {
    return failed([index, 'blueprint'], t('"blueprint" must be the identifier of a blueprint'));
  }
  if (!isRecord(entity)) return failed([index, 'entity'], t('"entity" must be an object with "identifier"'));
  const problems = findProblems({ ...value, entity }, [index], [index, 'entity']);
  if (problems.length > 0) return { parts: [], problems };
  const part = {
    title: `${index + 1}. ${blueprint}`,
    mapping: value as unknown as EventMapping,
    blueprint,
    asked: value as MappingPart['asked'],
    answer: 0,
    placeOf: (path: MappingPath) => [index, ...path],
  };
  return { parts: [part], problems };
}

/** The `config` of an integration; only its resources of that kind can be tried. */
export function readConfig(value: unknown, kind: string | undefined): ReadDocument {
  if (!isRecord(value)) return failed([], t('The configuration is an object with "resources"'));
  const { resources = [] } = value;
  if (!Array.isArray(resources)) return failed(['resources'], t('"resources" must be a list'));
  return joined(resources.map((each, index) => readResource(each, index, kind)));
}

function readResource(value: unknown, index: number, kind: string | undefined): ReadDocument {
  const at = ['resources', index];
  if (!isRecord(value) || typeof value['kind'] !== 'string') return failed(at, t('A resource has a "kind"'));
  const { selector = {}, port } = value;
  if (!isRecord(selector)) return failed([...at, 'selector'], t('"selector" must be an object with "query"'));
  const entity = isRecord(port) ? port['entity'] : undefined;
  const mappings = isRecord(entity) ? entity['mappings'] : undefined;
  const isList = Array.isArray(mappings);
  const list: readonly unknown[] = isList ? mappings : [mappings];
  if (!isRecord(port) || !list.every(isRecord)) {
    return failed([...at, 'port'], '"port" must be { entity: { mappings: { identifier, blueprint, … } } }');
  }
  const inside = [...at, 'port', 'entity', 'mappings'];
  const problems = [
    ...textProblem(selector['query'], [...at, 'selector', 'query']),
    ...list.flatMap((each, place) =>
      findProblems(
        { itemsToParse: port['itemsToParse'], entity: each as object },
        [...at, 'port'],
        [...inside, ...(isList ? [place] : [])],
      ),
    ),
  ];
  if (problems.length > 0 || value['kind'] !== kind) return { parts: [], problems };
  const parts = mappingsOfResource(value as unknown as MappedResource).map((each, answer) => ({
    title: `${index + 1}. ${kind}${isList ? t(', mapping {value}', { value: answer + 1 }) : ''}`,
    mapping: each.mapping,
    asked: value as MappingPart['asked'],
    answer,
    placeOf: (path: MappingPath) => [...at, ...each.placeOf(path)],
  }));
  return { parts, problems };
}

/** Checks the shapes that the evaluation relies on; the server validates the rest. */
function findProblems(
  { filter, itemsToParse, entity }: { filter?: unknown; itemsToParse?: unknown; entity: object },
  at: MappingPath,
  inside: MappingPath,
): readonly DocumentProblem[] {
  const { identifier, properties, relations } = entity as Readonly<Record<string, unknown>>;
  return [
    ...textProblem(filter, [...at, 'filter']),
    ...textProblem(itemsToParse, [...at, 'itemsToParse']),
    ...(identifier === undefined || identifier === null || identifier === ''
      ? [{ path: [...inside, 'identifier'], message: t('"identifier" needs an expression') }]
      : []),
    ...Object.entries({ properties, relations }).flatMap(([key, value]) =>
      // a text is one expression that makes all of them
      value === undefined || value === null || typeof value === 'string' || isRecord(value)
        ? []
        : [
            {
              path: [...inside, key],
              message: t('"{key}" must hold one expression, or an expression for each key', { key }),
            },
          ],
    ),
  ];
}

function textProblem(value: unknown, path: MappingPath): readonly DocumentProblem[] {
  if (value === undefined || value === null || typeof value === 'string') return [];
  return [{ path, message: t('"{path}" must be a text with an expression', { path: path.at(-1) }) }];
}

function failed(path: MappingPath, message: string): ReadDocument {
  return { parts: [], problems: [{ path, message }] };
}

function joined(read: readonly ReadDocument[]): ReadDocument {
  return { parts: read.flatMap(({ parts }) => parts), problems: read.flatMap(({ problems }) => problems) };
}
