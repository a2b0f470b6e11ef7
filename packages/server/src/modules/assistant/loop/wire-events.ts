import { type InvocationEvent, streamLimits } from '@portolan/contract/invocation-stream';
import type { AppError } from '../../../platform/errors.ts';
import { errorBody } from '../../../platform/errors.ts';
import type { LoopEvent } from './loop-event.ts';
import { splitBytes } from './tool-output.ts';

/** An event with the authors of its text, which are stored beside it and not sent. */
export type LabelledEvent = InvocationEvent & { readonly label?: readonly string[] };

/**
 * The stream events for an event of the loop. Steps and the end are left out, because the end needs figures that the
 * loop does not know. Arguments and results are split; the last chunk is always marked.
 */
export function toInvocationEvents(event: LoopEvent): readonly LabelledEvent[] {
  switch (event.type) {
    case 'text-delta':
      return [{ event: 'text_delta', data: { text: event.text } }];
    case 'segment':
      return [{ event: 'execution', data: event.text }];
    case 'tool-call':
      return pieces(event.arguments, (text, isFirst, isLast) => ({
        event: 'tool_call',
        data: {
          id: event.id,
          ...(isFirst ? { name: event.name } : {}),
          arguments: text,
          ...(isLast ? { lastChunk: true } : {}),
        },
      }));
    case 'tool-result':
      return pieces(event.content, (text, isFirst, isLast) => ({
        event: 'tool_result',
        data: {
          id: event.id,
          content: text,
          ...(isFirst && event.isError ? { isError: true } : {}),
          ...(isLast ? { lastChunk: true } : {}),
        },
        ...(isLast && event.texts && event.texts.size > 0 ? { label: [...event.texts.keys()].sort() } : {}),
      }));
    case 'approval-request':
      return [{ event: 'approval_request', data: event.request }];
    default:
      return [];
  }
}

function pieces(
  text: string,
  make: (piece: string, isFirst: boolean, isLast: boolean) => LabelledEvent,
): LabelledEvent[] {
  const all = splitBytes(text, streamLimits.toolChunkBytesMax);
  return all.map((piece, index) => make(piece, index === 0, index === all.length - 1));
}

/** The events before `done` of a failed invocation: a sentence for readers that do not know `error`, and the error. */
export function failureEvents(error: AppError, saidAnything: boolean): readonly InvocationEvent[] {
  const told: InvocationEvent = {
    event: 'error',
    data: { ...errorBody(error), retryable: error.isRetryable },
  };
  return saidAnything ? [told] : [{ event: 'execution', data: `The invocation failed: ${error.message}` }, told];
}
