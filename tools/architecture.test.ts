import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { filesUnder, top } from './lib/source-files.ts';
import {
  countUncheckedReads,
  fileSizeFindings,
  linkFindings,
  nameFindings,
  objectCheckFindings,
  sqlFindings,
  suppressionFindings,
  surroundingsFindings,
  uncheckedReadsLeft,
  untimedFindings,
  writeGateFindings,
} from './lib/source-rules.ts';

const run = promisify(execFile);
const sources = filesUnder(['packages', 'tools', 'bench', 'e2e'], /\.(ts|tsx|mjs)$/);

interface Violation {
  readonly from: string;
  readonly to: string;
  readonly rule: { readonly name: string };
}

async function violationsIn(folder: string, parts: readonly string[]): Promise<Violation[]> {
  const parameters = ['--config', join(top, '.dependency-cruiser.mjs'), '--output-type', 'json', ...parts];
  const { stdout } = await run(join(top, 'node_modules/.bin/depcruise'), parameters, {
    cwd: folder,
    maxBuffer: 1 << 28,
  }).catch((error: { stdout: string }) => error);
  return (JSON.parse(stdout) as { summary: { violations: Violation[] } }).summary.violations;
}

// That the product follows them is the stage `dependencies` of `npm test`.
describe('each dependency rule catches its violation', () => {
  const server = 'packages/server/src';
  /** rule → files with what they import, the file that breaks the rule first. */
  const seeds: Record<string, Record<string, readonly string[]>> = {
    'no-cycles': { [`${server}/platform/a.ts`]: ['./b.ts'], [`${server}/platform/b.ts`]: ['./a.ts'] },
    'no-cycles-of-types': { [`${server}/platform/a.ts`]: ['./b.ts'], [`${server}/platform/b.ts`]: ['./a.ts'] },
    resolvable: { [`${server}/platform/a.ts`]: ['./missing.ts'] },
    'known-modules': { [`${server}/modules/novelties/index.ts`]: ['./a.ts'], [`${server}/modules/novelties/a.ts`]: [] },
    ...Object.fromEntries(
      [
        ['journal', 'rights'],
        ['rights', 'organizations'],
        ['organizations', 'accounts'],
        ['accounts', 'identity'],
        ['identity', 'blueprints'],
        ['blueprints', 'entity-rows'],
        ['entity-rows', 'entity-query'],
        ['entity-query', 'scorecard-rules'],
        ['scorecard-rules', 'derived'],
        ['derived', 'access'],
        ['access', 'people-sync'],
        ['people-sync', 'scorecard-changes'],
        ['scorecard-changes', 'entities'],
        ['entities', 'search'],
        ['search', 'scorecards'],
        ['scorecards', 'campaigns'],
        ['campaigns', 'policies'],
        ['policies', 'blueprint-changes'],
        ['blueprint-changes', 'data-migrations'],
        ['data-migrations', 'people'],
        ['people', 'sign-in'],
        ['sign-in', 'connected-apps'],
        ['connected-apps', 'actions'],
        ['actions', 'automations'],
        ['automations', 'integrations'],
        ['workflows', 'pages'],
        ['integrations', 'sources'],
        ['sources', 'pages'],
        ['pages', 'favorites'],
        ['favorites', 'packs'],
        ['packs', 'checklist'],
        ['checklist', 'demo-organization'],
        ['demo-organization', 'backups'],
        ['backups', 'backlogs'],
        ['backlogs', 'assistant'],
        ['examination', 'assistant'],
        ['connectors', 'assistant'],
        ['assistant', 'actions'],
      ].map(([lower, higher]) => [
        `module-order-${lower}`,
        {
          [`${server}/modules/${lower}/a.ts`]: [`../${higher}/index.ts`],
          [`${server}/modules/${higher}/index.ts`]: [],
        },
      ]),
    ),
    'module-front-door': {
      [`${server}/modules/entities/a.ts`]: ['../journal/inner.ts'],
      [`${server}/modules/journal/inner.ts`]: [],
    },
    'front-door-from-above': {
      [`${server}/surfaces/mcp.ts`]: ['../modules/entities/inner.ts'],
      [`${server}/modules/entities/inner.ts`]: [],
    },
    'maintenance-door': {
      [`${server}/modules/actions/repair.ts`]: ['../scorecards/maintenance.ts'],
      [`${server}/modules/scorecards/maintenance.ts`]: [],
    },
    'entity-kit': {
      [`${server}/modules/actions/query.ts`]: ['../entity-query/index.ts'],
      [`${server}/modules/entity-query/index.ts`]: [],
    },
    'platform-knows-no-feature': {
      [`${server}/platform/a.ts`]: ['../modules/journal/index.ts'],
      [`${server}/modules/journal/index.ts`]: [],
    },
    'modules-below-surfaces': {
      [`${server}/modules/entities/a.ts`]: ['../../surfaces/mcp.ts'],
      [`${server}/surfaces/mcp.ts`]: [],
    },
    'main-is-the-top': { [`${server}/surfaces/mcp.ts`]: ['../app.ts'], [`${server}/app.ts`]: [] },
    'contract-is-a-leaf': { 'packages/contract/src/a.ts': ['node:fs'] },
    'jq-is-a-leaf': { 'packages/jq/src/a.ts': ['@portolan/contract/a'] },
    'jq-runs-in-a-browser': { 'packages/jq/src/index.ts': ['./inner.ts'], 'packages/jq/src/inner.ts': ['node:fs'] },
    'team-references-is-pure': { 'packages/team-references/src/a.ts': ['node:fs'] },
    'backstage-is-pure': { 'packages/backstage/src/a.ts': ['node:fs'] },
    'archives-is-pure': { 'packages/archives/src/a.ts': ['node:fs'] },
    'tables-is-pure': { 'packages/tables/src/a.ts': ['node:fs'] },
    'evaluation-is-pure': { 'packages/evaluation/src/a.ts': ['node:fs'] },
    'server-takes-no-client': { [`${server}/app.ts`]: ['../../cli/src/a.ts'], 'packages/cli/src/a.ts': [] },
    'clients-take-the-contract': {
      'packages/cli/src/a.ts': ['../../server/src/config.ts'],
      [`${server}/config.ts`]: [],
    },
    'portal-kit-knows-no-domain': {
      'packages/portal/src/kit/a.ts': ['../parts/b.ts'],
      'packages/portal/src/parts/b.ts': [],
    },
    'portal-parts-know-no-screen': {
      'packages/portal/src/parts/a.ts': ['../screens/pages/b.ts'],
      'packages/portal/src/screens/pages/b.ts': [],
    },
    'package-front-door': {
      [`${server}/platform/a.ts`]: ['../../../contract/src/inner.ts'],
      'packages/contract/src/inner.ts': [],
    },
    'no-test-code-in-the-product': {
      [`${server}/platform/a.ts`]: ['../../test/factories.ts'],
      'packages/server/test/factories.ts': [],
    },
    'no-development-package-in-the-product': { [`${server}/platform/a.ts`]: ['vitest'] },
  };

  let folder: string;
  let found: readonly Violation[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'portolan-architecture-'));
    // All seeds in one tree, because starting the checker is most of the time; a file's imports add up.
    const files: Record<string, string[]> = {};
    for (const seed of Object.values(seeds)) {
      for (const [path, imports] of Object.entries(seed)) files[path] = [...(files[path] ?? []), ...imports];
    }
    await writeTree(join(folder, 'seeded'), files);
    found = await violationsIn(join(folder, 'seeded'), ['packages']);
  });

  afterAll(() => rm(folder, { recursive: true }));

  test.each(Object.keys(seeds))('%s', (rule) => {
    const [from] = Object.keys(seeds[rule] ?? {});
    expect(found.filter((violation) => violation.rule.name === rule).map((violation) => violation.from)).toContain(
      from,
    );
  });

  test('a tree without a violation has none', async () => {
    const tree = join(folder, 'clean');
    await writeTree(tree, {
      [`${server}/main.ts`]: ['./app.ts'],
      [`${server}/app.ts`]: ['./modules/entities/index.ts', './modules/journal/index.ts', './surfaces/mcp.ts'],
      [`${server}/surfaces/mcp.ts`]: ['../platform/tool.ts', '@portolan/contract/a'],
      [`${server}/platform/tool.ts`]: ['@portolan/contract/a', 'node:fs'],
      [`${server}/modules/entities/index.ts`]: ['./upsert.ts'],
      [`${server}/modules/entities/upsert.ts`]: ['../journal/index.ts', '../../platform/tool.ts'],
      [`${server}/modules/entities/upsert.int.test.ts`]: ['../../../test/factories.ts', 'vitest'],
      [`${server}/modules/journal/index.ts`]: [],
      'packages/server/test/factories.ts': ['../src/app.ts'],
    });
    expect(await violationsIn(tree, ['packages'])).toEqual([]);
  });

  test('every rule has a seed', async () => {
    const { default: config } = (await import(join(top, '.dependency-cruiser.mjs'))) as {
      default: { forbidden: { name: string }[] };
    };
    // The topmost module may import every other, so nothing can be seeded for it.
    const rules = config.forbidden.map(({ name }) => name).filter((name) => name !== 'module-order-migrations');
    expect(Object.keys(seeds).sort()).toEqual(rules.sort());
  });
});

