import type { AutomationTrigger } from '@portolan/contract/actions';
import { isRecord } from '@portolan/contract/json-value';
import type { JqValue } from '@portolan/jq';
import { evaluateExpression, type JqResult, timeOfOne } from '../../platform/expressions.ts';

/** Result of one condition expression. Anything but `true`, including an error, is false. */
export interface CheckedExpression {
  readonly expression: string;
  readonly holds: boolean;
  readonly result?: unknown;
  readonly error?: string;
}

export interface CheckedCondition {
  readonly holds: boolean;
  readonly combinator: 'and' | 'or';
  readonly expressions: readonly CheckedExpression[];
}

/**
 * Evaluates an automation's condition on an event; without expressions it holds (catalog semantics §5.2). The event is
 * the root value and also available as `.event`, as in templates.
 */
export function checkCondition(trigger: AutomationTrigger, event: unknown, now: Date): CheckedCondition {
  const combinator = trigger.condition?.combinator ?? 'and';
  const asked = trigger.condition?.expressions ?? [];
  const [root, time] = [rooted(event) as JqValue, timeOfOne('condition of an automation', now)];
  const results = asked.map((each) => evaluateExpression('condition of an automation', each, root, time));
  const expressions = results.map((result, index) => checked(asked[index] as string, result));
  const holds =
    expressions.length === 0 ||
    (combinator === 'and' ? expressions.every((each) => each.holds) : expressions.some((each) => each.holds));
  return { holds, combinator, expressions };
}

function rooted(event: unknown): unknown {
  return isRecord(event) && !('event' in event) ? { ...event, event } : event;
}

function checked(expression: string, evaluated: JqResult): CheckedExpression {
  if ('error' in evaluated) return { expression, holds: false, error: evaluated.error.message };
  const { value } = evaluated;
  return { expression, holds: value === true, ...(value === undefined ? {} : { result: value }) };
}
