import type { InvokeRequest } from '@portolan/contract/assistant';
import { invokeAgent, invokeAssistant, streamInvocation } from '@portolan/contract/assistant-operations';
import { ApiError, type Client } from '@portolan/contract/client';
import { type ReceivedInvocationEvent, readInvocationStream } from '@portolan/contract/invocation-stream';
import { CliError } from '../cli-error.ts';
import { exitCodes } from '../exit-codes.ts';
import { networkErrorCode, wasCut } from '../explain-error.ts';

/** Input for asking a question and following its answer. */
export interface FollowInput {
  readonly client: Client;
  /** Chosen by the client: a retry with the same identifier resumes the invocation instead of starting a second one. */
  readonly identifier: string;
  readonly request: InvokeRequest;
  /** Asks for what backs each sentence, as one event more before the end. */
  readonly wantsReceipts?: boolean | undefined;
  /** Stops following; the invocation continues. */
  readonly signal: AbortSignal;
  readonly wait: (ms: number) => Promise<void>;
  /** Called before each reconnect. */
  readonly onBreak: (attempt: number, attemptsMax: number) => void;
  readonly silenceMsMax?: number;
}

/** Reconnects in a row without a new event. With the delays this covers eleven seconds, enough for a server restart. */
const attemptsMax = 6;
const waitMsFirst = 250;
const waitMsMax = 4_000;

/** The server sends something at least every 15 s; after three times that the connection counts as dead. */
const silenceMsMaxDefault = 45_000;

/**
 * Asks and yields the events of the invocation up to `done`, each once and in order, reconnecting as needed.
 * @throws ApiError for a refusal, CliError `stream_broken` after the last attempt
 */
export async function* followInvocation(following: FollowInput): AsyncGenerator<ReceivedInvocationEvent> {
  const { identifier, signal, wait, onBreak } = following;
  let lastId: string | undefined;
  let breaks = 0;
  for (;;) {
    try {
      for await (const event of readOnce(following, lastId)) {
        if (event.id !== undefined) lastId = event.id;
        breaks = 0;
        yield event;
        if (event.event === 'done') return;
      }
    } catch (error) {
      if (signal.aborted || !isBreak(error)) throw error;
      // The server was never reachable: retrying would only delay the error.
      if (lastId === undefined && networkErrorCode(error) !== undefined && !wasCut(error)) throw error;
    }
    breaks += 1;
    if (breaks > attemptsMax) throw broken(identifier);
    onBreak(breaks, attemptsMax);
    await wait(Math.min(waitMsFirst * 2 ** (breaks - 1), waitMsMax));
  }
}

/** The events of one connection; ends without `done` if the connection closed cleanly before it. */
async function* readOnce(following: FollowInput, lastId: string | undefined): AsyncGenerator<ReceivedInvocationEvent> {
  const { signal, silenceMsMax = silenceMsMaxDefault } = following;
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(new SilenceError()), silenceMsMax);
  try {
    const response = await connect(following, lastId, AbortSignal.any([signal, silence.signal]));
    if (!response.body) return;
    for await (const event of readInvocationStream(response.body, { onComment: () => timer.refresh() })) {
      timer.refresh();
      yield event;
    }
  } finally {
    clearTimeout(timer);
    silence.abort();
  }
}

function connect(following: FollowInput, lastId: string | undefined, signal: AbortSignal): Promise<Response> {
  const { client, identifier, request, wantsReceipts } = following;
  const more = wantsReceipts ? { receipts: true } : {};
  if (lastId === undefined) {
    const query = { deltas: true, ...more, invocation_identifier: identifier };
    if (request.agent === undefined) {
      const { userPrompt, systemPrompt } = request;
      const body = { userPrompt, ...(systemPrompt === undefined ? {} : { systemPrompt }), ...toBody(request) };
      return client.open(invokeAssistant, { query, body, signal });
    }
    return client.open(invokeAgent, {
      params: { agent_identifier: request.agent },
      // before the cutover of an organization both have to be asked for
      query: { ...query, stream: true, use_mcp: true },
      body: { query: request.userPrompt, ...toBody(request) },
      signal,
    });
  }
  const params = { invocation_identifier: identifier };
  return client.open(streamInvocation, {
    params,
    query: { deltas: true, ...more },
    headers: { 'last-event-id': lastId },
    signal,
  });
}

/** What the paths of assistant and agents take alike. */
function toBody({ executionMode, tools, labels, provider, model, conversation, parent, replaces }: InvokeRequest) {
  return {
    ...(executionMode === undefined ? {} : { executionMode }),
    ...(tools === undefined ? {} : { tools: [...tools] }),
    ...(labels === undefined ? {} : { labels: labels as Record<string, string> }),
    ...(provider === undefined ? {} : { provider }),
    ...(model === undefined ? {} : { model }),
    ...(conversation === undefined ? {} : { conversation }),
    ...(parent === undefined ? {} : { parent }),
    ...(replaces === undefined ? {} : { replaces }),
  };
}

class SilenceError extends Error {}

/** Whether a retry may help: a network error, a silent connection, or a restarting server. */
function isBreak(error: unknown): boolean {
  if (error instanceof SilenceError || networkErrorCode(error) !== undefined) return true;
  return error instanceof ApiError && (error.body?.error === 'service_unavailable' || isGateway(error));
}

/** A proxy answers in place of an unreachable server. */
function isGateway({ status, body }: ApiError): boolean {
  return body === undefined && [502, 503, 504].includes(status);
}

function broken(identifier: string): CliError {
  return new CliError(
    exitCodes.unreachable,
    'stream_broken',
    `The connection broke and ${attemptsMax} attempts to read on failed. The server may still be answering: the invocation is ${identifier}.`,
  );
}
