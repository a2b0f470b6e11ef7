import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import {
  type ExportedEntity,
  exportDocuments,
  exportedBlueprints,
  type JsonObject,
  printDocuments,
} from '@portolan/backstage';
import { type Blueprint, listBlueprints } from '@portolan/contract/blueprints';
import type { Client } from '@portolan/contract/client';
import { searchBlueprintEntities } from '@portolan/contract/search';
import { CliError, usageError } from '../cli-error.ts';
import type { Arguments } from '../command.ts';
import { connect, explained } from '../connection.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { counted, printable } from '../output.ts';

const pageSize = 500;

/** `portolan export --format backstage`: to stdout, or a file for each document into a folder. */
export async function exportBackstage(input: Arguments, context: Context): Promise<ExitCode> {
  if (input.text('output') !== undefined) throw usageError('With --format backstage, --out names a folder.');
  const { client, address } = connect(input, context);
  const { documents, notes } = exportDocuments(
    await explained(address, () => readEntities(client, input.list('blueprint'))),
  );
  const folder = input.text('out');
  if (folder === undefined) {
    context.out.write(printDocuments(documents.map(({ document }) => document)));
    await context.out.flushed();
  } else await writeFiles(resolve(context.workingDirectory, folder), documents);
  context.err.write(printable(notes.map((note) => `note: ${note}\n`).join(''), context.err));
  context.err.write(`Exported ${counted(documents.length, 'document')}.\n`);
  return exitCodes.ok;
}

/** @throws CliError `not_found` for a name that is no blueprint */
async function readEntities(client: Client, names: readonly string[]): Promise<readonly ExportedEntity[]> {
  const blueprints = (await client.call(listBlueprints)).blueprints as Blueprint[];
  const unknown = names.find((name) => blueprints.every(({ identifier }) => identifier !== name));
  if (unknown !== undefined) throw new CliError(exitCodes.failed, 'not_found', `There is no blueprint "${unknown}".`);
  const chosen = blueprints.filter(({ identifier, schema }) =>
    names.length > 0
      ? names.includes(identifier)
      : exportedBlueprints.includes(identifier) || Object.hasOwn(schema.properties, 'backstage'),
  );
  const entities: ExportedEntity[] = [];
  for (const { identifier } of chosen) {
    for (let from: string | undefined; ; ) {
      const page = await client.call(searchBlueprintEntities, {
        params: { blueprint_identifier: identifier },
        body: { limit: pageSize, ...(from === undefined ? {} : { from }) },
      });
      const answered = page.entities as unknown as readonly ExportedEntity[];
      // Programs with an account of their own are no users of Backstage.
      entities.push(...answered.filter(({ properties }) => properties['port_type'] !== 'Service Account'));
      if (page.next === undefined) break;
      from = page.next;
    }
  }
  return entities;
}

/** One file for each, such as `component/default/cart.yaml`; what Locations name is written as it is in them. */
async function writeFiles(
  folder: string,
  documents: readonly { readonly key: string; readonly document: JsonObject }[],
): Promise<void> {
  for (const { key, document } of documents) {
    const path = join(folder, ...fileNames(key));
    try {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, printDocuments([document]));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (!code) throw error;
      throw new CliError(exitCodes.failed, 'file_not_written', `${path} cannot be written (${code}).`);
    }
  }
}

/** A reference as names of folders and a file, none of which leads elsewhere. */
function fileNames(key: string): readonly string[] {
  const [kind = '', ...rest] = key.split(/[:/]/);
  const safe = [kind, ...rest].map((part) => part.replace(/[^A-Za-z0-9_.@+=-]/g, '-').replace(/^\.+/, '-'));
  return [...safe.slice(0, -1), `${safe.at(-1)}.yaml`];
}