async function writeTree(tree: string, files: Record<string, readonly string[]>): Promise<void> {
  const complete = {
    'package.json': JSON.stringify({ name: 'seed', private: true, devDependencies: { vitest: '*' } }),
    'packages/contract/package.json': JSON.stringify({
      name: '@portolan/contract',
      exports: { './*': { 'portolan-source': './src/*.ts' } },
    }),
    'packages/contract/src/a.ts': 'export {};\n',
    'packages/server/package.json': JSON.stringify({
      name: 'seed-server',
      dependencies: { '@portolan/contract': '*' },
    }),
    'node_modules/vitest/package.json': JSON.stringify({ name: 'vitest', exports: './index.js' }),
    'node_modules/vitest/index.js': 'export {};\n',
    ...Object.fromEntries(
      Object.entries(files).map(([path, imports]) => [path, imports.map((name) => `import '${name}';\n`).join('')]),
    ),
  };
  for (const [path, text] of Object.entries(complete)) {
    await mkdir(dirname(join(tree, path)), { recursive: true });
    await writeFile(join(tree, path), text);
  }
  await mkdir(join(tree, 'node_modules/@portolan'), { recursive: true });
  await symlink('../../packages/contract', join(tree, 'node_modules/@portolan/contract'));
}

test('no source file turns a check off without saying why', () => {
  expect(sources.flatMap(suppressionFindings)).toEqual([]);
});

