import type { LanguageModelV3FunctionTool, LanguageModelV3Prompt } from '@ai-sdk/provider';
import { AppError } from '../../../platform/errors.ts';
import type { AssistantModel } from '../model/create-model.ts';
import { type ModelStream, openModelStream } from '../model/open-model-stream.ts';
import type { ModelRequest } from '../model/part-stream.ts';
import type { LoopEvent, LoopUsage } from './loop-event.ts';
import type { LoopInput } from './loop-input.ts';
import { readStep, type StepResult } from './read-step.ts';
import { countCharacters } from './token-ratio.ts';
import type { Watchdog } from './watchdog.ts';

type LoopUsageState = { model: AssistantModel } & { -readonly [Key in keyof LoopUsage]: LoopUsage[Key] };

export interface Question {
  readonly prompt: LanguageModelV3Prompt;
  readonly tools: LanguageModelV3FunctionTool[];
  /** Tool calls are no longer allowed. */
  readonly mustAnswer: boolean;
}

const retryDelaysMsDefault = [250, 1000];
/** Longest wait an overloaded provider may ask for; shorter if there is a fallback. */
const retryAfterSecondsMax = { last: 10, replaceable: 2 };

/**
 * Calls the model once and counts its usage. If the model fails before any output, the fallback replaces it for the
 * rest of the invocation.
 */
export async function callModel(
  input: LoopInput,
  watchdog: Watchdog,
  state: LoopUsageState,
  question: Question,
  emit: (event: LoopEvent) => void,
): Promise<StepResult> {
  const { clock, deltas } = input;
  const startedAt = clock.now();
  try {
    const isLast = !input.fallback || state.model === input.fallback;
    const opened = await (isLast ? openPatiently : openOrFallBack)(input, watchdog, state, question);
    const firstContentMs = clock.now() - startedAt;
    const { model } = state;
    // counted as unreported until its end is known
    const known = state.costUsd;
    state.unreportedSteps++;
    state.costUsd = null;
    let firstTextMs: number | null = null;
    const onFirstText = (): void => {
      firstTextMs = clock.now() - startedAt;
    };
    const step = await readStep(model, opened, watchdog, {
      wantsDeltas: deltas === true,
      marks: input.receipts?.marks,
      onFirstText,
      emit,
    });
    if (step.isReported) {
      state.unreportedSteps--;
      state.costUsd = withCost(known, model, step);
      input.onPromptCounted?.(model, countCharacters(question.prompt, question.tools), step.inputTokens);
    }
    state.inputTokens += step.inputTokens;
    state.outputTokens += step.outputTokens;
    emit({
      type: 'step',
      step: state.steps,
      inputTokens: step.inputTokens,
      outputTokens: step.outputTokens,
      provider: model.provider,
      model: model.model,
      firstContentMs,
      firstTextMs,
      durationMs: clock.now() - startedAt,
    });
    return step;
  } finally {
    watchdog.rest();
  }
}

function withCost(known: number | null, { price }: AssistantModel, step: StepResult): number | null {
  if (known === null || !price) return null;
  return known + (step.inputTokens * price.input + step.outputTokens * price.output) / 1_000_000;
}

/** Without a fallback, silence beyond the limit ends the invocation. */
function openPatiently(
  input: LoopInput,
  watchdog: Watchdog,
  state: LoopUsageState,
  question: Question,
): Promise<ModelStream> {
  watchdog.expectFirst();
  return ask(input, state.model, question, watchdog.signal, retryAfterSecondsMax.last);
}

/** With a fallback, silence beyond the limit switches to it. */
async function openOrFallBack(
  input: LoopInput,
  watchdog: Watchdog,
  state: LoopUsageState,
  question: Question,
): Promise<ModelStream> {
  const patienceMs = input.limits.firstContentMs;
  const attempt = new AbortController();
  const follow = (): void => attempt.abort(watchdog.signal.reason);
  if (watchdog.signal.aborted) follow();
  // the opened stream keeps listening to it
  watchdog.signal.addEventListener('abort', follow, { once: true });
  const late = `The model provider ${state.model.provider} did not answer within ${patienceMs / 1000} s`;
  const patience = setTimeout(() => attempt.abort(new AppError('llm_provider_timeout', late)), patienceMs);
  try {
    return await ask(input, state.model, question, attempt.signal, retryAfterSecondsMax.replaceable);
  } catch (error) {
    watchdog.signal.removeEventListener('abort', follow);
    if (watchdog.signal.aborted || !input.fallback || !isElsewherePossible(error)) throw error;
    input.onFallback?.(error);
    state.model = input.fallback;
    return openPatiently(input, watchdog, state, question);
  } finally {
    clearTimeout(patience);
  }
}

/** Only outages switch to the fallback: another model's answer must not hide a refusal. */
function isElsewherePossible(error: unknown): error is AppError {
  return error instanceof AppError && ['llm_provider_unavailable', 'llm_provider_timeout'].includes(error.code);
}

function ask(
  { limits, retryDelaysMs = retryDelaysMsDefault }: LoopInput,
  model: AssistantModel,
  { prompt, tools, mustAnswer }: Question,
  signal: AbortSignal,
  askedSecondsMax: number,
): Promise<ModelStream> {
  const request: ModelRequest = {
    prompt,
    maxOutputTokens: limits.outputTokensMax,
    ...(tools.length > 0 ? { tools, toolChoice: { type: mustAnswer ? 'none' : 'auto' } } : {}),
    ...(model.providerOptions
      ? { providerOptions: model.providerOptions as NonNullable<ModelRequest['providerOptions']> }
      : {}),
  };
  return openModelStream(model, request, { signal, retryDelaysMs, retryAfterSecondsMax: askedSecondsMax });
}
