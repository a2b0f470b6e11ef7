import { randomBytes } from 'node:crypto';

/** A timed operation in OpenTelemetry terms. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string | undefined;
  /** A span of another trace that led to this one. */
  readonly link?: TraceContext | undefined;
  readonly name: string;
  /** `client` calls another system, `server` answers one, `consumer` runs a job, `internal` is none of these. */
  readonly kind: keyof typeof kinds;
  /** Milliseconds since 1970, with fractions. */
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;
  /** Error message; absent on success. */
  readonly error?: string | undefined;
}

export interface SpanExporter {
  /** Queues spans to send. Never waits or throws; spans that do not fit are dropped and counted. */
  export(spans: readonly Span[]): void;
  /** Sends what is queued, waiting only briefly. */
  close(): Promise<void>;
}

export interface SpanExporterOptions {
  /** Base address of an OTLP/HTTP collector; `/v1/traces` is added. */
  readonly endpoint: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly serviceName: string;
  readonly log: { warn(details: object, message: string): void };
}

/** https://github.com/open-telemetry/opentelemetry-proto/blob/main/opentelemetry/proto/trace/v1/trace.proto */
const kinds = { internal: 1, server: 2, client: 3, consumer: 5 } as const;

const batchMs = 1_000;
const batchSpansMax = 512;
const waitingSpansMax = 4_096;
const sendMs = 5_000;
const closeMs = 2_000;
const attemptsMax = 3;

/** Sends spans as OTLP/HTTP in JSON, one batch at a time. */
export function createSpanExporter(options: SpanExporterOptions): SpanExporter {
  const url = `${options.endpoint.replace(/\/+$/, '')}/v1/traces`;
  let waiting: Span[] = [];
  let dropped = 0;
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> | undefined;
  let wasReached = true;

  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    sending ??= sendAll().finally(() => {
      sending = undefined;
    });
    return sending;
  };

  async function sendAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, batchSpansMax);
      const problem = await send(batch);
      if (problem === undefined) wasReached = true;
      else {
        dropped += batch.length;
        // log only the change; the collector is tried every second
        if (wasReached) options.log.warn({ err: problem, dropped }, 'spans could not be sent to the collector');
        wasReached = false;
      }
    }
  }

  async function send(batch: readonly Span[]): Promise<unknown> {
    const body = JSON.stringify(toExportRequest(batch, options));
    let problem: unknown;
    for (let attempt = 0; attempt < attemptsMax; attempt++) {
      try {
        const answer = await fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...options.headers },
          body,
          signal: AbortSignal.timeout(sendMs),
        });
        await answer.body?.cancel();
        if (answer.ok) return undefined;
        problem = new Error(`the collector answered ${answer.status}`);
        if (![429, 502, 503, 504].includes(answer.status)) return problem;
      } catch (error) {
        problem = error;
      }
      if (attempt + 1 < attemptsMax) await new Promise((resolve) => setTimeout(resolve, 200 * 2 ** attempt).unref());
    }
    return problem;
  }

  return {
    export(spans) {
      const room = waitingSpansMax - waiting.length;
      dropped += Math.max(0, spans.length - room);
      waiting.push(...spans.slice(0, Math.max(0, room)));
      if (waiting.length >= batchSpansMax) void flush();
      else timer ??= setTimeout(() => void flush(), batchMs).unref();
    },
    async close() {
      let patience: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        patience = setTimeout(resolve, closeMs);
      });
      await Promise.race([flush(), late]);
      clearTimeout(patience);
      waiting = [];
    },
  };
}

export function newTraceId(): string {
  return randomBytes(16).toString('hex');
}

export function newSpanId(): string {
  return randomBytes(8).toString('hex');
}

/** Where a span stands. */
export interface TraceContext {
  readonly traceId: string;
  readonly spanId: string;
  /** Whether it is sent; what belongs to it then is too. */
  readonly isSampled: boolean;
}

/** The context in a `traceparent` header; undefined if malformed. */
export function parseTraceparent(traceparent: string | undefined): TraceContext | undefined {
  const match = /^[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})/.exec(traceparent ?? '');
  const [, traceId, spanId, flags] = match ?? [];
  if (!traceId || !spanId || !flags) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

export function formatTraceparent({ traceId, spanId, isSampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
}

/** https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding */
function toExportRequest(spans: readonly Span[], { serviceName }: SpanExporterOptions) {
  const resource = { 'service.name': serviceName };
  return {
    resourceSpans: [
      {
        resource: { attributes: toExportedAttributes(resource) },
        scopeSpans: [{ scope: { name: 'portolan' }, spans: spans.map(toExportedSpan) }],
      },
    ],
  };
}

function toExportedSpan(span: Span) {
  const { traceId, spanId, parentSpanId, link, name, kind, startMs, endMs, attributes, error } = span;
  return {
    traceId,
    spanId,
    ...(parentSpanId ? { parentSpanId } : {}),
    name,
    kind: kinds[kind],
    startTimeUnixNano: nanoseconds(startMs),
    endTimeUnixNano: nanoseconds(Math.max(startMs, endMs)),
    attributes: toExportedAttributes(attributes),
    ...(link ? { links: [{ traceId: link.traceId, spanId: link.spanId, flags: Number(link.isSampled) }] } : {}),
    status: error === undefined ? {} : { code: 2, message: error },
  };
}

function nanoseconds(ms: number): string {
  return String(BigInt(Math.round(ms * 1000)) * 1000n);
}

function toExportedAttributes(attributes: Span['attributes']) {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: anyValue(value) }],
  );
}

function anyValue(value: string | number | boolean | readonly string[]): object {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value !== 'number') return { arrayValue: { values: value.map((stringValue) => ({ stringValue })) } };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}
