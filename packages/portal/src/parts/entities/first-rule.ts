import type { Field } from './fields.ts';
import { listOperators, operators, type Rule, toRule } from './operators.ts';

/**
 * A rule to begin with, about the first property that asks for a value: one that does not, such as "is empty", would
 * filter at once. None where there is no such field.
 */
export function firstRule(fields: readonly Field[]): readonly Rule[] {
  const asking = fields.filter((field) => operators[beginning(field)]?.value !== 'none');
  const first = asking.find(({ source }) => source === 'property') ?? asking[0];
  return first ? [toRule(first, beginning(first))] : [];
}

const beginning = (field: Field): string => listOperators(field)[0] ?? '=';
