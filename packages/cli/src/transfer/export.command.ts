import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { finished } from 'node:stream/promises';
import { getActionPermissions } from '@portolan/contract/actions';
import { type Blueprint, listBlueprints } from '@portolan/contract/blueprints';
import type { Client } from '@portolan/contract/client';
import { getPagePermissions } from '@portolan/contract/pages';
import { searchBlueprintEntities } from '@portolan/contract/search';
import { blueprintLine, entityLine, portalLine, transferHeader } from '@portolan/contract/transfer-file';
import { exportBackstage } from '../backstage/export-backstage.ts';
import { CliError, usageError } from '../cli-error.ts';
import type { Arguments, Command } from '../command.ts';
import { connectionOptions } from '../config.ts';
import { connect, explained } from '../connection.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { counted } from '../output.ts';
import { listPortal } from './portal-records.ts';

export const exportCommand: Command = {
  name: 'export',
  summary: 'Write blueprints, entities, actions and pages as JSON lines',
  usage: [
    'export [options] > catalog.jsonl',
    'export --output catalog.jsonl [options]',
    'export --format backstage [--out folder] [options]',
  ],
  details: [
    'What the platform computes is left out, and so are the records of AI invocations, which nobody may write.',
    'Actions, automations, folders and pages come with who may use them, unless blueprints are named;',
    'workflows in their current version, without their runs.',
    'A file named with --output appears when it is complete.',
    'With --format backstage it writes documents of Backstage: what came from there as it was written, with what has',
    'changed since; everything else in the smallest form that Backstage takes.',
  ],
  options: {
    blueprint: {
      type: 'string',
      placeholder: 'id',
      isRepeatable: true,
      description: 'only this blueprint and its entities; again for more',
    },
    'blueprints-only': { type: 'boolean', description: 'no entities, actions and pages' },
    format: { type: 'string', placeholder: 'name', description: 'jsonl (the default) or backstage' },
    out: { type: 'string', placeholder: 'folder', description: 'for backstage: a file for each document' },
    output: { type: 'string', placeholder: 'file', description: 'write to this file instead of stdout' },
    ...connectionOptions,
  },
  run,
};

const pageSize = 500;

/** Evidence and rule results, which only the platform writes. */
const neverExported: ReadonlySet<string> = new Set(['_ai_invocations', '_rule_result']);

interface Sink {
  write(text: string): Promise<void>;
}

async function run(input: Arguments, context: Context): Promise<ExitCode> {
  const format = input.text('format') ?? 'jsonl';
  if (format === 'backstage') return exportBackstage(input, context);
  if (format !== 'jsonl') throw usageError(`There is no format "${format}": jsonl or backstage.`);
  if (input.text('out') !== undefined) throw usageError('--out is for --format backstage; name a file with --output.');
  const { client, address } = connect(input, context);
  const file = input.text('output');
  const write = (sink: Sink) => explained(address, () => exportAll(client, input, sink));
  const counts = file === undefined ? await write(toSink(context)) : await intoFile(context, file, write);
  context.err.write(exportedText(counts));
  return exitCodes.ok;
}

function exportedText({ blueprints, entities, portal }: Counts): string {
  const records = portal === 0 ? '' : `, and ${counted(portal, 'record')} of the portal`;
  return `Exported ${counted(blueprints, 'blueprint')} and ${counted(entities, 'entity', 'entities')}${records}.\n`;
}

interface Counts {
  readonly blueprints: number;
  readonly entities: number;
  /** Actions, folders and pages. */
  readonly portal: number;
}

async function exportAll(client: Client, input: Arguments, sink: Sink): Promise<Counts> {
  const { blueprints } = await client.call(listBlueprints);
  const wanted = chosen(blueprints as Blueprint[], input.list('blueprint'));
  await sink.write(`${JSON.stringify(transferHeader)}\n`);
  for (const blueprint of wanted) await sink.write(blueprintLine(withoutResultTargets(blueprint)));
  let entities = 0;
  for (const blueprint of wanted) {
    if (input.flag('blueprints-only') || neverExported.has(blueprint.identifier)) continue;
    entities += await exportEntities(client, blueprint, sink);
  }
  const isWhole = input.list('blueprint').length === 0 && !input.flag('blueprints-only');
  return { blueprints: wanted.length, entities, portal: isWhole ? await exportPortal(client, sink) : 0 };
}

