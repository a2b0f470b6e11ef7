import type { Arguments, Command } from '../command.ts';
import { connectionOptions } from '../config.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { printable, table } from '../output.ts';
import { examine } from './examine.ts';
import { examineAssistant } from './examine-assistant.ts';
import { examineDerived } from './examine-derived.ts';
import { examineInstallation } from './examine-installation.ts';

export const doctorCommand: Command = {
  name: 'doctor',
  summary: 'Check the server, the credentials and the model, and say what to do',
  usage: ['doctor [options]'],
  details: [
    'The model is the one of the newest invocation. With --ask the assistant is asked a word first, which uses one',
    'invocation of the quota and proves that the model answers. The exit code is that of the first check that failed.',
  ],
  options: {
    ask: { type: 'boolean', description: 'ask the assistant one short question' },
    assistant: {
      type: 'boolean',
      description: 'say what text of others can lead the assistant to, and where what it reads can go',
    },
    derived: {
      type: 'boolean',
      description: 'compute all derived values anew, as the operator, and show what differs',
    },
    installation: {
      type: 'boolean',
      description: 'say, as the operator, what of the database, queues, backups and moves needs attention',
    },
    json: { type: 'boolean', description: 'print JSON' },
    ...connectionOptions,
  },
  run,
};

async function run(input: Arguments, context: Context): Promise<ExitCode> {
  if (input.flag('assistant')) return examineAssistant(input, context);
  if (input.flag('derived')) return examineDerived(input, context);
  if (input.flag('installation')) return examineInstallation(input, context);
  const { report, exitCode } = await examine(input, context);
  if (input.flag('json')) context.out.write(`${JSON.stringify(report)}\n`);
  else {
    const rows = report.checks.map(({ name, status, message }) => [words[status], name, message]);
    context.out.write(printable(table([], rows), context.out));
  }
  return exitCode ?? exitCodes.ok;
}

const words = { ok: 'ok', failed: 'FAILED', unknown: '?' } as const;
