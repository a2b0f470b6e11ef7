import { z } from 'zod';
import type { ErrorBody } from './errors.ts';
import { decodeEventStream, type ServerSentEvent } from './invocation-stream-decoder.ts';
import type { Receipts } from './receipts.ts';

/** Bounds of the invocation stream (assistant reference §2.8). */
export const streamLimits = {
  /** Longest chunk of `tool_call.arguments` and `tool_result.content`. */
  toolChunkBytesMax: 16 * 1024,
  /** Longest `tool_result.content`; the execution log has all of it. */
  toolResultBytesMax: 32 * 1024,
  heartbeatMsMax: 15_000,
} as const;

/** The month's quota, in `done`, on the entity, and at `GET /v1/quota/ai-invocations`. */
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
 * Tokens are as the provider reported them; calls of the model without a report count in `unreportedSteps` and add
 * none. `costUsd` is null without a price for the model or if a call was not reported; it is never estimated.
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

/** What of a conversation the model was shown, and how much room it may take. */
export const contextUsage = z
  .object({
    usedTokens: z.number().int(),
    maxTokens: z.number().int(),
    /** Earlier turns that it continues. */
    turns: z.number().int(),
    /** Of those, the ones that were shortened or left out. */
    turnsCompacted: z.number().int(),
  })
  .meta({ id: 'ContextUsage' });
export type ContextUsage = z.output<typeof contextUsage>;

export const quotaAnswer = z.strictObject({ ok: z.literal(true), monthlyQuotaUsage });

/** Ordered by name; `changesThings` is false for tools that only read. */
export const toolsAnswer = z.object({
  ok: z.literal(true),
  tools: z.array(
    z.object({ name: z.string(), title: z.string(), description: z.string(), changesThings: z.boolean() }),
  ),
});

/** The 202 answer without a stream (assistant reference §1.5). */
export const invocationAccepted = z.strictObject({
  ok: z.literal(true),
  invocation: z.strictObject({ identifier: z.string() }),
});

/** The data of each event; strings travel as text, others as JSON on one line. */
export interface InvocationEvents {
  /** First in every stream: the bare identifier. */
  readonly invocationIdentifier: string;
  /** Second, if the question stands in a conversation: the bare identifier of that. */
  readonly conversationIdentifier: string;
  /** The agent that the deprecated router chose; only in its streams. */
  readonly agentSelection: {
    readonly type: 'SELECTED_AGENT' | 'NO_AGENT_MATCH';
    readonly identifier?: string;
    readonly thought_process: string;
  };
  /** `arguments` is a chunk of JSON text: join the chunks of one `id`; only the first has `name`. */
  readonly tool_call: {
    readonly id: string;
    readonly name?: string;
    readonly arguments: string;
    readonly lastChunk?: true;
  };
  /** `content` is a chunk of text: join by `id`; the first chunk of a failed call has `isError`. */
  readonly tool_result: {
    readonly id: string;
    readonly content: string;
    readonly isError?: true;
    readonly lastChunk?: true;
  };
  /** One segment of the answer; joined, the segments are the text. */
  readonly execution: string;
  /** A few letters of the answer, with `?deltas=true`; the `execution` that follows repeats them. */
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
  /** What backs the sentences of the answer, with `?receipts=true`; once, before `error` or `done`, without an id. */
  readonly receipts: Receipts;
  /** Why it failed; `done` follows. */
  readonly error: ErrorBody & { readonly retryable: boolean };
  /** Last in every stream, also after a failure. */
  readonly done: {
    readonly status?: InvocationStatus;
    readonly paused?: true;
    readonly rateLimitUsage: RateLimitUsage;
    readonly monthlyQuotaUsage: MonthlyQuotaUsage;
    /** Of a turn of a conversation. */
    readonly contextUsage?: ContextUsage;
    /** How many notes of the person the model was shown; absent without any. */
    readonly notesUsed?: number;
  };
}

export type InvocationEventName = keyof InvocationEvents;

/** An event as the server makes it, without an identifier. */
export type InvocationEvent = {
  readonly [Name in InvocationEventName]: { readonly event: Name; readonly data: InvocationEvents[Name] };
}[InvocationEventName];

/** An event as a client reads it; unknown names are passed on with their text. */
export type ReceivedInvocationEvent =
  | (InvocationEvent & { readonly id?: string })
  | { readonly event: 'unknown'; readonly name: string; readonly data: string; readonly id?: string };

const textEvents: ReadonlySet<string> = new Set<InvocationEventName>([
  'invocationIdentifier',
  'conversationIdentifier',
  'execution',
]);
const jsonEvents: ReadonlySet<string> = new Set<InvocationEventName>([
  'agentSelection',
  'tool_call',
  'tool_result',
  'text_delta',
  'approval_request',
  'receipts',
  'error',
  'done',
]);

/** Types a decoded event. Unreadable JSON becomes an unknown event, never an exception. */
function readInvocationEvent({ id, event, data }: ServerSentEvent): ReceivedInvocationEvent {
  const withId = id === undefined ? {} : { id };
  if (textEvents.has(event)) return { event, data, ...withId } as ReceivedInvocationEvent;
  if (jsonEvents.has(event)) {
    try {
      return { event, data: JSON.parse(data), ...withId } as ReceivedInvocationEvent;
    } catch {
      // from a proxy or another version: treated like an unknown name
    }
  }
  return { event: 'unknown', name: event, data, ...withId };
}

/**
 * Decodes an invocation's events from the bytes of its stream. Ends after `done` or with the bytes; a stream that does
 * not end with `done` was cut off, and can be resumed after its last `id`.
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
