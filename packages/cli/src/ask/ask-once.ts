import { randomUUID } from 'node:crypto';
import type { InvokeRequest } from '@portolan/contract/assistant';
import { cancelInvocation } from '@portolan/contract/assistant-operations';
import type { InvocationEvents, ReceivedInvocationEvent } from '@portolan/contract/invocation-stream';
import { CliError } from '../cli-error.ts';
import { type Connection, explained } from '../connection.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { AnswerPrinter } from './answer-printer.ts';
import { followInvocation } from './follow-invocation.ts';

/** After a cancellation the stream ends on its own; the command waits at most this long for that. */
const cancelPatienceMs = 3_000;

export interface InvocationEnding {
  error?: InvocationEvents['error'];
  done?: InvocationEvents['done'];
  receipts?: InvocationEvents['receipts'];
  /** All that was said. */
  text: string;
}

/**
 * Asks one question and prints its answer as it comes; Ctrl-C asks the server to cancel.
 * @throws CliError `invocation_cancelled` after that
 */
export async function askOnce(
  { client, address }: Connection,
  context: Context,
  printer: AnswerPrinter,
  request: InvokeRequest,
  { wantsReceipts }: { readonly wantsReceipts?: boolean } = {},
): Promise<{ readonly identifier: string; readonly ending: InvocationEnding }> {
  const identifier = randomUUID();
  const leave = new AbortController();
  let isInterrupted = false;
  const forget = context.onInterrupt(() => {
    forget();
    isInterrupted = true;
    const giveUp = (): void => void setTimeout(() => leave.abort(), cancelPatienceMs).unref();
    // If the server does not know the invocation yet, or is gone, there is nothing to wait for.
    client.call(cancelInvocation, { params: { invocation_identifier: identifier } }).then(giveUp, () => leave.abort());
  });
  const events = followInvocation({
    client,
    identifier,
    request,
    wantsReceipts,
    signal: leave.signal,
    wait: context.wait,
    onBreak: printer.noteBreak,
  });
  try {
    const ending = await explained(address, () => showAll(events, printer));
    if (!isInterrupted) return { identifier, ending };
  } catch (error) {
    if (!isInterrupted) throw error;
  } finally {
    forget();
    printer.end();
  }
  throw new CliError(exitCodes.interrupted, 'invocation_cancelled', `The invocation ${identifier} was cancelled.`);
}

async function showAll(
  events: AsyncIterable<ReceivedInvocationEvent>,
  printer: AnswerPrinter,
): Promise<InvocationEnding> {
  const ending: InvocationEnding = { text: '' };
  for await (const event of events) {
    printer.show(event);
    if (event.event === 'execution') ending.text += event.data;
    if (event.event === 'receipts') ending.receipts = event.data;
    if (event.event === 'error') ending.error = event.data;
    if (event.event === 'done') ending.done = event.data;
  }
  return ending;
}

/** @throws CliError with the error code of a failed invocation */
export function toExitCode({ error, done }: InvocationEnding): ExitCode {
  if (error) throw new CliError(exitCodes.failed, error.error, error.message);
  if (done?.paused || done?.status === 'Completed') return exitCodes.ok;
  throw new CliError(exitCodes.failed, 'invocation_failed', 'The invocation failed and did not say why.');
}
