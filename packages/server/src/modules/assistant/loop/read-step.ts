import type {
  LanguageModelV3Message,
  LanguageModelV3ReasoningPart,
  LanguageModelV3StreamPart,
  LanguageModelV3TextPart,
  LanguageModelV3ToolCallPart,
  SharedV3ProviderMetadata,
} from '@ai-sdk/provider';
import { AppError } from '../../../platform/errors.ts';
import { isNestedDeeper } from '../../../platform/http/read-json.ts';
import { createSecretScope, type SecretScope } from '../../../platform/secrets/secret-scope.ts';
import type { AssistantModel } from '../model/create-model.ts';
import { abortReason, type ModelStream } from '../model/open-model-stream.ts';
import type { PartStream } from '../model/part-stream.ts';
import { asProviderError } from '../model/provider-error.ts';
import type { MarkScanner } from '../receipts/mark-scanner.ts';
import type { LoopEvent } from './loop-event.ts';
import { createSegmenter } from './segmenter.ts';
import { createStepGauge, type Excess } from './step-bounds.ts';
import { sliceBytes } from './tool-output.ts';
import type { Watchdog } from './watchdog.ts';

export interface RequestedCall {
  /** The provider's id, which joins call and result in the next prompt. */
  readonly providerCallId: string;
  readonly name: string;
  /** As written; possibly invalid JSON. */
  readonly arguments: string;
  /** Parsed; undefined if that failed. */
  readonly input: unknown;
}

export interface StepResult {
  readonly text: string;
  readonly calls: readonly RequestedCall[];
  /** The step in the prompt of the next call. */
  readonly message: LanguageModelV3Message & { role: 'assistant' };
  readonly reason: 'stop' | 'length' | 'tool-calls';
  /** Set if the answer exceeded a bound: its calls are not executed. The text is for the model. */
  readonly refusal?: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly isReported: boolean;
}

export interface ReadOptions {
  readonly wantsDeltas: boolean;
  readonly marks?: MarkScanner | undefined;
  /** Called once, at the first letter. */
  readonly onFirstText?: () => void;
  readonly emit: (event: LoopEvent) => void;
}

function toSecretScope(secrets: readonly string[]): SecretScope {
  const scope = createSecretScope();
  for (const secret of secrets) scope.add(secret);
  return scope;
}

type SpokenPart = { type: 'text' | 'reasoning'; text: string; providerOptions?: SharedV3ProviderMetadata };
type AssistantPart = LanguageModelV3TextPart | LanguageModelV3ReasoningPart | LanguageModelV3ToolCallPart;

/**
 * Reads one answer of the model to its end, emitting its text as it arrives. Per token it waits for nothing, and
 * allocates nothing beyond the text itself, unless single deltas are requested.
 *
 * @throws AppError if the stream breaks off, the provider reports an error, or the watchdog's signal aborts
 */