/** Exports workflows, and actions, folders and pages with their permissions; scorecards are exported as entities. */
async function exportPortal(client: Client, sink: Sink): Promise<number> {
  const { action, folder, page, workflow } = await listPortal(client);
  for (const one of action) {
    const params = { action_identifier: one.identifier };
    await sink.write(portalLine('action', one, (await client.call(getActionPermissions, { params })).permissions));
  }
  for (const one of folder) await sink.write(portalLine('folder', one));
  for (const one of page) {
    const params = { page_identifier: one.identifier };
    await sink.write(portalLine('page', one, (await client.call(getPagePermissions, { params })).permissions));
  }
  for (const one of workflow) await sink.write(portalLine('workflow', one));
  return action.length + folder.length + page.length + workflow.length;
}

/** @throws CliError `not_found` for an unknown name */
function chosen(blueprints: readonly Blueprint[], names: readonly string[]): readonly Blueprint[] {
  if (names.length === 0) return blueprints;
  for (const name of names) {
    if (blueprints.some(({ identifier }) => identifier === name)) continue;
    throw new CliError(exitCodes.failed, 'not_found', `There is no blueprint "${name}".`);
  }
  return blueprints.filter(({ identifier }) => names.includes(identifier));
}

async function exportEntities(client: Client, blueprint: Blueprint, sink: Sink): Promise<number> {
  const computed = [
    ...Object.keys(blueprint.mirrorProperties ?? {}),
    ...Object.keys(blueprint.calculationProperties ?? {}),
    ...Object.keys(blueprint.aggregationProperties ?? {}),
  ];
  // Inherited teams are computed: an entity shows them but does not store them.
  const exclude = hasOwnTeams(blueprint) ? computed : [...computed, '$team'];
  let count = 0;
  for (let from: string | undefined; ; ) {
    const page = await client.call(searchBlueprintEntities, {
      params: { blueprint_identifier: blueprint.identifier },
      body: { exclude, limit: pageSize, ...(from === undefined ? {} : { from }) },
    });
    await sink.write(page.entities.map((entity) => entityLine(blueprint.identifier, entity)).join(''));
    count += page.entities.length;
    if (page.next === undefined) return count;
    from = page.next;
  }
}

/** Removes the relations from rule results to their targets, which the platform creates with the scorecards. */
function withoutResultTargets(blueprint: Blueprint): Blueprint {
  const { relations } = blueprint;
  const isMade = ({ type }: { readonly type?: string | undefined }) => type === 'rule_result_target';
  if (!relations || !Object.values(relations).some(isMade)) return blueprint;
  const own = Object.entries(relations).filter(([, relation]) => !isMade(relation));
  return { ...blueprint, relations: Object.fromEntries(own) };
}

function hasOwnTeams({ ownership, teamInheritance }: Blueprint): boolean {
  return ownership?.type !== 'Inherited' && teamInheritance === undefined;
}

function toSink({ out }: Context): Sink {
  return {
    write: (text) => {
      out.write(text);
      return out.flushed();
    },
  };
}

/** Writes to a temporary name first, so that an incomplete export never has the requested name. */
async function intoFile<T>(context: Context, name: string, write: (sink: Sink) => Promise<T>): Promise<T> {
  const path = resolve(context.workingDirectory, name);
  const partial = `${path}.part`;
  const stream = createWriteStream(partial);
  const closed = finished(stream);
  // The failure is thrown at the later await; this avoids an unhandled rejection until then.
  closed.catch(() => {});
  try {
    const result = await write({
      write: (text) => new Promise((taken, failed) => stream.write(text, (error) => (error ? failed(error) : taken()))),
    });
    stream.end();
    await closed;
    await rename(partial, path);
    return result;
  } catch (error) {
    stream.destroy();
    await rm(partial, { force: true });
    const { code } = error as NodeJS.ErrnoException;
    if (!code || error instanceof CliError) throw error;
    throw new CliError(exitCodes.failed, 'file_not_written', `${name} cannot be written (${code}).`);
  }
}
