import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** The top folder of the repository. */
export const top = join(import.meta.dirname, '../..');

/** A source file of ours: its path from the top of the repository with `/` between folders, and its text. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

const skippedFolders = new Set(['node_modules', 'dist', '.git', '.portolan', 'coverage', 'output']);

/** Every file under the folders whose path matches. */
export function filesUnder(folders: readonly string[], pattern: RegExp, start = top): SourceFile[] {
  const found: SourceFile[] = [];
  const walk = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const full = join(folder, entry.name);
      if (entry.isDirectory()) {
        if (!skippedFolders.has(entry.name)) walk(full);
        continue;
      }
      const path = relative(start, full).split(sep).join('/');
      if (pattern.test(path)) found.push({ path, text: readFileSync(full, 'utf8') });
    }
  };
  for (const folder of folders) walk(join(start, folder));
  return found.sort((left, right) => (left.path < right.path ? -1 : 1));
}
