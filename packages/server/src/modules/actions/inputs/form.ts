import type { ActionInput } from '@portolan/contract/action-inputs';
import type { JqValue } from '@portolan/jq';
import { invalidRequest } from '../../../platform/errors.ts';
import type { EvaluationTime } from '../../../platform/evaluation-time.ts';
import { evaluateExpression } from '../../../platform/expressions.ts';

export type Values = Readonly<Record<string, unknown>>;

/** Root values of form expressions: `.form`, `.entity`, `.user`. */
export interface FormContext {
  readonly form: Values;
  readonly entity: Values | undefined;
  readonly user: Values;
}

export function inputBlueprint(input: ActionInput): string | undefined {
  const holder = input.type === 'array' ? (input.items ?? {}) : input;
  if ((holder as { format?: unknown }).format !== 'entity') return undefined;
  const named = (holder as { blueprint?: unknown }).blueprint ?? input.blueprint;
  return typeof named === 'string' ? named : undefined;
}

/** Reduces objects with an identifier to that identifier; other values stay. */
export function toIdentifiers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toIdentifiers);
  const named = (value as { identifier?: unknown } | null)?.identifier;
  return typeof value === 'object' && typeof named === 'string' ? named : value;
}

/**
 * The value of a form expression; undefined if evaluation fails.
 * @throws AppError `invalid_request` when the expressions of this form have taken longer than they may, because one
 * that is skipped would let in what it refuses
 */
export function read(expression: string, context: FormContext, time: EvaluationTime): unknown {
  if (time.leftMs() <= 0) {
    const message = `The expressions of this form take longer than ${time.totalMs} ms together; whoever made it can simplify them`;
    throw invalidRequest([{ path: '/properties', message }]);
  }
  const result = evaluateExpression('form', expression, context as unknown as JqValue, time);
  return 'value' in result ? result.value : undefined;
}
