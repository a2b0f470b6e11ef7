import { z } from 'zod';
import { errorCodes } from './errors.ts';
import { errorsOf, type Operation } from './operation.ts';

type Json = Record<string, unknown>;

/** The OpenAPI 3.1 document of the operations, derived from their schemas and from nothing else. */
export function openApiDocument(operations: readonly Operation[], version: string): Json {
  const paths: Record<string, Json> = {};
  for (const declared of operations) {
    paths[declared.path] = { ...paths[declared.path], [declared.method.toLowerCase()]: describe(declared) };
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

function describe(declared: Operation): Json {
  return {
    operationId: declared.id,
    tags: [declared.tag],
    summary: declared.summary,
    ...(declared.description ? { description: declared.description } : {}),
    security: declared.access === 'public' ? [] : [{ [declared.access === 'operator' ? 'operator' : 'token']: [] }],
    ...parameters(declared),
    ...(declared.body
      ? {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: jsonSchema(declared.body, 'input') } },
          },
        }
      : {}),
    responses: responses(declared),
  };
}

function parameters(declared: Operation): Json {
  const list = [...parametersIn('path', declared.params), ...parametersIn('query', declared.query)];
  return list.length > 0 ? { parameters: list } : {};
}

function parametersIn(place: 'path' | 'query', schema: z.ZodType | undefined): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = jsonSchema(schema, 'input') as {
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

function responses(declared: Operation): Json {
  const answers: Record<string, Json> = {};
  const type = declared.answerType ?? 'application/json';
  answers[declared.status ?? 200] = {
    description: 'Success',
    content: { [type]: { schema: declared.answer ? jsonSchema(declared.answer, 'output') : { type: 'string' } } },
  };
  for (const code of errorsOf(declared)) {
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

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema: written }) => {
      const meta = z.globalRegistry.get(zodSchema);
      if (meta?.type) {
        for (const key of ['anyOf', 'allOf']) delete written[key as 'anyOf'];
      }
      delete written.id;
    },
  }) as Json;
  return rest;
}
