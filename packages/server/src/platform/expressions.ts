import {
  type Budget,
  compile,
  JqBudgetError,
  JqError,
  type JqValue,
  mappingEvaluator,
  type Program,
  renderTemplate,
  replaceSingleQuotes,
  type TemplateOptions,
} from '@portolan/jq';
import { nodeRegexEngine } from '@portolan/jq/node';
import type { JqUse } from './check-stored-jq.ts';

/** The limits of mappings stand in the JQ package: the portal tries mappings in the browser within the same. */
type EvaluatedUse = Exclude<JqUse, 'mapping'>;

// what an expression gives is stored, and the database takes no U+0000
const stored = { allowsNul: false } as const;

/**
 * What one evaluation may cost, by what the expression is for; what is not said here is the default of the JQ package.
 * While an expression runs this process serves nobody else.
 */
export const expressionLimits = {
  // within a write: counted in steps, so that a value does not depend on load; the time is a fallback
  calculation: {
    ...stored,
    stepsMax: 100_000,
    outputsMax: 1_000,
    stringLengthMax: 1_000_000,
    arrayLengthMax: 50_000,
    allocatedBytesMax: 16_777_216,
    resultSizeMax: 20_000,
    resultDepthMax: 100,
    wallTimeMs: 100,
    regexTimeMs: 20,
  },
  // a form may evaluate dozens
  form: { ...stored, wallTimeMs: 200 },
  'condition of an automation': { ...stored, wallTimeMs: 200 },
  backend: { ...stored, wallTimeMs: 500 },
  workflow: { ...stored, wallTimeMs: 100, allocatedBytesMax: 67_108_864 },
  policy: {
    ...stored,
    stepsMax: 2_000_000,
    outputsMax: 10_000,
    stringLengthMax: 1_000_000,
    arrayLengthMax: 100_000,
    allocatedBytesMax: 67_108_864,
    resultSizeMax: 20_000,
    resultDepthMax: 50,
    wallTimeMs: 250,
    regexTimeMs: 20,
  },
  'data migration': stored,
} as const satisfies Record<EvaluatedUse, Partial<Budget>>;

export type JqResult = { readonly value: JqValue | undefined } | { readonly error: JqError };

/** Compiles an expression with the quoting of the platform, or finds it among the last ones. @throws JqError */
export function compileExpression(use: EvaluatedUse, expression: string): Program {
  return compile(replaceSingleQuotes(expression), { regex: nodeRegexEngine, budget: expressionLimits[use] });
}

/** What several evaluations may take together: nobody is served between them. */
export interface SharedTime {
  /** What the next one may take. @throws JqBudgetError when nothing is left */
  next(use: EvaluatedUse): { readonly wallTimeMs: number };
}

export function shareTime(totalMs: number): SharedTime {
  const end = performance.now() + totalMs;
  return {
    next(use) {
      const left = end - performance.now();
      if (left <= 0) throw new JqBudgetError('wallTime', totalMs);
      const limits: Partial<Budget> = expressionLimits[use];
      return { wallTimeMs: Math.min(left, limits.wallTimeMs ?? left) };
    },
  };
}

/** The first output; a failure is an answer, not thrown. */
export function evaluateExpression(
  use: EvaluatedUse,
  expression: string,
  input: JqValue,
  now: Date,
  time?: SharedTime,
): JqResult {
  try {
    const options = time === undefined ? { now } : { now, budget: time.next(use) };
    return { value: compileExpression(use, expression).first(input, options) };
  } catch (error) {
    if (error instanceof JqError) return { error };
    throw error;
  }
}

/** The first output of each expression of one condition; they share the time that one of them may take. */
export function evaluateCondition(expressions: readonly string[], input: JqValue, now: Date): JqResult[] {
  const use = 'condition of an automation';
  const time = shareTime(expressionLimits[use].wallTimeMs);
  return expressions.map((expression) => evaluateExpression(use, expression, input, now, time));
}

/**
 * A document with its `{{ }}` filled in; those that fail are null, and told. They share the time `totalMs`.
 * @throws JqError as `renderTemplate`
 */
export function renderDocument(
  use: EvaluatedUse,
  document: JqValue,
  context: JqValue,
  { totalMs, ...options }: Pick<TemplateOptions, 'now' | 'onError'> & { readonly totalMs: number },
): JqValue | undefined {
  const limits: Partial<Budget> = expressionLimits[use];
  const end = performance.now() + totalMs;
  return renderTemplate(document, context, {
    ...options,
    regex: nodeRegexEngine,
    get budget() {
      const left = Math.max(1, end - performance.now());
      return { ...limits, wallTimeMs: Math.min(left, limits.wallTimeMs ?? left) };
    },
  });
}

/** Evaluates the expressions of a mapping. */
export const evaluateMapping = mappingEvaluator(nodeRegexEngine);
