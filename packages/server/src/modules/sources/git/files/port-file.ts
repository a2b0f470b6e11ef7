import { isRecord } from '@portolan/contract/json-value';
import type { SourceProblem } from '@portolan/contract/sources';
import type { JqObject, JqValue } from '@portolan/jq';
import { type PlacedValue, readYaml, UnreadableFile } from './read-yaml.ts';

/** An entity that a `port.yml` declares. What the file leaves out is absent, and null is null: it clears. */
export interface DeclaredEntity {
  readonly identifier: string;
  readonly blueprint: string;
  readonly line: number;
  readonly body: JqObject;
}

export interface PortFile {
  readonly entities: readonly DeclaredEntity[];
  readonly problems: readonly SourceProblem[];
  /** Whether all of it was understood: else what it declared before is not known to be gone. */
  readonly isWhole: boolean;
}

/** A file of the same repository; undefined if there is none, `too_large` or `too_many` if it is not read. */
export type ReadNeighbour = (path: string) => Promise<string | 'too_large' | 'too_many' | undefined>;

const entitiesMax = 1_000;
/** What `file://` may put into the entities of one file: a line could stand for a megabyte. */
const filledCharactersMax = 8 * 1024 * 1024;
const fields = ['title', 'icon', 'team', 'properties', 'relations'] as const;
const isObject = (value: JqValue | undefined): value is JqObject => isRecord(value);

/** Reads one or many entities; texts that begin with `file://` become the content of that file. */
export async function readPortFile(path: string, text: string, readNeighbour: ReadNeighbour): Promise<PortFile> {
  const problems: SourceProblem[] = [];
  const refuse = (code: string, message: string, place: { line?: number; column?: number; path?: string }): void => {
    const known = Object.fromEntries(Object.entries(place).filter(([, value]) => value !== undefined));
    problems.push({ severity: 'error', code, message, item: null, place: { file: path, ...known } });
  };
  let values: readonly PlacedValue[];
  try {
    values = readYaml(text);
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    const { line, column } = error;
    refuse('unreadable_file', error.message, { ...(line && { line }), ...(column && { column }) });
    return { entities: [], problems, isWhole: false };
  }
  if (values.length > entitiesMax) {
    refuse('too_many_entities', `Only the first ${entitiesMax} of ${values.length} entities were read`, {});
  }
  const entities: DeclaredEntity[] = [];
  let room = filledCharactersMax;
  const fill: ReadNeighbour = async (neighbour) => {
    const content = await readNeighbour(neighbour);
    if (content === undefined || content === 'too_large' || content === 'too_many') return content;
    if (content.length > room) return 'too_many';
    room -= content.length;
    return content;
  };
  for (const { value, line } of values.slice(0, entitiesMax)) {
    const entity = toEntity(value, line);
    if (typeof entity === 'string') {
      refuse('not_an_entity', entity, { line });
      continue;
    }
    const twin = entities.find((each) => each.identifier === entity.identifier && each.blueprint === entity.blueprint);
    if (twin) {
      const name = `"${entity.identifier}" of "${entity.blueprint}"`;
      refuse('defined_twice', `${name} is declared in line ${twin.line} too; that one counts`, { line });
      continue;
    }
    const properties = isObject(entity.body['properties'])
      ? await fillFiles(path, entity.body['properties'], fill, (message, key) =>
          refuse('file_not_read', message, { line, path: `/properties/${key}` }),
        )
      : undefined;
    entities.push({ ...entity, body: { ...entity.body, ...(properties ? { properties } : {}) } });
  }
  return { entities, problems, isWhole: problems.every(({ code }) => code === 'defined_twice') };
}

/** What is wrong with it, if it is no entity. */
function toEntity(value: JqValue, line: number): DeclaredEntity | string {
  if (!isObject(value)) return 'An entity is a mapping with "identifier" and "blueprint"';
  const identifier = typeof value['identifier'] === 'number' ? String(value['identifier']) : value['identifier'];
  const { blueprint } = value as { blueprint?: JqValue };
  if (typeof identifier !== 'string' || identifier === '') return 'The entity has no "identifier"';
  if (typeof blueprint !== 'string' || blueprint === '') return `The entity "${identifier}" has no "blueprint"`;
  const unusable = (['properties', 'relations'] as const).find(
    (field) => value[field] !== undefined && value[field] !== null && !isObject(value[field]),
  );
  if (unusable) return `"${unusable}" of "${identifier}" is no mapping of names to values`;
  const given = fields.filter((field) => value[field] !== undefined).map((field) => [field, value[field] as JqValue]);
  return { identifier, blueprint, line, body: { identifier, blueprint, ...Object.fromEntries(given) } };
}

async function fillFiles(
  from: string,
  properties: JqObject,
  readNeighbour: ReadNeighbour,
  refuse: (message: string, key: string) => void,
): Promise<JqObject> {
  const filled: [string, JqValue][] = [];
  for (const [key, value] of Object.entries(properties)) {
    if (typeof value !== 'string' || !value.startsWith('file://')) {
      filled.push([key, value]);
      continue;
    }
    const path = neighbourPath(from, value.slice('file://'.length));
    const content = path === undefined ? undefined : await readNeighbour(path);
    if (content !== undefined && content !== 'too_large' && content !== 'too_many') filled.push([key, content]);
    else if (path === undefined) refuse(`"${value}" does not lie in the repository`, key);
    else if (content === 'too_large') refuse(`"${path}" is too large to be a property`, key);
    else if (content === 'too_many')
      refuse(`"${path}" is not read: the files that are named together hold too much`, key);
    else refuse(`There is no file "${path}" in the repository`, key);
  }
  return Object.fromEntries(filled);
}

/** `module/x` from the root, `./x` and `../x` from the file's folder; undefined outside of the repository. */
export function neighbourPath(from: string, reference: string): string | undefined {
  if (reference.startsWith('/')) return undefined;
  const isRelative = /^\.{1,2}(\/|$)/.test(reference);
  const start = isRelative ? from.split('/').slice(0, -1) : [];
  const folders: string[] = [];
  for (const part of [...start, ...reference.split('/')]) {
    if (part === '..') {
      if (folders.pop() === undefined) return undefined;
    } else if (part !== '.' && part !== '') folders.push(part);
  }
  return folders.length > 0 ? folders.join('/') : undefined;
}
