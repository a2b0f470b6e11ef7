import type { Operation } from '@portolan/contract/operation';
import { operations } from '@portolan/contract/operations';
import { z } from 'zod';
import type { Chance } from './chance.ts';
import { parameters, queries, values } from './dictionary.ts';
import { recipes, surfaces, type Wish } from './recipes.ts';

type Schema = Readonly<Record<string, unknown>>;

/**
 * What cannot be asked for here: streams without end; what a model answers, since the model is a port that tests replace (its
 * tools are asked for over MCP); the operator's own operations, whose token nobody else has; and what is not built.
 */
const leftOut: readonly string[] = [
  'followChanges',
  'streamConversation',
  'streamInvocation',
  'streamWorkflowRunEvents',
  'invokeAssistant',
  'invokeAgent',
  'invokeRouter',
  ...operations.filter(({ access }) => access === 'operator').map(({ id }) => id),
];

export const searched: readonly Operation[] = operations.filter(({ id }) => !leftOut.includes(id));
const writing = searched.filter(({ method }) => method !== 'GET');
/** What of the reading operations a deputy is worth sending to. */
const telling = searched.filter(({ id }) =>
  ['listApps', 'getAuditLog', 'listOrganizationTokens', 'listUsers'].includes(id),
);

/** A wish for this operation, with inputs made from its schemas and the dictionary. */
export function wishFor(operation: Operation, chance: Chance): Wish {
  const path = operation.path.replace(/\{(\w+)\}/g, (_all, name: string) =>
    chance.pick(parameters[name] ?? ['nothing']),
  );
  const query = operation.query ? chance.pick(queries) : '';
  const recipe = recipes[operation.id];
  const body = recipe ? recipe(chance, () => deputyWish(chance)) : operation.body && drawBody(operation, chance);
  return {
    operation: operation.id,
    method: operation.method,
    path: `${path}${query}`,
    ...(body === undefined ? {} : { body }),
  };
}

/** A wish beside the contract: a tool over MCP, or the word of an identity provider; one that the scopes let through. */
export function surfaceWish(chance: Chance, has: (scope: string) => boolean): Wish {
  const open = surfaces.filter(({ scopes }) => scopes.some(has));
  const { wish } = chance.pick(open.length > 0 ? open : surfaces);
  return wish(chance, () => deputyWish(chance));
}

/** What somebody may have a run do in their stead. */
function deputyWish(chance: Chance): Wish {
  const operation = chance.happens(0.3) ? chance.pick(telling) : chance.pick(writing);
  // an action that makes an action needs no third one inside it
  if (['createAction', 'replaceAction'].includes(operation.id)) return deputyWish(chance);
  return wishFor(operation, chance);
}

const schemas = new Map<string, Schema>();

function drawBody(operation: Operation, chance: Chance): unknown {
  let schema = schemas.get(operation.id);
  if (!schema) {
    schema = z.toJSONSchema(operation.body as z.ZodType, { io: 'input', unrepresentable: 'any' }) as Schema;
    schemas.set(operation.id, schema);
  }
  return generate(schema, schema, chance, 0);
}

const depthMax = 6;

function generate(root: Schema, schema: Schema, chance: Chance, depth: number): unknown {
  if (typeof schema['$ref'] === 'string') return generate(root, resolve(root, schema['$ref']), chance, depth + 1);
  if ('const' in schema) return schema['const'];
  if (Array.isArray(schema['enum'])) return chance.pick(schema['enum']);
  const choices = (schema['anyOf'] ?? schema['oneOf']) as Schema[] | undefined;
  if (choices) return generate(root, chance.pick(choices), chance, depth);
  const all = schema['allOf'] as Schema[] | undefined;
  if (all) return Object.assign({}, ...all.map((part) => generate(root, part, chance, depth)));
  switch (schema['type']) {
    case 'object':
      return generateObject(root, schema, chance, depth);
    case 'array':
      return depth > depthMax ? [] : [generate(root, (schema['items'] ?? {}) as Schema, chance, depth + 1)];
    case 'boolean':
      return chance.happens(0.5);
    case 'integer':
    case 'number':
      return Number(schema['minimum'] ?? 1);
    case 'null':
      return null;
    case 'string':
      return 'fresh';
    default:
      return {};
  }
}

function generateObject(root: Schema, schema: Schema, chance: Chance, depth: number): unknown {
  const required = (schema['required'] ?? []) as string[];
  const known = Object.entries((schema['properties'] ?? {}) as Record<string, Schema>);
  const chosen = known.filter(([key]) => {
    if (required.includes(key)) return true;
    return depth <= depthMax && chance.happens(values[key] ? 0.6 : 0.15);
  });
  return Object.fromEntries(
    chosen.map(([key, part]) => {
      const worthwhile = values[key];
      const isFixed = 'const' in part || 'enum' in part;
      const value =
        worthwhile && !isFixed && chance.happens(0.85)
          ? chance.pick(worthwhile)
          : generate(root, part, chance, depth + 1);
      return [key, value];
    }),
  );
}

function resolve(root: Schema, reference: string): Schema {
  return reference
    .replace(/^#\/?/, '')
    .split('/')
    .filter(Boolean)
    .reduce<Schema>((at, part) => (at[part] ?? {}) as Schema, root);
}
