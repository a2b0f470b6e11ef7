import { constants } from 'node:fs';
import { copyFile, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Many small files: the wait for each is longer than its copy. */
const atOnce = 32;

/** Copies a folder with everything in it; where the file system can, the copies share their blocks. */
export async function copyFolder(from: string, to: string): Promise<void> {
  const files: [string, string][] = [];
  const walk = async (source: string, target: string): Promise<void> => {
    await mkdir(target, { mode: 0o700 });
    for (const entry of await readdir(source, { withFileTypes: true })) {
      const pair: [string, string] = [join(source, entry.name), join(target, entry.name)];
      if (entry.isDirectory()) await walk(...pair);
      else if (entry.isFile()) files.push(pair);
    }
  };
  await walk(from, to);
  const copyNext = async (): Promise<void> => {
    for (let next = files.pop(); next; next = files.pop()) await copyFile(...next, constants.COPYFILE_FICLONE);
  };
  await Promise.all(Array.from({ length: atOnce }, copyNext));
}
