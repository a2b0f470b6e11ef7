import type { ActionPolicy } from '@portolan/contract/action-policy';
import { affects, JqError, type JqValue, replaceSingleQuotes } from '@portolan/jq';
import type { Actor } from '../../platform/actor.ts';
import { DatabaseError } from '../../platform/db/database-error.ts';
import { AppError } from '../../platform/errors.ts';
import { type EvaluationTime, shareTime } from '../../platform/evaluation-time.ts';
import { firstOutput } from '../../platform/expressions.ts';
import type { ReadDeps } from '../entities/index.ts';
import type { ReadEntity } from '../entity-rows/index.ts';
import { type FindEntities, policySearch, shownToPolicies } from './policy-entities.ts';
import { policyUser } from './policy-user.ts';
import { renderQuery, UnaskedQuery } from './render-query.ts';

/** For all expressions of one policy. */
const togetherMs = 500;

/** `entity` is set for actions on one, in the shape that expressions read results. */
export interface PolicyContext {
  readonly blueprint: JqValue;
  readonly action: JqValue;
  readonly inputs: JqValue;
  readonly entity?: ReadEntity;
  readonly trigger: JqValue;
}

export interface QueryOutcome {
  readonly name: string;
  readonly count: number;
  /** True if there were more entities than the limit. */
  readonly isCut: boolean;
  /** Why the query was ignored; absent if it ran. */
  readonly failure?: string;
}

export interface ConditionOutcome {
  readonly condition: string;
  /** `true` or addresses; false or none for an unmet condition. */
  readonly answer: boolean | readonly string[];
  readonly failure?: string;
}

export interface PolicyOutcome {
  /** For `execute`: whether any condition said `true`. For `approve`: whether the caller is among the approvers. */
  readonly isGranted: boolean;
  /** For `approve`: the addresses that any condition answered, each once. */
  readonly approvers: readonly string[];
  readonly queries: readonly QueryOutcome[];
  readonly conditions: readonly ConditionOutcome[];
}

/**
 * Evaluates an action's dynamic policy (users-and-teams §5.3). Queries read the whole organization with the platform's
 * rights; conditions are alternatives. A condition that uses a failed query is not met, and a condition that fails or
 * returns anything but `true` or a list of addresses grants nothing.
 */
export async function evaluateActionPolicy(
  deps: ReadDeps,
  actor: Actor,
  operation: 'execute' | 'approve',
  policy: ActionPolicy,
  { entity, ...about }: PolicyContext,
): Promise<PolicyOutcome> {
  const time = shareTime(deps.clock.now(), togetherMs);
  const [shown] = entity ? await shownToPolicies(deps, actor, [entity]) : [];
  const user = await policyUser(deps, actor);
  const context: Record<string, JqValue> = { ...about, user, ...(shown === undefined ? {} : { entity: shown }) };
  const find = await policySearch(deps, actor);
  const queries: QueryOutcome[] = [];
  const found: [string, JqValue][] = [];
  for (const [name, query] of Object.entries(policy.queries)) {
    const asked = await ask(() => renderQuery(query, context, time), find);
    if ('failure' in asked) queries.push({ name, count: 0, isCut: false, failure: asked.failure });
    else {
      queries.push({ name, count: asked.entities.length, isCut: asked.isCut });
      found.push([name, { entities: [...asked.entities] }]);
    }
  }
  const results = Object.fromEntries(found);
  const failed = queries.filter(({ failure }) => failure !== undefined).map(({ name }) => name);
  const conditions = policy.conditions.map((condition) =>
    decidePolicy(condition, operation, { ...context, results }, failed, time),
  );
  const approvers = [...new Set(conditions.flatMap(({ answer }) => (typeof answer === 'boolean' ? [] : answer)))];
  const isApprover = actor.userId !== undefined && approvers.includes(actor.userId);
  const isGranted = operation === 'approve' ? isApprover : conditions.some(({ answer }) => answer === true);
  return { isGranted, approvers, queries, conditions };
}

async function ask(render: () => Parameters<FindEntities>[0], find: FindEntities) {
  try {
    return await find(render());
  } catch (error) {
    if (error instanceof UnaskedQuery || error instanceof AppError) return { failure: error.message };
    // statement timeout, or too large
    const isGivenUp = error instanceof DatabaseError && (error.code === '57014' || error.code.startsWith('54'));
    if (isGivenUp) return { failure: 'the search was too large' };
    throw error;
  }
}

function decidePolicy(
  condition: string,
  operation: 'execute' | 'approve',
  context: JqValue,
  failed: readonly string[],
  time: EvaluationTime,
): ConditionOutcome {
  const nothing = operation === 'execute' ? false : [];
  try {
    const missing = failed.find((name) => affects(replaceSingleQuotes(condition), ['results', name]));
    // a missing result would read as empty, and a condition may grant on empty
    if (missing !== undefined)
      return { condition, answer: nothing, failure: `looks at the query "${missing}", which failed` };
    const value = firstOutput('policy', condition, context, time);
    if (operation === 'execute') {
      return typeof value === 'boolean'
        ? { condition, answer: value }
        : { condition, answer: false, failure: 'did not answer true or false' };
    }
    const isList = Array.isArray(value) && value.every((each) => typeof each === 'string');
    return isList
      ? { condition, answer: value as string[] }
      : { condition, answer: [], failure: 'did not answer a list of addresses' };
  } catch (error) {
    if (error instanceof JqError) return { condition, answer: nothing, failure: error.message };
    throw error;
  }
}
