import type { InvokeRequest } from '@portolan/contract/assistant';
import { invokeAssistant, streamInvocation } from '@portolan/contract/assistant-operations';
import { ApiError, type Client } from '@portolan/contract/client';
import { type ReceivedInvocationEvent, readInvocationStream } from '@portolan/contract/invocation-stream';
import { CliError } from '../cli-error.ts';
import { exitCodes } from '../exit-codes.ts';
import { networkErrorCode, wasCut } from '../explain-error.ts';

/** What asking and reading on needs. */
export interface FollowInput {
  readonly client: Client;
  /** Chosen by the asker: asking again after a broken connection reads on and never asks twice. */
  readonly identifier: string;
  readonly request: InvokeRequest;
  /** Ends the reading; the invocation goes on. */
  readonly signal: AbortSignal;
  readonly wait: (ms: number) => Promise<void>;
  /** Called before each attempt to connect again. */
  readonly onBreak: (attempt: number, attemptsMax: number) => void;
  readonly silenceMsMax?: number;
}

/** Attempts to connect again without anything new in between; with their waits, eleven seconds: time for a restart. */
const attemptsMax = 6;
const waitMsFirst = 250;
const waitMsMax = 4_000;

/** The server says something every fifteen seconds at least; after three times that the connection counts as dead. */
const silenceMsMaxDefault = 45_000;

/**
 * Asks and answers the events of the invocation to `done`, each once and in order, over as many connections as that
 * takes. @throws ApiError for a refusal, CliError `stream_broken` after the last attempt
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
      // Nobody was there in the first place: waiting would only hide it.
      if (lastId === undefined && networkErrorCode(error) !== undefined && !wasCut(error)) throw error;
    }
    breaks += 1;
    if (breaks > attemptsMax) throw broken(identifier);
    onBreak(breaks, attemptsMax);
    await wait(Math.min(waitMsFirst * 2 ** (breaks - 1), waitMsMax));
  }
}

/** The events of one connection; ends without `done` where the connection was cut off cleanly. */
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
  const { client, identifier, request } = following;
  if (lastId === undefined) {
    const query = { deltas: true, invocation_identifier: identifier };
    return client.open(invokeAssistant, { query, body: toBody(request), signal });
  }
  const params = { invocation_identifier: identifier };
  return client.open(streamInvocation, {
    params,
    query: { deltas: true },
    headers: { 'last-event-id': lastId },
    signal,
  });
}

function toBody({ userPrompt, systemPrompt, executionMode, tools, labels }: InvokeRequest) {
  return {
    userPrompt,
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
    ...(executionMode === undefined ? {} : { executionMode }),
    ...(tools === undefined ? {} : { tools: [...tools] }),
    ...(labels === undefined ? {} : { labels: labels as Record<string, string> }),
  };
}

class SilenceError extends Error {}

/** Whether reading on may help: the network, a silent connection, or a server that is starting again. */
function isBreak(error: unknown): boolean {
  if (error instanceof SilenceError || networkErrorCode(error) !== undefined) return true;
  return error instanceof ApiError && (error.body?.error === 'service_unavailable' || isGateway(error));
}

/** A proxy in front of a server that is away answers for itself. */
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
