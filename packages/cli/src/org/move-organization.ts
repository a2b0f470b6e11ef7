import { resolve } from 'node:path';
import { databaseOptions, namesDatabase } from '../backup/database-options.ts';
import { usageError } from '../cli-error.ts';
import type { Arguments, Option } from '../command.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';

export const moveOptions = {
  to: {
    type: 'string',
    placeholder: 'file',
    description: 'export: where to write; it appears when it is whole; - is stdout',
  },
  'passphrase-file': {
    type: 'string',
    placeholder: 'file',
    description: 'export, import: seals the secrets in the file; both sides need it',
  },
  freeze: { type: 'boolean', description: 'export: it takes no changes from then on, until it is deleted or thawed' },
  'dry-run': { type: 'boolean', description: 'import: read the whole file and say what would come; write nothing' },
  ...databaseOptions,
} as const satisfies Record<string, Option>;

/** Verbs that the server's program does with a database, since they move more than any answer should hold. */
export const moves = ['export', 'import', 'verify', 'freeze', 'thaw'] as const;
export type Move = (typeof moves)[number];

export function isMove(verb: string): verb is Move {
  return moves.some((each) => each === verb);
}

/** Has the server's program move an organization out of a database or into one. @throws CliError `usage` */
export async function moveOrganization(
  verb: Move,
  subject: string | undefined,
  input: Arguments,
  context: Context,
): Promise<ExitCode> {
  const at = (path: string): string => resolve(context.workingDirectory, path);
  const [to, passphrase] = [input.text('to'), input.text('passphrase-file')];
  const isDatabase = namesDatabase(input);
  const isOfId = verb !== 'import' && verb !== 'verify';
  const takesFile = verb === 'export' || verb === 'import';
  if (isOfId && !subject) throw usageError('Give the id of the organization; "portolan org list" shows them.');
  if (!subject) throw usageError(`Name the file: portolan org ${verb} acme.pto`);
  if (verb === 'export') {
    if (to === undefined) throw usageError(`Say where to write: portolan org export ${subject} --to ${subject}.pto`);
  } else {
    if (to !== undefined) throw usageError('--to is for "org export".');
    if (input.flag('freeze')) throw usageError('--freeze is for "org export".');
  }
  if (verb === 'verify' && isDatabase) throw usageError('org verify needs no database: it reads the file.');
  if (verb !== 'verify' && !isDatabase) {
    throw usageError('Say which database: --data-dir <folder> or --database <url>.');
  }
  if (takesFile && passphrase === undefined) {
    throw usageError(
      'Give --passphrase-file <file>: it seals the secrets of the organization, and opens them elsewhere.',
    );
  }
  if (verb !== 'import' && input.flag('dry-run')) throw usageError('--dry-run is for "org import".');
  const [folder, url] = [input.text('data-dir'), input.text('database')];
  const given = [
    verb,
    isOfId ? subject : at(subject),
    ...(to === undefined ? [] : ['--to', to === '-' ? '-' : at(to)]),
    ...(passphrase === undefined ? [] : ['--passphrase-file', at(passphrase)]),
    ...(input.flag('dry-run') ? ['--dry-run'] : []),
    ...(input.flag('freeze') ? ['--freeze'] : []),
    ...(input.flag('json') ? ['--json'] : []),
    ...(url !== undefined ? ['--database'] : folder !== undefined ? ['--data-dir', at(folder)] : []),
  ];
  const code = await context.runOnDatabase(given, { ...context.environment, DATABASE_URL: url }, 'move');
  return code === exitCodes.interrupted ? exitCodes.interrupted : code === 0 ? exitCodes.ok : exitCodes.failed;
}
