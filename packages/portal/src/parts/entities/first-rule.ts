import type { Field } from './fields.ts';
import { listOperators, type Rule, toRule } from './operators.ts';

/** A rule to begin with, about the first property; none where there is no field. */
export function firstRule(fields: readonly Field[]): readonly Rule[] {
  const first = fields.find(({ source }) => source === 'property') ?? fields[0];
  return first ? [toRule(first, listOperators(first)[0] ?? '=')] : [];
}
