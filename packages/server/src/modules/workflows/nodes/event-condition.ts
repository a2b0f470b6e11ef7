import { isRecord } from '@portolan/contract/json-value';
import { checkCondition } from '../../automations/index.ts';

/** Whether the condition of a trigger, or of a step that waits for an event, holds; without one it does. */
export function holds(condition: unknown, event: unknown, now: Date): boolean {
  if (!isRecord(condition)) return true;
  const expressions = Array.isArray(condition['expressions']) ? condition['expressions'].map(String) : [];
  const combinator = condition['combinator'] === 'or' ? 'or' : 'and';
  return checkCondition({ condition: { type: 'JQ', expressions, combinator } } as never, event, now).holds;
}
