import { analyse } from './analysis/analyse.ts';
import { formatPlace } from './analysis/place.ts';
import { JqBudgetError, JqError, JqRuntimeError } from './errors.ts';
import { compile } from './program.ts';
import { linearRegexEngine } from './regex/linear-engine.ts';
import type { RegexEngine } from './regex/regex-engine.ts';
import { JsonTextError, parseJson } from './value/parse-json.ts';
import { stringify } from './value/stringify.ts';

export interface CommandResult {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

export interface CommandOptions {
  /** Default RE2 alone; the CLI passes the Node engine, like the server. */
  readonly regex?: RegexEngine;
}

/**
 * Exit codes of the command: 0 success, 2 invalid arguments or input, 3 invalid expression, 5 failure or exceeded
 * limit.
 */
export const commandExitCodes = { success: 0, usage: 2, compile: 3, failed: 5 } as const;

const usage = `usage: portolan jq [--explain] '<expression>' < file.json

Evaluates a jq expression on one JSON document, as the server runs it, and prints each output as JSON on a line.
--explain  print what the expression reads and writes instead; no input is needed
`;

/**
 * `portolan jq '<expr>' < file` and `portolan jq --explain '<expr>'`: `argv` holds what follows `jq`, `stdin` the whole
 * input text. Never throws for user input; errors are one line on stderr that names position or limit.
 */
export function runJqCommand(argv: readonly string[], stdin: string, options: CommandOptions = {}): CommandResult {
  const isExplaining = argv[0] === '--explain';
  const rest = isExplaining ? argv.slice(1) : argv;
  if (rest[0] === '--help' || rest[0] === '-h') return { stdout: usage, stderr: '', exitCode: 0 };
  const [expression] = rest;
  if (expression === undefined || rest.length > 1)
    return { stdout: '', stderr: usage, exitCode: commandExitCodes.usage };
  let stdout = '';
  try {
    if (isExplaining) return { stdout: explain(expression), stderr: '', exitCode: commandExitCodes.success };
    const program = compile(expression, { regex: options.regex ?? linearRegexEngine });
    const input = parseJson(stdin);
    if (input === undefined)
      return failure('', 'the input is empty; one JSON document is needed', commandExitCodes.usage);
    program.each(
      input,
      (output) => {
        stdout += `${stringify(output)}\n`;
      },
      { budget: { wallTimeMs: 5_000 } },
    );
    return { stdout, stderr: '', exitCode: commandExitCodes.success };
  } catch (error) {
    if (error instanceof JsonTextError)
      return failure('', `the input is not JSON: ${error.message}`, commandExitCodes.usage);
    if (!(error instanceof JqError)) throw error;
    const isAtRunTime = error instanceof JqRuntimeError || (error instanceof JqBudgetError && stdout !== '');
    const code = isAtRunTime || error instanceof JqBudgetError ? commandExitCodes.failed : commandExitCodes.compile;
    return failure(stdout, error.message, code);
  }
}

function failure(stdout: string, message: string, exitCode: number): CommandResult {
  return { stdout, stderr: `jq: error: ${message.replaceAll('\n', ' ')}\n`, exitCode };
}

const depths = { value: 'value', shape: 'keys or length', kind: 'whether it is there' } as const;

function explain(expression: string): string {
  compile(expression);
  const analysis = analyse(expression);
  const lines = analysis.reads.map(({ path, depth }) => `reads  ${formatPlace(path)}  (${depths[depth]})`);
  lines.push(...analysis.writes.map((path) => `writes ${formatPlace(path)}`));
  if (analysis.isTimeDependent) lines.push('uses the clock');
  if (analysis.isUnknown) lines.push('unknown: the whole input may be read');
  if (lines.length === 0) lines.push('reads nothing of the input');
  return `${lines.join('\n')}\n`;
}
