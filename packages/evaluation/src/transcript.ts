/** What became of one question: the answer and everything that was done for it. */
export interface Transcript {
  readonly invocation: string;
  readonly answer: string;
  /** The code of a failed invocation. */
  readonly error?: string;
  readonly provider: string;
  readonly model: string;
  readonly toolCalls: readonly ToolCall[];
  readonly runs: readonly AnswerRun[];
  readonly durationMs: number;
  /** Null if it is not known: there is no price for the model, or a call was not reported. */
  readonly costUsd: number | null;
}

export interface ToolCall {
  readonly name: string;
  /** As the model wrote them: JSON, if it can write JSON. */
  readonly arguments: string;
}

/** A run of an action that the answer started, or drafted. */
export interface AnswerRun {
  readonly id: string;
  readonly action: string;
  readonly entity: string | null;
  readonly mode: 'draft' | 'executed';
  readonly properties: Readonly<Record<string, unknown>>;
  /** The hash of the inputs of an open draft. */
  readonly inputsHash?: string;
}
