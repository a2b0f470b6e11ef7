import type { InvokeRequest } from '@portolan/contract/assistant';
import type { getInvocation, getInvocationEvidence } from '@portolan/contract/assistant-operations';
import type { CallAnswer } from '@portolan/contract/client';
import type { GraderOf } from '@portolan/contract/evaluation';
import type { searchBlueprintEntities } from '@portolan/contract/search';
import type { Gold } from './grade-answer.ts';
import type { JudgeAnswer } from './judge.ts';
import type { EvalCase } from './read-case.ts';
import type { AnswerRun, Transcript } from './transcript.ts';
import type { Variant } from './variant.ts';

/** The requests of an evaluation, as the program sends them that makes it. */
export interface EvaluationApi {
  /** Asks and waits for the end of the answer. @throws for a refusal */
  ask(identifier: string, request: InvokeRequest, signal: AbortSignal): Promise<void>;
  cancel(identifier: string): Promise<unknown>;
  readInvocation(identifier: string): Promise<CallAnswer<typeof getInvocation>['result']>;
  readEvidence(identifier: string): Promise<CallAnswer<typeof getInvocationEvidence>['evidence']>;
  declineDraft(run: string, inputsHash: string): Promise<unknown>;
  search(
    blueprint: string,
    body: { readonly query?: GraderOf<'query'>['query']; readonly include: string[]; limit: number; from?: string },
  ): Promise<Pick<CallAnswer<typeof searchBlueprintEntities>, 'entities' | 'next'>>;
  /** What a refusal by the server says; undefined for every other error, which ends the evaluation. */
  explainRefusal(error: unknown): string | undefined;
  /** An identifier that nobody has, a UUID. */
  newIdentifier(): string;
}

/** A case as one variant is asked it, for the first time (0) or again. */
export interface CaseQuestion {
  readonly asked: EvalCase;
  readonly variant: Variant;
  readonly trial: number;
}

/** What a judge is asked: the answer to a case, by its rubric. */
export interface JudgeQuestion {
  readonly asked: EvalCase;
  readonly grader: GraderOf<'judge'>;
  readonly answer: string;
}

/** Where answers come from: an assistant, or what was recorded of one. */
export interface Answering {
  ask(question: CaseQuestion, signal: AbortSignal): Promise<Transcript>;
  judge(question: JudgeQuestion, signal: AbortSignal): Promise<JudgeAnswer>;
  /** False if the draft stays until it expires. */
  decline(draft: AnswerRun): Promise<boolean>;
  search(grader: GraderOf<'query'>): Promise<Gold>;
  explainRefusal(error: unknown): string | undefined;
}
