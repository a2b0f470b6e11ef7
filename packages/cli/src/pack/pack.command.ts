import type { Client } from '@portolan/contract/client';
import { installPack, listPacks, type PackChange, planPack, removePack } from '@portolan/contract/packs';
import { usageError } from '../cli-error.ts';
import type { Arguments, Command } from '../command.ts';
import { connectionOptions } from '../config.ts';
import { connect, explained } from '../connection.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { printable, table } from '../output.ts';

export const packCommand: Command = {
  name: 'pack',
  summary: 'List, preview, install and remove starter models',
  usage: [
    'pack list',
    'pack plan <model> [options]',
    'pack install <model> [options]',
    'pack remove <model> [options]',
  ],
  details: [
    'Installing extends blueprints that are there and never replaces them.',
    'Removing leaves what was changed since, and what entities use.',
  ],
  options: {
    remove: { type: 'boolean', description: 'plan: what removing would do' },
    rename: {
      type: 'string',
      isRepeatable: true,
      placeholder: 'item',
      description: 'bring this item in conflict under another name',
    },
    skip: { type: 'string', isRepeatable: true, placeholder: 'item', description: 'leave this item in conflict out' },
    'delete-entities': {
      type: 'string',
      isRepeatable: true,
      placeholder: 'blueprint=number',
      description: 'remove: the blueprint with its entities, of which there are so many',
    },
    'delete-values': { type: 'boolean', description: 'remove: also parts that entities have values of' },
    json: { type: 'boolean', description: 'print JSON' },
    ...connectionOptions,
  },
  examples: ['pack plan service-catalog', 'pack install incidents --rename property:service/tier'],
  run,
};

async function run(input: Arguments, context: Context): Promise<ExitCode> {
  const [verb = '', model, ...rest] = input.words;
  const act = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
  if (!act) throw usageError(`"pack ${verb}" is not known. There are: ${Object.keys(verbs).join(', ')}.`);
  if (rest.length > 0) throw usageError(`"${rest[0]}" is one word too many.`);
  const prepared = act(input, model);
  const { client, address } = connect(input, context);
  const { json, text } = await explained(address, () => prepared(client));
  context.out.write(input.flag('json') ? `${JSON.stringify(json)}\n` : printable(text, context.out));
  return exitCodes.ok;
}

interface CommandResult {
  readonly json: object;
  readonly text: string;
}

/** Parses the call first, so that a mistake sends nothing. */
type Verb = (input: Arguments, model: string | undefined) => (client: Client) => Promise<CommandResult>;

const verbs: Readonly<Record<string, Verb>> = {
  list: () => async (client) => {
    const { packs } = await client.call(listPacks);
    const rows = packs.map(({ id, title, installed, summary }) => [id, title, installed ? 'installed' : '-', summary]);
    return { json: { packs }, text: table(['ID', 'TITLE', 'STATE', 'WHAT IT BRINGS'], rows) };
  },
  plan: (input, model) => {
    const params = { pack_id: required(model) };
    const purpose = input.flag('remove') ? 'remove' : 'install';
    const body = { for: purpose, resolutions: readResolutions(input), ...readRemoval(input) } as const;
    return async (client) => toResult((await client.call(planPack, { params, body })).changes);
  },
  install: (input, model) => {
    const params = { pack_id: required(model) };
    const body = { resolutions: readResolutions(input) };
    return async (client) => toResult((await client.call(installPack, { params, body })).changes);
  },
  remove: (input, model) => {
    const params = { pack_id: required(model) };
    const body = readRemoval(input);
    return async (client) => toResult((await client.call(removePack, { params, body })).changes);
  },
};

function toResult(changes: readonly PackChange[]): CommandResult {
  const rows = changes.map(({ change, id, renamedTo, reason }) => {
    return [change, renamedTo === undefined ? id : `${id} -> ${renamedTo}`, reason ?? ''];
  });
  return { json: { changes }, text: table(['CHANGE', 'ITEM', 'WHY'], rows) };
}

function readResolutions(input: Arguments): Record<string, 'rename' | 'skip'> {
  const all = (['rename', 'skip'] as const).flatMap((how) => input.list(how).map((item) => [item, how] as const));
  return Object.fromEntries(all);
}

function readRemoval(input: Arguments) {
  const counts = input.list('delete-entities').map((text) => {
    const [blueprint, count] = [text.slice(0, text.lastIndexOf('=')), Number(text.slice(text.lastIndexOf('=') + 1))];
    if (blueprint && Number.isInteger(count) && count > 0) return [blueprint, count] as const;
    throw usageError(`--delete-entities "${text}" is no blueprint with a number, such as incident=12.`);
  });
  return { deleteEntities: Object.fromEntries(counts), deleteValues: input.flag('delete-values') };
}

function required(model: string | undefined): string {
  if (model) return model;
  throw usageError('Name the starter model; "portolan pack list" shows them.');
}
