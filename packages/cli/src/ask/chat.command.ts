import type { InvokeRequest } from '@portolan/contract/assistant';
import { getInvocation, getInvocationReceipts } from '@portolan/contract/assistant-operations';
import { ApiError } from '@portolan/contract/client';
import { forkConversation, getConversation, shareConversation } from '@portolan/contract/conversations';
import { CliError, usageError } from '../cli-error.ts';
import type { Arguments, Command } from '../command.ts';
import { connectionOptions } from '../config.ts';
import { type Connection, connect, explained } from '../connection.ts';
import { type Context, readLines } from '../context.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { type AnswerPrinter, createJsonPrinter, createTextPrinter } from './answer-printer.ts';
import { readMode } from './ask.command.ts';
import { askOnce, toExitCode } from './ask-once.ts';
import { findLatest } from './find-latest.ts';
import { formatSources } from './sources-text.ts';

const help = [
  '/edit <question>  ask this instead of the last question',
  '/retry            ask the last question again',
  '/branch [turn]    continue after that turn in a new conversation',
  '/share [private]  share with the organization up to here, or no longer',
  '/receipts         which records back the last answer, and what none does',
  '/cost             tokens and money so far',
  '/quit             leave; the conversation stays',
].join('\n');

export const chatCommand: Command = {
  name: 'chat',
  summary: 'Talk with the assistant; follow-ups know what was said before',
  usage: ['chat [options]', 'chat [options] < questions.txt'],
  details: [
    'Each line is a turn; lines that begin with / are commands, and /help lists them.',
    'Ctrl-C cancels the turn that is being answered, and leaves if there is none.',
    'The exit code is that of the worst turn.',
  ],
  options: {
    conversation: { type: 'string', placeholder: 'id', description: 'continue this conversation' },
    last: { type: 'boolean', description: 'continue your latest conversation' },
    agent: { type: 'string', placeholder: 'identifier', description: 'talk with this agent' },
    mode: { type: 'string', placeholder: 'mode', description: '"Automatic" or "Manual Approval" for actions' },
    json: { type: 'boolean', description: 'print every event as one line of JSON' },
    ...connectionOptions,
  },
  examples: ['chat', 'chat --last', 'chat --agent on_call < questions.txt'],
  run,
};

interface Turn {
  readonly id: string;
  readonly question: string;
  readonly tokens: number;
  readonly costUsd: number | null;
}

interface Talk {
  readonly connection: Connection;
  readonly context: Context;
  readonly printer: AnswerPrinter;
  readonly request: Omit<InvokeRequest, 'userPrompt'>;
  conversation: string;
  turns: Turn[];
}

async function run(input: Arguments, context: Context): Promise<ExitCode> {
  if (input.words.length > 0)
    throw usageError('`chat` takes its questions from the terminal or from stdin, a line each.');
  const named = input.text('conversation');
  if (named !== undefined && input.flag('last')) throw usageError('Give --conversation or --last, not both.');
  const agent = input.text('agent');
  const executionMode = readMode(input.text('mode'));
  const connection = connect(input, context);
  const talk: Talk = {
    connection,
    context,
    printer: input.flag('json') ? createJsonPrinter(context) : createTextPrinter(context),
    request: { ...(agent === undefined ? {} : { agent }), ...(executionMode === undefined ? {} : { executionMode }) },
    conversation: named ?? (input.flag('last') ? await findLatest(connection) : 'new'),
    turns: [],
  };
  if (talk.conversation !== 'new') await readTurns(talk);
  let worst: ExitCode = exitCodes.ok;
  prompt(talk);
  for await (const line of readLines(context)) {
    const text = line.trim();
    if (text === '/quit') break;
    if (text !== '') worst = worse(worst, await perform(talk, text));
    prompt(talk);
  }
  return worst;
}

function prompt({ context: { out, err } }: Talk): void {
  if (out.isTerminal && err.isTerminal) err.write('> ');
}

/** One line. Resolves to its exit code: a turn that failed does not end the talk. */
async function perform(talk: Talk, text: string): Promise<ExitCode> {
  try {
    if (!text.startsWith('/')) return await ask(talk, text, {});
    const [, name = '', rest = ''] = /^\/(\S*)\s*(.*)$/s.exec(text) ?? [];
    return await obey(talk, name, rest);
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    talk.context.err.write(`${error.code}: ${error.message}\n`);
    return error.exitCode;
  }
}

