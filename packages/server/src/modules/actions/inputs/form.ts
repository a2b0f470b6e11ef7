import type { ActionInput } from '@portolan/contract/action-inputs';
import type { JqValue } from '@portolan/jq';
import { invalidRequest } from '../../../platform/errors.ts';
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

/** What all expressions over one context may take together: nobody else is served between them. */
const togetherMs = 1_000;
const spent = new WeakMap<FormContext, number>();

/**
 * The value of a form expression; undefined if evaluation fails.
 * @throws AppError `invalid_request` when the expressions over this context have taken longer than a form may, because one
 * that is skipped would let in what it refuses
 */
export function read(expression: string, context: FormContext, now: Date): unknown {
  const before = spent.get(context) ?? 0;
  if (before > togetherMs) {
    const message = `The expressions of this form take longer than ${togetherMs} ms together; whoever made it can simplify them`;
    throw invalidRequest([{ path: '/properties', message }]);
  }
  const startedAt = performance.now();
  const result = evaluateExpression('form', expression, context as unknown as JqValue, now);
  spent.set(context, before + performance.now() - startedAt);
  return 'value' in result ? result.value : undefined;
}