export async function readStep(
  model: AssistantModel,
  { head, stream }: ModelStream,
  watchdog: Watchdog,
  { wantsDeltas, marks, onFirstText, emit }: ReadOptions,
): Promise<StepResult> {
  const segmenter = createSegmenter();
  const gauge = createStepGauge();
  let content: AssistantPart[] = [];
  let excess: Excess | undefined;
  const open = new Map<string, SpokenPart>();
  let calls: RequestedCall[] = [];
  let text = '';
  let finish: (LanguageModelV3StreamPart & { type: 'finish' }) | undefined;
  // a model may echo the key that authenticates the call
  const opened = toSecretScope(model.secrets);
  const masked = opened.maskStream();
  const begin = (kind: 'text' | 'reasoning', id: string, metadata: SharedV3ProviderMetadata | undefined) => {
    const part = { type: kind, text: '', ...(metadata ? { providerOptions: metadata } : {}) };
    open.set(kind + id, part);
    content.push(part);
    return part;
  };
  /** Emits text; what was held back belongs to the preceding part. */
  const utter = (
    said: string,
    part = content.findLast(({ type }) => type === 'text') as SpokenPart | undefined,
  ): void => {
    if (said === '') return;
    if (part) part.text += said;
    if (text === '') onFirstText?.();
    text += said;
    if (wantsDeltas) emit({ type: 'text-delta', text: said });
    for (const segment of segmenter.push(said) ?? []) emit({ type: 'segment', text: segment });
  };
  const say = (masked: string, part?: SpokenPart): void => utter(marks ? marks.push(masked) : masked, part);
  const take = (part: LanguageModelV3StreamPart): void => {
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start':
        begin(part.type === 'text-start' ? 'text' : 'reasoning', part.id, part.providerMetadata);
        break;
      case 'text-delta': {
        const target = open.get(`text${part.id}`) ?? begin('text', part.id, part.providerMetadata);
        if (part.providerMetadata) target.providerOptions = part.providerMetadata;
        say(masked.push(part.delta), target);
        break;
      }
      case 'reasoning-delta': {
        const target = open.get(`reasoning${part.id}`) ?? begin('reasoning', part.id, part.providerMetadata);
        target.text += part.delta;
        if (part.providerMetadata) target.providerOptions = part.providerMetadata;
        break;
      }
      case 'text-end':
      case 'reasoning-end': {
        if (part.type === 'text-end') say(masked.end());
        const target = open.get((part.type === 'text-end' ? 'text' : 'reasoning') + part.id);
        if (target && part.providerMetadata) target.providerOptions = part.providerMetadata;
        break;
      }
      case 'tool-call': {
        if (part.providerExecuted) break;
        const written = opened.maskText(part.input);
        const input = readArguments(written);
        calls.push({ providerCallId: part.toolCallId, name: part.toolName, arguments: written || '{}', input });
        content.push({
          type: 'tool-call',
          toolCallId: part.toolCallId,
          toolName: part.toolName,
          input: input ?? { unreadable: written.slice(0, 1000) },
          ...(part.providerMetadata ? { providerOptions: part.providerMetadata } : {}),
        });
        break;
      }
      case 'error':
        stream.cancel();
        throw asProviderError(part.error, model);
      case 'finish':
        finish = part;
        break;
    }
  };

  /** Stops reading. Text beyond the limit is cut; if calls are too large, none of the answer's calls is executed. */
  const stopAt = (part: LanguageModelV3StreamPart): StepResult['reason'] => {
    stream.cancel();
    if (part.type === 'text-delta' && excess?.ends === 'text') {
      take({ ...part, delta: sliceBytes(part.delta, gauge.textBytesLeft) });
    } else {
      content = content.filter(({ type }) => type === 'text');
      calls = [];
    }
    return 'length';
  };
  const untilItEnds = async (): Promise<StepResult['reason']> => {
    for (let parts: readonly LanguageModelV3StreamPart[] | undefined = head; parts; ) {
      if (watchdog.signal.aborted) throw abortReason(watchdog.signal);
      watchdog.saw();
      for (const part of parts) {
        excess = gauge.weigh(part);
        if (!excess) take(part);
        else return stopAt(part);
      }
      parts = await readOn(model, stream, watchdog.signal);
    }
    if (watchdog.signal.aborted) throw abortReason(watchdog.signal);
    return reasonOfFinish(finish, calls.length, model);
  };
  const sayHeld = (): void => {
    say(masked.end());
    if (marks) utter(marks.end());
  };
  const sayRest = (): void => {
    sayHeld();
    const rest = segmenter.end();
    if (rest !== undefined) emit({ type: 'segment', text: rest });
  };

  const reason = await untilItEnds().catch((error: unknown) => {
    // keeps the text before a failure
    sayRest();
    throw error;
  });
  sayHeld();
  const refusal = excess?.ends === 'step' ? excess.message : undefined;
  if ((calls.length > 0 || refusal !== undefined) && text !== '' && !text.endsWith('\n\n')) {
    // readers join segments of all steps: text before a call gets its own paragraph
    const gap = text.endsWith('\n') ? '\n' : '\n\n';
    text += gap;
    marks?.skip(gap);
    if (wantsDeltas) emit({ type: 'text-delta', text: gap });
    for (const segment of segmenter.push(gap) ?? []) emit({ type: 'segment', text: segment });
  }
  sayRest();
  return {
    text,
    calls,
    message: { role: 'assistant', content: content.filter((part) => part.type !== 'text' || part.text !== '') },
    reason,
    ...(refusal === undefined ? {} : { refusal }),
    inputTokens: finish?.usage.inputTokens.total ?? 0,
    outputTokens: finish?.usage.outputTokens.total ?? 0,
    isReported: finish?.usage.inputTokens.total !== undefined && finish.usage.outputTokens.total !== undefined,
  };
}

/** Reads more parts; a broken connection is a provider error unless the invocation was stopped. */
async function readOn(
  model: AssistantModel,
  stream: PartStream,
  signal: AbortSignal,
): Promise<readonly LanguageModelV3StreamPart[] | undefined> {
  try {
    return await stream.read();
  } catch (cause) {
    throw signal.aborted ? abortReason(signal) : asProviderError(cause, model);
  }
}

/** Deeper arguments match no tool and would overflow recursive code. */
const argumentsDepthMax = 64;

/** Parses JSON; empty text is an empty object, because models call tools without arguments that way. */
function readArguments(text: string): unknown {
  if (text.trim() === '') return {};
  if (isNestedDeeper(text, argumentsDepthMax)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** An answer is complete only if the provider said how it ended. */
function reasonOfFinish(
  finish: (LanguageModelV3StreamPart & { type: 'finish' }) | undefined,
  calls: number,
  { provider }: AssistantModel,
): StepResult['reason'] {
  const unified = finish?.finishReason.unified ?? 'error';
  if (unified === 'content-filter') {
    throw new AppError(
      'llm_provider_refused',
      `The model provider ${provider} stopped the answer by its content filter`,
    );
  }
  if (unified === 'error' || (unified === 'other' && finish?.finishReason.raw === undefined)) {
    throw new AppError(
      'llm_provider_unavailable',
      `The model provider ${provider} broke off in the middle of an answer`,
    );
  }
  if (calls > 0) return 'tool-calls';
  return unified === 'length' ? 'length' : 'stop';
}
