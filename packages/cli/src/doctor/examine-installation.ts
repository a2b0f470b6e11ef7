import { examineInstallation as operation } from '@portolan/contract/operator';
import type { Arguments } from '../command.ts';
import { connectAsOperator, explained } from '../connection.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { printable, table } from '../output.ts';

/** Prints what in the installation needs the operator. The exit code is 1 if anything failed, not for warnings. */
export async function examineInstallation(input: Arguments, context: Context): Promise<ExitCode> {
  const { client, address } = connectAsOperator(input, context);
  const { checks } = await explained(address, () => client.call(operation), 'operator');
  if (input.flag('json')) context.out.write(`${JSON.stringify({ checks })}\n`);
  else {
    const rows = checks.map(({ name, status, message }) => [words[status], name, message]);
    context.out.write(printable(table([], rows), context.out));
  }
  return checks.some(({ status }) => status === 'failed') ? exitCodes.failed : exitCodes.ok;
}

const words = { ok: 'ok', warning: 'warning', failed: 'FAILED' } as const;
