import { z } from 'zod';
import type { ErrorBody } from './errors.ts';
import { decodeEventStream, type ServerSentEvent } from './invocation-stream-decoder.ts';

/** Bounds of the invocation stream (assistant reference §2.8). */
export const streamLimits = {
  /** Longest piece of `tool_call.arguments` and `tool_result.content`. */
  toolChunkBytesMax: 16 * 1024,
  /** Longest `tool_result.content` in all; the whole result is in the execution log. */
  toolResultBytesMax: 32 * 1024,
  heartbeatMsMax: 15_000,
} as const;

/** The month's quota: in `done`, on the invocation's entity, and of `GET /v1/quota/ai-invocations`. */
export const monthlyQuotaUsage = z
  .strictObject({
    monthlyLimit: z.number().int(),
    remainingQuota: z.number().int(),
    month: z.string().regex(/^\d{4}-\d{2}$/),
    remainingTimeMs: z.number().int(),
  })
  .meta({ id: 'MonthlyQuotaUsage' });
export type MonthlyQuotaUsage = z.output<typeof monthlyQuotaUsage>;

/** The hour's limits, in `done` and in the rate headers. */
export const rateLimitUsage = z
  .strictObject({
    maxRequests: z.number().int(),
    remainingRequests: z.number().int(),
    maxTokens: z.number().int(),
    remainingTokens: z.number().int(),
    remainingTimeMs: z.number().int(),
  })
  .meta({ id: 'RateLimitUsage' });
export type RateLimitUsage = z.output<typeof rateLimitUsage>;

export const invocationStatus = z.enum(['In Progress', 'Completed', 'Failed']);
export type InvocationStatus = z.output<typeof invocationStatus>;

/**
 * What a run used. Tokens are as the provider reported them; where it reported none for a call of the model, that call
 * counts in `unreportedSteps`, and tokens are those of the others. `costUsd` is null where the operator named no price
 * for the model or a call was not reported: it is never estimated.
 */
export const invocationUsage = z
  .object({
    inputTokens: z.number().int(),
    outputTokens: z.number().int(),
    steps: z.number().int(),
    toolCalls: z.number().int(),
    unreportedSteps: z.number().int().default(0),
    costUsd: z.number().nullable().default(null),
    durationMs: z.number().int(),
    isLanguageModel: z.boolean(),
  })
  .meta({ id: 'InvocationUsage' });
export type InvocationUsage = z.output<typeof invocationUsage>;

export const quotaAnswer = z.strictObject({ ok: z.literal(true), monthlyQuotaUsage });
export type QuotaAnswer = z.output<typeof quotaAnswer>;

/** The tools on offer, in order of name; `changesThings` is false for those that only read. */
export const toolsAnswer = z.object({
  ok: z.literal(true),
  tools: z.array(
    z.object({ name: z.string(), title: z.string(), description: z.string(), changesThings: z.boolean() }),
  ),
});

/** The answer of a call that does not stream: 202 and where to read on (assistant reference §1.5). */
export const invocationAccepted = z.strictObject({
  ok: z.literal(true),
  invocation: z.strictObject({ identifier: z.string() }),
});
export type InvocationAccepted = z.output<typeof invocationAccepted>;

/** What each event of an invocation carries; `string` payloads travel as text, the others as JSON on one line. */
export interface InvocationEvents {
  /** First of every stream: the identifier, bare. */
  readonly invocationIdentifier: string;
  /** Which agent the deprecated router chose; of its streams alone. */
  readonly agentSelection: {
    readonly type: 'SELECTED_AGENT' | 'NO_AGENT_MATCH';
    readonly identifier?: string;
    readonly thought_process: string;
  };
  /** `arguments` is a piece of JSON text: pieces of one `id` are joined in order; `name` is on the first only. */
  readonly tool_call: {
    readonly id: string;
    readonly name?: string;
    readonly arguments: string;
    readonly lastChunk?: true;
  };
  /** `content` is a piece of text, joined by `id`; `isError` is on the first piece of a failed call. */
  readonly tool_result: {
    readonly id: string;
    readonly content: string;
    readonly isError?: true;
    readonly lastChunk?: true;
  };
  /** One segment of the answer; segments joined without anything between them are the text. */
  readonly execution: string;
  /** A few letters of the answer, for those who ask with `?deltas=true`; the `execution` that follows repeats them. */
  readonly text_delta: { readonly text: string };
  /** A draft run that a person must decide. */
  readonly approval_request: {
    readonly runId: string;
    readonly action: string;
    readonly entity?: string | null;
    readonly properties: Readonly<Record<string, unknown>>;
    readonly inputsHash: string;
    readonly url: string;
    readonly expiresAt: string;
  };
  /** Why the invocation failed; `done` follows. */
  readonly error: ErrorBody & { readonly retryable: boolean };
  /** Last of every stream, after a failure too. */
  readonly done: {
    readonly status?: InvocationStatus;
    readonly paused?: true;
    readonly rateLimitUsage: RateLimitUsage;
    readonly monthlyQuotaUsage: MonthlyQuotaUsage;
  };
}

export type InvocationEventName = keyof InvocationEvents;

/** An event before it has an identifier: as the server makes it. */
export type InvocationEvent = {
  readonly [Name in InvocationEventName]: { readonly event: Name; readonly data: InvocationEvents[Name] };
}[InvocationEventName];

/** An event as a client reads it. A name this version does not know is passed on with its text. */
export type ReceivedInvocationEvent =
  | (InvocationEvent & { readonly id?: string })
  | { readonly event: 'unknown'; readonly name: string; readonly data: string; readonly id?: string };

const textEvents: ReadonlySet<string> = new Set<InvocationEventName>(['invocationIdentifier', 'execution']);
const jsonEvents: ReadonlySet<string> = new Set<InvocationEventName>([
  'agentSelection',
  'tool_call',
  'tool_result',
  'text_delta',
  'approval_request',
  'error',
  'done',
]);

/** Gives a decoded event its type. JSON that cannot be read makes it an unknown event, never an exception. */
export function readInvocationEvent({ id, event, data }: ServerSentEvent): ReceivedInvocationEvent {
  const withId = id === undefined ? {} : { id };
  if (textEvents.has(event)) return { event, data, ...withId } as ReceivedInvocationEvent;
  if (jsonEvents.has(event)) {
    try {
      return { event, data: JSON.parse(data), ...withId } as ReceivedInvocationEvent;
    } catch {
      // a proxy or another version wrote it: treated like a name that is not known
    }
  }
  return { event: 'unknown', name: event, data, ...withId };
}

/**
 * The events of an invocation, read from the bytes of its stream in whatever chunks they come. Ends after `done`,
 * or when the bytes end; a stream whose last event was not `done` was cut off, and may be resumed after its last `id`.
 */
export async function* readInvocationStream(
  chunks: AsyncIterable<Uint8Array>,
  options: { readonly onComment?: (text: string) => void } = {},
): AsyncGenerator<ReceivedInvocationEvent> {
  for await (const frame of decodeEventStream(chunks, options)) {
    const event = readInvocationEvent(frame);
    yield event;
    if (event.event === 'done') return;
  }
}