async function obey(talk: Talk, name: string, rest: string): Promise<ExitCode> {
  const { connection, context, turns } = talk;
  const last = turns.at(-1);
  const say = (text: string): ExitCode => {
    context.err.write(`${text}\n`);
    return exitCodes.ok;
  };
  switch (name) {
    case 'help':
      return say(help);
    case 'edit':
    case 'retry': {
      if (!last) throw usageError('Nothing was asked yet.');
      if (name === 'edit' && rest === '') throw usageError('Write the question behind it: /edit <question>');
      const code = await ask(talk, name === 'edit' ? rest : last.question, { replaces: last.id });
      talk.turns = talk.turns.filter(({ id }) => id !== last.id);
      return code;
    }
    case 'branch': {
      const at = rest === '' ? last : turns[Number(rest) - 1];
      if (!at) throw usageError(`There is no turn ${rest || 'yet'}; there are ${turns.length}.`);
      const params = { conversation_identifier: talk.conversation };
      const { conversation } = await explained(connection.address, () =>
        connection.client.call(forkConversation, { params, body: { at: at.id } }),
      );
      talk.conversation = conversation.identifier;
      talk.turns = turns.slice(0, turns.indexOf(at) + 1);
      return say(`The conversation goes on after turn ${talk.turns.length} as ${conversation.identifier}.`);
    }
    case 'share': {
      if (talk.conversation === 'new') throw usageError('Nothing was asked yet.');
      const params = { conversation_identifier: talk.conversation };
      const isPrivate = rest === 'private';
      await explained(connection.address, () =>
        connection.client.call(shareConversation, { params, body: { with: isPrivate ? 'private' : 'organization' } }),
      );
      return say(isPrivate ? 'Only you can read it.' : 'Everybody in the organization can read it up to here.');
    }
    case 'receipts':
      if (!last) throw usageError('Nothing was asked yet.');
      return say(await readSources(talk, last));
    case 'cost':
      await readTurns(talk);
      return say(costText(talk.turns));
    default:
      throw usageError(`/${name} is not known. /help lists the commands.`);
  }
}

async function ask(talk: Talk, userPrompt: string, place: Pick<InvokeRequest, 'replaces'>): Promise<ExitCode> {
  const { connection, context, printer, request, conversation } = talk;
  const { identifier, ending } = await askOnce(connection, context, printer, {
    ...request,
    userPrompt,
    conversation,
    ...place,
  });
  if (conversation === 'new') talk.conversation = identifier;
  talk.turns = [...talk.turns, { id: identifier, question: userPrompt, tokens: 0, costUsd: 0 }];
  return toExitCode(ending);
}

async function readSources({ connection, context }: Talk, { id }: Turn): Promise<string> {
  const { client, address } = connection;
  const params = { invocation_identifier: id };
  const where = `All that was done: ${address}/ai/invocations/${encodeURIComponent(id)}`;
  const found = await explained(address, () =>
    Promise.all([client.call(getInvocation, { params }), client.call(getInvocationReceipts, { params })]).catch(
      (error: unknown) => {
        if (error instanceof ApiError && error.status === 404) return undefined;
        throw error;
      },
    ),
  );
  if (!found) return `Nothing was read for this answer.\n${where}`;
  const [{ result }, { receipts }] = found;
  return `${formatSources(receipts, result.message ?? '', context.err)}${where}`;
}

/** The turns of the shown path with what they took. */
async function readTurns(talk: Talk): Promise<void> {
  const { connection, conversation } = talk;
  if (conversation === 'new') return;
  const params = { conversation_identifier: conversation };
  const { messages } = await explained(connection.address, () => connection.client.call(getConversation, { params }));
  talk.turns = messages
    .filter(({ role }) => role === 'user')
    .map(({ invocationIdentifier: id, content }) => {
      const end = messages.findLast((each) => each.role === 'assistant' && each.invocationIdentifier === id);
      const question = typeof content === 'string' ? content : '';
      return { id, question, tokens: end?.tokens ?? 0, costUsd: end?.costUsd === undefined ? 0 : end.costUsd };
    });
}

function costText(turns: readonly Turn[]): string {
  const tokens = turns.reduce((sum, turn) => sum + turn.tokens, 0);
  const isKnown = turns.every(({ costUsd }) => costUsd !== null);
  const cost = turns.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0);
  return `${turns.length} turn${turns.length === 1 ? '' : 's'}, ${tokens} tokens, ${isKnown ? `$${cost.toFixed(4)}` : 'cost not known'}`;
}

function worse(one: ExitCode, other: ExitCode): ExitCode {
  return Math.max(one, other) as ExitCode;
}
