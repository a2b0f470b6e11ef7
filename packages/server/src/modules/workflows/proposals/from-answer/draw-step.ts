import { isRecord } from '@portolan/contract/json-value';
import type { DrawnCall, FilledForm } from './drawn-call.ts';
import type { FormInputs } from './form-inputs.ts';

type Values = Readonly<Record<string, unknown>>;

/** A step that does what a call did; `asks` is what it does not do. */
export interface DrawnStep {
  readonly name: string;
  readonly title: string;
  readonly config: Values & { readonly type: string };
  readonly asks: readonly string[];
}

const fetchedMax = 1_000;

/** The step for a call; undefined if there is none. */
export function drawStep(call: DrawnCall, form: FormInputs): DrawnStep | undefined {
  switch (call.kind) {
    case 'none':
      return undefined;
    case 'action': {
      const { action, title, blueprint, entity } = call;
      const target =
        entity === undefined || entity === null || blueprint === undefined
          ? {}
          : { entityIdentifier: askEntity(form, blueprint, entity) };
      const { filled, asks } = fill(call, form);
      return {
        name: action,
        title,
        config: { type: 'RUN_ACTION', actionIdentifier: action, ...target, properties: filled },
        asks,
      };
    }
    case 'workflow': {
      const { workflow, node, title } = call;
      const { filled, asks } = fill(call, form);
      const config = { type: 'RUN_WORKFLOW', workflowIdentifier: workflow, nodeIdentifier: node, inputs: filled };
      return { name: workflow, title, config, asks };
    }
    case 'tool':
      return drawTool(call.name, call.given, form);
  }
}

/** Encrypted inputs were not in the call, or are masks there. */
function fill({ title, inputs, values }: FilledForm, form: FormInputs) {
  const asks: string[] = [];
  const filled: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(values)) {
    const input = Object.hasOwn(inputs, key) ? inputs[key] : undefined;
    if (!input || key.includes('{{')) asks.push(`“${title}” has no input of the name “${key}” any more`);
    else if (input.encryption) asks.push(`What is the value of “${input.title || key}” of “${title}”? It is encrypted`);
    else filled[key] = form.ask(key, value, input);
  }
  return { filled, asks };
}

function askEntity(form: FormInputs, blueprint: string, identifier: unknown): string {
  return form.ask(blueprint, identifier, { type: 'string', format: 'entity', blueprint });
}

function drawTool(name: string, given: Values, form: FormInputs): DrawnStep | undefined {
  const { blueprint } = given;
  // a name with a template in it would be worked out by the step
  if (typeof blueprint !== 'string' || blueprint.includes('{{')) return undefined;
  const fetch = (config: Values, asks: readonly string[] = []): DrawnStep => ({
    name: `read_${blueprint}`,
    title: `Read ${blueprint}`,
    config: { type: 'FETCH', blueprintIdentifier: blueprint, ...config },
    asks,
  });
  switch (name) {
    case 'get_entity':
      if (given['asOf'] !== undefined) return undefined;
      return fetch({ query: isEntity('=', askEntity(form, blueprint, given['identifier'])), single: true });
    case 'get_entities_by_identifiers':
      return fetch({ query: isEntity('in', form.ask(`${blueprint}_identifiers`, given['identifiers'])) });
    case 'list_entities':
    case 'get_entities':
    case 'search_entities':
      return drawSearch(given, fetch, form);
    case 'count_entities':
      return drawSearch({ ...given, limit: fetchedMax }, fetch, form, [
        `The step reads ${blueprint} and counts up to ${fetchedMax.toLocaleString('en')}. Is that enough?`,
      ]);
    case 'upsert_entity':
    case 'create_entity':
    case 'update_entity':
      return drawWrite(blueprint, given, form);
    case 'delete_entity':
      return {
        name: `delete_${blueprint}`,
        title: `Delete a ${blueprint}`,
        config: {
          type: 'DELETE_ENTITY',
          blueprintIdentifier: blueprint,
          identifier: askEntity(form, blueprint, given['identifier']),
          ...(given['deleteDependents'] === true ? { dependents: true } : {}),
        },
        asks: [],
      };
    default:
      return undefined;
  }
}

const isEntity = (operator: string, value: string) => ({
  combinator: 'and',
  rules: [{ property: '$identifier', operator, value }],
});

/**
 * Conditions stay as they were asked; one with a template in it would be another condition. What a model was shown of
 * the entities, to save words, is not what later steps need: they get all.
 */
function drawSearch(
  { query, text, limit, sort, cursor, blueprint }: Values,
  fetch: (config: Values, asks?: readonly string[]) => DrawnStep,
  form: FormInputs,
  asks: readonly string[] = [],
): DrawnStep | undefined {
  if (JSON.stringify(query)?.includes('{{')) return undefined;
  const contains = (property: string, value: string) => ({ property, operator: 'contains', value });
  const sought = typeof text === 'string' ? form.ask('text', text) : undefined;
  const named = sought && {
    combinator: 'or',
    rules: [contains('$title', sought), contains('$identifier', sought)],
  };
  const asked = isRecord(query) ? query : undefined;
  const whole = named && asked ? { combinator: 'and', rules: [asked, named] } : (named ?? asked);
  const left = [...(sort === undefined ? [] : ['order']), ...(cursor === undefined ? [] : ['later pages'])];
  const about = left.map(
    (what) => `A step that reads has no ${what}, as reading ${String(blueprint)} had. Is that needed?`,
  );
  return fetch(
    {
      ...(whole ? { query: whole } : {}),
      ...(typeof limit === 'number' ? { limit: Math.min(limit, fetchedMax) } : {}),
    },
    [...asks, ...about],
  );
}

function drawWrite(blueprint: string, { entity, replace }: Values, form: FormInputs): DrawnStep | undefined {
  if (!isRecord(entity)) return undefined;
  const { identifier, title, team, properties, relations, ...others } = entity;
  const asks = [
    ...(replace === true ? [`The step merges; the answer replaced the whole ${blueprint}. Is that needed?`] : []),
    ...Object.keys(others).map((key) => `The answer set “${key}” of the ${blueprint}, which the step leaves out`),
  ];
  const filled = (values: unknown): Record<string, string> | undefined => {
    if (!isRecord(values)) return undefined;
    const plain = Object.entries(values).filter(([key]) => !key.includes('{{'));
    return Object.fromEntries(plain.map(([key, value]) => [key, form.ask(key, value)]));
  };
  const own = (name: string, value: unknown) =>
    value === undefined || value === null ? undefined : form.ask(name, value);
  const mapping = {
    identifier: own('identifier', identifier),
    title: own('title', title),
    team: own('team', team),
    properties: filled(properties),
    relations: filled(relations),
  };
  return {
    name: `write_${blueprint}`,
    title: `Write a ${blueprint}`,
    config: {
      type: 'UPSERT_ENTITY',
      blueprintIdentifier: blueprint,
      mapping: Object.fromEntries(Object.entries(mapping).filter(([, value]) => value !== undefined)),
    },
    asks,
  };
}
