import { isRecord } from '@portolan/contract/json-value';
import { isNestedDeeper } from '../../../platform/http/read-json.ts';
import { parseJsonOrText } from '../../../platform/parse-json.ts';
import { cutMark, jsonText, toLogJson } from './log-json.ts';
import type { LoopEvent } from './loop-event.ts';
import { sliceBytes } from './tool-output.ts';

export interface LogBounds {
  /** Bytes of the log in UTF-8, at least 16 KiB. */
  readonly bytesMax: number;
  readonly messagesMax: number;
}

/** Bounds of `execution_logs` (assistant reference §6.3). */
export const logBounds: LogBounds = { bytesMax: 512 * 1024, messagesMax: 400 };

/** Logs an invocation; the cost of an event depends only on its own size. */
export interface ExecutionLog {
  record(event: LoopEvent): void;
  note(line: string): void;
  /**
   * The log as Markdown: readable steps without braces or fences, then one fenced `json` block with `messages`, which
   * published viewers expect. Keeps the limit by shortening the oldest tool results first and then dropping the oldest
   * messages; the log mentions both.
   */
  render(): string;
}

export interface ExecutionLogOptions {
  /** Data that was sent beside the question; an eighth of the bounds at most. */
  readonly context?: Readonly<Record<string, unknown>> | undefined;
  readonly bounds?: LogBounds;
}

interface Entry {
  json: string;
  bytes: number;
  readonly short: string | undefined;
}

interface OpenReply {
  readonly messageId: string;
  text: string;
  calls: string[];
  callBytes: number;
  usage: string | undefined;
}

interface OpenResult {
  readonly members: string;
  readonly content: string;
  draftId: string | undefined;
}

const shortBytes = 500;
const lineCharactersMax = 600;
const idCharactersMax = 200;
const argumentsDepthMax = 64;
/** Room for the fence, the braces and two lines. */
const frameBytes = 4 * lineCharactersMax * 2;

export function createExecutionLog(
  question: string,
  { context, bounds: { bytesMax, messagesMax } = logBounds }: ExecutionLogOptions = {},
): ExecutionLog {
  const headBytesMax = bytesMax >> 3;
  const entries: Entry[] = [];
  const lines: string[] = [];
  const said = new Map<string, string>();
  let last: string | undefined;
  let lineBytes = 0;
  let linesLeftOut = 0;
  let bytes = 0;
  /** Tool results before `shortened` are shortened, and messages before `dropped` are left out. The question stays. */
  let shortened = 1;
  let dropped = 1;
  let count = 0;
  let reply: OpenReply | undefined;
  let result: OpenResult | undefined;

  const nextId = (): string => `m${++count}`;
  const add = (json: string, short?: string): void => {
    const entry = { json, bytes: Buffer.byteLength(json) + 1, short };
    entries.push(entry);
    bytes += entry.bytes;
    const room = bytesMax - headBytesMax - frameBytes;
    for (; bytes > room && shortened < entries.length; shortened++)
      replace(entries[shortened]!, entries[shortened]!.short);
    for (; (bytes > room || entries.length - dropped >= messagesMax) && dropped < entries.length; dropped++) {
      replace(entries[dropped]!, '');
    }
  };
  const replace = (entry: Entry, json: string | undefined): void => {
    if (json === undefined || entry.json === '') return;
    bytes -= entry.bytes;
    entry.json = json;
    entry.bytes = json === '' ? 0 : Buffer.byteLength(json) + 1;
    bytes += entry.bytes;
  };
  const close = (): void => {
    if (reply) add(replyJson(reply, bytesMax));
    if (result) add(resultJson(result, bytesMax >> 1), resultJson(result, shortBytes));
    reply = undefined;
    result = undefined;
  };
  const speaking = (): OpenReply => {
    if (result) close();
    reply ??= { messageId: nextId(), text: '', calls: [], callBytes: 0, usage: undefined };
    return reply;
  };
  const say = (line: string): void => {
    const text = withoutMarks(line.slice(0, lineCharactersMax));
    const added = Buffer.byteLength(text) + 8;
    if (lineBytes + added > headBytesMax) {
      linesLeftOut++;
      return;
    }
    lines.push(text);
    lineBytes += added;
  };
  const about = context ? `,"context":${toLogJson(context)}` : '';
  add(`{"role":"user","messageId":"${nextId()}","content":${jsonText(question, bytesMax >> 3)}${about}}`);

  return {
    note: say,
    record(event) {
      switch (event.type) {
        case 'segment': {
          const message = speaking();
          if (message.text.length <= bytesMax) message.text += event.text;
          break;
        }
        case 'step': {
          const { inputTokens, outputTokens } = event;
          speaking().usage = toLogJson({ inputTokens, outputTokens });
          break;
        }
        case 'refusal':
          say(event.message);
          close();
          add(`{"role":"user","messageId":"${nextId()}","content":${jsonText(event.message, shortBytes)}}`);
          break;
        case 'tool-call': {
          const value = parseArguments(event.arguments, bytesMax);
          addCall(speaking(), event, value, bytesMax >> 2);
          said.set(event.id, readableArguments(value));
          break;
        }
        case 'tool-result': {
          const { id, name, durationMs, isError, fullContent, content } = event;
          close();
          const withArguments = said.get(id) ? ` with ${said.get(id)}` : '';
          said.delete(id);
          const how = isError ? `failed: ${firstLine(content)}` : `answered ${Buffer.byteLength(fullContent)} bytes`;
          const time = durationMs === null ? '' : ` (${Math.round(durationMs)} ms)`;
          say(`Called ${name.slice(0, idCharactersMax)}${withArguments}: ${how}${time}`);
          const members = [
            `"role":"tool","messageId":"${nextId()}","toolCallId":${toLogJson(id.slice(0, idCharactersMax))}`,
            ...(durationMs === null ? [] : [`"durationMs":${Math.round(durationMs)}`]),
            ...(isError ? ['"isError":true'] : []),
          ];
          result = { members: members.join(','), content: fullContent, draftId: undefined };
          break;
        }
        case 'approval-request':
          if (result) result.draftId = event.request.runId;
          say(`Run ${event.request.runId} of ${event.request.action} waits for approval`);
          break;
        case 'finish': {
          const { steps, toolCalls } = event.usage;
          last = `Answered after ${numbered(steps, 'step')} and ${numbered(toolCalls, 'tool call')}`;
          break;
        }
        case 'failure':
          last = `Failed: ${event.error.message}`;
          break;
      }
    },
    render() {
      close();
      const notes = [
        ...(linesLeftOut > 0 ? [`${numbered(linesLeftOut, 'more step')} left out: the log has a size limit`] : []),
        ...(dropped > 1 ? [`${numbered(dropped - 1, 'older message')} left out below: the log has a size limit`] : []),
        ...(last === undefined ? [] : [withoutMarks(last.slice(0, lineCharactersMax))]),
      ];
      const readable = [...lines, ...notes].map((line, index) => `${index + 1}. ${line}`).join('\n');
      const messages = entries.flatMap(({ json }) => (json === '' ? [] : [json])).join(',');
      return `${readable}${readable === '' ? '' : '\n\n'}\`\`\`json\n{"messages":[${messages}]}\n\`\`\``;
    },
  };
}

