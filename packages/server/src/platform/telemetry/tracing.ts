import { AsyncLocalStorage } from 'node:async_hooks';
import type { Sampler } from './sampler.ts';
import {
  newSpanId,
  newTraceId,
  parseTraceparent,
  type Span,
  type SpanExporter,
  type TraceContext,
} from './span-exporter.ts';

export interface SpanStart {
  readonly name: string;
  readonly kind: Span['kind'];
  readonly attributes?: Span['attributes'];
  /** A `traceparent` from outside, which goes before the span that the caller is in. */
  readonly traceparent?: string | undefined;
  /** A `traceparent` of what led to it. The span begins a trace, which is sent if that one is. */
  readonly link?: string | null | undefined;
}

/** A span that has not ended. */
export interface OpenSpan {
  readonly context: TraceContext;
  /** Adds what is known only later. */
  note(attributes: Span['attributes']): void;
  /** `error` is a code or a class of errors, never a message: messages repeat what people sent. */
  end(error?: string): void;
}

/**
 * Spans of what this process does. Without a collector there is no tracing at all: whoever takes one does without it
 * exactly what it did before.
 */
export interface Tracing {
  /** The span that the calls of this chain are in. */
  current(): TraceContext | undefined;
  begin(start: SpanStart): OpenSpan;
  /** Runs `body` in the span, without ending it. */
  within<T>(span: OpenSpan, body: () => T): T;
  /** Runs `body` in a span of its own, which ends with it. */
  run<T>(start: SpanStart, body: (span: OpenSpan) => Promise<T>): Promise<T>;
}

export function createTracing(exporter: Pick<SpanExporter, 'export'>, sampler: Sampler): Tracing {
  const spans = new AsyncLocalStorage<TraceContext>();
  const now = (): number => performance.timeOrigin + performance.now();

  const begin: Tracing['begin'] = ({ name, kind, attributes = {}, traceparent, link }) => {
    const linked = parseTraceparent(link ?? undefined);
    const parent = linked ? undefined : (parseTraceparent(traceparent) ?? spans.getStore());
    const traceId = parent?.traceId ?? newTraceId();
    const context = { traceId, spanId: newSpanId(), isSampled: sampler(traceId, (linked ?? parent)?.isSampled) };
    if (!context.isSampled) return { context, note: () => undefined, end: () => undefined };
    const startMs = now();
    let noted = attributes;
    let hasEnded = false;
    return {
      context,
      note: (more) => {
        noted = { ...noted, ...more };
      },
      end: (error) => {
        if (hasEnded) return;
        hasEnded = true;
        const ended = error === undefined ? noted : { ...noted, 'error.type': error };
        const { spanId } = context;
        const parentSpanId = parent?.spanId;
        const times = { startMs, endMs: now() };
        exporter.export([
          { traceId, spanId, parentSpanId, link: linked, name, kind, ...times, attributes: ended, error },
        ]);
      },
    };
  };
  const within: Tracing['within'] = (span, body) => spans.run(span.context, body);

  return {
    current: () => spans.getStore(),
    begin,
    within,
    async run(start, body) {
      const span = begin(start);
      try {
        const value = await within(span, () => body(span));
        span.end();
        return value;
      } catch (error) {
        span.end(errorType(error));
        throw error;
      }
    },
  };
}

/** The code of an error, or its class: never its message. */
function errorType(error: unknown): string {
  if (!(error instanceof Error)) return 'thrown';
  const { code } = error as { readonly code?: unknown };
  return typeof code === 'string' && /^\w{1,60}$/.test(code) ? code : error.name;
}

/** Of spans that were made elsewhere, all of one trace and its own root first: those of traces that are sent. */
export function sampleSpans(exporter: SpanExporter, sampler: Sampler): SpanExporter {
  return {
    ...exporter,
    export(spans) {
      const [root] = spans;
      if (root && sampler(root.traceId, root.parentSpanId === undefined ? undefined : true)) exporter.export(spans);
    },
  };
}
