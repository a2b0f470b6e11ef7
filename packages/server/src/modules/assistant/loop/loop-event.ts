import type { AppError } from '../../../platform/errors.ts';
import type { ApprovalRequest } from '../../../platform/tools/tool.ts';

/** Usage of an invocation so far; tokens as reported by the provider. */
export interface LoopUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly steps: number;
  readonly toolCalls: number;
  /** Model calls that reported no tokens, including those that failed after answering. */
  readonly unreportedSteps: number;
  /** Null without a price or a token count. */
  readonly costUsd: number | null;
}

/**
 * Events of an invocation in order. Exactly one `finish` or `failure` comes last; every `tool-call` is followed by its
 * `tool-result`, unless the invocation fails in between.
 */
export type LoopEvent =
  /** A piece of text; only on request. The `segment` that follows repeats it. */
  | { readonly type: 'text-delta'; readonly text: string }
  | { readonly type: 'segment'; readonly text: string }
  /** `id` is unique in the invocation; `arguments` is JSON text as the model wrote it. */
  | { readonly type: 'tool-call'; readonly id: string; readonly name: string; readonly arguments: string }
  | {
      readonly type: 'tool-result';
      readonly id: string;
      readonly name: string;
      /** The text for the model, without the fence. */
      readonly content: string;
      /** The full result, for the execution log. */
      readonly fullContent: string;
      readonly isError: boolean;
      /** Authors of the text in the content, each with a place where it stands. */
      readonly texts?: ReadonlyMap<string, string> | undefined;
      /** Null if read back from the stream. */
      readonly durationMs: number | null;
    }
  /** The preceding call created something that waits for a person's approval. */
  | { readonly type: 'approval-request'; readonly id: string; readonly request: ApprovalRequest }
  /**
   * The answer exceeded `stepBounds` and none of it was executed, or it was not backed and none of it was said; `message` was
   * sent to the model.
   */
  | { readonly type: 'refusal'; readonly message: string }
  | {
      readonly type: 'step';
      readonly step: number;
      readonly inputTokens: number;
      readonly outputTokens: number;
      readonly provider: string;
      readonly model: string;
      /** Time to the first content, to the first letter if any, and to the end. */
      readonly firstContentMs: number;
      readonly firstTextMs: number | null;
      readonly durationMs: number;
    }
  | {
      readonly type: 'finish';
      /** The untouched text of the last step. */
      readonly answer: string;
      /** The text of all steps, equal to the joined segments. */
      readonly text: string;
      /** `length`: the provider cut the answer off at its limit. */
      readonly reason: 'stop' | 'length';
      /** The answer was not backed, and this stands in its place. */
      readonly isWithheld?: boolean;
      readonly usage: LoopUsage;
    }
  | { readonly type: 'failure'; readonly error: AppError; readonly text: string; readonly usage: LoopUsage };
