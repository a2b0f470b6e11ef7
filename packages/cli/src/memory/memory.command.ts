import { deleteMemories, deleteMemory, listMemories, type Memory } from '@portolan/contract/memory';
import { CliError, usageError } from '../cli-error.ts';
import type { Arguments, Command } from '../command.ts';
import { connectionOptions } from '../config.ts';
import { connect, explained } from '../connection.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { printable, table } from '../output.ts';

export const memoryCommand: Command = {
  name: 'memory',
  summary: 'List, show and forget your own notes for the assistant',
  usage: ['memory list [options]', 'memory show <id> [options]', 'memory forget <id>... | --all [options]'],
  details: [
    'The notes are those of the person whose credentials these are; nobody reads the notes of others. Notes are',
    'written in the portal, or with one click on what a question asks to be remembered.',
  ],
  options: {
    all: { type: 'boolean', description: 'forget all notes' },
    json: { type: 'boolean', description: 'print JSON' },
    ...connectionOptions,
  },
  examples: ['memory list', 'memory show note_5f2c', 'memory forget note_5f2c', 'memory forget --all'],
  run,
};

const verbs: Readonly<
  Record<string, (input: Arguments, context: Context, ids: readonly string[]) => Promise<ExitCode>>
> = { list, show, forget };

function run(input: Arguments, context: Context): Promise<ExitCode> {
  const [name = '', ...ids] = input.words;
  const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined;
  if (!verb) throw usageError(`"memory ${name}" is not known. There are: ${Object.keys(verbs).join(', ')}.`);
  if (name !== 'forget' && input.flag('all')) throw usageError('--all is for "memory forget".');
  return verb(input, context, ids);
}

async function list(input: Arguments, context: Context, rest: readonly string[]): Promise<ExitCode> {
  if (rest.length > 0) throw usageError(`"${rest[0]}" is one word too many.`);
  const { client, address } = connect(input, context);
  const { memories, memoryEnabled, isOn } = await explained(address, () => client.call(listMemories));
  if (input.flag('json')) {
    context.out.write(`${JSON.stringify({ memories, memoryEnabled, isOn })}\n`);
    return exitCodes.ok;
  }
  const rows = memories.map(({ id, content, updatedAt }) => [id, updatedAt.slice(0, 10), content]);
  const notes = rows.length === 0 ? 'There is no note.\n' : table(['ID', 'CHANGED', 'NOTE'], rows);
  context.out.write(printable(`${notes}${describeState(memoryEnabled, isOn)}`, context.out));
  return exitCodes.ok;
}

function describeState(memoryEnabled: boolean, isOn: boolean): string {
  if (!memoryEnabled) return 'The assistant uses none: an administrator has not allowed notes.\n';
  return isOn ? '' : 'The assistant uses none: you paused your notes.\n';
}

async function show(input: Arguments, context: Context, ids: readonly string[]): Promise<ExitCode> {
  const [id, another] = ids;
  if (id === undefined || another !== undefined) throw usageError('Name the id of one note: memory show <id>.');
  const { client, address } = connect(input, context);
  const { memories } = await explained(address, () => client.call(listMemories));
  const memory = memories.find((each) => each.id === id);
  if (!memory)
    throw new CliError(
      exitCodes.failed,
      'not_found',
      `You have no note with the id "${id}"; "memory list" names yours`,
    );
  context.out.write(
    input.flag('json') ? `${JSON.stringify({ memory })}\n` : printable(`${describe(memory)}\n`, context.out),
  );
  return exitCodes.ok;
}

function describe({ content, createdAt, updatedAt, invocation }: Memory): string {
  const changed = updatedAt === createdAt ? '' : `, changed ${updatedAt}`;
  const from = invocation === null ? '' : `, from the question of invocation ${invocation}`;
  return `${content}\n\nwritten ${createdAt}${changed}${from}`;
}

async function forget(input: Arguments, context: Context, ids: readonly string[]): Promise<ExitCode> {
  const isAll = input.flag('all');
  if (isAll === ids.length > 0) throw usageError('Name the ids of notes, or --all: memory forget <id>... | --all.');
  const { client, address } = connect(input, context);
  await explained(address, async () => {
    if (isAll) await client.call(deleteMemories, { body: { deleteAll: true } });
    // one after the other, so that an id that is not there is named
    for (const id of ids) await client.call(deleteMemory, { params: { memory_id: id } });
  });
  const forgotten = isAll ? 'all notes' : ids.length === 1 ? '1 note' : `${ids.length} notes`;
  context.out.write(
    input.flag('json') ? `${JSON.stringify({ forgotten: isAll ? 'all' : ids })}\n` : `Forgot ${forgotten}.\n`,
  );
  return exitCodes.ok;
}
