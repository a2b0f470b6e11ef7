import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Client } from '@portolan/contract/client';
import {
  cancelDataMigration,
  type DataMigration,
  type DataMigrationMapping,
  dataMigrationMapping,
  getDataMigration,
  listDataMigrationErrors,
  rerunDataMigration,
  startDataMigration,
  undoDataMigration,
} from '@portolan/contract/data-migrations';
import { CliError, usageError } from '../cli-error.ts';
import type { Arguments, Command } from '../command.ts';
import { connectionOptions } from '../config.ts';
import { connect, explained } from '../connection.ts';
import { type Context, readInput } from '../context.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { follow } from '../follow.ts';
import { counted, printable } from '../output.ts';
import { previewText, problemText, stateText } from './migration-text.ts';

const finals = new Set(['COMPLETED', 'FAILURE', 'CANCELLED']);

export const migrateDataCommand: Command = {
  name: 'migrate-data',
  summary: 'Map all entities of a blueprint, try that first, follow it, undo it',
  usage: [
    'migrate-data preview <file>',
    'migrate-data start <file> [--detach]',
    'migrate-data status|cancel|rerun|undo <id>',
  ],
  details: [
    'The file (or - for stdin) is the body of POST /v1/migrations: {"sourceBlueprint": …, "mapping": {…}}.',
    'Without --detach the migration is followed to its end; Ctrl-C stops following, and the migration goes on.',
    'Exit code 5: it ended with failures, which are listed.',
  ],
  options: {
    detach: { type: 'boolean', description: 'start, rerun, undo: do not wait for the end' },
    reason: { type: 'string', placeholder: 'text', description: 'cancel: why' },
    json: { type: 'boolean', description: 'print JSON' },
    ...connectionOptions,
  },
  examples: ['migrate-data preview ownership.json', 'migrate-data start ownership.json', 'migrate-data undo m_abc'],
  run,
};

async function run(input: Arguments, context: Context): Promise<ExitCode> {
  const [verb = '', subject, ...rest] = input.words;
  const act = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
  if (!act) throw usageError(`"migrate-data ${verb}" is not known. There are: ${Object.keys(verbs).join(', ')}.`);
  if (subject === undefined) throw usageError(`"migrate-data ${verb}" needs a file or the id of a migration.`);
  if (rest.length > 0) throw usageError(`"${rest[0]}" is one word too many.`);
  const prepared = await act(subject, input, context);
  const { client, address } = connect(input, context);
  return explained(address, () => prepared(client));
}

/** Parses the call first, so that a mistake sends nothing. */
type Verb = (subject: string, input: Arguments, context: Context) => Promise<(client: Client) => Promise<ExitCode>>;

const verbs: Readonly<Record<string, Verb>> = {
  preview: async (file, input, context) => {
    const body = await readBody(file, context);
    return async (client) => {
      const answer = await client.call(startDataMigration, { body, query: { dry_run: true } });
      if (!('preview' in answer)) throw older();
      print(context, input, answer.preview, previewText(answer.preview));
      return answer.preview.failureCount > 0 ? exitCodes.partial : exitCodes.ok;
    };
  },
  start: async (file, input, context) => {
    const body = await readBody(file, context);
    return async (client) => {
      const answer = await client.call(startDataMigration, { body, query: { dry_run: false } });
      if ('preview' in answer) throw older();
      return begun(client, answer.migration, input, context);
    };
  },
  status: async (id, input, context) => async (client) => {
    const { migration } = await client.call(getDataMigration, { params: { migration_id: id } });
    return ended(client, migration, input, context);
  },
  cancel: async (id, input, context) => async (client) => {
    const reason = input.text('reason');
    const body = reason === undefined ? {} : { reason };
    const { migration } = await client.call(cancelDataMigration, { params: { migration_id: id }, body });
    print(context, input, migration, stateText(migration));
    return exitCodes.ok;
  },
  rerun: async (id, input, context) => async (client) => {
    const { migration } = await client.call(rerunDataMigration, { params: { migration_id: id } });
    return begun(client, migration, input, context);
  },
  undo: async (id, input, context) => async (client) => {
    const { migration } = await client.call(undoDataMigration, { params: { migration_id: id } });
    return begun(client, migration, input, context);
  },
};

/** The error for a server older than previews, which starts the migration instead of previewing it. */
function older(): CliError {
  const message = 'The server did not do what it was asked: it is of another version.';
  return new CliError(exitCodes.failed, 'unexpected_answer', message);
}

/** Follows a started migration to its end, unless told not to wait. */
async function begun(client: Client, first: DataMigration, input: Arguments, context: Context): Promise<ExitCode> {
  if (input.flag('detach')) {
    print(context, input, first, stateText(first));
    return exitCodes.ok;
  }
  const migration = await follow(context, first, {
    isOver: ({ status }) => finals.has(status),
    textOf: stateText,
    read: async () => (await client.call(getDataMigration, { params: { migration_id: first.id } })).migration,
  });
  return migration === undefined ? exitCodes.interrupted : ended(client, migration, input, context);
}

async function ended(client: Client, migration: DataMigration, input: Arguments, context: Context): Promise<ExitCode> {
  const { errors } =
    migration.failureCount > 0
      ? await client.call(listDataMigrationErrors, { params: { migration_id: migration.id } })
      : { errors: [] };
  print(context, input, { ...migration, errors }, stateText(migration));
  if (!input.flag('json')) context.err.write(printable(errors.map(problemText).join(''), context.err));
  const left = migration.failureCount - errors.length;
  if (left > 0 && !input.flag('json')) context.err.write(`and ${counted(left, 'entity', 'entities')} more\n`);
  if (migration.status === 'FAILURE') return exitCodes.failed;
  return migration.failureCount > 0 ? exitCodes.partial : exitCodes.ok;
}

function print({ out }: Context, input: Arguments, json: object, text: string): void {
  out.write(input.flag('json') ? `${JSON.stringify(json)}\n` : printable(text, out));
}

interface Body {
  readonly sourceBlueprint: string;
  readonly mapping: DataMigrationMapping;
}

/** @throws CliError if the file is not such a body */
async function readBody(file: string, context: Context): Promise<Body> {
  const text =
    file === '-'
      ? await readInput(context)
      : await readFile(resolve(context.workingDirectory, file), 'utf8').catch((cause: Error) => {
          throw usageError(`${file} cannot be read: ${cause.message}`);
        });
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw usageError(`${file} is not JSON.`);
  }
  const { sourceBlueprint, mapping } = (parsed ?? {}) as { sourceBlueprint?: unknown; mapping?: unknown };
  if (typeof sourceBlueprint !== 'string')
    throw usageError(`${file} does not say which "sourceBlueprint" it is about.`);
  const { data, error } = dataMigrationMapping.safeParse(mapping);
  if (data) return { sourceBlueprint, mapping: data };
  const [issue] = error.issues;
  throw usageError(`${file}: mapping/${issue?.path.join('/')}: ${issue?.message}`);
}
