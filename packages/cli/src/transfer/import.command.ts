import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { readTransfer, type TransferFile, TransferVersionError } from '@portolan/contract/transfer-file';
import { importBackstage } from '../backstage/import-backstage.ts';
import { CliError, usageError } from '../cli-error.ts';
import type { Arguments, Command } from '../command.ts';
import { connectionOptions } from '../config.ts';
import { connect, explained } from '../connection.ts';
import { type Context, readInput } from '../context.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { importTableFile } from '../tables/import-table-file.ts';
import { isTableCall, tableOptions } from '../tables/table-options.ts';
import { importFile } from './import-file.ts';
import { endText, notesText, planText, problemsText } from './import-report.ts';

export const importCommand: Command = {
  name: 'import',
  summary: 'Plan and apply a table, or blueprints, entities, actions and pages from JSON lines',
  usage: [
    'import <file> [options]',
    'import - [options] < catalog.jsonl',
    'import backstage <folder, repository or address> [--apply] [options]',
    'import <table> --blueprint <id> [options]',
    'import <table> --new-blueprint <title> [options]',
  ],
  details: [
    'First the plan: the server checks every record and writes nothing. If it would refuse one, nothing is written',
    'unless --keep-going is given. Then the plan is applied. An import adds and changes; it never removes, and',
    'importing a file again is harmless. A file of before users and teams were blueprints has its teamInheritance read',
    'as ownership where they are.',
    '',
    'With the word backstage it reads catalog-info.yaml and what Locations name: of a folder, of a Git repository (an',
    'address that ends in .git), or of a running Backstage. It prints the plan; --apply writes it.',
    '',
    'A table is CSV, TSV, Excel (.xlsx), JSON or, with --blueprint, JSON lines: a row becomes an entity, and its columns',
    'what --map says or their headings suggest. It is read in pieces, so it may be of any size; a workbook may have 50 MiB.',
  ],
  options: {
    'dry-run': { type: 'boolean', description: 'only the plan' },
    'keep-going': { type: 'boolean', description: 'write what can be written, and list the rest' },
    apply: { type: 'boolean', description: 'from Backstage: write what was planned' },
    'backstage-token': {
      type: 'string',
      placeholder: 'token',
      description: 'of a running Backstage; else BACKSTAGE_TOKEN',
    },
    json: { type: 'boolean', description: 'print JSON' },
    ...tableOptions,
    ...connectionOptions,
  },
  examples: [
    'import catalog.jsonl --dry-run',
    'import catalog.jsonl --json',
    'import backstage ./catalog --apply',
    'import services.csv --blueprint service --dry-run',
    'import services.csv --blueprint service --map "Squad=team" --source services',
  ],
  run,
};

async function run(input: Arguments, context: Context): Promise<ExitCode> {
  if (input.words[0] === 'backstage') return importBackstage(input, context);
  if (isTableCall(input)) return importTableFile(input, context);
  const file = parseTransfer(await readText(input, context));
  const { client, address } = connect(input, context);
  const isJson = input.flag('json');
  const report = await explained(address, () =>
    importFile(client, file, context, {
      isDryRun: input.flag('dry-run'),
      keepsGoing: input.flag('keep-going'),
      onPlan: (plan, notes) => {
        if (isJson) return;
        context.out.write(planText(plan));
        context.err.write(notesText(notes, context.err));
      },
    }),
  );
  if (isJson) context.out.write(`${JSON.stringify(report)}\n`);
  else {
    context.err.write(problemsText(report.problems, context.err));
    context.out.write(endText(report, input.flag('dry-run')));
  }
  return report.ok ? exitCodes.ok : exitCodes.partial;
}

/** @throws CliError `usage` for an unsupported version */
function parseTransfer(text: string): TransferFile {
  try {
    return readTransfer(text);
  } catch (error) {
    if (error instanceof TransferVersionError) throw usageError(error.message);
    throw error;
  }
}

async function readText(input: Arguments, context: Context): Promise<string> {
  const [name, ...rest] = input.words;
  if (!name || rest.length > 0) throw usageError('Name one file, or - for stdin: portolan import catalog.jsonl');
  if (name === '-') return readInput(context);
  try {
    return await readFile(resolve(context.workingDirectory, name), 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CliError(exitCodes.usage, 'file_not_read', `${name} cannot be read (${code}).`);
  }
}
