import { createReadStream, createWriteStream, openAsBlob } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBlueprint, getBlueprint } from '@portolan/contract/blueprints';
import { ApiError, type Client } from '@portolan/contract/client';
import { createSource, getSource, patchSource, type Source } from '@portolan/contract/sources';
import {
  type Column,
  type ColumnPlan,
  guessColumns,
  importTable,
  type KeptTable,
  keptColumns,
  makeBlueprint,
  openTable,
  profileColumns,
  type Table,
  type TableBlueprint,
  TableError,
  type TableResult,
  writeRefusedRows,
} from '@portolan/tables';
import { CliError, usageError } from '../cli-error.ts';
import type { Arguments } from '../command.ts';
import { connect, explained } from '../connection.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { createImportServer, findEntitiesOver } from './import-server.ts';
import { applyColumnOptions, readMissingTargets, readOptions } from './table-options.ts';
import { columnsText, createRowProgress, endText, planText, problemsText } from './table-report.ts';

/** Imports a table: shows what its columns become, plans, and applies unless told otherwise. */
export async function importTableFile(input: Arguments, context: Context): Promise<ExitCode> {
  const { client, address } = connect(input, context);
  const stop = new AbortController();
  const forget = context.onInterrupt(() => stop.abort());
  try {
    return await explained(address, () => runImport(client, input, context, stop.signal));
  } catch (error) {
    if (stop.signal.aborted) return exitCodes.interrupted;
    if (error instanceof TableError) throw new CliError(exitCodes.failed, 'table_not_imported', error.message);
    throw error;
  } finally {
    forget();
  }
}

interface Prepared {
  readonly table: Table;
  readonly blueprint: TableBlueprint;
  readonly plan: ColumnPlan;
}

async function runImport(client: Client, input: Arguments, context: Context, signal: AbortSignal): Promise<ExitCode> {
  const isPlanOnly = input.flag('dry-run');
  const wanted = input.text('source');
  const source = wanted === undefined ? undefined : await findSource(client, wanted);
  const prepared = await prepare(client, input, context, source);
  const { table, plan } = prepared;
  const isJson = input.flag('json');
  if (!isJson) context.out.write(columnsText(table, plan.columns, context.out));
  const send = (isPlan: boolean, into: string | undefined): Promise<TableResult> =>
    importTable({
      ...prepared,
      query: { dry_run: isPlan, missing_targets: readMissingTargets(input), ...(into ? { source: into } : {}) },
      server: createImportServer(client, context),
      find: findEntitiesOver(client),
      signal,
      onProgress: createRowProgress(context, isPlan ? 'checked' : 'written'),
    });
  const planned = await send(true, source?.identifier);
  if (!isJson) context.out.write(planText(planned));
  const isStopped = isPlanOnly || (planned.refusedRows > 0 && !input.flag('keep-going'));
  const result = isStopped
    ? planned
    : await send(false, wanted && (await keepSource(client, wanted, source, input, prepared)));
  await writeRefused(input, context, table, result);
  if (isJson)
    context.out.write(`${JSON.stringify({ ok: result.refusedRows === 0, applied: !isStopped, ...result })}\n`);
  else {
    context.err.write(problemsText(result.problems, result.refusedRows, context.err));
    context.out.write(isStopped ? stoppedText(isPlanOnly) : endText(result));
  }
  return result.refusedRows > 0 ? exitCodes.partial : exitCodes.ok;
}

function stoppedText(isPlanOnly: boolean): string {
  return isPlanOnly
    ? 'Nothing was written (--dry-run).\n'
    : 'Nothing was written. Correct the rows, or import the others with --keep-going.\n';
}

async function prepare(
  client: Client,
  input: Arguments,
  context: Context,
  source: Source | undefined,
): Promise<Prepared> {
  const [name = '', ...rest] = input.words;
  if (name === '' || name === '-' || rest.length > 0) {
    throw usageError('Name one file. A table is read more than once, so it cannot come from stdin.');
  }
  const path = resolve(context.workingDirectory, name);
  await access(path, constants.R_OK).catch(({ code }: NodeJS.ErrnoException) => {
    throw new CliError(exitCodes.usage, 'file_not_read', `${name} cannot be read (${code}).`);
  });
  const file = { name: basename(name), open: () => createReadStream(path), blob: () => openAsBlob(path) };
  const table = await openTable(file, readOptions(input));
  const { blueprint, columns } = await chooseBlueprint(client, input, table);
  const plan: ColumnPlan = {
    columns: applyColumnOptions(source ? keptColumns(source.settings, columns) : columns, blueprint, input),
    emptyCells: input.flag('clear-empty') ? 'clear' : 'keep',
  };
  return { table, blueprint, plan };
}

/** The blueprint that is named, or one made from the columns. */
async function chooseBlueprint(
  client: Client,
  input: Arguments,
  table: Table,
): Promise<{ blueprint: TableBlueprint; columns: readonly Column[] }> {
  const profiles = profileColumns(table.columns, table.sample);
  const title = input.text('new-blueprint');
  const identifier = input.text('blueprint');
  if (title !== undefined) {
    if (input.flag('dry-run'))
      throw usageError('--new-blueprint writes the blueprint, so it does not go with --dry-run.');
    const made = await makeBlueprint(title, profiles);
    const body = { ...made.blueprint, ...(identifier ? { identifier } : {}) };
    await client.call(createBlueprint, { body: body as never });
    return { blueprint: body, columns: made.columns };
  }
  if (identifier === undefined) {
    throw usageError('Name the blueprint of the rows with --blueprint, or have one made with --new-blueprint <title>.');
  }
  const { blueprint } = await client.call(getBlueprint, { params: { blueprint_identifier: identifier } });
  return { blueprint, columns: await guessColumns(profiles, blueprint, findEntitiesOver(client)) };
}

async function findSource(client: Client, identifier: string): Promise<Source | undefined> {
  try {
    return (await client.call(getSource, { params: { source_identifier: identifier } })).source;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}

/** Keeps how the columns were read with the source, which is made if it is not there yet. */
async function keepSource(
  client: Client,
  identifier: string,
  source: Source | undefined,
  input: Arguments,
  { blueprint, plan }: Prepared,
): Promise<string> {
  const fileName = basename(input.words[0] ?? identifier);
  const settings = { fileName, blueprint: blueprint.identifier, ...plan } satisfies KeptTable;
  if (source) await client.call(patchSource, { params: { source_identifier: identifier }, body: { settings } });
  else await client.call(createSource, { body: { identifier, type: 'file', title: fileName, settings } });
  return identifier;
}

async function writeRefused(
  input: Arguments,
  context: Context,
  table: Table,
  { problems }: TableResult,
): Promise<void> {
  const name = input.text('refused');
  if (name === undefined || problems.length === 0) return;
  await pipeline(writeRefusedRows(table, problems), createWriteStream(resolve(context.workingDirectory, name)));
}
