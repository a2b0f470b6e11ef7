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
    'upgrade check [--free <size>] [options]',
    'upgrade rehearse --database <url of a copy> [--json]',
    'upgrade finish [options]',
  ],
  details: [
    'Run it with the release that is to come. check only reads, and says whether replicas can be replaced one by one.',
    'With --free it also says whether the disk of the server has room for what is rewritten.',
    'rehearse migrates a copy of the database and measures; it refuses a database that replicas use.',
    'finish removes what the release before needed, once none of its replicas runs: there is no way back afterwards.',
    'The database is DATABASE_URL unless it is named. Exit codes of check: 0 rolling, 3 needs a stop, 4 refused.',
  ],
  options: {
    free: {
      type: 'string',
      placeholder: 'size',
      description: 'with check: what is free on the disk of the database server, as 50GB',
    },
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
  const free = input.text('free');
  if (free !== undefined && verb !== 'check') throw usageError('--free is for portolan upgrade check.');
  const room = free === undefined ? [] : ['--free', String(readSize(free))];
  const where = folder === undefined ? ['--database'] : ['--data-dir', resolve(workingDirectory, folder)];
  const flags = input.flag('json') ? ['--json'] : [];
  const code = await context.runOnDatabase(
    [verb as string, ...flags, ...room, ...where],
    { ...environment, DATABASE_URL: url },
    'upgrade',
  );
  return toExitCode(code);
}

const units = { MB: 1024 ** 2, GB: 1024 ** 3, TB: 1024 ** 4 } as const;

/** Bytes of `800MB`, `50GB` or `1.5TB`. @throws CliError `usage` for anything else */
function readSize(text: string): number {
  const [, amount, unit] = /^(\d{1,9}(?:\.\d+)?) ?(MB|GB|TB)$/i.exec(text) ?? [];
  if (amount === undefined || unit === undefined) throw usageError('--free is a size, such as 800MB, 50GB or 1.5TB.');
  return Math.round(Number(amount) * units[unit.toUpperCase() as keyof typeof units]);
}
