import type { Clock } from '../../../platform/clock.ts';
import type { AppError } from '../../../platform/errors.ts';
import type { SpanExporter } from '../../../platform/telemetry/span-exporter.ts';
import type { LoopEvent, LoopUsage } from '../loop/loop-event.ts';
import type { RunMetrics } from './run-metrics.ts';
import { spansOf } from './run-spans.ts';
import { recordTimeline } from './run-timeline.ts';

/** Which run it is. */
export interface RunIdentity {
  readonly orgId: string;
  readonly id: string;
  readonly agent: string | null;
  readonly provider: string;
  readonly model: string;
  /** The span of the caller (W3C Trace Context), as it was sent. */
  readonly traceparent?: string | undefined;
}

/** Follows one run; nothing in it waits or fails. */
export interface ObservedRun {
  record(event: LoopEvent): void;
  end(ended: {
    readonly error?: AppError | undefined;
    readonly usage: LoopUsage;
    readonly provider: string;
    readonly model: string;
  }): void;
}

/** Told of every run, and tells those who operate the installation: metrics, and spans where they are wanted. */
export interface RunObserver {
  begin(run: RunIdentity): ObservedRun;
  /** No run was begun; limits are counted, mistakes of callers are not. */
  refused(code: AppError['code']): void;
  /** A run of another process, which died. */
  swept(): void;
}

export interface RunObserverPorts {
  readonly metrics: RunMetrics;
  readonly spans?: SpanExporter | undefined;
  readonly clock: Clock;
}

const limitCodes: ReadonlySet<string> = new Set(['ai_rate_limited', 'ai_quota_exceeded']);

export function createRunObserver({ metrics, spans, clock }: RunObserverPorts): RunObserver {
  return {
    begin(run) {
      // moments of the wall clock that never go back
      const startMs = clock.now().getTime();
      const offset = startMs - performance.now();
      const now = (): number => offset + performance.now();
      const timeline = recordTimeline(run, now);
      return {
        record: (event) => timeline.record(event),
        end({ error, usage, provider, model }) {
          const endMs = now();
          const outcome = error?.code ?? 'completed';
          metrics.count(outcome);
          metrics.observe({ durationMs: endMs - startMs, startMs, outcome }, timeline);
          spans?.export(spansOf(run, { startMs, endMs, provider, model, usage, error: error?.code }, timeline));
        },
      };
    },
    refused: (code) => {
      if (limitCodes.has(code)) metrics.count(code);
    },
    swept: () => metrics.count('invocation_interrupted'),
  };
}
