import type { Expression } from './ast.ts';

/** The key if it is a literal string or number. */
export function constantKey(key: Expression): string | number | undefined {
  if (key.kind === 'group') return constantKey(key.body);
  if (key.kind === 'literal' && typeof key.value === 'number') return Math.trunc(key.value);
  if (key.kind === 'negate' && key.operand.kind === 'literal' && typeof key.operand.value === 'number')
    return -key.operand.value;
  if (key.kind !== 'string' || key.parts.some((part) => typeof part !== 'string')) return undefined;
  return key.parts.join('');
}
