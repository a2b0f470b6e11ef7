import { randomUUID } from 'node:crypto';
import { type InvokeRequest, parseExecutionMode } from '@portolan/contract/assistant';
import { cancelInvocation } from '@portolan/contract/assistant-operations';
import type { InvocationEvents, ReceivedInvocationEvent } from '@portolan/contract/invocation-stream';
import { CliError, usageError } from '../cli-error.ts';
import type { Arguments, Command } from '../command.ts';
import { connectionOptions } from '../config.ts';
import { connect, explained } from '../connection.ts';
import { type Context, readInput } from '../context.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { type AnswerPrinter, createJsonPrinter, createTextPrinter } from './answer-printer.ts';
import { followInvocation } from './follow-invocation.ts';

export const askCommand: Command = {
  name: 'ask',
  summary: 'Ask the assistant about the catalog; the answer is printed as it comes',
  usage: ['ask "<question>" [options]', 'ask - [options] < question.txt'],
  details: [
    'The answer goes to stdout. On a terminal, the tools the assistant calls are shown on stderr.',
    'A connection that breaks is resumed where it broke. Ctrl-C asks the server to cancel.',
    'The exit code is 0 only if the invocation completed, or waits for an approval.',
  ],
  options: {
    system: { type: 'string', placeholder: 'text', description: 'context and rules for the assistant' },
    tools: {
      type: 'string',
      placeholder: 'pattern',
      isRepeatable: true,
      description: 'regular expression of tool names it may use; again for more',
    },
    'no-tools': { type: 'boolean', description: 'let it use no tools' },
    mode: { type: 'string', placeholder: 'mode', description: '"Automatic" or "Manual Approval" for actions' },
    label: {
      type: 'string',
      placeholder: 'key=value',
      isRepeatable: true,
      description: 'label of the invocation; again for more',
    },
    json: { type: 'boolean', description: 'print every event as one line of JSON' },
    ...connectionOptions,
  },
  examples: [
    'ask "which services have no owner?"',
    'ask --label team=platform --tools "^(list|get)_" "which incidents are open?"',
  ],
  run,
};

/** After a cancellation the stream ends on its own; the command waits at most this long for that. */
const cancelPatienceMs = 3_000;

async function run(input: Arguments, context: Context): Promise<ExitCode> {
  const request = await readRequest(input, context);
  const { client, address } = connect(input, context);
  const printer = input.flag('json') ? createJsonPrinter(context) : createTextPrinter(context);
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
    signal: leave.signal,
    wait: context.wait,
    onBreak: printer.noteBreak,
  });
  try {
    const ending = await explained(address, () => showAll(events, printer));
    if (!isInterrupted) return toExitCode(ending);
  } catch (error) {
    if (!isInterrupted) throw error;
  } finally {
    forget();
    printer.end();
  }
  throw new CliError(exitCodes.interrupted, 'invocation_cancelled', `The invocation ${identifier} was cancelled.`);
}

interface InvocationEnding {
  error?: InvocationEvents['error'];
  done?: InvocationEvents['done'];
}

async function showAll(
  events: AsyncIterable<ReceivedInvocationEvent>,
  printer: AnswerPrinter,
): Promise<InvocationEnding> {
  const ending: InvocationEnding = {};
  for await (const event of events) {
    printer.show(event);
    if (event.event === 'error') ending.error = event.data;
    if (event.event === 'done') ending.done = event.data;
  }
  return ending;
}

/** @throws CliError with the error code of a failed invocation */
function toExitCode({ error, done }: InvocationEnding): ExitCode {
  if (error) throw new CliError(exitCodes.failed, error.error, error.message);
  if (done?.paused || done?.status === 'Completed') return exitCodes.ok;
  throw new CliError(exitCodes.failed, 'invocation_failed', 'The invocation failed and did not say why.');
}

async function readRequest(input: Arguments, context: Context): Promise<InvokeRequest> {
  const userPrompt = input.words.join(' ') === '-' ? await readInput(context) : input.words.join(' ');
  if (userPrompt.trim() === '') {
    throw usageError('Nothing was asked. Write the question behind it: portolan ask "which services have no owner?"');
  }
  const systemPrompt = input.text('system');
  const labels = readLabels(input.list('label'));
  const mode = input.text('mode');
  const executionMode = mode === undefined ? undefined : parseExecutionMode(mode);
  if (mode !== undefined && executionMode === undefined) {
    throw usageError(`--mode "${mode}" is not known. It is "Automatic" or "Manual Approval".`);
  }
  const tools = input.list('tools');
  if (tools.length > 0 && input.flag('no-tools')) throw usageError('Give --tools or --no-tools, not both.');
  return {
    userPrompt,
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
    ...(executionMode === undefined ? {} : { executionMode }),
    ...(tools.length > 0 || input.flag('no-tools') ? { tools } : {}),
    ...(labels === undefined ? {} : { labels }),
  };
}

function readLabels(pairs: readonly string[]): Record<string, string> | undefined {
  if (pairs.length === 0) return undefined;
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1) throw usageError(`--label "${pair}" is not key=value.`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}
