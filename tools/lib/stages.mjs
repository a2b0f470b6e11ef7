import { existsSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { findChromium, findGo, findPostgres } from './programs.mjs';
import { root } from './root.mjs';

const bin = (name) => join(root, 'node_modules/.bin', name);
// by itself vitest leaves a core to the machine, which is half of a small one
const onAllCores = ['--maxWorkers', String(availableParallelism())];
// tests that wait for a database, or for what a killed process had taken, leave a core idle
const onAllCoresAndOne = ['--maxWorkers', String(availableParallelism() + 1)];
const sourceFolders = ['packages', 'tools', 'bench', 'e2e'];
const contractTests = ['packages/contract/test', 'packages/server/test/contract'];

/**
 * What `npm test` runs, in this order. `static` stages read the sources and run two at a time; the others start
 * servers and run alone. `environment` is set for the stage. `slow` ones are left out by `--fast`. `missing` says what
 * the machine lacks for a stage; `none` says that there is nothing to run yet. Those `on-request` run when they are named.
 */
const stages = [
  { name: 'lint', group: 'static', command: [bin('biome'), 'ci', '--error-on-warnings', '--colors=off'] },
  { name: 'types', group: 'static', command: [join(root, 'node_modules/typescript7/bin/tsc'), '-p', 'tsconfig.json'] },
  {
    // a browser has other globals than Node
    name: 'portal-types',
    group: 'static',
    command: [join(root, 'node_modules/typescript7/bin/tsc'), '-p', 'packages/portal/tsconfig.json'],
  },
  {
    // what Biome cannot see without types: promises that nobody waits for
    name: 'promises',
    group: 'static',
    command: [bin('oxlint'), '--type-aware', '--report-unused-disable-directives-severity=error', ...sourceFolders],
  },
  {
    name: 'dependencies',
    group: 'static',
    command: [bin('depcruise'), '--config', '.dependency-cruiser.mjs', ...sourceFolders],
  },
  { name: 'unused', group: 'static', command: [bin('knip'), '--no-progress'] },
  {
    name: 'generated',
    group: 'static',
    slow: true,
    command: [bin('tsx'), '--conditions=portolan-source', 'tools/generate.ts', '--check'],
  },
  // what the checkers above cannot say: suppressions, sizes, notes of changes, links of pages
  { name: 'rules', group: 'static', vitest: ['--project', 'unit'], environment: without('packages', 'bench') },
  { name: 'build', group: 'build', command: [process.execPath, 'tools/start.mjs', '--build-only'] },
  {
    name: 'unit',
    group: 'tests',
    vitest: ['--project', 'unit', ...onAllCores],
    environment: without(...contractTests, 'tools'),
  },
  {
    name: 'contract',
    group: 'tests',
    vitest: ['--project', 'unit', ...contractTests],
    none: () => !contractTests.some((folder) => hasFile(folder, /(?<!\.int)\.test\.ts$/)) && 'no contract test yet',
  },
  { name: 'portal', group: 'tests', vitest: ['--project', 'portal', ...onAllCores] },
  { name: 'embedded', group: 'tests', vitest: ['--project', 'embedded', ...onAllCores] },
  {
    name: 'postgres',
    group: 'tests',
    slow: true,
    vitest: ['--project', 'postgres', ...onAllCoresAndOne],
    missing: () =>
      !process.env.PORTOLAN_TEST_DATABASE_URL &&
      !findPostgres() &&
      'no PostgreSQL 15 or newer was found (Debian: postgresql, Homebrew: postgresql@17)',
  },
  { name: 'package', group: 'tests', slow: true, vitest: ['--project', 'package'] },
  {
    name: 'embedded-rest',
    group: 'on-request',
    reason: 'tests of plain statements, which the stage postgres runs',
    vitest: ['--project', 'embedded-rest', ...onAllCores],
  },
  {
    name: 'gitea',
    group: 'on-request',
    reason: 'sources against a real Gitea, which Go builds first',
    command: [process.execPath, 'tools/gitea/test.mjs'],
    missing: () => !findGo() && 'no Go was found (Debian: golang, Homebrew: go)',
  },
  {
    name: 'e2e',
    group: 'tests',
    slow: true,
    vitest: ['--project', 'e2e', ...onAllCores],
    none: () => !hasFile('e2e', /\.spec\.ts$/) && 'no journey yet',
    missing: () => !findChromium() && 'no Chromium was found; install it or set CHROMIUM_PATH',
  },
];

/** The stages that `--only` names, by stage or by group; all of them for no name. */
export function stagesNamed(names) {
  const unknown = names.find((name) => !stages.some((stage) => stage.name === name || stage.group === name));
  if (unknown)
    throw new Error(`There is no stage "${unknown}"; there are ${stages.map(({ name }) => name).join(', ')}.`);
  return stages.filter(({ name, group }) =>
    names.length === 0 ? group !== 'on-request' : names.includes(name) || names.includes(group),
  );
}

/** Those that run only when they are named. */
export const stagesOnRequest = stages.filter(({ group }) => group === 'on-request');

/** Leaves folders out: a name given to vitest also finds folders within others, and `--exclude` reaches no project. */
function without(...folders) {
  return { PORTOLAN_TEST_WITHOUT: folders.join() };
}

function hasFile(folder, pattern) {
  const path = join(root, folder);
  return existsSync(path) && readdirSync(path, { recursive: true }).some((file) => pattern.test(file));
}
