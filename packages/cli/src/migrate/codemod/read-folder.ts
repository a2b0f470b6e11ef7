import { isUtf8 } from 'node:buffer';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { CliError } from '../../cli-error.ts';
import { exitCodes } from '../../exit-codes.ts';

/** A file or folder that could not be read, and why. */
export interface UnreadFile {
  readonly file: string;
  readonly why: string;
}

export interface FolderFiles {
  /** By path relative to the folder. */
  readonly sources: ReadonlyMap<string, string>;
  readonly unread: readonly UnreadFile[];
  /** Skipped folders of third-party files. */
  readonly passedBy: readonly string[];
}

const foreign = new Set('node_modules .git .terraform dist build vendor .venv venv __pycache__ output'.split(' '));
const fileBytesMax = 1_000_000;
const filesMax = 50_000;

/** Reads the files whose names satisfy `isWanted`. @throws CliError `cannot_read`, `too_many_files` */
export async function readFolder(folder: string, isWanted: (name: string) => boolean): Promise<FolderFiles> {
  const sources = new Map<string, string>();
  const unread: UnreadFile[] = [];
  const passedBy: string[] = [];
  const nameOf = (path: string): string => relative(folder, path).split(sep).join('/');
  const walk = async (at: string): Promise<void> => {
    const entries = await readdir(at, { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(at, entry.name);
      if (entry.isDirectory() && foreign.has(entry.name)) passedBy.push(nameOf(path));
      else if (entry.isDirectory()) await reporting(path, () => walk(path));
      else if (entry.isSymbolicLink()) unread.push({ file: nameOf(path), why: 'links are not followed' });
      else if (entry.isFile() && isWanted(entry.name)) await reporting(path, () => read(path));
      if (sources.size > filesMax) {
        const message = `${folder} holds more than ${filesMax} files. Name a smaller folder.`;
        throw new CliError(exitCodes.usage, 'too_many_files', message);
      }
    }
  };
  const read = async (path: string): Promise<void> => {
    const { size } = await stat(path);
    if (size > fileBytesMax) unread.push({ file: nameOf(path), why: `it has more than ${fileBytesMax} bytes` });
    else {
      const content = await readFile(path);
      if (isUtf8(content)) sources.set(nameOf(path), content.toString('utf8'));
      else unread.push({ file: nameOf(path), why: 'it is no text in UTF-8' });
    }
  };
  const reporting = async (path: string, act: () => Promise<void>): Promise<void> => {
    try {
      await act();
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === undefined || error instanceof CliError) throw error;
      unread.push({ file: nameOf(path), why: `it cannot be read (${code})` });
    }
  };
  try {
    await walk(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined || error instanceof CliError) throw error;
    const message = `${folder} cannot be read (${code}). Name a folder of definitions.`;
    throw new CliError(exitCodes.usage, 'cannot_read', message);
  }
  return { sources, unread, passedBy };
}
