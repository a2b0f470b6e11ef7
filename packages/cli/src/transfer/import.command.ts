import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Blueprint, listBlueprints } from '@portolan/contract/blueprints';
import type { Client } from '@portolan/contract/client';
import {
  readTransfer,
  type TransferFile,
  type TransferProblem,
  TransferVersionError,
} from '@portolan/contract/transfer-file';
import { CliError, usageError } from '../cli-error.ts';
import type { Arguments, Command } from '../command.ts';
import { connectionOptions } from '../config.ts';
import { connect, explained } from '../connection.ts';
import { type Context, readInput } from '../context.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { adoptOwnership } from './adopt-ownership.ts';
import { applyImport } from './apply-import.ts';
import {
  createProgress,
  endText,
  type ImportPlan,
  type ImportReport,
  notesText,
  planText,
  problemsText,
} from './import-report.ts';
import { orderEntities, type Relations } from './order-entities.ts';
import { type BlueprintPlan, planBlueprints } from './plan-blueprints.ts';
import { planEntities } from './plan-entities.ts';
import { type PortalStep, planPortal } from './portal-records.ts';

export const importCommand: Command = {
  name: 'import',
  summary: 'Plan and apply blueprints, entities, actions and pages from JSON lines',
  usage: ['import <file> [options]', 'import - [options] < catalog.jsonl'],
  details: [
    'First the plan: the server checks every record and writes nothing. If it would refuse one, nothing is written',
    'unless --keep-going is given. Then the plan is applied. An import adds and changes; it never removes, and',
    'importing a file again is harmless. A file of before users and teams were blueprints has its teamInheritance read',
    'as ownership where they are.',
  ],
  options: {
    'dry-run': { type: 'boolean', description: 'only the plan' },
    'keep-going': { type: 'boolean', description: 'write what can be written, and list the rest' },
    json: { type: 'boolean', description: 'print JSON' },
    ...connectionOptions,
  },
  examples: ['import catalog.jsonl --dry-run', 'import catalog.jsonl --json'],
  run,
};

async function run(input: Arguments, context: Context): Promise<ExitCode> {
  const file = parseTransfer(await readText(input, context));
  const { client, address } = connect(input, context);
  const isJson = input.flag('json');
  const report = await explained(address, () =>
    importFile(client, file, context, {
      isDryRun: input.flag('dry-run'),
      keepsGoing: input.flag('keep-going'),
      onPlan: (plan) => void (isJson || context.out.write(planText(plan))),
    }),
  );
  if (isJson) context.out.write(`${JSON.stringify(report)}\n`);
  else {
    context.err.write(notesText(report.notes, context.err));
    context.err.write(problemsText(report.problems, context.err));
    context.out.write(endText(report, input.flag('dry-run')));
  }
  return report.ok ? exitCodes.ok : exitCodes.partial;
}

interface ImportOptions {
  readonly isDryRun: boolean;
  readonly keepsGoing: boolean;
  readonly onPlan: (plan: ImportPlan) => void;
}

async function importFile(
  client: Client,
  file: TransferFile,
  context: Context,
  { isDryRun, keepsGoing, onPlan }: ImportOptions,
): Promise<ImportReport> {
  const existing = (await client.call(listBlueprints)).blueprints as Blueprint[];
  const { blueprints: read, notes } = await adoptOwnership(client, file, existing);
  const blueprints = planBlueprints(read, existing);
  const relations = collectRelations(existing, blueprints);
  const order = orderEntities(file.entities, relations);
  const changing = new Set([...blueprints.create, ...blueprints.update].map(({ identifier }) => identifier));
  const sending = (verb: string) => ({
    wait: context.wait,
    onProgress: createProgress(context, verb, file.entities.length),
  });
  const { problems: found, ...entities } = await planEntities(client, order, relations, changing, sending('checked'));
  const portal = await planPortal(client, file);
  const plan = { blueprints: listPlanNames(blueprints), entities, ...portalPlan(portal) };
  onPlan(plan);
  const unreadable = [...file.problems, ...blueprints.problems];
  const planned = sorted([...unreadable, ...found]);
  if (isDryRun || (planned.length > 0 && !keepsGoing)) {
    return { ok: planned.length === 0, plan, applied: null, problems: planned, notes };
  }
  const known = new Set(existing.map(({ identifier }) => identifier));
  const { problems: refused, ...applied } = await applyImport(
    client,
    blueprints,
    known,
    order,
    relations,
    portal,
    sending('written'),
  );
  const problems = sorted([...unreadable, ...refused]);
  return { ok: problems.length === 0, plan, applied, problems, notes };
}

function sorted(problems: readonly TransferProblem[]): TransferProblem[] {
  return problems.toSorted((left, right) => left.line - right.line);
}

/** The relations after the import: existing ones overridden by those of the file. */
function collectRelations(existing: readonly Blueprint[], { create, update }: BlueprintPlan): Relations {
  const map = new Map(existing.map(({ identifier, relations }) => [identifier, relations ?? {}]));
  for (const { identifier, body } of [...create, ...update]) {
    map.set(identifier, { ...map.get(identifier), ...body.relations });
  }
  return map;
}

/** The plan by kind; absent if the file has no portal records. */
function portalPlan(steps: readonly PortalStep[]): Pick<ImportPlan, 'portal'> {
  if (steps.length === 0) return {};
  const names = (plannedChange: PortalStep['plannedChange']) =>
    steps
      .filter((step) => step.plannedChange === plannedChange)
      .map(({ kind, record }) => `${kind} ${record.identifier}`);
  return { portal: { create: names('create'), update: names('update'), unchanged: names('unchanged') } };
}

function listPlanNames(plan: BlueprintPlan): ImportPlan['blueprints'] {
  const names = (part: keyof ImportPlan['blueprints']) => plan[part].map(({ identifier }) => identifier);
  return { create: names('create'), update: names('update'), unchanged: names('unchanged') };
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
