import { jqQuery, type UserInputs } from '@portolan/contract/action-inputs';
import type { Issue } from '@portolan/contract/errors';
import { isRecord } from '@portolan/contract/json-value';
import { type SearchQuery, searchQuery } from '@portolan/contract/search-query';
import type { Actor } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/errors.ts';
import type { EvaluationTime } from '../../../platform/evaluation-time.ts';
import { searchBlueprint } from '../../search/index.ts';
import type { ActionsDeps } from '../actions.deps.ts';
import { type FormContext, inputBlueprint, read, toIdentifiers } from './form.ts';

/** Checks that entities in inputs exist, are readable for the caller, and match the dataset. */
export async function checkEntityInputs(
  deps: Pick<ActionsDeps, 'catalog' | 'database' | 'clock'>,
  actor: Actor,
  { properties }: UserInputs,
  context: FormContext,
  values: Readonly<Record<string, unknown>>,
  time: EvaluationTime,
): Promise<Issue[]> {
  const issues: Issue[] = [];
  for (const [key, input] of Object.entries(properties)) {
    const blueprint = inputBlueprint(input);
    const wanted = [toIdentifiers(values[key])]
      .flat()
      .filter((name): name is string => typeof name === 'string' && name !== '');
    if (blueprint === undefined || wanted.length === 0) continue;
    const dataset = parseDataset(input.dataset, context, time);
    const missing = await namesNotIn(deps, actor, blueprint, [...new Set(wanted)], dataset);
    issues.push(
      ...missing.map((name) => ({
        path: `/properties/${key}`,
        message: `"${name}" is no entity of "${blueprint}" that can be chosen here`,
      })),
    );
  }
  return issues;
}

/** Names without a readable entity of the blueprint that matches the query. */
export async function namesNotIn(
  deps: Pick<ActionsDeps, 'catalog' | 'database' | 'clock'>,
  actor: Actor,
  blueprint: string,
  names: readonly string[],
  query: SearchQuery | undefined,
): Promise<string[]> {
  const named: SearchQuery = {
    combinator: 'and',
    rules: [{ property: '$identifier', operator: 'in', value: [...names] }, ...(query ? [query] : [])],
  };
  try {
    const page = await searchBlueprint(deps, actor, blueprint, { query: named, limit: names.length });
    const found = new Set(page.entities.map(({ identifier }) => identifier));
    return names.filter((name) => !found.has(name));
  } catch (error) {
    if (error instanceof AppError && (error.code === 'not_found' || error.code === 'invalid_request'))
      return [...names];
    throw error;
  }
}

/**
 * The dataset as a query with evaluated values. Flattens nested lists, because `[.user.team]` is a published form. A
 * dataset that cannot be parsed does not limit the choice.
 */
export function parseDataset(dataset: unknown, context: FormContext, time: EvaluationTime): SearchQuery | undefined {
  if (dataset === undefined || dataset === null) return undefined;
  const parsed = searchQuery.safeParse(evaluated(dataset, context, time));
  return parsed.success
    ? parsed.data
    : { combinator: 'or', rules: [{ property: '$identifier', operator: 'in', value: [] }] };
}

function evaluated(value: unknown, context: FormContext, time: EvaluationTime): unknown {
  const query = jqQuery.safeParse(value);
  if (query.success) {
    const result = read(query.data.jqQuery, context, time) ?? null;
    return Array.isArray(result) ? result.flat() : result;
  }
  if (Array.isArray(value)) return value.flatMap((each) => evaluated(each, context, time));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, evaluated(member, context, time)]));
}
