import type { AppError } from '../../../platform/errors.ts';
import type { JsonSchema } from '../../../platform/tools/registry.ts';
import type { AssistantModel } from '../model/create-model.ts';
import type { RunReceipts } from '../receipts/run-receipts.ts';
import type { CallTool } from './call-offered-tool.ts';
import type { HistoryMessage } from './history.ts';
import type { FindUnbacked } from './hold-back.ts';
import type { TimeLimits } from './watchdog.ts';

export interface LoopInput {
  readonly model: AssistantModel;
  /** Replaces `model` for the rest of the invocation if that fails before any output. */
  readonly fallback?: AssistantModel | undefined;
  readonly systemPrompt: string;
  readonly question: string;
  /** What the question is about, as data. */
  readonly context?: Readonly<Record<string, unknown>> | undefined;
  /** What the person wants to be known with every question, as data; undefined where nothing is kept. */
  readonly notes?: readonly string[] | undefined;
  /** What stands before and beside the question of a conversation. */
  readonly earlier?: { readonly messages: readonly HistoryMessage[]; readonly context: string } | undefined;
  readonly tools: readonly OfferedTool[];
  readonly callTool: CallTool;
  /** The random mark of this invocation's fences, named in the system prompt. */
  readonly fenceMark: string;
  readonly limits: LoopLimits;
  /** Cancels the invocation. An `AppError` as its reason becomes its failure. */
  readonly signal: AbortSignal;
  readonly clock: { now(): number };
  /** Emits single deltas beside the segments. */
  readonly deltas?: boolean;
  /** Numbers what is read, and takes marks out of what is said. */
  readonly receipts?: Pick<RunReceipts, 'marks' | 'show'>;
  /** Holds text back until it is checked: nothing is said before a call, and an answer only if nothing is found. */
  readonly findUnbacked?: FindUnbacked | undefined;
  readonly retryDelaysMs?: readonly number[];
  readonly onFallback?: (error: AppError) => void;
  /** Called with the tokens that the provider counted of a prompt. */
  readonly onPromptCounted?: ((model: AssistantModel, characters: number, tokens: number) => void) | undefined;
}

export interface LoopLimits extends TimeLimits {
  readonly toolCallsMax: number;
  readonly stepsMax: number;
  /** Input and output of all steps together. */
  readonly tokensMax: number;
  /** Per answer; the provider enforces it. */
  readonly outputTokensMax: number;
  readonly toolMs: number;
  /** Per result, for the model and the stream. */
  readonly toolOutputBytesMax: number;
}

/** A tool offered to the model; its name is valid for all providers (`[A-Za-z0-9_-]`, up to 64). */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
}
