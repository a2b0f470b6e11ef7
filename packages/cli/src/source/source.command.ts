import type { Client } from '@portolan/contract/client';
import {
  cancelSourceSync,
  checkSource,
  createSource,
  deleteSource,
  getSource,
  getSourceSync,
  listSourceSyncChanges,
  listSources,
  type SourceSync,
  startSourceSync,
} from '@portolan/contract/sources';
import { usageError } from '../cli-error.ts';
import type { Arguments, Command } from '../command.ts';
import { connectionOptions } from '../config.ts';
import { connect, explained } from '../connection.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { follow } from '../follow.ts';
import { printable } from '../output.ts';
import { listProblems } from './list-problems.ts';
import { readGiven, toSettings } from './source-settings.ts';
import { changesText, checksText, problemsText, sourcesText, syncText } from './source-text.ts';

export const sourceCommand: Command = {
  name: 'source',
  summary: 'List, add, check, plan, sync and remove the sources that Portolan reads itself',
  usage: [
    'source list [options]',
    'source add <type> --set <name=value> [--secret-env <name=VARIABLE>] [options]',
    'source check <source> [options]',
    'source check --type <type> --set <name=value> [options]',
    'source plan <source> [options]',
    'source sync <source> [--follow] [options]',
    'source cancel <source> [options]',
    'source problems <source> [options]',
    'source remove <source> --yes [options]',
  ],
  details: [
    'Secrets come from environment variables or stdin, never from the command line, which others on the machine can read.',
    'Exit code 5: a plan or sync refused items; "portolan source problems" lists them.',
  ],
  options: {
    set: { type: 'string', isRepeatable: true, placeholder: 'name=value', description: 'a setting of the source' },
    'secret-env': {
      type: 'string',
      isRepeatable: true,
      placeholder: 'name=VARIABLE',
      description: 'a secret, read from this environment variable',
    },
    'secret-stdin': { type: 'string', placeholder: 'name', description: 'a secret, read from stdin' },
    type: { type: 'string', placeholder: 'type', description: 'check: settings of this type, before they are saved' },
    identifier: { type: 'string', placeholder: 'name', description: 'add: its identifier' },
    title: { type: 'string', placeholder: 'text', description: 'add: its title' },
    'no-check': { type: 'boolean', description: 'add: save without trying the settings first' },
    changes: { type: 'boolean', description: 'sync: only what moved since the last one' },
    follow: { type: 'boolean', description: 'sync: wait for the end' },
    yes: { type: 'boolean', description: 'remove: the source; its entities stay' },
    json: { type: 'boolean', description: 'print JSON' },
    ...connectionOptions,
  },
  examples: [
    'source add github --set owners=acme --secret-env token=GITHUB_TOKEN',
    'source plan github',
    'source sync github --follow',
  ],
  run,
};

async function run(input: Arguments, context: Context): Promise<ExitCode> {
  const [verb = '', subject, ...rest] = input.words;
  const act = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
  if (!act) throw usageError(`"source ${verb}" is not known. There are: ${Object.keys(verbs).join(', ')}.`);
  if (rest.length > 0) throw usageError(`"${rest[0]}" is one word too many.`);
  const prepared = await act(subject, input, context);
  const { client, address } = connect(input, context);
  return explained(address, () => prepared(client));
}

/** Parses the call first, so that a mistake sends nothing. */
type Verb = (
  subject: string | undefined,
  input: Arguments,
  context: Context,
) => Promise<(client: Client) => Promise<ExitCode>>;