test('no source file has more than 500 lines', () => {
  const { errors, warnings } = fileSizeFindings(sources);
  for (const warning of warnings) process.stdout.write(`${warning}\n`);
  expect(errors).toEqual([]);
});

test('only config.ts reads the environment, and only the command line prints', () => {
  const product = sources.filter(({ path }) => /^packages\/[^/]+\/src\//.test(path) && !path.endsWith('.test.ts'));
  expect(product.flatMap(surroundingsFindings)).toEqual([]);
});

test('whether an entity may be written is decided by the gate alone', () => {
  expect(sources.filter(({ path }) => !path.endsWith('.test.ts')).flatMap(writeGateFindings)).toEqual([]);
});

test('expressions are evaluated within the time of their request or event', () => {
  expect(sources.filter(({ path }) => !path.endsWith('.test.ts')).flatMap(untimedFindings)).toEqual([]);
});

test('objects of JSON are told by isRecord', () => {
  const product = sources.filter(({ path }) => /^packages\/[^/]+\/src\//.test(path) && !path.endsWith('.test.ts'));
  expect(product.flatMap(objectCheckFindings)).toEqual([]);
});

test('SQL stands in stores and in what builds it for them', () => {
  expect(sources.flatMap(sqlFindings)).toEqual([]);
});

test('no exported function is named for what it belongs to', () => {
  expect(sources.flatMap(nameFindings)).toEqual([]);
});

test('every link of the portal leads to an address that the compiler checks', () => {
  expect(sources.filter(({ path }) => path.startsWith('packages/portal/src/')).flatMap(linkFindings)).toEqual([]);
});

test('statements that read say what their rows are', () => {
  const unchecked = sources.map(countUncheckedReads).reduce((sum, count) => sum + count, 0);
  // a statement that gets a shape (platform/db/row.ts) lowers the number
  expect(unchecked).toBe(uncheckedReadsLeft);
});
