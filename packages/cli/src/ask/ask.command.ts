import { type InvokeRequest, parseExecutionMode } from '@portolan/contract/assistant';
import { usageError } from '../cli-error.ts';
import type { Arguments, Command } from '../command.ts';
import { connectionOptions } from '../config.ts';
import { connect } from '../connection.ts';
import { type Context, readInput } from '../context.ts';
import type { ExitCode } from '../exit-codes.ts';
import { createJsonPrinter, createTextPrinter } from './answer-printer.ts';
import { askOnce, toExitCode } from './ask-once.ts';
import { findLatest } from './find-latest.ts';
import { formatSources } from './sources-text.ts';

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
    continue: { type: 'boolean', description: 'follow up your latest conversation, or begin the first one' },
    sources: { type: 'boolean', description: 'then say which records back the answer, and what none does' },
    json: { type: 'boolean', description: 'print every event as one line of JSON' },
    ...connectionOptions,
  },
  examples: [
    'ask "which services have no owner?"',
    'ask --label team=platform --tools "^(list|get)_" "which incidents are open?"',
  ],
  run,
};

async function run(input: Arguments, context: Context): Promise<ExitCode> {
  const request = await readRequest(input, context);
  const connection = connect(input, context);
  const conversation = input.flag('continue') ? await findLatest(connection) : undefined;
  const isJson = input.flag('json');
  const wantsReceipts = input.flag('sources');
  const printer = isJson ? createJsonPrinter(context) : createTextPrinter(context);
  const placed = { ...request, ...(conversation === undefined ? {} : { conversation }) };
  const { ending } = await askOnce(connection, context, printer, placed, { wantsReceipts });
  if (wantsReceipts && !isJson) {
    const { receipts, text } = ending;
    const sources = receipts ? formatSources(receipts, text, context.out) : 'nothing was read for this answer\n';
    context.out.write(`\n${sources}`);
  }
  return toExitCode(ending);
}

async function readRequest(input: Arguments, context: Context): Promise<InvokeRequest> {
  const userPrompt = input.words.join(' ') === '-' ? await readInput(context) : input.words.join(' ');
  if (userPrompt.trim() === '') {
    throw usageError('Nothing was asked. Write the question behind it: portolan ask "which services have no owner?"');
  }
  const systemPrompt = input.text('system');
  const labels = readLabels(input.list('label'));
  const mode = input.text('mode');
  const executionMode = readMode(mode);
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

/** @throws CliError `usage` */
export function readMode(mode: string | undefined): InvokeRequest['executionMode'] {
  const executionMode = mode === undefined ? undefined : parseExecutionMode(mode);
  if (mode !== undefined && executionMode === undefined) {
    throw usageError(`--mode "${mode}" is not known. It is "Automatic" or "Manual Approval".`);
  }
  return executionMode;
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
