import { runJqCommand } from '@portolan/jq';
import { nodeRegexEngine } from '@portolan/jq/node';
import type { Command } from './command.ts';
import { readInput } from './context.ts';
import type { ExitCode } from './exit-codes.ts';

export const jqCommand: Command = {
  name: 'jq',
  summary: 'Evaluate a jq expression on stdin, as the server runs it',
  usage: ["jq '<expression>' < file.json", "jq --explain '<expression>'"],
  details: [
    'One JSON document is read, and each output is printed as compact JSON on its own line.',
    'Exit codes of its own: 2 for arguments or input, 3 if the expression is not valid, 5 if it failed or reached a',
    'limit.',
  ],
  options: {
    explain: { type: 'boolean', description: 'print what the expression reads instead; no input is needed' },
  },
  readsOwnOptions: true,
  examples: ["jq '.properties | keys' < entity.json"],
  async run({ words }, context) {
    const needsInput = words.length === 1 && words[0] !== '--explain';
    const input = needsInput ? await readInput(context) : '';
    const { stdout, stderr, exitCode } = runJqCommand(words, input, { regex: nodeRegexEngine });
    context.out.write(stdout);
    context.err.write(stderr);
    return exitCode as ExitCode;
  },
};
