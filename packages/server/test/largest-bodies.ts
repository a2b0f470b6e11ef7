import type { Operation } from '@portolan/contract/operation';
import { z } from 'zod';

/** JSON Schema, as far as it is walked here. */
interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly minimum?: number;
  readonly minItems?: number;
  readonly minLength?: number;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
}

/** A body, and which part of it is as large as it may be. */
export interface LargeBody {
  readonly where: string;
  readonly body: unknown;
}

interface Sizes {
  readonly characters: number;
  readonly entries: number;
}

const levelsMax = 5;
const samples: Readonly<Record<string, string>> = {
  uri: 'https://a.example',
  email: 'a@b.example',
  'date-time': '2026-01-01T00:00:00Z',
};

/**
 * Bodies of an operation that are sound but for one part, a text, list or object as long as given: for every such part that
 * its schema names down to a few levels.
 */
export function* largeBodies({ body }: Operation, sizes: Sizes): Generator<LargeBody> {
  if (!body) return;
  const schema = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any', cycles: 'ref' }) as Schema;
  const walk = createWalk(schema.$defs ?? {}, sizes);
  yield* walk(schema, (value) => value, '', 0);
}

type Put = (value: unknown) => unknown;

function createWalk(defs: Readonly<Record<string, Schema>>, { characters, entries }: Sizes) {
  const resolve = (schema: Schema): Schema | undefined =>
    schema.$ref === undefined ? schema : defs[schema.$ref.split('/').at(-1) ?? ''];

  function least(given: Schema | undefined, level = 0): unknown {
    const schema = given && resolve(given);
    if (!schema || level > 12) return 'x';
    if (schema.const !== undefined) return schema.const;
    if (schema.enum) return schema.enum[0];
    const [choice] = schema.anyOf ?? schema.oneOf ?? [];
    if (choice) return least(choice, level + 1);
    if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => least(part, level + 1)));
    switch (schemaType(schema)) {
      case 'object': {
        const { required = [], properties = {} } = schema;
        return Object.fromEntries(required.map((key) => [key, least(properties[key], level + 1)]));
      }
      case 'array':
        return Array.from({ length: schema.minItems ?? 0 }, () => least(schema.items, level + 1));
      case 'integer':
      case 'number':
        return schema.minimum ?? 1;
      case 'boolean':
        return true;
      case 'null':
        return null;
      default:
        return samples[schema.format ?? ''] ?? 'thing'.padEnd(schema.minLength ?? 0, 'x');
    }
  }

  function* walk(given: Schema, put: Put, where: string, level: number): Generator<LargeBody> {
    const schema = resolve(given);
    if (!schema || level > levelsMax || schema.const !== undefined || schema.enum) return;
    for (const choice of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) yield* walk(choice, put, where, level + 1);
    const { items, properties = {}, additionalProperties: others } = schema;
    switch (schemaType(schema)) {
      case 'string':
        yield { where: `text ${where}`, body: put('('.repeat(characters)) };
        break;
      case 'array': {
        const item = least(items);
        yield { where: `list ${where}`, body: put(Array.from({ length: entries }, (_, n) => numbered(item, n))) };
        if (items) yield* walk(items, (value) => put([value]), `${where}/0`, level + 1);
        break;
      }
      case 'object': {
        const base = least(schema) as object;
        const value = typeof others === 'object' ? least(others) : 1;
        const keys = Object.fromEntries(Array.from({ length: entries }, (_, n) => [`key${n}`, value]));
        yield { where: `object ${where}`, body: put({ ...base, ...keys }) };
        if (typeof others === 'object') {
          yield* walk(others, (inner) => put({ ...base, key: inner }), `${where}/*`, level + 1);
        }
        for (const [key, part] of Object.entries(properties)) {
          yield* walk(part, (inner) => put({ ...base, [key]: inner }), `${where}/${key}`, level + 1);
        }
      }
    }
  }
  return walk;
}

function schemaType({ type }: Schema): string | undefined {
  return typeof type === 'string' ? type : type?.[0];
}

/** Entries that differ, where they can. */
function numbered(item: unknown, n: number): unknown {
  if (typeof item === 'string') return `${item}${n}`;
  return typeof item === 'object' && item !== null && 'identifier' in item
    ? { ...item, identifier: `thing${n}` }
    : item;
}
