import { JqBudgetError, JqRefusedError } from '../errors.ts';
import type { JqValue } from '../value/value.ts';
import type { Run } from './run.ts';

/**
 * Refuses an output whose JSON text would be enormous or too deep to print. Values share structure, so `[.,.]|[.,.]|…`
 * is tiny in memory and astronomic as text. Throws `JqBudgetError` ("resultSize", "resultDepth"), and `JqRefusedError`
 * for U+0000 where the budget allows none.
 */
export function checkResult(run: Run, output: JqValue): void {
  const { resultSizeMax, resultDepthMax, allowsNul } = run.budget;
  const checkText = (text: string): void => {
    if (!allowsNul && text.includes('\u0000')) throw new JqRefusedError('a text with U+0000', 'it cannot be stored');
  };
  if (typeof output === 'string') return checkText(output);
  if (typeof output !== 'object' || output === null) return;
  let size = 0;
  const visit = (value: object, depth: number): void => {
    if (depth > resultDepthMax) throw new JqBudgetError('resultDepth', resultDepthMax);
    const children: readonly JqValue[] = Array.isArray(value) ? value : Object.values(value);
    size += children.length + 1;
    if (size > resultSizeMax) throw new JqBudgetError('resultSize', resultSizeMax);
    if (!allowsNul && !Array.isArray(value)) for (const key of Object.keys(value)) checkText(key);
    for (const child of children) {
      if (typeof child === 'string') checkText(child);
      else if (typeof child === 'object' && child !== null) visit(child, depth + 1);
    }
  };
  visit(output, 1);
}
