import type { Command, Option } from './command.ts';
import { table } from './output.ts';

/** The output of `portolan help`. */
export function overview(commands: readonly Command[]): string {
  return `portolan: the command line of the Portolan developer portal

Usage: portolan <command> [options]

Commands:
${indented(
  table(
    [],
    [
      ...commands.map(({ name, summary }) => [name, summary]),
      ['help [command]', 'Show this text, or all about a command'],
      ['--version', 'Show the version'],
    ],
  ),
)}
Connection: --url, --client-id and --client-secret, or PORTOLAN_URL, PORTOLAN_CLIENT_ID and
PORTOLAN_CLIENT_SECRET; else http://127.0.0.1:3000 (PORT) with the secrets of the data folder
(.portolan, or PORTOLAN_DATA_DIR) in the working directory.

Exit codes (jq has its own):
${indented(table([], exitCodeRows))}`;
}

/** The output of `portolan help <command>`. */
export function formatHelp({ usage, summary, details, options, examples }: Command): string {
  const parts = [
    `${summary}.\n`,
    `Usage:\n${usage.map((line) => `  portolan ${line}\n`).join('')}`,
    ...(details ? [`${details.join('\n')}\n`] : []),
    `Options:\n${indented(table([], Object.entries(options).map(optionRow)))}`,
    ...(examples ? [`Examples:\n${examples.map((line) => `  portolan ${line}\n`).join('')}`] : []),
  ];
  return parts.join('\n');
}

const exitCodeRows: readonly (readonly string[])[] = [
  ['0', 'done'],
  ['1', 'the server refused or failed, or the invocation failed; of eval, a gate failed'],
  ['2', 'called wrongly; nothing was sent; of eval, it could not be set up; of workflow diff, they differ'],
  ['3', 'the server cannot be reached or is not ready'],
  ['4', 'no credentials, wrong ones, or a missing permission'],
  ['5', 'an import or data migration did only a part, or its plan has problems'],
  ['130', 'interrupted with Ctrl-C'],
];

function optionRow([name, { placeholder, description }]: [string, Option]): string[] {
  return [placeholder ? `--${name} <${placeholder}>` : `--${name}`, description];
}

function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '  ');
}