const verbs: Readonly<Record<string, Verb>> = {
  list: async (_subject, input, context) => async (client) => {
    const { sources } = await client.call(listSources);
    print(context, input, { sources }, sourcesText(sources));
    return exitCodes.ok;
  },
  add: async (subject, input, context) => {
    const type = required(subject, 'Name the type of source, such as github; "Add a source" in the portal shows them.');
    const given = await readGiven(input, context);
    return async (client) => {
      const settings = await toSettings(client, type, given);
      const { secrets } = given;
      if (!input.flag('no-check')) {
        const checked = await client.call(checkSource, { body: { type, settings, secrets } });
        context.err.write(printable(checksText(checked.checks), context.err));
        if (!checked.ok) {
          context.err.write('Nothing was saved. Mend what failed, or save it all the same with --no-check.\n');
          return exitCodes.failed;
        }
      }
      const [identifier, title] = [input.text('identifier'), input.text('title')];
      const body = { type, settings, secrets, ...(identifier && { identifier }), ...(title && { title }) };
      const { source } = await client.call(createSource, { body });
      const next = `${source.identifier} is added. Its first sync begins by itself; "portolan source plan ${source.identifier}" shows what one would do.\n`;
      print(context, input, { source }, next);
      return exitCodes.ok;
    };
  },
  check: async (subject, input, context) => {
    const typed = input.text('type');
    if ((subject === undefined) === (typed === undefined)) {
      throw usageError('Name either a source, or a type with --type and its settings.');
    }
    const given = await readGiven(input, context);
    return async (client) => {
      const saved = subject === undefined ? undefined : await read(client, subject);
      const type = saved?.type ?? (typed as string);
      const settings = await toSettings(client, type, given);
      const { secrets } = given;
      const from = saved ? { source: saved.identifier } : {};
      const { ok, checks, sample } = await client.call(checkSource, { body: { type, settings, secrets, ...from } });
      print(context, input, { ok, checks, sample }, checksText(checks));
      return ok ? exitCodes.ok : exitCodes.failed;
    };
  },
  plan: async (subject, input, context) => {
    const source_identifier = named(subject);
    return async (client) => {
      const { sync } = await client.call(startSourceSync, { params: { source_identifier }, body: { mode: 'plan' } });
      const ended = await followed(client, source_identifier, sync, context);
      if (!ended) return exitCodes.interrupted;
      const params = { source_identifier, sync_id: ended.id };
      const { changes, next } = await client.call(listSourceSyncChanges, { params });
      const text = `${syncText(ended)}${changesText(changes, next !== null)}`;
      print(context, input, { sync: ended, changes, isCut: next !== null }, text);
      return toExitCode(ended);
    };
  },
  sync: async (subject, input, context) => {
    const source_identifier = named(subject);
    const mode = input.flag('changes') ? 'changes' : 'full';
    return async (client) => {
      const { sync } = await client.call(startSourceSync, { params: { source_identifier }, body: { mode } });
      const ended = input.flag('follow') ? await followed(client, source_identifier, sync, context) : sync;
      if (!ended) return exitCodes.interrupted;
      print(context, input, { sync: ended }, syncText(ended));
      return input.flag('follow') ? toExitCode(ended) : exitCodes.ok;
    };
  },
  cancel: async (subject, input, context) => {
    const source_identifier = named(subject);
    return async (client) => {
      const { lastSync } = await read(client, source_identifier);
      const isOpen = lastSync !== null && lastSync.endedAt === null;
      const params = { source_identifier, sync_id: lastSync?.id ?? '' };
      const sync = isOpen ? (await client.call(cancelSourceSync, { params })).sync : null;
      print(context, input, { sync }, sync ? syncText(sync) : `${source_identifier} is not being read.\n`);
      return exitCodes.ok;
    };
  },
  problems: async (subject, input, context) => {
    const identifier = named(subject);
    return async (client) => {
      const { lastSync } = await read(client, identifier);
      const found = lastSync ? await listProblems(client, identifier, lastSync.id) : { problems: [], isCut: false };
      print(context, input, { sync: lastSync, ...found }, problemsText(found, lastSync));
      return exitCodes.ok;
    };
  },
  remove: async (subject, input, context) => {
    const source_identifier = named(subject);
    if (!input.flag('yes')) {
      throw usageError(`This removes the source "${source_identifier}"; its entities stay. Repeat it with --yes.`);
    }
    return async (client) => {
      await client.call(deleteSource, { params: { source_identifier } });
      print(context, input, { removed: source_identifier }, `${source_identifier} is removed; its entities stay.\n`);
      return exitCodes.ok;
    };
  },
};

async function read(client: Client, source_identifier: string) {
  return (await client.call(getSource, { params: { source_identifier } })).source;
}

/** The sync when it has ended; undefined if interrupted, after which it goes on. */
function followed(client: Client, source_identifier: string, first: SourceSync, context: Context) {
  return follow(context, first, {
    isOver: ({ endedAt }) => endedAt !== null,
    textOf: syncText,
    read: async () => (await client.call(getSourceSync, { params: { source_identifier, sync_id: first.id } })).sync,
  });
}

function toExitCode({ status, counts }: SourceSync): ExitCode {
  if (status !== 'completed') return exitCodes.failed;
  return counts.refused > 0 ? exitCodes.partial : exitCodes.ok;
}

function print({ out }: Context, input: Arguments, json: object, text: string): void {
  out.write(input.flag('json') ? `${JSON.stringify(json)}\n` : printable(text, out));
}

function named(subject: string | undefined): string {
  return required(subject, 'Name the source; "portolan source list" shows them.');
}

function required(text: string | undefined, otherwise: string): string {
  if (text) return text;
  throw usageError(otherwise);
}