function replyJson({ messageId, text, calls, usage }: OpenReply, bytesMax: number): string {
  const content = text === '' ? '[]' : `[{"type":"text","text":${jsonText(text, bytesMax >> 2)}}]`;
  const toolCalls = calls.length === 0 ? '' : `,"toolCalls":[${calls.join(',')}]`;
  const used = usage === undefined ? '' : `,"usage":${usage}`;
  return `{"role":"assistant","messageId":"${messageId}","content":${content}${toolCalls}${used}}`;
}

function resultJson({ members, content, draftId }: OpenResult, bytesMax: number): string {
  const draft = draftId === undefined ? '' : `,"draftId":${toLogJson(draftId.slice(0, idCharactersMax))}`;
  return `{${members},"content":${jsonText(content, bytesMax)}${draft}}`;
}

/** If there is no room, drops the arguments of calls first, then calls. */
function addCall(
  message: OpenReply,
  { id, name }: { id: string; name: string },
  value: unknown,
  bytesMax: number,
): void {
  const shown = `"id":${toLogJson(id.slice(0, idCharactersMax))},"name":${toLogJson(name.slice(0, idCharactersMax))}`;
  const whole = typeof value === 'string' ? jsonText(value, bytesMax >> 2) : toLogJson(value);
  for (const written of [whole, `"${cutMark.trim()}"`]) {
    const json = `{${shown},"arguments":${written}}`;
    const bytes = Buffer.byteLength(json) + 1;
    if (message.callBytes + bytes > bytesMax) continue;
    message.calls.push(json);
    message.callBytes += bytes;
    return;
  }
}

function numbered(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** The parsed value; the text itself if it is not JSON or too large for the log. */
function parseArguments(text: string, bytesMax: number): unknown {
  if (text.length > bytesMax || isNestedDeeper(text, argumentsDepthMax)) return text;
  return parseJsonOrText(text);
}

/** For people, such as `blueprint service, limit 25`: without braces, which viewers search for. */
function readableArguments(value: unknown): string {
  if (typeof value !== 'object' || value === null) return '';
  return Object.entries(value)
    .map(([key, inner]) => `${key} ${flat(inner)}`)
    .join(', ')
    .slice(0, 300);
}

function flat(value: unknown): string {
  if (Array.isArray(value)) return `(${value.map(flat).join('; ')})`;
  if (isRecord(value)) return Object.values(value).map(flat).join(' ');
  return String(value);
}

function firstLine(text: string): string {
  const start = text.slice(0, 4_000);
  const error = /"message":"((?:[^"\\]|\\.)*)"/.exec(start)?.[1];
  return (error ?? start).split('\n')[0]!.slice(0, 200);
}

/** One line that can be stored, without the marks that viewers search for. */
function withoutMarks(text: string): string {
  return sliceBytes(
    text
      .replace(/[{}[\]\0]/g, '')
      .replace(/`{3,}/g, '')
      .replace(/\s+/g, ' '),
    lineCharactersMax * 3,
  );
}
