import { Counter, Histogram, type Metric } from 'prom-client';
import type { Timeline } from './invocation-timeline.ts';

/** Prometheus metrics; no label grows with organizations, people or agents. */
export interface InvocationMetrics {
  readonly metrics: readonly Metric[];
  /** Counts an invocation that ended or was refused: `completed`, or the error's code. */
  count(outcome: string): void;
  observe(
    invocation: { readonly durationMs: number; readonly startMs: number; readonly outcome: string },
    timeline: Timeline,
  ): void;
}

const seconds = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80, 160, 320];

export function createInvocationMetrics(): InvocationMetrics {
  const registers: [] = [];
  const invocations = new Counter({
    name: 'portolan_ai_invocations_total',
    help: 'Invocations of the assistant that ended, or were refused by a limit, by outcome: completed or an error code',
    labelNames: ['outcome'],
    registers,
  });
  const duration = new Histogram({
    name: 'portolan_ai_invocation_duration_seconds',
    help: 'Time from the acceptance of an invocation to its end',
    labelNames: ['outcome'],
    buckets: seconds,
    registers,
  });
  const firstText = new Histogram({
    name: 'portolan_ai_first_text_seconds',
    help: 'Time from the acceptance of an invocation to the first letter of text',
    buckets: seconds,
    registers,
  });
  const tokens = new Counter({
    name: 'portolan_ai_tokens_total',
    help: 'Tokens as model providers reported them',
    labelNames: ['direction', 'provider'],
    registers,
  });
  const modelCalls = new Counter({
    name: 'portolan_ai_model_calls_total',
    help: 'Calls of models by provider and outcome: ok or an error code',
    labelNames: ['provider', 'outcome'],
    registers,
  });
  const toolCalls = new Counter({
    name: 'portolan_ai_tool_calls_total',
    help: 'Tool calls that models asked for, by outcome: ok or error',
    labelNames: ['outcome'],
    registers,
  });
  return {
    metrics: [invocations, duration, firstText, tokens, modelCalls, toolCalls] as unknown as Metric[],
    count: (outcome) => invocations.inc({ outcome }),
    observe({ durationMs, startMs, outcome }, timeline) {
      duration.observe({ outcome: outcome === 'completed' ? outcome : 'failed' }, durationMs / 1000);
      const firstAt = timeline.modelCalls.find(({ firstTextAtMs }) => firstTextAtMs !== null)?.firstTextAtMs;
      if (firstAt != null) firstText.observe(Math.max(0, firstAt - startMs) / 1000);
      for (const { provider, inputTokens = 0, outputTokens = 0, error } of timeline.modelCalls) {
        tokens.inc({ direction: 'input', provider }, inputTokens);
        tokens.inc({ direction: 'output', provider }, outputTokens);
        modelCalls.inc({ provider, outcome: error ?? 'ok' });
      }
      for (const { isError } of timeline.toolCalls) toolCalls.inc({ outcome: isError ? 'error' : 'ok' });
    },
  };
}
