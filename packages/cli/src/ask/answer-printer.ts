import type { InvocationEvents, ReceivedInvocationEvent } from '@portolan/contract/invocation-stream';
import type { Context, Output } from '../context.ts';
import { dim, oneLine, printable } from '../output.ts';

/** Prints the events of an invocation. */
export interface AnswerPrinter {
  show(event: ReceivedInvocationEvent): void;
  /** The connection broke and is being retried. */
  noteBreak(attempt: number, attemptsMax: number): void;
  /** Ends the answer with a newline; no event follows. */
  end(): void;
}

/** Prints every event as one line of JSON: `{"id", "event", "data"}`, as in the stream. */
export function createJsonPrinter({ out }: Pick<Context, 'out'>): AnswerPrinter {
  return {
    show(event) {
      const name = event.event === 'unknown' ? event.name : event.event;
      out.write(`${JSON.stringify({ id: event.id, event: name, data: event.data })}\n`);
    },
    noteBreak: () => {},
    end: () => {},
  };
}

/** Streams only the answer to stdout; progress goes to stderr if that is a terminal. */
export function createTextPrinter({ out, err }: Pick<Context, 'out' | 'err'>): AnswerPrinter {
  const calls = new Map<string, { name: string; arguments: string }>();
  /** Text that was streamed and that no segment has repeated yet. */
  let streamed = '';
  let atLineStart = true;

  const print = (text: string): void => {
    if (text === '') return;
    out.write(printable(text, out));
    atLineStart = text.endsWith('\n');
  };
  const note = (text: string, always = false): void => {
    if (!always && !err.isTerminal) return;
    if (!atLineStart && out.isTerminal) print('\n');
    err.write(`${text}\n`);
  };
  /** A segment repeats streamed text, of which there may be more already; prints only what is missing. */
  const complete = (text: string): void => {
    if (streamed.startsWith(text)) {
      streamed = streamed.slice(text.length);
      return;
    }
    if (text.startsWith(streamed)) print(text.slice(streamed.length));
    streamed = '';
  };

  return {
    show(event) {
      if (event.event === 'text_delta') {
        streamed += event.data.text;
        print(event.data.text);
      } else if (event.event === 'execution') complete(event.data);
      else if (event.event === 'tool_call') noteCall(calls, event.data, (text) => note(dimmed(text, err)));
      else if (event.event === 'tool_result' && event.data.isError) {
        note(dimmed(`  failed: ${event.data.content}`, err));
      } else if (event.event === 'approval_request') note(printable(approvalText(event.data), err), true);
    },
    noteBreak: (attempt, attemptsMax) =>
      note(dimmed(`connection broken; reading on (attempt ${attempt} of ${attemptsMax})`, err)),
    end() {
      if (!atLineStart) print('\n');
    },
  };
}

/** Arguments of a call may arrive in pieces; the line is printed once they are complete. */
function noteCall(
  calls: Map<string, { name: string; arguments: string }>,
  piece: InvocationEvents['tool_call'],
  note: (text: string) => void,
): void {
  const call = calls.get(piece.id) ?? { name: piece.name ?? 'tool', arguments: '' };
  call.arguments += piece.arguments;
  calls.set(piece.id, call);
  if (!piece.lastChunk) return;
  calls.delete(piece.id);
  note(`→ ${call.name} ${call.arguments === '{}' ? '' : call.arguments}`);
}

function dimmed(text: string, err: Output): string {
  return dim(printable(oneLine(text, 120), err), err);
}

function approvalText({ action, url, expiresAt }: InvocationEvents['approval_request']): string {
  return `"${action}" waits for approval until ${expiresAt}: ${url}`;
}
