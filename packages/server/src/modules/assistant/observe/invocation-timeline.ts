import type { LoopEvent } from '../loop/loop-event.ts';

/** Times in milliseconds since 1970. */
export interface ModelCall {
  readonly provider: string;
  readonly model: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly firstTextAtMs: number | null;
  readonly error?: string;
}

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly isError: boolean;
}

export interface Timeline {
  readonly modelCalls: readonly ModelCall[];
  readonly toolCalls: readonly ToolCall[];
}

export interface TimelineRecorder extends Timeline {
  record(event: LoopEvent): void;
}

export function recordTimeline(first: Pick<ModelCall, 'provider' | 'model'>, now: () => number): TimelineRecorder {
  const modelCalls: ModelCall[] = [];
  const toolCalls: ToolCall[] = [];
  const begun = new Map<string, number>();
  let asking = first;
  /** Start of the pending model call; undefined while tools run. */
  let calledAt: number | undefined = now();
  return {
    modelCalls,
    toolCalls,
    record(event) {
      switch (event.type) {
        case 'step': {
          const { provider, model, inputTokens, outputTokens, durationMs, firstTextMs } = event;
          const endMs = now();
          const startMs = endMs - durationMs;
          asking = { provider, model };
          calledAt = undefined;
          const firstTextAtMs = firstTextMs === null ? null : startMs + firstTextMs;
          modelCalls.push({ provider, model, startMs, endMs, inputTokens, outputTokens, firstTextAtMs });
          break;
        }
        case 'refusal':
          calledAt = now();
          break;
        case 'tool-call':
          begun.set(event.id, now());
          break;
        case 'tool-result': {
          const { id, name, isError } = event;
          const durationMs = event.durationMs ?? 0;
          const startMs = begun.get(id) ?? now() - durationMs;
          begun.delete(id);
          toolCalls.push({ id, name, startMs, endMs: startMs + durationMs, isError });
          if (begun.size === 0) calledAt = now();
          break;
        }
        case 'failure':
          // the model call that was pending at the failure
          if (calledAt !== undefined && event.usage.steps > modelCalls.length) {
            modelCalls.push({
              ...asking,
              startMs: calledAt,
              endMs: now(),
              firstTextAtMs: null,
              error: event.error.code,
            });
          }
          break;
      }
    },
  };
}
