import { JqBudgetError } from '../errors.ts';
import type { JqValue } from '../value/value.ts';
import type { Run } from './run.ts';

/**
 * Refuses an output whose JSON text would be enormous or too deep to print. Values share structure, so `[.,.]|[.,.]|…`
 * is tiny in memory and astronomic as text. Throws `JqBudgetError` ("resultSize", "resultDepth").
 */
export function checkResult(run: Run, output: JqValue): void {
  if (typeof output !== 'object' || output === null) return;
  const { resultSizeMax, resultDepthMax } = run.budget;
  let size = 0;
  const visit = (value: object, depth: number): void => {
    if (depth > resultDepthMax) throw new JqBudgetError('resultDepth', resultDepthMax);
    const children: readonly JqValue[] = Array.isArray(value) ? value : Object.values(value);
    size += children.length + 1;
    if (size > resultSizeMax) throw new JqBudgetError('resultSize', resultSizeMax);
    for (const child of children) if (typeof child === 'object' && child !== null) visit(child, depth + 1);
  };
  visit(output, 1);
}
