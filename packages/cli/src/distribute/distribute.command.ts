import { databaseOptions, namesDatabase } from '../backup/database-options.ts';
import { usageError } from '../cli-error.ts';
import type { Arguments, Command } from '../command.ts';
import type { Context } from '../context.ts';
import { type ExitCode, toExitCode } from '../exit-codes.ts';

export const distributeCommand: Command = {
  name: 'distribute',
  summary: 'Distribute the database over the workers of Citus, by organization',
  usage: ['distribute --plan [options]', 'distribute --apply [options]'],
  details: [
    'The database is the coordinator of Citus 13 or newer, with its workers added; it is DATABASE_URL unless it is named.',
    'plan only reads, and marks with + what is to be moved. apply moves it, and what is in its place stays: run it again',
    'after an upgrade. It refuses a database that servers use.',
  ],
  options: {
    plan: { type: 'boolean', description: 'say what is to be moved' },
    apply: { type: 'boolean', description: 'move it' },
    json: { type: 'boolean', description: 'print JSON' },
    database: databaseOptions.database,
  },
  examples: ['distribute --plan', 'distribute --apply --database postgresql://portolan@coordinator/portolan'],
  run,
};

async function run(input: Arguments, context: Context): Promise<ExitCode> {
  const { environment } = context;
  const [isPlan, isApply] = [input.flag('plan'), input.flag('apply')];
  if (input.words.length > 0 || isPlan === isApply) {
    throw usageError('Say what to do: portolan distribute --plan | --apply.');
  }
  const url = namesDatabase(input) ? input.text('database') : environment['DATABASE_URL'];
  if (url === undefined) throw usageError('Say which database: --database <url>, or set DATABASE_URL.');
  const flags = input.flag('json') ? ['--json'] : [];
  const verb = isApply ? 'apply' : 'plan';
  const code = await context.runOnDatabase([verb, ...flags], { ...environment, DATABASE_URL: url }, 'distribute');
  return toExitCode(code);
}
