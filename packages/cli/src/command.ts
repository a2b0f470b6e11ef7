import { parseArgs } from 'node:util';
import { usageError } from './cli-error.ts';
import type { Context } from './context.ts';
import type { ExitCode } from './exit-codes.ts';

export interface Option {
  readonly type: 'string' | 'boolean';
  readonly description: string;
  /** The name of the value in the help; only for strings. */
  readonly placeholder?: string;
  readonly isRepeatable?: true;
}

/** One command as data; commands.ts lists all of them. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  /** Each form of the call, without `portolan`. */
  readonly usage: readonly string[];
  readonly details?: readonly string[];
  readonly options: Readonly<Record<string, Option>>;
  readonly examples?: readonly string[];
  /** Passes all words through unparsed, options included: an expression may look like an option. */
  readonly readsOwnOptions?: true;
  /** @throws CliError for every expected failure */
  run(input: Arguments, context: Context): Promise<ExitCode>;
}

/** The validated words and options of a call. */
export interface Arguments {
  readonly words: readonly string[];
  text(name: string): string | undefined;
  flag(name: string): boolean;
  list(name: string): readonly string[];
}

/** @throws CliError `usage` for an unknown option or a missing value */
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

/** The unparsed words, for a command that parses its own options. */
export function unparsed(words: readonly string[]): Arguments {
  return { words, text: () => undefined, flag: () => false, list: () => [] };
}

/** Node's first sentence states the problem; the rest is about Node itself. */
function firstSentence({ message }: Error): string {
  const [first = message] = message.split(/\. |\n/);
  return `${first.replace(/\.$/, '')}.`;
}
