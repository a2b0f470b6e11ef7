import { setImmediate } from 'node:timers/promises';
import {
  type Budget,
  compile,
  JqBudgetError,
  JqError,
  type JqValue,
  type MapContext,
  mappingEvaluator,
  type Program,
  renderTemplate,
  replaceSingleQuotes,
  type TemplateOptions,
} from '@portolan/jq';
import { nodeRegexEngine } from '@portolan/jq/node';
import type { JqUse } from './check-stored-jq.ts';
import { type EvaluationTime, shareTime } from './evaluation-time.ts';

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

/**
 * Compiles an expression with the quoting of the platform, or finds it among the last ones. What evaluates it itself has
 * to say what ends a row of such; others evaluate within an `EvaluationTime`.
 * @throws JqError
 */
export function compileExpression(use: EvaluatedUse, expression: string): Program {
  return compile(replaceSingleQuotes(expression), { regex: nodeRegexEngine, budget: expressionLimits[use] });
}

/** The limits of an evaluation that has to end with the time it shares. @throws JqBudgetError when nothing is left */
function limitsWithin(use: EvaluatedUse, time: EvaluationTime): Partial<Budget> {
  const limits: Partial<Budget> = expressionLimits[use];
  const leftMs = time.leftMs();
  if (leftMs <= 0) throw new JqBudgetError('wallTime', time.totalMs);
  return { ...limits, wallTimeMs: Math.ceil(Math.min(leftMs, limits.wallTimeMs ?? leftMs)) };
}

/** For one expression, or several that together may take what one may. */
export function timeOfOne(use: Exclude<EvaluatedUse, 'data migration'>, now: Date): EvaluationTime {
  return shareTime(now, expressionLimits[use].wallTimeMs);
}

/** The first output; undefined if there is none. @throws JqError also when nothing is left of the time */
export function firstOutput(
  use: EvaluatedUse,
  expression: string,
  input: JqValue,
  time: EvaluationTime,
): JqValue | undefined {
  const program = compileExpression(use, expression);
  return time.spend(() => program.first(input, { now: time.now, budget: limitsWithin(use, time) }));
}

/** The first output; a failure is an answer, not thrown. */
export function evaluateExpression(
  use: EvaluatedUse,
  expression: string,
  input: JqValue,
  time: EvaluationTime,
): JqResult {
  try {
    return { value: firstOutput(use, expression, input, time) };
  } catch (error) {
    if (error instanceof JqError) return { error };
    throw error;
  }
}

/**
 * A document with its `{{ }}` filled in; those that fail, or have no time left, are null, and told.
 * @throws JqError as `renderTemplate`
 */
export function renderDocument(
  use: EvaluatedUse,
  document: JqValue,
  context: JqValue,
  time: EvaluationTime,
  onError?: TemplateOptions['onError'],
): JqValue | undefined {
  const options: TemplateOptions = {
    now: time.now,
    regex: nodeRegexEngine,
    ...(onError ? { onError } : {}),
    get budget() {
      return limitsWithin(use, time);
    },
  };
  return time.spend(() => renderTemplate(document, context, options));
}

/** Evaluates the expressions of a mapping. */
export const evaluateMapping = mappingEvaluator(nodeRegexEngine);

/** For the mappings of one event: the time is looked at between items, and others are served there. */
export function mapWithin(time: EvaluationTime): MapContext {
  return {
    now: time.now,
    evaluate: (expression, input, now) => time.spend(() => evaluateMapping(expression, input, now)),
    isOver: async () => {
      await setImmediate();
      return time.leftMs() <= 0;
    },
  };
}
