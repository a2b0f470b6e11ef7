import type { AppError } from '../../../platform/errors.ts';
import type { ApprovalRequest } from '../../../platform/tools/tool.ts';

/** What a run used so far. Tokens are as the provider reported them. */
export interface LoopUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly steps: number;
  readonly toolCalls: number;
  /** Calls of the model that ended without a word about tokens, also because they failed after they were answered. */
  readonly unreportedSteps: number;
  /** Null where a price or a count of tokens is not known. */
  readonly costUsd: number | null;
}

/**
 * What happens in a run, in order. Exactly one `finish` or `failure` comes last; every `tool-call` is followed by its
 * `tool-result`, except when the run fails in between.
 */
export type LoopEvent =
  /** A few letters, as they came; only if asked for. The `segment` that follows repeats them. */
  | { readonly type: 'text-delta'; readonly text: string }
  | { readonly type: 'segment'; readonly text: string }
  /** `id` is unique in the run; `arguments` is JSON text as the model wrote it. */
  | { readonly type: 'tool-call'; readonly id: string; readonly name: string; readonly arguments: string }
  | {
      readonly type: 'tool-result';
      readonly id: string;
      readonly name: string;
      /** Bounded: what the model was shown, without the fence around it. */
      readonly content: string;
      /** All of it, for the execution log. */
      readonly fullContent: string;
      readonly isError: boolean;
      /** Null where nobody measured it: the run was read back. */
      readonly durationMs: number | null;
    }
  /** Something waits for a person because of the call whose result came before. */
  | { readonly type: 'approval-request'; readonly id: string; readonly request: ApprovalRequest }
  /** An answer broke a bound (`stepBounds`), and nothing of it was carried out; `message` is what the model was told. */
  | { readonly type: 'refusal'; readonly message: string }
  /** A model call ended. Token counts are of this step. */
  | {
      readonly type: 'step';
      readonly step: number;
      readonly inputTokens: number;
      readonly outputTokens: number;
      /** Who answered. */
      readonly provider: string;
      readonly model: string;
      /** From the call to its first content, to its first letter if it said any, and to its end. */
      readonly firstContentMs: number;
      readonly firstTextMs: number | null;
      readonly durationMs: number;
    }
  | {
      readonly type: 'finish';
      /** The answer: the text of the last step, untouched. */
      readonly answer: string;
      /** All text of the run: what the segments joined are. */
      readonly text: string;
      /** `length` means that the provider cut the answer off at its own limit. */
      readonly reason: 'stop' | 'length';
      readonly usage: LoopUsage;
    }
  | { readonly type: 'failure'; readonly error: AppError; readonly text: string; readonly usage: LoopUsage };
