import type { AutomationTrigger } from '@portolan/contract/actions';
import { isRecord } from '@portolan/contract/json-value';
import { JqBudgetError, type JqValue } from '@portolan/jq';
import type { EvaluationTime } from '../../platform/evaluation-time.ts';
import { evaluateExpression, type JqResult } from '../../platform/expressions.ts';

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
export function checkCondition(trigger: AutomationTrigger, event: unknown, time: EvaluationTime): CheckedCondition {
  const { combinator, asked, evaluate } = read(trigger, event, time);
  const expressions = asked.map((expression) => checked(expression, evaluate(expression)));
  const holds =
    expressions.length === 0 ||
    (combinator === 'and' ? expressions.every((each) => each.holds) : expressions.some((each) => each.holds));
  return { holds, combinator, expressions };
}

/** Undecided, with the reason as a sentence, if it depends on an expression that costs more than it may. */
export type Verdict = 'holds' | 'fails' | { readonly undecided: string };

/** Like `checkCondition`, and evaluates no more than it takes to decide. */
export function decideCondition(trigger: AutomationTrigger, event: unknown, time: EvaluationTime): Verdict {
  const { combinator, asked, evaluate } = read(trigger, event, time);
  let cutOff: JqBudgetError | undefined;
  for (const expression of asked) {
    const result = evaluate(expression);
    if ('error' in result && result.error instanceof JqBudgetError) cutOff ??= result.error;
    else if (isTrue(result) === (combinator === 'or')) return combinator === 'or' ? 'holds' : 'fails';
  }
  if (cutOff) {
    const reason = `the condition was not decided, because it costs too much (${cutOff.message})`;
    return { undecided: `Stopped: ${reason}; make it simpler` };
  }
  return combinator === 'or' && asked.length > 0 ? 'fails' : 'holds';
}

function read({ condition }: AutomationTrigger, event: unknown, time: EvaluationTime) {
  const root = rooted(event) as JqValue;
  return {
    combinator: condition?.combinator ?? ('and' as const),
    asked: condition?.expressions ?? [],
    evaluate: (expression: string) => evaluateExpression('condition of an automation', expression, root, time),
  };
}

function isTrue(result: JqResult): boolean {
  return 'value' in result && result.value === true;
}

function rooted(event: unknown): unknown {
  return isRecord(event) && !('event' in event) ? { ...event, event } : event;
}

function checked(expression: string, evaluated: JqResult): CheckedExpression {
  if ('error' in evaluated) return { expression, holds: false, error: evaluated.error.message };
  const { value } = evaluated;
  return { expression, holds: isTrue(evaluated), ...(value === undefined ? {} : { result: value }) };
}
