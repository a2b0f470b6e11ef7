import { z } from 'zod';

/** Schemas of values that grant access to whoever holds them. */
const secretSchemas = z.registry<object>();

/**
 * Marks a value as a secret: it may be written and answered where the contract says so, and is masked wherever else a
 * body or answer is stored or shown.
 */
export function secret<Schema extends z.ZodType>(schema: Schema): Schema {
  secretSchemas.add(schema, {});
  return schema;
}

/** What zod keeps of a schema, by its type. */
type Definition = Readonly<Record<string, unknown>> & { readonly type: string };

function zodDefinition(schema: z.ZodType): Definition {
  return schema._zod.def as unknown as Definition;
}

export interface Field {
  readonly schema: z.ZodType;
  /** Member names; `*` stands for list items and record values. */
  readonly path: readonly string[];
  readonly isSecret: boolean;
}

/** Every named or composite place of a schema, once. */
export function listFields(schema: z.ZodType | undefined): Field[] {
  const fields: Field[] = [];
  const seen = new Set<z.ZodType>();
  const visit = (each: z.ZodType, path: readonly string[], isInside: boolean): void => {
    const isSecret = isInside || secretSchemas.has(each);
    fields.push({ schema: each, path, isSecret });
    // a recursive schema ends here
    if (seen.has(each)) return;
    seen.add(each);
    for (const [name, inner] of innerSchemas(each)) visit(inner, name === '' ? path : [...path, name], isSecret);
    seen.delete(each);
  };
  if (schema) visit(schema, [], false);
  return fields;
}

function innerSchemas(schema: z.ZodType): [string, z.ZodType][] {
  const definition = zodDefinition(schema);
  const all = (name: string, list: unknown): [string, z.ZodType][] => (list as z.ZodType[]).map((each) => [name, each]);
  switch (definition.type) {
    case 'object': {
      const rest = definition['catchall'] as z.ZodType | undefined;
      return [...Object.entries(definition['shape'] as Record<string, z.ZodType>), ...(rest ? all('*', [rest]) : [])];
    }
    case 'array':
      return all('*', [definition['element']]);
    case 'tuple':
      return all('*', definition['items']);
    case 'record':
      return all('*', [definition['valueType']]);
    case 'union':
      return all('', definition['options']);
    case 'intersection':
      return all('', [definition['left'], definition['right']]);
    case 'pipe':
      return all('', [definition['in'], definition['out']]);
    case 'lazy':
      return all('', [(definition['getter'] as () => z.ZodType)()]);
    default:
      return definition['innerType'] ? all('', [definition['innerType']]) : [];
  }
}

const pathsOf = new WeakMap<z.ZodType, readonly (readonly string[])[]>();

/** Paths of secrets in values of the schema. */
export function secretPaths(schema: z.ZodType | undefined): readonly (readonly string[])[] {
  if (!schema) return [];
  let paths = pathsOf.get(schema);
  if (!paths) {
    const found = listFields(schema).filter(({ isSecret }) => isSecret);
    paths = [...new Map(found.map(({ path }) => [path.join('/'), path])).values()];
    pathsOf.set(schema, paths);
  }
  return paths;
}

/** A copy of a JSON value with the values at each path replaced; missing paths are skipped. */
export function replaceAt(
  value: unknown,
  paths: readonly (readonly string[])[],
  replace: (value: unknown, at: readonly string[]) => unknown,
): unknown {
  return paths.reduce((changed, path) => replaceOne(changed, path, replace, []), value);
}

function replaceOne(
  value: unknown,
  [name, ...rest]: readonly string[],
  replace: (value: unknown, at: readonly string[]) => unknown,
  at: readonly string[],
): unknown {
  if (name === undefined) return value === null || value === undefined ? value : replace(value, at);
  if (typeof value !== 'object' || value === null) return value;
  const change = (key: string, inner: unknown): unknown => replaceOne(inner, rest, replace, [...at, key]);
  if (Array.isArray(value)) return name === '*' ? value.map((item, index) => change(String(index), item)) : value;
  const entries = Object.entries(value);
  return Object.fromEntries(
    entries.map(([key, inner]) => [key, name === '*' || name === key ? change(key, inner) : inner]),
  );
}
