import type { LanguageModelV3FinishReason, LanguageModelV3StreamPart, LanguageModelV3Usage } from '@ai-sdk/provider';
import { type Chunk, type ChunkUsage, type ContentPart, metadataKey } from './chunk.ts';
import { createCallCollector } from './collect-calls.ts';

type Parts = LanguageModelV3StreamPart[];

export interface ChunkReader {
  push(data: string, parts: Parts): void;
  /** Set once the provider announced the end. */
  readonly isDone: boolean;
  /** Closes open parts and adds `finish`, after an `error` if the provider never reported how the answer ended. */
  end(parts: Parts): void;
}

const textId = 'txt-0';
const reasoningId = 'reasoning-0';
const brokenOff: LanguageModelV3FinishReason = { unified: 'error', raw: undefined };

/** Never throws: unreadable data becomes an `error` part. */
export function createChunkReader(): ChunkReader {
  const calls = createCallCollector();
  let open: 'text' | 'reasoning' | undefined;
  let usage: ChunkUsage | undefined;
  let finishReason: LanguageModelV3FinishReason | undefined;
  let hasMetadata = false;
  let isDone = false;

  const switchTo = (next: typeof open, parts: Parts): void => {
    if (open === next) return;
    if (open === 'text') parts.push({ type: 'text-end', id: textId });
    else if (open === 'reasoning') parts.push({ type: 'reasoning-end', id: reasoningId });
    if (next === 'text') parts.push({ type: 'text-start', id: textId });
    else if (next === 'reasoning') parts.push({ type: 'reasoning-start', id: reasoningId });
    open = next;
  };
  const think = (delta: string, parts: Parts): void => {
    switchTo('reasoning', parts);
    parts.push({ type: 'reasoning-delta', id: reasoningId, delta });
  };
  const say = (delta: string, parts: Parts): void => {
    switchTo('text', parts);
    parts.push({ type: 'text-delta', id: textId, delta });
  };
  const fail = (error: unknown, parts: Parts): void => {
    finishReason = brokenOff;
    parts.push({ type: 'error', error });
  };

  const take = (chunk: Chunk, parts: Parts): void => {
    if (chunk.error !== undefined && chunk.error !== null) return fail(chunk.error, parts);
    if (!hasMetadata) {
      hasMetadata = true;
      parts.push({ type: 'response-metadata', ...toMetadata(chunk) });
    }
    if (chunk.usage) usage = chunk.usage;
    const choice = chunk.choices?.[0];
    if (!choice) return;
    const reason = choice.finish_reason;
    if (typeof reason === 'string') finishReason = { unified: unifiedReason(reason), raw: reason };
    const delta = choice.delta;
    if (!delta) return;
    const thought = delta.reasoning_content ?? delta.reasoning;
    if (thought) think(String(thought), parts);
    const { content, tool_calls: called } = delta;
    if (typeof content === 'string') {
      if (content !== '') say(content, parts);
    } else if (content) {
      for (const part of content) {
        if (part.type === 'text' && typeof part.text === 'string' && part.text !== '') say(part.text, parts);
        else if (part.type === 'thinking') {
          const text = readThinking(part.thinking);
          if (text !== '') think(text, parts);
        }
      }
    }
    if (called && called.length > 0) {
      if (open === 'reasoning') switchTo(undefined, parts);
      for (const each of called) calls.push(each, parts);
    }
  };

  return {
    get isDone() {
      return isDone;
    },
    push(data, parts) {
      if (isDone) return;
      if (data === '[DONE]') {
        isDone = true;
        return;
      }
      try {
        const chunk: unknown = JSON.parse(data);
        if (typeof chunk !== 'object' || chunk === null) throw new Error('not an object');
        take(chunk, parts);
      } catch (cause) {
        fail(new Error('The provider sent a chunk that cannot be read', { cause }), parts);
      }
    },
    end(parts) {
      switchTo(undefined, parts);
      calls.end(parts);
      if (!finishReason) fail(new Error('The stream ended without a finish reason'), parts);
      parts.push({
        type: 'finish',
        finishReason: finishReason ?? brokenOff,
        usage: toUsage(usage),
        providerMetadata: { [metadataKey]: {} },
      });
    },
  };
}

function toMetadata({ id, model, created }: Chunk): { id?: string; modelId?: string; timestamp?: Date } {
  return {
    ...(id ? { id } : {}),
    ...(model ? { modelId: model } : {}),
    ...(created ? { timestamp: new Date(created * 1000) } : {}),
  };
}

function readThinking(pieces: unknown): string {
  if (!Array.isArray(pieces)) return '';
  return (pieces as (ContentPart | null)[])
    .map((piece) => (piece?.type === 'text' && typeof piece.text === 'string' ? piece.text : ''))
    .join('');
}

function unifiedReason(raw: string): LanguageModelV3FinishReason['unified'] {
  switch (raw) {
    case 'stop':
    case 'length':
      return raw;
    case 'content_filter':
      return 'content-filter';
    case 'function_call':
    case 'tool_calls':
      return 'tool-calls';
    default:
      return 'other';
  }
}

function toUsage(usage: ChunkUsage | undefined): LanguageModelV3Usage {
  if (!usage) {
    return {
      inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: undefined, text: undefined, reasoning: undefined },
    };
  }
  const input = usage.prompt_tokens ?? 0;
  const output = usage.completion_tokens ?? 0;
  const cached = usage.prompt_tokens_details?.cached_tokens ?? 0;
  const thought = usage.completion_tokens_details?.reasoning_tokens ?? 0;
  return {
    inputTokens: { total: input, noCache: input - cached, cacheRead: cached, cacheWrite: undefined },
    outputTokens: { total: output, text: Math.max(0, output - thought), reasoning: thought },
  };
}
