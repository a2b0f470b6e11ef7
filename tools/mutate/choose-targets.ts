import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { RemovedFix } from './removed-fixes.ts';
import { root } from './root.ts';
import { targets } from './targets.ts';

export interface Target {
  readonly name: string;
  readonly sources: readonly string[];
  readonly tests: readonly string[];
  /** Written by hand; else the mutants are found in the sources. */
  readonly removals?: readonly RemovedFix[];
}

/**
 * The targets that the words name, by name or by a path that some of their sources begin with; all for no word. Only
 * the sources that a path names are left.
 */
export function chooseTargets(words: readonly string[]): Target[] {
  const all = targets.map(({ name, sources, tests, removals }): Target => {
    const files = removals?.map(({ file }) => file) ?? sources.flatMap((path) => listFiles(path, isSource));
    return {
      name,
      sources: [...new Set(files)],
      tests: [...new Set(tests.flatMap((path) => listFiles(path, isTest)))],
      ...(removals && { removals }),
    };
  });
  if (words.length === 0) return all;
  const chosen = all.flatMap((target): Target[] => {
    if (words.includes(target.name)) return [target];
    if (target.removals) return [];
    const sources = target.sources.filter((source) => words.some((word) => source.startsWith(word)));
    return sources.length > 0 ? [{ ...target, sources }] : [];
  });
  if (chosen.length === 0)
    throw new Error(`Nothing is called ${words.join(', ')}; there are ${all.map(({ name }) => name).join(', ')}.`);
  return chosen;
}

function listFiles(path: string, isWanted: (file: string) => boolean): string[] {
  const isDeep = path.endsWith('/**');
  const top = isDeep ? path.slice(0, -3) : path;
  if (statSync(join(root, top)).isFile()) return [top];
  return readdirSync(join(root, top), { recursive: isDeep })
    .map((file) => join(top, String(file)))
    .filter((file) => isWanted(file))
    .sort();
}

/** Front doors and declarations decide nothing. */
function isSource(file: string): boolean {
  return file.endsWith('.ts') && !file.endsWith('.test.ts') && !/(^|\/)index\.ts$/.test(file);
}

function isTest(file: string): boolean {
  return file.endsWith('.test.ts');
}
