import type { Clock } from '../../../platform/clock.ts';
import type { AppError } from '../../../platform/errors.ts';
import { parseTraceparent, type SpanExporter } from '../../../platform/telemetry/span-exporter.ts';
import type { LoopEvent, LoopUsage } from '../loop/loop-event.ts';
import type { InvocationIdentity } from './invocation-identity.ts';
import type { InvocationMetrics } from './invocation-metrics.ts';
import { toSpans } from './invocation-spans.ts';
import { recordTimeline } from './invocation-timeline.ts';

/** Observes one invocation; never waits or fails. */
export interface ObservedInvocation {
  record(event: LoopEvent): void;
  end(ended: {
    readonly error?: AppError | undefined;
    readonly usage: LoopUsage;
    readonly provider: string;
    readonly model: string;
  }): void;
}

/** Observes all invocations for metrics and, if configured, spans. */
export interface InvocationObserver {
  begin(invocation: InvocationIdentity): ObservedInvocation;
  /** An invocation was refused; counts limits but not mistakes of callers. */
  refused(code: AppError['code']): void;
  /** An invocation of a dead process was ended. */
  swept(): void;
}

export interface InvocationObserverPorts {
  readonly metrics: InvocationMetrics;
  readonly spans?: SpanExporter | undefined;
  readonly clock: Clock;
}

const limitCodes: ReadonlySet<string> = new Set(['ai_rate_limited', 'ai_quota_exceeded', 'ai_budget_exceeded']);

export function createInvocationObserver({ metrics, spans, clock }: InvocationObserverPorts): InvocationObserver {
  return {
    begin(invocation) {
      // wall-clock times that never go back
      const startMs = clock.now().getTime();
      const offset = startMs - performance.now();
      const now = (): number => offset + performance.now();
      const timeline = recordTimeline(invocation, now);
      return {
        record: (event) => timeline.record(event),
        end({ error, usage, provider, model }) {
          const endMs = now();
          const outcome = error?.code ?? 'completed';
          metrics.count(outcome);
          metrics.observe({ durationMs: endMs - startMs, startMs, outcome }, timeline);
          // whoever asked keeps no spans of this
          if (!spans || parseTraceparent(invocation.traceparent)?.isSampled === false) return;
          spans.export(toSpans(invocation, { startMs, endMs, provider, model, usage, error: error?.code }, timeline));
        },
      };
    },
    refused: (code) => {
      if (limitCodes.has(code)) metrics.count(code);
    },
    swept: () => metrics.count('invocation_interrupted'),
  };
}
