import { type ReceivedInvocationEvent, readInvocationStream } from '@portolan/contract/invocation-stream';
import { ApiError, errorCode, errorStatus, open } from '../../api/api.ts';
import { pause, readChunks } from '../../api/stream-chunks.ts';

/** What a question is about: the entity that the person looks at. */
export type QuestionContext = { readonly entity: { readonly blueprint: string; readonly identifier: string } };

export interface Question {
  readonly text: string;
  readonly context?: QuestionContext | undefined;
  /** The agent that answers; the general assistant if absent. */
  readonly agent?: string | undefined;
  readonly tools?: readonly string[] | undefined;
  readonly executionMode?: 'Automatic' | 'Manual Approval' | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** For the assistant; an agent has a prompt of its own. */
  readonly systemPrompt?: string | undefined;
  /** Hints for choosing the model. */
  readonly provider?: string | undefined;
  readonly model?: string | undefined;
  readonly place?: QuestionPlace | undefined;
}

/** Where in a conversation a question stands: `new`, at its head, after a turn, or in the place of one. */
export interface QuestionPlace {
  readonly conversation: string;
  readonly parent?: string | null | undefined;
  readonly replaces?: string | undefined;
}

/** An event and its time of arrival. */
export interface TimedEvent {
  readonly event: ReceivedInvocationEvent;
  readonly at: number;
}

export interface FollowOptions {
  /** Identifier of the invocation. The client chooses it, so that it can resume even if the first response is lost. */
  readonly id: string;
  /** Absent if the question was asked before. */
  readonly question: Question | undefined;
  /** The last event received, from which a reconnect resumes. */
  readonly lastEventId: () => string | undefined;
  readonly onEvents: (events: readonly TimedEvent[]) => void;
  readonly onConnection: (isConnected: boolean) => void;
  readonly signal: AbortSignal;
}

const waitsMs = [500, 1_000, 2_000, 4_000, 8_000] as const;

/**
 * Asks, and reads the answer to its end; after a lost connection it resumes behind the last event received. Resolves
 * after `done`. @throws ApiError for a refusal; apart from that only the signal ends it
 */
export async function followAnswer(options: FollowOptions): Promise<void> {
  const { id, question, signal, lastEventId, onConnection } = options;
  let hasBegun = question === undefined;
  for (let failures = 0; !signal.aborted; failures += 1) {
    try {
      const response = await (hasBegun ? resume(id, lastEventId(), signal) : ask(id, question as Question, signal));
      hasBegun = true;
      onConnection(true);
      if (await readToEnd(response, options, () => (failures = 0))) return;
    } catch (error) {
      if (signal.aborted) return;
      // the question never arrived: ask again
      if (question && hasBegun && errorStatus(error) === 404 && lastEventId() === undefined) hasBegun = false;
      else if (isFinal(error)) throw error;
    }
    if (signal.aborted) return;
    onConnection(false);
    await pause(waitsMs[Math.min(failures, waitsMs.length - 1)] ?? 0, signal);
  }
}

/** Whether retrying is useless. An unreachable server and an expired session can recover; a refusal cannot. */
function isFinal(error: unknown): boolean {
  const status = errorStatus(error);
  if (errorCode(error)?.startsWith('ai_')) return true;
  return error instanceof ApiError && status >= 400 && status < 500 && ![401, 408, 425].includes(status);
}

function ask(id: string, question: Question, signal: AbortSignal): Promise<Response> {
  const { text, context, agent, tools, executionMode, labels, systemPrompt, provider, model, place } = question;
  const shared = {
    ...(context ? { context } : {}),
    ...(tools ? { tools: [...tools] } : {}),
    ...(executionMode ? { executionMode } : {}),
    ...(provider ? { provider } : {}),
    ...(model ? { model } : {}),
    labels: { source: 'portal', ...labels },
    ...place,
  };
  if (agent !== undefined) {
    return open('invokeAgent', {
      params: { agent_identifier: agent },
      // the defaults after the cutover; before it they have to be requested
      query: { deltas: true, receipts: true, invocation_identifier: id, stream: true, use_mcp: true },
      body: { query: text, ...shared },
      signal,
    });
  }
  return open('invokeAssistant', {
    query: { deltas: true, receipts: true, invocation_identifier: id },
    body: { userPrompt: text, ...(systemPrompt ? { systemPrompt } : {}), ...shared },
    signal,
  });
}

function resume(id: string, lastEventId: string | undefined, signal: AbortSignal): Promise<Response> {
  return open('streamInvocation', {
    params: { invocation_identifier: id },
    query: { deltas: true, receipts: true },
    ...(lastEventId === undefined ? {} : { headers: { 'last-event-id': lastEventId } }),
    signal,
  });
}

/** Events within one animation frame render together; the server batches text over a longer time. */
const frameMs = 16;

/** True after `done`; false if the stream was cut off before it. */
async function readToEnd(response: Response, options: FollowOptions, onProgress: () => void): Promise<boolean> {
  let waiting: TimedEvent[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting.length > 0) options.onEvents(waiting);
    waiting = [];
  };
  try {
    for await (const event of readInvocationStream(readChunks(response))) {
      onProgress();
      waiting.push({ event, at: performance.now() });
      if (event.event === 'done') return true;
      timer ??= setTimeout(flush, frameMs);
    }
    return false;
  } finally {
    flush();
  }
}
