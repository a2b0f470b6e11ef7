import { resolve } from 'node:path';
import { databaseOptions, namesDatabase } from '../backup/database-options.ts';
import { usageError } from '../cli-error.ts';
import type { Arguments, Command } from '../command.ts';
import type { Context } from '../context.ts';
import { type ExitCode, toExitCode } from '../exit-codes.ts';

const verbs = ['check', 'rehearse', 'finish'] as const;

export const upgradeCommand: Command = {
  name: 'upgrade',
  summary: 'Check, rehearse and finish an upgrade to this release',
  usage: [
    'upgrade check [options]',
    'upgrade rehearse --database <url of a copy> [--json]',
    'upgrade finish [options]',
  ],
  details: [
    'Run it with the release that is to come. check only reads, and says whether replicas can be replaced one by one.',
    'rehearse migrates a copy of the database and measures; it refuses a database that replicas use.',
    'finish removes what the release before needed, once none of its replicas runs: there is no way back afterwards.',
    'The database is DATABASE_URL unless it is named. Exit codes of check: 0 rolling, 3 needs a stop, 4 refused.',
  ],
  options: {
    json: { type: 'boolean', description: 'print JSON' },
    ...databaseOptions,
  },
  examples: ['upgrade check', 'upgrade rehearse --database postgresql://portolan@localhost/copy', 'upgrade finish'],
  run,
};

async function run(input: Arguments, context: Context): Promise<ExitCode> {
  const [verb, ...rest] = input.words;
  if (!verbs.some((each) => each === verb)) {
    throw usageError(`Say what to do: portolan upgrade ${verbs.join(' | ')}.`);
  }
  if (rest.length > 0) throw usageError(`"${rest[0]}" is one word too many.`);
  const { environment, workingDirectory } = context;
  const isNamed = namesDatabase(input);
  const folder = input.text('data-dir');
  const url = input.text('database') ?? (folder === undefined ? environment['DATABASE_URL'] : undefined);
  if (verb === 'rehearse' && (!isNamed || folder !== undefined)) {
    throw usageError('Name the copy: portolan upgrade rehearse --database <url of a copy>.');
  }
  if (url === undefined && folder === undefined) {
    throw usageError('Say which database: --database <url> or --data-dir <folder>, or set DATABASE_URL.');
  }
  const where = folder === undefined ? ['--database'] : ['--data-dir', resolve(workingDirectory, folder)];
  const flags = input.flag('json') ? ['--json'] : [];
  const code = await context.runOnDatabase(
    [verb as string, ...flags, ...where],
    { ...environment, DATABASE_URL: url },
    'upgrade',
  );
  return toExitCode(code);
}
