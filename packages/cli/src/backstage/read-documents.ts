import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  BackstageBusy,
  BackstageRefusal,
  type FoundDocument,
  ownersElsewhere,
  type Problem,
  readAddresses,
  readCatalog,
  readServerPage,
  type ServerPage,
} from '@portolan/backstage';
import { CliError } from '../cli-error.ts';
import type { Arguments } from '../command.ts';
import type { Context } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';
import { networkErrorCode } from '../explain-error.ts';
import { isRepository, withClone } from './clone-repository.ts';
import { folderFiles } from './folder-files.ts';

export interface ReadDocuments {
  readonly documents: readonly FoundDocument[];
  readonly problems: readonly Problem[];
  /** What was read, for the first line of the report. */
  readonly from: string;
  readonly addresses: ReadonlyMap<string, string>;
}

/** Reads a folder, a repository, or a running Backstage. @throws CliError */
export async function readDocuments(place: string, input: Arguments, context: Context): Promise<ReadDocuments> {
  if (isRepository(place)) return withClone(place, readFolder);
  if (/^https?:\/\//.test(place)) return readServer(place, input, context);
  const folder = resolve(context.workingDirectory, place);
  const isFolder = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) throw new CliError(exitCodes.usage, 'file_not_read', `There is no folder ${place}.`);
  return readFolder(folder);
}

async function readFolder(folder: string): Promise<ReadDocuments> {
  const { documents, problems, filesRead, skipped } = await readCatalog(await folderFiles(folder));
  const passedOver = skipped.length > 0 ? `, ${skipped.length} for the scaffolder passed over` : '';
  return { documents, problems, from: `${filesRead} files${passedOver}`, addresses: new Map() };
}

const attemptsMax = 4;

async function readServer(address: string, input: Arguments, context: Context): Promise<ReadDocuments> {
  const token = input.text('backstage-token') ?? context.environment['BACKSTAGE_TOKEN'];
  const server = { address, token, fetch: context.fetch };
  const { signal } = new AbortController();
  const documents: FoundDocument[] = [];
  const problems: Problem[] = [];
  const addresses = new Map<string, string>();
  let orphans = 0;
  try {
    for (let cursor: string | null = null, isFirst = true; isFirst || cursor !== null; isFirst = false) {
      const at: string | null = cursor;
      const page: ServerPage = await retried(context.wait, () => readServerPage(server, at, signal));
      documents.push(...page.documents);
      problems.push(...page.problems);
      orphans += page.orphans;
      cursor = page.next;
    }
    const owners = ownersElsewhere(documents);
    for (const [user, email] of await retried(context.wait, () => readAddresses(server, owners, signal))) {
      addresses.set(user, email);
    }
  } catch (error) {
    throw explained(error, address);
  }
  return { documents, problems, from: `${address}${orphans > 0 ? `, ${orphans} orphans left out` : ''}`, addresses };
}

async function retried<T>(wait: Context['wait'], call: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof BackstageBusy) || attempt === attemptsMax) throw error;
      await wait(1000 * 2 ** (attempt - 1));
    }
  }
}

function explained(error: unknown, address: string): unknown {
  if (error instanceof BackstageRefusal) {
    const exitCode = error.code === 'credentials_refused' ? exitCodes.denied : exitCodes.failed;
    return new CliError(exitCode, error.code, `${error.message} ${error.fix}`);
  }
  if (error instanceof BackstageBusy) {
    return new CliError(exitCodes.unreachable, 'backstage_busy', `${error.message} Try again later.`);
  }
  const code = networkErrorCode(error);
  if (code === undefined) return error;
  return new CliError(exitCodes.unreachable, 'backstage_unreachable', `${address} cannot be reached (${code}).`);
}
