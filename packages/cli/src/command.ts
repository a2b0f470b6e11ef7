import { parseArgs } from 'node:util';
import { usageError } from './cli-error.ts';
import type { Context } from './context.ts';
import type { ExitCode } from './exit-codes.ts';

export interface Option {
  readonly type: 'string' | 'boolean';
  readonly description: string;
  /** How the value is called in the help; only for strings. */
  readonly placeholder?: string;
  readonly isRepeatable?: true;
}

/** One command as data: the table in commands.ts is all that `portolan` can do. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  /** Each form of the call, without the word `portolan`. */
  readonly usage: readonly string[];
  readonly details?: readonly string[];
  readonly options: Readonly<Record<string, Option>>;
  readonly examples?: readonly string[];
  /** The words come as they were typed, options among them: an expression may look like one. */
  readonly readsOwnOptions?: true;
  /** @throws CliError for every expected failure */
  run(input: Arguments, context: Context): Promise<ExitCode>;
}

/** The words and options of a call, past their checks. */
export interface Arguments {
  readonly words: readonly string[];
  text(name: string): string | undefined;
  flag(name: string): boolean;
  list(name: string): readonly string[];
}

/** @throws CliError `usage` for an option that is unknown or lacks its value */
export function parseArguments(given: readonly string[], options: Command['options']): Arguments {
  const known = Object.fromEntries(
    Object.entries(options).map(([name, { type, isRepeatable }]) => [
      name,
      { type, multiple: isRepeatable === true, ...(name === 'help' ? { short: 'h' } : {}) },
    ]),
  );
  try {
    const { values, positionals } = parseArgs({ args: [...given], options: known, allowPositionals: true });
    return {
      words: positionals,
      text: (name) => values[name] as string | undefined,
      flag: (name) => values[name] === true,
      list: (name) => (values[name] as string[] | undefined) ?? [],
    };
  } catch (error) {
    throw usageError(firstSentence(error as Error));
  }
}

/** The words as they were typed, for a command that reads its own options. */
export function unparsed(words: readonly string[]): Arguments {
  return { words, text: () => undefined, flag: () => false, list: () => [] };
}

/** Node's first sentence says what is wrong; those after it explain Node. */
function firstSentence({ message }: Error): string {
  const [first = message] = message.split(/\. |\n/);
  return `${first.replace(/\.$/, '')}.`;
}
