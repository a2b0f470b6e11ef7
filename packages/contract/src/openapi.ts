import { z } from 'zod';
import { errorCodes } from './errors.ts';
import { isRecord } from './json-value.ts';
import { type Operation, possibleErrors } from './operation.ts';

type Json = Record<string, unknown>;

/** The OpenAPI 3.1 document of the operations, derived from their schemas and from nothing else. */
export function openApiDocument(operations: readonly Operation[], version: string): Json {
  const paths: Record<string, Json> = {};
  const schemas = createSchemas();
  for (const declared of operations) {
    const described = describe(declared, schemas);
    paths[declared.path] = { ...paths[declared.path], [declared.method.toLowerCase()]: described };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Portolan API',
      version,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      description:
        'The API of a self-hosted Portolan. The AI assistant is in open beta and not recommended for production-critical workflows at first.',
    },
    servers: [{ url: '/' }],
    tags: [...new Set(operations.map((declared) => declared.tag))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        operator: { type: 'http', scheme: 'bearer', description: 'The operator token of the installation' },
      },
      schemas: {
        ...schemas.shared,
        Error: {
          type: 'object',
          required: ['ok', 'error', 'message'],
          properties: {
            ok: { const: false },
            error: { type: 'string', enum: Object.keys(errorCodes) },
            message: { type: 'string' },
            details: { type: ['array', 'object'] },
          },
        },
      },
    },
  };
}

const anyJson = { 'application/json': { schema: {} }, 'application/x-www-form-urlencoded': { schema: {} } };

function describe(declared: Operation, schemas: Schemas): Json {
  return {
    operationId: declared.id,
    tags: [declared.tag],
    summary: declared.summary,
    ...(declared.description ? { description: declared.description } : {}),
    ...(declared.deprecated ? { deprecated: true } : {}),
    ...(declared.isReadOnly ? { 'x-read-only': true } : {}),
    security: declared.access === 'public' ? [] : [{ [declared.access === 'operator' ? 'operator' : 'token']: [] }],
    ...parameters(declared, schemas),
    ...(declared.body
      ? {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: schemas.write(declared.body, 'input', `${declared.id}Body`) } },
          },
        }
      : {}),
    ...(declared.rawBodyBytesMax === undefined ? {} : { requestBody: { required: true, content: anyJson } }),
    responses: responses(declared, schemas),
  };
}

function parameters({ id, params, query }: Operation, schemas: Schemas): Json {
  const list = [...parametersIn('path', params, schemas, id), ...parametersIn('query', query, schemas, id)];
  return list.length > 0 ? { parameters: list } : {};
}

function parametersIn(place: 'path' | 'query', schema: z.ZodType | undefined, schemas: Schemas, id: string): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = schemas.write(schema, 'input', id) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
  }));
}

function responses(declared: Operation, schemas: Schemas): Json {
  const answers: Record<string, Json> = {};
  const type = declared.answerType ?? 'application/json';
  answers[declared.status ?? 200] = {
    description: 'Success',
    content: {
      [type]: {
        schema: declared.answer ? schemas.write(declared.answer, 'output', `${declared.id}Answer`) : { type: 'string' },
      },
    },
  };
  for (const code of possibleErrors(declared)) {
    const status = code === 'invalid_request' ? (declared.invalidStatus ?? 422) : errorCodes[code].status;
    const line = `\`${code}\`: ${errorCodes[code].title}`;
    const known = answers[status] as { description: string } | undefined;
    answers[status] = {
      description: known ? `${known.description}; ${line}` : line,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    };
  }
  return answers;
}

interface Schemas {
  /** What is referred to from several places, by name. */
  readonly shared: Record<string, Json>;
  /** A schema as OpenAPI 3.1 writes it; `owner` names definitions that have no name of their own. */
  write(schema: z.ZodType, io: 'input' | 'output', owner: string): Json;
}

const componentPrefix = '#/components/schemas/';

/** References of a JSON Schema lead to its own root; in OpenAPI they lead to the document's, so definitions move there. */
function createSchemas(): Schemas {
  const shared: Record<string, Json> = {};
  return {
    shared,
    write(schema, io, owner) {
      const { $schema: _dialect, $defs = {}, ...rest } = jsonSchema(schema, io);
      const definitions = $defs as Record<string, Json>;
      const names = new Map(Object.keys(definitions).map((name) => [name, freeName(name, definitions, io, owner)]));
      const moved = (part: unknown): unknown => {
        if (Array.isArray(part)) return part.map(moved);
        if (!isRecord(part)) return part;
        return Object.fromEntries(
          Object.entries(part).map(([key, value]) =>
            key === '$ref' && typeof value === 'string' && value.startsWith('#/$defs/')
              ? [key, componentPrefix + names.get(value.replace('#/$defs/', ''))]
              : [key, moved(value)],
          ),
        );
      };
      for (const [name, definition] of Object.entries(definitions)) {
        shared[names.get(name) as string] = moved(definition) as Json;
      }
      return moved(rest) as Json;
    },
  };

  function freeName(name: string, definitions: Record<string, Json>, io: string, owner: string): string {
    if (name.startsWith('__')) return `${owner}${name.slice(2)}`;
    const isSame = !shared[name] || JSON.stringify(shared[name]) === JSON.stringify(definitions[name]);
    return isSame ? name : `${name}${io === 'input' ? 'Input' : 'Output'}`;
  }
}

/** Descriptions that a schema carries (`meta`) win over what its parser looks like. */
function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  return z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema: written }) => {
      const meta = z.globalRegistry.get(zodSchema);
      if (meta?.type) {
        delete written.anyOf;
        delete written.allOf;
        if ('default' in meta) written.default = meta['default'] as boolean;
      }
      delete written.id;
    },
  }) as Json;
}
