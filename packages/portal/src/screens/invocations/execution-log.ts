/** A message of an execution log, reduced to the fields that are always there. */
export interface LogMessage {
  readonly role: string;
  readonly text: string;
  readonly toolCalls: readonly LoggedCall[];
  readonly toolCallId: string | undefined;
  readonly isError: boolean;
  readonly durationMs: number | undefined;
  readonly tokens: { readonly input: number; readonly output: number } | undefined;
}

export interface LoggedCall {
  readonly id: string;
  readonly name: string;
  /** JSON text. */
  readonly arguments: string;
}

/** A tool call on the time line, with the turn of the model that requested it, and its result. */
export interface TimelineCall extends LoggedCall {
  readonly turn: number;
  readonly result: string | undefined;
  readonly isError: boolean;
  readonly durationMs: number | undefined;
}

/** The messages in the log's fenced block; empty if the log is missing or unreadable. */
export function parseMessages(log: string): readonly LogMessage[] {
  const fenced = /```json\n([\s\S]*)\n```/.exec(log)?.[1] ?? log.slice(log.indexOf('{'), log.lastIndexOf('}') + 1);
  try {
    const { messages } = JSON.parse(fenced) as { messages?: unknown };
    return Array.isArray(messages) ? messages.map(toMessage) : [];
  } catch {
    return [];
  }
}

/** The readable steps before the fenced block. */
export function readSteps(log: string): string {
  const at = log.indexOf('```json');
  return (at < 0 ? log : log.slice(0, at)).trim();
}

export function toTimeline(messages: readonly LogMessage[]): readonly TimelineCall[] {
  const calls: TimelineCall[] = [];
  let turn = 0;
  for (const message of messages) {
    if (message.role === 'assistant') turn += 1;
    for (const each of message.toolCalls) {
      const answer = messages.find(({ role, toolCallId }) => role === 'tool' && toolCallId === each.id);
      calls.push({
        ...each,
        turn,
        result: answer?.text,
        isError: answer?.isError ?? false,
        durationMs: answer?.durationMs,
      });
    }
  }
  return calls;
}

function toMessage(value: unknown): LogMessage {
  const given = (typeof value === 'object' && value !== null ? value : {}) as Readonly<Record<string, unknown>>;
  const { role, content, toolCalls, toolCallId, isError, durationMs, usage } = given;
  const { inputTokens, outputTokens } = (usage ?? {}) as { inputTokens?: unknown; outputTokens?: unknown };
  return {
    role: typeof role === 'string' ? role : '',
    text: contentText(content),
    toolCalls: Array.isArray(toolCalls) ? toolCalls.map(toCall) : [],
    toolCallId: typeof toolCallId === 'string' ? toolCallId : undefined,
    isError: isError === true,
    durationMs: typeof durationMs === 'number' ? durationMs : undefined,
    tokens:
      typeof inputTokens === 'number' && typeof outputTokens === 'number'
        ? { input: inputTokens, output: outputTokens }
        : undefined,
  };
}

function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part: { text?: unknown } | null) => (typeof part?.text === 'string' ? part.text : '')).join('');
}

function toCall(value: unknown): LoggedCall {
  const { id, name, arguments: given } = (value ?? {}) as Readonly<Record<string, unknown>>;
  return {
    id: String(id ?? ''),
    name: String(name ?? 'tool'),
    arguments: typeof given === 'string' ? given : JSON.stringify(given ?? {}),
  };
}
