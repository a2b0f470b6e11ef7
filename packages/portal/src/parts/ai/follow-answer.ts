import { type ReceivedInvocationEvent, readInvocationStream } from '@portolan/contract/invocation-stream';
import { ApiError, errorCode, errorStatus, open } from '../../api/api.ts';
import { pause, readChunks } from '../../api/stream-chunks.ts';

export interface Question {
  readonly text: string;
  readonly systemPrompt?: string | undefined;
  /** An agent of this identifier answers; the general assistant does where there is none. */
  readonly agent?: string | undefined;
  readonly tools?: readonly string[] | undefined;
  readonly executionMode?: 'Automatic' | 'Manual Approval' | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
}

/** An event, and when it came. */
export interface TimedEvent {
  readonly event: ReceivedInvocationEvent;
  readonly at: number;
}

export interface FollowOptions {
  /** Identifier of the invocation. Whoever asks chooses it, so that a lost first answer is found again. */
  readonly id: string;
  /** Absent where the question was asked before. */
  readonly question: Question | undefined;
  /** The last event that was seen, to go on after it. */
  readonly lastEventId: () => string | undefined;
  readonly onEvents: (events: readonly TimedEvent[]) => void;
  readonly onConnection: (isConnected: boolean) => void;
  readonly signal: AbortSignal;
}

const waitsMs = [500, 1_000, 2_000, 4_000, 8_000] as const;

/**
 * Asks, and reads the answer to its end through lost connections: after each it goes on behind the last event that was
 * seen. Resolves after `done`. @throws ApiError for what the server refuses; nothing else ends it but the signal
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
      // the question never arrived
      if (question && hasBegun && errorStatus(error) === 404 && lastEventId() === undefined) hasBegun = false;
      else if (isFinal(error)) throw error;
    }
    if (signal.aborted) return;
    onConnection(false);
    await pause(waitsMs[Math.min(failures, waitsMs.length - 1)] ?? 0, signal);
  }
}

/** Waiting does not change what was refused; a server that is away, or a session that has to be renewed, comes back. */
function isFinal(error: unknown): boolean {
  const status = errorStatus(error);
  if (errorCode(error)?.startsWith('ai_')) return true;
  return error instanceof ApiError && status >= 400 && status < 500 && ![401, 408, 425].includes(status);
}

function ask(id: string, question: Question, signal: AbortSignal): Promise<Response> {
  const { text, systemPrompt, agent, tools, executionMode, labels } = question;
  const shared = {
    ...(tools ? { tools: [...tools] } : {}),
    ...(executionMode ? { executionMode } : {}),
    labels: { source: 'portal', ...labels },
  };
  if (agent !== undefined) {
    return open('invokeAgent', {
      params: { agent_identifier: agent },
      // defaults after the cutover, and asked for before it
      query: { deltas: true, invocation_identifier: id, stream: true, use_mcp: true },
      body: { query: text, ...shared },
      signal,
    });
  }
  return open('invokeAssistant', {
    query: { deltas: true, invocation_identifier: id },
    body: { userPrompt: text, ...(systemPrompt ? { systemPrompt } : {}), ...shared },
    signal,
  });
}

function resume(id: string, lastEventId: string | undefined, signal: AbortSignal): Promise<Response> {
  return open('streamInvocation', {
    params: { invocation_identifier: id },
    query: { deltas: true },
    ...(lastEventId === undefined ? {} : { headers: { 'last-event-id': lastEventId } }),
    signal,
  });
}

/** What comes within a frame is painted together; the server gathers letters longer than that. */
const frameMs = 16;

/** True once `done` was read; false where the stream was cut off before. */
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
