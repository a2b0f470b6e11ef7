import type { Budget } from '../budget.ts';
import { JqBudgetError, JqRefusedError, JqRuntimeError, JqSyntaxError } from '../errors.ts';
import { compile } from '../program.ts';
import type { RegexEngine } from '../regex/regex-engine.ts';
import type { BatchError, BatchItem, BatchResult } from './messages.ts';

/** Evaluates one item; a failure becomes a result. */
export function evaluateItem(
  item: BatchItem,
  budget: Partial<Budget>,
  firstOnly: boolean,
  regex: RegexEngine,
): BatchResult {
  try {
    const variables = item.variables ?? {};
    const program = compile(item.expression, { regex, variables: Object.keys(variables) });
    const options = { variables, budget };
    if (!firstOnly) return { ok: true, outputs: program.run(item.input, options) };
    const first = program.first(item.input, options);
    return { ok: true, outputs: first === undefined ? [] : [first] };
  } catch (error) {
    return { ok: false, error: describeError(error) };
  }
}

function describeError(error: unknown): BatchError {
  if (error instanceof JqSyntaxError) return { kind: 'syntax', message: error.message, position: error.position };
  if (error instanceof JqRuntimeError) return { kind: 'runtime', message: error.message, value: error.value };
  if (error instanceof JqBudgetError) return { kind: 'budget', message: error.message, limit: error.limit };
  if (error instanceof JqRefusedError) return { kind: 'refused', message: error.message };
  return { kind: 'internal', message: error instanceof Error ? error.message : String(error) };
}
