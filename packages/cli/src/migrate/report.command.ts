import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { CliError } from '../cli-error.ts';
import type { Arguments, Command } from '../command.ts';
import { connectionOptions } from '../config.ts';
import { connect, explained } from '../connection.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { counted, printable } from '../output.ts';
import { readOrganization } from './read-organization.ts';

export const reportCommand: Command = {
  name: 'report',
  summary: 'List every reference to teams, before users and teams become blueprints',
  usage: ['report [options]'],
  details: [
    'Reads only, as an administrator, and writes output/index.html and output/report.json.',
    'It lists every reference to teams and does not measure completion: after the migration it still lists what',
    'refers to teams.',
  ],
  options: {
    output: { type: 'string', placeholder: 'folder', description: 'write there instead of "output"' },
    ...connectionOptions,
  },
  examples: ['report --url http://127.0.0.1:3000'],
  run,
};

async function run(input: Arguments, context: Context): Promise<ExitCode> {
  const { client, address } = connect(input, context);
  // Loaded on demand: most commands parse no expressions.
  const [{ buildReport }, { reportHtml }] = await Promise.all([import('./report-data.ts'), import('./report-html.ts')]);
  const organization = await explained(address, () => readOrganization(client));
  const report = buildReport(organization, new Date());
  const folder = resolve(context.workingDirectory, input.text('output') ?? 'output');
  await save(folder, 'report.json', `${JSON.stringify(report, null, 2)}\n`);
  await save(folder, 'index.html', reportHtml(report));
  const { breaks, review, mentions } = report.statistics.byVerdict;
  const blockers = report.problems.filter(({ severity }) => severity === 'blocker').length;
  const text = `${counted(report.automatic.length, 'automatic change')}; by hand: ${breaks} break, ${review} to review, ${mentions} that go on working.
${blockers === 0 ? '' : `${counted(blockers, 'problem')} must be solved before the migration.\n`}${report.note}
${join(folder, 'index.html')}
`;
  context.out.write(printable(text, context.out));
  return exitCodes.ok;
}

/**
 * Replaces the file atomically, so that a reader sees either the old or the new one. @throws CliError `cannot_write`
 */
async function save(folder: string, name: string, text: string): Promise<void> {
  const file = join(folder, name);
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(`${file}.part`, text);
    await rename(`${file}.part`, file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    const message = `${file} cannot be written (${code}). Name another folder with --output.`;
    throw new CliError(exitCodes.failed, 'cannot_write', message);
  }
}
