import { isRecord } from '@portolan/contract/json-value';
import type { EvaluationTime } from '../../../platform/evaluation-time.ts';
import { timeOfOne } from '../../../platform/expressions.ts';
import { decideCondition, type Verdict } from '../../automations/index.ts';

/** The condition of a trigger, or of a step that waits for an event; without one it holds. */
export function decideOn(condition: unknown, event: unknown, time: EvaluationTime): Verdict {
  if (!isRecord(condition)) return 'holds';
  const expressions = Array.isArray(condition['expressions']) ? condition['expressions'].map(String) : [];
  const combinator = condition['combinator'] === 'or' ? 'or' : 'and';
  return decideCondition({ condition: { type: 'JQ', expressions, combinator } } as never, event, time);
}

/** Whether it holds for certain, where this condition alone is asked. */
export function holds(condition: unknown, event: unknown, now: Date): boolean {
  return decideOn(condition, event, timeOfOne('condition of an automation', now)) === 'holds';
}
