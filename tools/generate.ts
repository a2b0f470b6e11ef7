// `npm run generate` writes every generated file; `--check` only says which differ, and fails if any does.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { dashboards } from './generators/dashboards.ts';
import { errorPages } from './generators/error-pages.ts';
import type { GeneratedFile } from './generators/generated-file.ts';
import { metricsPage } from './generators/metrics-page.ts';
import { openApi } from './generators/open-api.ts';
import { portalTextsFile } from './generators/portal-texts.ts';
import { schema } from './generators/schema.ts';
import { settingsPages } from './generators/settings-pages.ts';
import { toolsPage } from './generators/tools-page.ts';

const generators: readonly (() => Promise<readonly GeneratedFile[]> | readonly GeneratedFile[])[] = [
  openApi,
  errorPages,
  settingsPages,
  schema,
  toolsPage,
  metricsPage,
  dashboards,
  portalTextsFile,
];
/** Folders in which every file is generated: what no generator names any more is removed. */
const ownedFolders = ['docs/reference/errors'];
const top = join(import.meta.dirname, '..');

const files = (await Promise.all(generators.map((generate) => generate()))).flat();
const isCheck = process.argv.includes('--check');
const differences = files.filter(({ path, text }) => read(path) !== text);
const leftovers = ownedFolders.flatMap(filesIn).filter((path) => !files.some((file) => file.path === path));

if (isCheck) {
  for (const file of differences)
    process.stdout.write(`${file.path} is not what its source says:\n${firstDifference(file)}\n`);
  for (const path of leftovers) process.stdout.write(`${path} has no source any more.\n`);
  if (differences.length + leftovers.length > 0) {
    process.stdout.write('Run `npm run generate` and commit what it writes.\n');
    process.exitCode = 1;
  }
} else {
  for (const { path, text } of differences) {
    mkdirSync(dirname(join(top, path)), { recursive: true });
    writeFileSync(join(top, path), text);
  }
  for (const path of leftovers) rmSync(join(top, path));
  process.stdout.write(
    `${files.length} generated files, ${differences.length} written, ${leftovers.length} removed.\n`,
  );
}

function read(path: string): string | undefined {
  try {
    return readFileSync(join(top, path), 'utf8');
  } catch {
    return undefined;
  }
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(join(top, folder)).map((name) => `${folder}/${name}`);
  } catch {
    return [];
  }
}

function firstDifference({ path, text }: GeneratedFile): string {
  const committed = read(path);
  if (committed === undefined) return '  it is missing';
  const there = committed.split('\n');
  const wanted = text.split('\n');
  const line = wanted.findIndex((content, index) => content !== there[index]);
  const at = line < 0 ? wanted.length : line;
  return `  line ${at + 1}\n  - ${there[at] ?? '(end of file)'}\n  + ${wanted[at] ?? '(end of file)'}`;
}
