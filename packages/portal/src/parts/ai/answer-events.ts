import type { ErrorBody } from '@portolan/contract/errors';
import type { InvocationEvents, ReceivedInvocationEvent } from '@portolan/contract/invocation-stream';

/** The assistant's text, tool calls and proposals in order. */
export type AnswerPart =
  | { readonly kind: 'text'; readonly text: string }
  | ToolPart
  | { readonly kind: 'draft'; readonly request: InvocationEvents['approval_request'] };

export interface ToolPart {
  readonly kind: 'tool';
  readonly id: string;
  readonly name: string;
  /** JSON text, complete once there is a result. */
  readonly arguments: string;
  readonly result: string | undefined;
  readonly isError: boolean;
  readonly startedAt: number;
  readonly endedAt: number | undefined;
}

export interface Answer {
  readonly parts: readonly AnswerPart[];
  /** Streamed text after the last whole segment; the next segment repeats it. */
  readonly letters: string;
  readonly lastEventId: string | undefined;
  readonly error: (Pick<ErrorBody, 'message'> & { readonly error: string }) | undefined;
  readonly end: InvocationEvents['done'] | undefined;
  /** What backs its sentences. */
  readonly receipts?: InvocationEvents['receipts'] | undefined;
}

export const noAnswer: Answer = { parts: [], letters: '', lastEventId: undefined, error: undefined, end: undefined };

/** Applies one event to the answer. An event that was already applied changes nothing, so streams may overlap. */
export function withEvent(answer: Answer, event: ReceivedInvocationEvent, now: number): Answer {
  // made for each reader, without a place in the stream
  if (event.event === 'receipts') return { ...answer, receipts: event.data };
  if (event.id !== undefined && parseSequence(event.id) <= parseSequence(answer.lastEventId)) return answer;
  const next = { ...answer, lastEventId: event.id ?? answer.lastEventId };
  switch (event.event) {
    case 'text_delta':
      return { ...next, letters: answer.letters + event.data.text };
    case 'execution':
      return { ...next, ...withSegment(answer, event.data) };
    case 'tool_call':
      return { ...next, parts: withCall(answer.parts, event.data, now) };
    case 'tool_result':
      return { ...next, parts: withResult(answer.parts, event.data, now) };
    case 'approval_request':
      return { ...next, parts: [...answer.parts, { kind: 'draft', request: event.data }] };
    case 'error':
      return { ...next, error: event.data };
    case 'done':
      return { ...next, end: event.data, letters: '', parts: withText(answer.parts, answer.letters) };
    default:
      return next;
  }
}

/** The whole text of an answer, for copying. */
export function answerText({ parts, letters }: Answer): string {
  return parts.map((part) => (part.kind === 'text' ? part.text : '')).join('') + letters;
}

/** The parts including the streamed text, as one list for rendering. */
export function shownParts({ parts, letters }: Answer): readonly AnswerPart[] {
  return withText(parts, letters);
}

/**
 * A segment repeats the streamed text before it, or only its beginning. Streamed text that it does not repeat is kept:
 * a stopped invocation ends with a separate sentence.
 */
function withSegment({ parts, letters }: Answer, segment: string): Pick<Answer, 'parts' | 'letters'> {
  if (segment.startsWith(letters)) return { letters: '', parts: withText(parts, segment) };
  if (letters.startsWith(segment)) return { letters: letters.slice(segment.length), parts: withText(parts, segment) };
  return { letters: '', parts: withText(parts, `${letters}\n\n${segment}`) };
}

/** The event's sequence number: the part after the last colon. The identifier itself may contain colons. */
function parseSequence(id: string | undefined): number {
  return Number(id?.slice(id.lastIndexOf(':') + 1)) || 0;
}

function withText(parts: readonly AnswerPart[], text: string): readonly AnswerPart[] {
  if (text === '') return parts;
  const last = parts.at(-1);
  if (last?.kind !== 'text') return [...parts, { kind: 'text', text }];
  return [...parts.slice(0, -1), { kind: 'text', text: last.text + text }];
}

function withCall(parts: readonly AnswerPart[], call: InvocationEvents['tool_call'], now: number) {
  const known = parts.some((part) => part.kind === 'tool' && part.id === call.id);
  if (known) return withTool(parts, call.id, (tool) => ({ ...tool, arguments: tool.arguments + call.arguments }));
  const begun: ToolPart = {
    kind: 'tool',
    id: call.id,
    name: call.name ?? 'tool',
    arguments: call.arguments,
    result: undefined,
    isError: false,
    startedAt: now,
    endedAt: undefined,
  };
  return [...parts, begun];
}

function withResult(parts: readonly AnswerPart[], result: InvocationEvents['tool_result'], now: number) {
  return withTool(parts, result.id, (tool) => ({
    ...tool,
    result: (tool.result ?? '') + result.content,
    isError: tool.isError || result.isError === true,
    endedAt: now,
  }));
}

function withTool(
  parts: readonly AnswerPart[],
  id: string,
  change: (tool: ToolPart) => ToolPart,
): readonly AnswerPart[] {
  return parts.map((part) => (part.kind === 'tool' && part.id === id ? change(part) : part));
}
