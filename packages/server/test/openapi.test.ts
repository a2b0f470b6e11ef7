import { openApiDocument } from '@portolan/contract/openapi';
import { operations } from '@portolan/contract/operations';
import { describe, expect, test } from 'vitest';

type Json = Record<string, unknown>;
const document = openApiDocument(operations, '1.2.3') as Json;
const paths = document['paths'] as Record<string, Record<string, Json>>;
const described = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

/** Every object of the document with the pointer that leads to it. */
function* walkObjects(value: unknown, at = '#'): Generator<{ at: string; object: Json }> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield { at, object: value as Json };
  for (const [key, inner] of Object.entries(value)) {
    yield* walkObjects(inner, `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  }
}

test('is OpenAPI 3.1 with title, version and licence', () => {
  expect(document['openapi']).toBe('3.1.0');
  expect(document['info']).toMatchObject({
    title: 'Portolan API',
    version: '1.2.3',
    license: { identifier: 'Apache-2.0' },
  });
});

test('describes every operation once, under an id of its own', () => {
  expect(described.map(({ operation }) => operation['operationId']).sort()).toEqual(
    operations.map(({ id }) => id).sort(),
  );
  expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length);
  const places = operations.map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`);
  expect(new Set(places).size).toBe(places.length);
});

describe('every operation', () => {
  test.each(described.map((each) => [`${each.method} ${each.path}`, each] as const))(
    '%s',
    (_name, { path, operation }) => {
      const parameters = (operation['parameters'] ?? []) as {
        name: string;
        in: string;
        required: boolean;
        schema: Json;
      }[];
      const inPath = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
      expect(inPath.sort()).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort());
      for (const parameter of parameters) {
        expect(parameter.schema, parameter.name).toBeTypeOf('object');
        if (parameter.in === 'path') expect(parameter.required).toBe(true);
      }
      const responses = operation['responses'] as Record<string, { description: string; content: Json }>;
      const successes = Object.keys(responses).filter((status) => /^[23]/.test(status));
      expect(successes.length).toBeGreaterThan(0);
      for (const [status, response] of Object.entries(responses)) {
        expect(status).toMatch(/^[2-5]\d\d$/);
        expect(response.description).not.toBe('');
      }
      expect(operation['summary']).toMatch(/^[A-Z].*[^.]$/);
      expect((document['tags'] as Json[]).map(({ name }) => name)).toContain((operation['tags'] as string[])[0]);
    },
  );
});

test('every reference leads somewhere inside the document', () => {
  const all = [...walkObjects(document)];
  const known = new Set(all.map(({ at }) => at));
  const references = all.flatMap(({ at, object }) =>
    typeof object['$ref'] === 'string' ? [{ at, to: object['$ref'] }] : [],
  );
  expect(references.filter(({ to }) => !known.has(to))).toEqual([]);
});

test('every schema is one that a reader of JSON Schema understands', () => {
  const types = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);
  for (const { at, object } of walkObjects(document)) {
    if (!/\/(schema|properties\/[^/]+|items)$/.test(at) || at.includes('/default')) continue;
    for (const type of [object['type'] ?? []].flat()) {
      if (typeof type === 'string') expect(types, at).toContain(type);
    }
    if (Array.isArray(object['required']) && object['properties']) {
      for (const name of object['required']) expect(Object.keys(object['properties']), at).toContain(name);
    }
  }
  expect(JSON.parse(JSON.stringify(document))).toEqual(document);
});
