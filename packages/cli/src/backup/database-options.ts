import { resolve } from 'node:path';
import { usageError } from '../cli-error.ts';
import type { Arguments, Option } from '../command.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';

export const databaseOptions = {
  'data-dir': { type: 'string', placeholder: 'folder', description: 'the embedded database of this data folder' },
  database: { type: 'string', placeholder: 'url', description: 'this PostgreSQL database: postgresql://…' },
} as const satisfies Record<string, Option>;

/** Whether a database is named, and not a server that has one. @throws CliError `usage` for two */
export function namesDatabase(input: Arguments): boolean {
  const isFolder = input.text('data-dir') !== undefined;
  const url = input.text('database');
  if (isFolder && url !== undefined) throw usageError('Give --data-dir or --database, not both.');
  if (url !== undefined && !/^postgres(ql)?:\/\/./.test(url)) {
    throw usageError('--database is no address of a PostgreSQL database: postgresql://user:password@host/name.');
  }
  return isFolder || url !== undefined;
}

/** Has the server's program work on the named database; its address does not stand among the arguments. */
export async function onDatabase(
  verb: string,
  more: readonly string[],
  input: Arguments,
  context: Context,
): Promise<ExitCode> {
  const { environment, workingDirectory } = context;
  const [folder, url] = [input.text('data-dir'), input.text('database')];
  const where =
    url !== undefined ? ['--database'] : folder !== undefined ? ['--data-dir', resolve(workingDirectory, folder)] : [];
  const code = await context.runOnDatabase([verb, ...more, ...where], { ...environment, DATABASE_URL: url });
  return code === exitCodes.interrupted ? exitCodes.interrupted : code === 0 ? exitCodes.ok : exitCodes.failed;
}
