import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { type CatalogFiles, fileBytesMax } from '@portolan/backstage';
import { CliError, usageError } from '../cli-error.ts';
import { exitCodes } from '../exit-codes.ts';

const foreign = new Set(['node_modules', '.git']);
const filesMax = 200_000;

/** The files of a folder for a reader of catalogs. Links are not followed, so nothing outside the folder is read. */
export async function folderFiles(folder: string): Promise<CatalogFiles> {
  const paths: string[] = [];
  const walk = async (at: string): Promise<void> => {
    const entries = await readdir(at, { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(at, entry.name);
      if (entry.isDirectory() && !foreign.has(entry.name)) await walk(path);
      else if (entry.isFile()) paths.push(relative(folder, path).split(sep).join('/'));
      if (paths.length > filesMax)
        throw usageError(`${folder} holds more than ${filesMax} files. Name a smaller folder.`);
    }
  };
  try {
    await walk(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (!code || error instanceof CliError) throw error;
    throw new CliError(exitCodes.usage, 'file_not_read', `${folder} cannot be read (${code}).`);
  }
  const here = new Set(paths);
  return {
    paths,
    readText: async (path) => {
      const file = join(folder, path);
      return here.has(path) && (await stat(file)).size <= fileBytesMax ? readFile(file, 'utf8') : undefined;
    },
  };
}
