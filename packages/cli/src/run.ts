import { CliError, usageError } from './cli-error.ts';
import { type Command, parseArguments, unparsed } from './command.ts';
import { commands as allCommands } from './commands.ts';
import { version } from './connection.ts';
import type { Context } from './context.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import { formatHelp, overview } from './help.ts';
import { printable } from './output.ts';

/** Runs one call of `portolan` and returns its exit code. Throws only unexpected errors. */
export async function run(
  given: readonly string[],
  context: Context,
  commands: readonly Command[] = allCommands,
): Promise<ExitCode> {
  try {
    return await dispatch(given, context, commands);
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    const issues = error.issues.map(({ path, message }) => `  ${path || '(body)'}: ${message}\n`);
    context.err.write(printable(`portolan: ${error.code}: ${error.message}\n${issues.join('')}`, context.err));
    return error.exitCode;
  }
}

async function dispatch(
  [name, ...rest]: readonly string[],
  context: Context,
  commands: readonly Command[],
): Promise<ExitCode> {
  if (name === '--version' || name === '-V') return print(context, `${version}\n`);
  if (name === undefined) {
    context.err.write(overview(commands));
    return exitCodes.usage;
  }
  if (name === 'help' || name === '--help' || name === '-h') {
    return print(context, rest[0] === undefined ? overview(commands) : formatHelp(named(rest[0], commands)));
  }
  const command = named(name, commands);
  if (command.readsOwnOptions) {
    const asksHelp = rest[0] === '--help' || rest[0] === '-h';
    return asksHelp ? print(context, formatHelp(command)) : command.run(unparsed(rest), context);
  }
  const options = { ...command.options, help: { type: 'boolean', description: '' } } as const;
  const input = parseArguments(rest, options);
  if (input.flag('help')) return print(context, formatHelp(command));
  return command.run(input, context);
}

function named(name: string, commands: readonly Command[]): Command {
  const command = commands.find((each) => each.name === name);
  if (command) return command;
  throw usageError(`There is no command "${name}". There are: ${commands.map((each) => each.name).join(', ')}, help.`);
}

function print({ out }: Context, text: string): ExitCode {
  out.write(text);
  return exitCodes.ok;
}
