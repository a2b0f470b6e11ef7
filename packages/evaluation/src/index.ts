/** Evaluations of the assistant: asking cases, grading answers, comparing variants. Runs in browsers too. */
export type { Answering, CaseQuestion, EvaluationApi, JudgeQuestion } from './answering.ts';
export { type Change, type ComparisonWord, compareCases, compareVariant, isDrop } from './compare-baseline.ts';
export { EvaluationError } from './evaluation-error.ts';
export { type ExampleCase, examplesFor } from './example-cases.ts';
export { type Gold, type Grade, gradeAnswer, type PlainGrader } from './grade-answer.ts';
export { compileToolPattern, type GraderKit } from './grader-kit.ts';
export { type InitStep, initEvaluation, type SetupApi } from './init-evaluation.ts';
export { type JudgeAnswer, readVerdict, writeJudgePrompt } from './judge.ts';
export { type KeptCase, type KeptRun, keepRun, readKeptRun, toRunEntities } from './kept-run.ts';
export { liveAnswering } from './live-answering.ts';
export { oneLine } from './one-line.ts';
export { type CaseEntity, type EvalCase, toCase } from './read-case.ts';
export { reportVariants, tellingTrial, type VariantReport } from './report-variants.ts';
export {
  type AskedCase,
  type Evaluation,
  type EvaluationPlan,
  type EvaluationProgress,
  runEvaluation,
} from './run-evaluation.ts';
export { searchKey } from './search-gold.ts';
export type { AnswerRun, Transcript } from './transcript.ts';
export type { Outcome } from './try-case.ts';
export { combineVariants, type Variant } from './variant.ts';
