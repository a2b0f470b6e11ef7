import { z } from 'zod';
import { blueprintSearchQuery } from './search-query.ts';
import { blueprintIdentifier } from './wire.ts';

/** Blueprints of evaluation: its cases, and the runs that are kept. They are ordinary ones, made by `portolan eval init`. */
export const evalBlueprints = { cases: 'ai_eval_case', runs: 'ai_eval_run' } as const;

/** Labels of the invocations of an evaluation: its run, the case that was asked, and whether a judge was. */
export const evalLabels = { run: '_eval', case: '_eval_case', judge: '_eval_judge' } as const;

const text = z.string().min(1).max(10_000);
const texts = z.array(text).min(1).max(1_000);
/** One name, or several names of one thing, each of which is right. */
const names = z.union([text, texts]);
const values = z.record(z.string(), z.json());
const pattern = z.string().min(1).max(1_000);

/** What an answer, and what was done for it, is compared with. Patterns and schemas are compiled by whoever grades. */
export const grader = z.discriminatedUnion('grader', [
  z.strictObject({
    grader: z.literal('answer_set'),
    values: z.array(names).max(1_000),
    partial: z.boolean().optional(),
  }),
  z.strictObject({ grader: z.literal('answer_number'), value: z.number(), tolerance: z.number().min(0).optional() }),
  z.strictObject({
    grader: z.literal('query'),
    blueprint: blueprintIdentifier,
    query: blueprintSearchQuery.optional(),
    compare: z.enum(['set', 'count']).optional(),
    partial: z.boolean().optional(),
  }),
  z.strictObject({
    grader: z.literal('contains'),
    all: texts.optional(),
    any: texts.optional(),
    none: texts.optional(),
  }),
  z.strictObject({ grader: z.literal('regex'), pattern, flags: z.enum(['i', 's', 'is']).optional() }),
  z.strictObject({ grader: z.literal('json_schema'), schema: values }),
  z.strictObject({ grader: z.literal('tool_called'), tool: pattern, arguments: values.optional() }),
  z.strictObject({ grader: z.literal('not_called'), tool: pattern }),
  z.strictObject({ grader: z.literal('refuses'), phrases: texts.optional() }),
  z.strictObject({ grader: z.literal('asks') }),
  z.strictObject({
    grader: z.literal('draft_of'),
    action: text,
    entity: text.optional(),
    properties: values.optional(),
  }),
  z.strictObject({ grader: z.literal('nothing_executed') }),
  z.strictObject({
    grader: z.literal('judge'),
    /** By what the answer is judged, in words. */
    rubric: text,
    /** Who judges; without one the assistant. */
    agent: text.optional(),
    provider: text.optional(),
    model: text.optional(),
  }),
  z.strictObject({ grader: z.literal('cost_max'), usd: z.number().min(0) }),
  z.strictObject({ grader: z.literal('latency_max'), ms: z.number().positive() }),
]);
export type Grader = z.output<typeof grader>;
export type GraderName = Grader['grader'];
export type GraderOf<Name extends GraderName> = Extract<Grader, { grader: Name }>;

export const graderNames: readonly string[] = grader.options.map(({ shape }) => shape.grader.value);

/** What is sent along with the question of a case. */
export const evalSetup = z.strictObject({
  systemPrompt: text.optional(),
  tools: z.array(pattern).max(50).optional(),
});
export type EvalSetup = z.output<typeof evalSetup>;

const outcome = z.enum(['right', 'refused', 'wrong', 'failed', 'undecided']);
const count = z.number().int();
const grade = z.object({
  grader: z.string(),
  passed: z.boolean(),
  reason: z.string().optional(),
  /** A judge could not tell. */
  isUndecided: z.boolean().optional(),
});

/** The file of `portolan eval --json`, which is also a baseline of later runs. Only additions change it. */
export const evalReport = z.object({
  format: z.literal('portolan-eval'),
  version: z.literal(1),
  /** The label `_eval` of all its invocations. */
  run: z.string(),
  startedAt: z.string(),
  trials: z.number().int(),
  passed: z.boolean(),
  variants: z.array(
    z.object({
      name: z.string(),
      models: z.array(z.string()),
      /** Files of before there were judges have none that is undecided. */
      counts: z.object({ right: count, refused: count, wrong: count, failed: count, undecided: count.default(0) }),
      share: z.number(),
      interval: z.object({ low: z.number(), high: z.number() }),
      unsteady: z.number().int(),
      p50Ms: z.number(),
      p95Ms: z.number(),
      costUsd: z.number().nullable(),
      /** What judges cost, if there were any. */
      judgeCostUsd: z.number().nullable().optional(),
      /** Against the baseline, if there was one. */
      change: z
        .object({ pairs: z.number().int(), worse: z.array(z.string()), better: z.array(z.string()), p: z.number() })
        .optional(),
      cases: z.array(
        z.object({
          case: z.string(),
          /** Of question, agent, setup and graders: cases that were changed since are not compared. */
          digest: z.string(),
          outcome,
          trials: z.array(
            z.object({
              outcome,
              invocation: z.string(),
              answer: z.string(),
              error: z.string().optional(),
              durationMs: z.number(),
              costUsd: z.number().nullable(),
              grades: z.array(grade),
            }),
          ),
        }),
      ),
    }),
  ),
});
export type EvalReport = z.output<typeof evalReport>;
