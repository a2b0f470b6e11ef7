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
  const { combinator, asked } = read(trigger);
  const results = [...evaluateEach(asked, event, time)];
  const expressions = results.map((result, index) => checked(asked[index] as string, result));
  return { holds: join(combinator, results) === 'holds', combinator, expressions };
}

/** Undecided, with the reason as a sentence, if it depends on an expression that costs more than it may. */
export type Verdict = 'holds' | 'fails' | { readonly undecided: string };

/** Like `checkCondition`, and evaluates no more than it takes to decide. */
export function decideCondition(trigger: AutomationTrigger, event: unknown, time: EvaluationTime): Verdict {
  const { combinator, asked } = read(trigger);
  return join(combinator, evaluateEach(asked, event, time));
}

/** What the results decide together; takes no more of them than that needs. */
function join(combinator: 'and' | 'or', results: Iterable<JqResult>): Verdict {
  let isEmpty = true;
  let cutOff: JqBudgetError | undefined;
  for (const result of results) {
    isEmpty = false;
    if ('error' in result && result.error instanceof JqBudgetError) cutOff ??= result.error;
    else if (isTrue(result) === (combinator === 'or')) return combinator === 'or' ? 'holds' : 'fails';
  }
  if (cutOff) {
    const reason = `the condition was not decided, because it costs too much (${cutOff.message})`;
    return { undecided: `Stopped: ${reason}; make it simpler` };
  }
  return combinator === 'or' && !isEmpty ? 'fails' : 'holds';
}

function read({ condition }: AutomationTrigger) {
  return { combinator: condition?.combinator ?? ('and' as const), asked: condition?.expressions ?? [] };
}

function* evaluateEach(asked: readonly string[], event: unknown, time: EvaluationTime): Generator<JqResult> {
  const root = rooted(event) as JqValue;
  for (const expression of asked) yield evaluateExpression('condition of an automation', expression, root, time);
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
