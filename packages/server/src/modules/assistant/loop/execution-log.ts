import type { LoopEvent } from './loop-event.ts';
import { sliceBytes } from './tool-output.ts';

/** Largest `execution_logs` (assistant reference §6.3). */
const executionLogBytesMax = 512 * 1024;

interface ToolCallRecord {
  readonly id: string;
  readonly name: string;
  readonly arguments: unknown;
}

interface LogMessage {
  readonly role: 'user' | 'assistant' | 'tool';
  readonly messageId: string;
  content: string | { readonly type: 'text'; readonly text: string }[];
  toolCalls?: ToolCallRecord[];
  readonly toolCallId?: string;
  readonly isError?: boolean;
  readonly durationMs?: number;
  /** The draft run that the call led to. */
  draftId?: string;
  usage?: { readonly inputTokens: number; readonly outputTokens: number };
}

/** Follows a run and writes it down. */
export interface ExecutionLog {
  record(event: LoopEvent): void;
  /**
   * The log as markdown: readable steps without braces or fences, then one fenced `json` block with `messages`, which
   * is what published viewers look for. Over the bound, the oldest tool results are cut first and marked.
   */
  render(bytesMax?: number): string;
}

export function createExecutionLog(question: string): ExecutionLog {
  const messages: LogMessage[] = [{ role: 'user', messageId: 'm1', content: question }];
  const steps: string[] = [];
  const started = new Map<string, string>();
  let assistant: LogMessage | undefined;
  const nextId = (): string => `m${messages.length + 1}`;
  const speaking = (): LogMessage => {
    if (!assistant) {
      assistant = { role: 'assistant', messageId: nextId(), content: [] };
      messages.push(assistant);
    }
    return assistant;
  };
  return {
    record(event) {
      switch (event.type) {
        case 'segment': {
          const parts = speaking().content as { type: 'text'; text: string }[];
          const text = (parts.pop()?.text ?? '') + event.text;
          parts.push({ type: 'text', text });
          break;
        }
        case 'step':
          speaking().usage = { inputTokens: event.inputTokens, outputTokens: event.outputTokens };
          break;
        case 'tool-call': {
          const call = { id: event.id, name: event.name, arguments: argumentsOf(event.arguments) };
          const message = speaking();
          message.toolCalls = [...(message.toolCalls ?? []), call];
          started.set(event.id, readableArguments(call.arguments));
          break;
        }
        case 'tool-result': {
          const { id, name, durationMs, isError } = event;
          assistant = undefined;
          const withArguments = started.get(id) ? ` with ${started.get(id)}` : '';
          const size = `${Buffer.byteLength(event.fullContent)} bytes`;
          const how = isError ? `failed: ${firstLine(event.content)}` : `answered ${size}`;
          const time = durationMs === null ? '' : ` (${Math.round(durationMs)} ms)`;
          steps.push(`Called ${name}${withArguments}: ${how}${time}`);
          messages.push({
            role: 'tool',
            messageId: nextId(),
            toolCallId: id,
            content: event.fullContent,
            ...(durationMs === null ? {} : { durationMs: Math.round(durationMs) }),
            ...(isError ? { isError } : {}),
          });
          break;
        }
        case 'approval-request': {
          const message = messages.findLast(({ toolCallId }) => toolCallId === event.id);
          if (message) message.draftId = event.request.runId;
          steps.push(`Run ${event.request.runId} of ${event.request.action} waits for approval`);
          break;
        }
        case 'finish':
          steps.push(
            `Answered after ${count(event.usage.steps, 'step')} and ${count(event.usage.toolCalls, 'tool call')}`,
          );
          break;
        case 'failure':
          steps.push(`Failed: ${event.error.message}`);
          break;
      }
    },
    render(bytesMax = executionLogBytesMax) {
      const readable = steps.map((step, index) => `${index + 1}. ${withoutMarks(step)}`).join('\n');
      const head = readable === '' ? '' : `${readable}\n\n`;
      return head + fencedMessages(messages, bytesMax - Buffer.byteLength(head));
    },
  };
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

function argumentsOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** `blueprint service, limit 25`: for people, and without the braces that viewers look for. */
function readableArguments(value: unknown): string {
  if (typeof value !== 'object' || value === null) return '';
  return Object.entries(value)
    .map(([key, inner]) => `${key} ${flat(inner)}`)
    .join(', ')
    .slice(0, 300);
}

function flat(value: unknown): string {
  if (Array.isArray(value)) return `(${value.map(flat).join('; ')})`;
  if (typeof value === 'object' && value !== null) return Object.values(value).map(flat).join(' ');
  return String(value);
}

function firstLine(text: string): string {
  const error = /"message":"((?:[^"\\]|\\.)*)"/.exec(text)?.[1];
  return (error ?? text).split('\n')[0]!.slice(0, 200);
}

function withoutMarks(text: string): string {
  return text
    .replace(/[{}[\]]/g, '')
    .replace(/`{3,}/g, '')
    .replace(/\s+/g, ' ');
}

const cutMark = ' [cut: the log has a size limit]';

function fencedMessages(messages: readonly LogMessage[], bytesMax: number): string {
  const kept = messages.map((message) => ({ ...message }));
  let json = JSON.stringify({ messages: kept });
  let excess = Buffer.byteLength(json) + 32 - bytesMax;
  for (const message of [
    ...kept.filter(({ role }) => role === 'tool'),
    ...kept.filter(({ role }) => role !== 'tool'),
  ]) {
    if (excess <= 0) break;
    const text =
      typeof message.content === 'string' ? message.content : message.content.map((part) => part.text).join('');
    // escaping makes text longer in JSON, never shorter: what is cut here is at least as much there
    const target = Math.max(0, Buffer.byteLength(text) - excess - cutMark.length);
    if (text.length <= 200 && message.role !== 'tool') continue;
    message.content = sliceBytes(text, target) + cutMark;
    json = JSON.stringify({ messages: kept });
    excess = Buffer.byteLength(json) + 32 - bytesMax;
  }
  // three back ticks inside a text would end the fence; as escapes they are the same JSON
  return `\`\`\`json\n${json.replaceAll('```', '\\u0060\\u0060\\u0060')}\n\`\`\``;
}
