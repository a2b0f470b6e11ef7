import type { ActionBody, SelfServiceTrigger } from '@portolan/contract/actions';
import type { Issue } from '@portolan/contract/errors';
import { searchQuery } from '@portolan/contract/search-query';
import { checkStoredJq } from '../../platform/check-stored-jq.ts';
import { toIssues } from '../../platform/http/issues.ts';
import { impossibleRoots } from './event-roots.ts';
import { checkForm, listFormJq, warnOfKeys } from './inputs/check-form.ts';

/**
 * All problems that make an action unusable, with their paths. A condition that is stored with a problem is accepted
 * again: it never holds, and the rest of the action can be changed.
 */
export function checkAction({ trigger }: Pick<ActionBody, 'trigger'>, before?: Pick<ActionBody, 'trigger'>): Issue[] {
  if (trigger.type === 'self-service') return [...checkForm(trigger.userInputs, formPath), ...checkCondition(trigger)];
  const kept = new Set(before ? listConditionExpressions(before) : []);
  return listConditionExpressions({ trigger }).flatMap((expression, at) =>
    kept.has(expression)
      ? []
      : impossibleRoots(expression)
          .filter(({ root }) => root !== published)
          .map(({ message }) => ({ path: `${conditionPath}/${at}`, message })),
  );
}

const formPath = '/trigger/userInputs';
const conditionPath = '/trigger/condition/expressions';
/** Tests of a published client store a condition that reads this, so it only causes a warning (decision 0076). */
const published = 'properties';

function listConditionExpressions({ trigger }: Pick<ActionBody, 'trigger'>): readonly string[] {
  return trigger.type === 'automation' ? (trigger.condition?.expressions ?? []) : [];
}

/** A condition is evaluated on an entity, so it needs a blueprint (api contract §3.5.2). */
function checkCondition(trigger: SelfServiceTrigger): Issue[] {
  if (trigger.operation === 'CREATE' || !trigger.condition) return [];
  const path = '/trigger/condition';
  if (!trigger.blueprintIdentifier) return [{ path, message: 'needs a "blueprintIdentifier" beside it' }];
  const { combinator, rules } = trigger.condition;
  const parsed = searchQuery.safeParse({ combinator, rules });
  return parsed.success
    ? []
    : toIssues(parsed.error, { combinator, rules }).map((issue) => ({ ...issue, path: `${path}${issue.path}` }));
}

/**
 * Expressions and templates that cannot be parsed and will fail at the run. These are warnings, because clients write
 * templates that only their own backend understands.
 */
export function warnOfAction({ trigger, invocationMethod }: ActionBody): string[] {
  const backend = { use: 'backend', path: '/invocationMethod', template: invocationMethod } as const;
  if (trigger.type === 'automation') {
    const conditions = listConditionExpressions({ trigger }).map((expression, at) => ({
      use: 'condition of an automation' as const,
      path: `${conditionPath}/${at}`,
      expression,
    }));
    const neverHold = conditions.flatMap(({ path, expression }) =>
      impossibleRoots(expression).map(({ message }) => `${path} never holds: it ${message}`),
    );
    return [...neverHold, ...checkStoredJq([...conditions, backend]).warnings];
  }
  const form = listFormJq(trigger.userInputs, formPath);
  return [...warnOfKeys(trigger.userInputs, formPath), ...checkStoredJq([...form, backend]).warnings];
}
