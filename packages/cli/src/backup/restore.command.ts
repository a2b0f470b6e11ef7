import { resolve } from 'node:path';
import { usageError } from '../cli-error.ts';
import type { Arguments, Command } from '../command.ts';
import type { Context } from '../context.ts';
import type { ExitCode } from '../exit-codes.ts';
import { databaseOptions, namesDatabase, onDatabase } from './database-options.ts';

export const restoreCommand: Command = {
  name: 'restore',
  summary: 'Restore a backup into an empty database, or verify a restored one',
  usage: [
    'restore <file> --data-dir <folder> | --database <url> [--plan]',
    'restore verify --data-dir <folder> | --database <url> [--json]',
  ],
  details: [
    'Either engine takes a backup of either, which is also how an installation moves from one machine to a server.',
    'Nothing of it is there until all of it is. verify examines any restored database, and changes nothing.',
    'The master key is PORTOLAN_MASTER_KEY, else that of the data folder.',
  ],
  options: {
    plan: { type: 'boolean', description: 'read the whole file and print what would come; write nothing' },
    json: { type: 'boolean', description: 'verify: print JSON' },
    ...databaseOptions,
  },
  examples: ['restore portolan.ptb --data-dir .portolan', 'restore portolan.ptb --database "$DATABASE_URL"'],
  run,
};

async function run(input: Arguments, context: Context): Promise<ExitCode> {
  const [file, ...rest] = input.words;
  if (file === undefined) throw usageError('Name the file: portolan restore portolan.ptb --data-dir .portolan');
  if (rest.length > 0) throw usageError(`"${rest[0]}" is one word too many.`);
  if (!namesDatabase(input)) throw usageError('Say which database: --data-dir <folder> or --database <url>.');
  if (file === 'verify') return onDatabase('verify', input.flag('json') ? ['--json'] : [], input, context);
  if (input.flag('json')) throw usageError('--json is for "restore verify".');
  const path = file === '-' ? '-' : resolve(context.workingDirectory, file);
  return onDatabase('restore', [path, ...(input.flag('plan') ? ['--plan'] : [])], input, context);
}
