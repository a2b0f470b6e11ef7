import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import process from 'node:process';
import { mutated, type NumberedMutant } from './mutant.ts';
import { readSource } from './plan.ts';
import { root } from './root.ts';

/** What a mutant leaves unused or unreachable is no mistake in its types. */
const compilerOptions = { noUnusedLocals: false, noUnusedParameters: false, allowUnreachableCode: true };

const isOfPortal = (file: string): boolean => file.startsWith('packages/portal/');
/** A browser has other globals than Node. */
const settings = [
  { base: './tsconfig.base.json', isAbout: (file: string) => !isOfPortal(file) },
  { base: './packages/portal/tsconfig.json', isAbout: isOfPortal },
];

/**
 * The mutants that the compiler refuses. Each is written as a file of its own beside its source, in a copy of the
 * tree, so one run of the compiler judges all of them.
 */
export function findIllTyped(mutants: readonly NumberedMutant[]): Set<number> {
  if (mutants.length === 0) return new Set();
  const copy = mkdtempSync(join(tmpdir(), 'portolan-mutants-'));
  try {
    copySources(copy);
    return new Set(
      settings.flatMap(({ base, isAbout }) =>
        refusedBy(
          copy,
          base,
          mutants.filter(({ file }) => isAbout(file)),
        ),
      ),
    );
  } finally {
    rmSync(copy, { recursive: true });
  }
}

function refusedBy(copy: string, base: string, mutants: readonly NumberedMutant[]): number[] {
  if (mutants.length === 0) return [];
  const idByPath = new Map(mutants.map((each) => [writeVariant(copy, each), each.id]));
  const files = [...idByPath.keys()];
  writeFileSync(join(copy, 'tsconfig.json'), JSON.stringify({ extends: base, compilerOptions, include: [], files }));
  const output = compile(copy);
  const refused = [...output.matchAll(/^(\S+?)\(\d+,\d+\): error/gm)].map(([, path]) => path ?? '');
  const foreign = refused.find((path) => !idByPath.has(path));
  if (foreign !== undefined)
    throw new Error(`The sources themselves do not compile: ${foreign}\n${output.slice(0, 2000)}`);
  return refused.flatMap((path) => idByPath.get(path) ?? []);
}

function copySources(copy: string): void {
  cpSync(join(root, 'tsconfig.base.json'), join(copy, 'tsconfig.base.json'));
  cpSync(join(root, 'package.json'), join(copy, 'package.json'));
  for (const name of readdirSync(join(root, 'packages'))) {
    for (const part of ['src', 'test', 'package.json', 'tsconfig.json', 'node_modules']) {
      const from = join(root, 'packages', name, part);
      if (existsSync(from)) cpSync(from, join(copy, 'packages', name, part), { recursive: true });
    }
  }
  linkModules(copy);
}

/** Installed packages are shared, except ours: those are the copies. */
function linkModules(copy: string): void {
  const modules = join(copy, 'node_modules');
  mkdirSync(join(modules, '@portolan'), { recursive: true });
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== '@portolan') symlinkSync(join(root, 'node_modules', name), join(modules, name));
  for (const name of readdirSync(join(copy, 'packages')))
    symlinkSync(join(copy, 'packages', name), join(modules, '@portolan', name));
}

function writeVariant(copy: string, mutant: NumberedMutant): string {
  const path = join(copy, mutant.file.replace(/\.ts$/, `.mutant-${mutant.id}.ts`));
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, mutated(readSource(mutant.file), mutant));
  return relative(copy, path);
}

function compile(copy: string): string {
  const compiler = join(root, 'node_modules/typescript7/bin/tsc');
  const { stdout, stderr, error } = spawnSync(process.execPath, [compiler, '-p', '.', '--pretty', 'false'], {
    cwd: copy,
    encoding: 'utf8',
    maxBuffer: 512 * 1024 * 1024,
  });
  if (error) throw error;
  return stdout + stderr;
}
