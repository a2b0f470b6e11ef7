import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type PackFile, packFile } from '@portolan/contract/packs';

/** The starter models of a folder by id, in the order in which they are shown; none without a folder. */
export function readPackFiles(folder: string | undefined): ReadonlyMap<string, PackFile> {
  if (folder === undefined) return new Map();
  const packs = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => readPackFile(join(folder, name)))
    .toSorted((left, right) => orderOf(left) - orderOf(right) || left.id.localeCompare(right.id));
  return new Map(packs.map((pack) => [pack.id, pack]));
}

function readPackFile(path: string): PackFile {
  const read = packFile.safeParse(JSON.parse(readFileSync(path, 'utf8')));
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new SyntaxError(`${path} is no starter model: /${issue?.path.join('/')} ${issue?.message}`);
}

/** The model that the others build on comes first. */
function orderOf({ id }: PackFile): number {
  return id === 'service-catalog' ? 0 : 1;
}
