import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Our packages are tested from their sources, so the tests never run a stale build. */
const fromSource = {
  resolve: { conditions: ['portolan-source'] },
  ssr: { resolve: { conditions: ['portolan-source'] } },
};

// `isolate: false`: no module keeps state that a file could leave behind, and reading all of them anew for each file takes
// longer than many a file's tests.

/** Folders whose unit tests the caller runs apart. */
const without = (process.env.PORTOLAN_TEST_WITHOUT ?? '').split(',').filter(Boolean);

/** Given, it decides every random draw and the order of the tests; without it each run has others. */
const seed = process.env.PORTOLAN_TEST_SEED;
const setupFiles = seed ? [fileURLToPath(new URL('tools/property-seed.ts', import.meta.url))] : [];

/**
 * What asks the most of an engine: long transactions, notifications, files, starts and ends. All other tests send plain
 * statements through the same two classes; they run on PostgreSQL always, and on the embedded engine by
 * `npm test -- --only embedded-rest`. The journeys in the browser run on the embedded engine too.
 */
const hardOnEngine = [
  'packages/cli/test/*-on-embedded',
  'packages/server/src/{demo,platform}/**/*',
  'packages/server/src/surfaces/status',
  'packages/server/test/{backups,crash,hot-queries,moved-organization,release-data,restores,tenant-tables}',
  ...[
    'assistant/{reservations,run-lifecycle}',
    'data-migrations/data-migration-races',
    'derived/derived-concurrency',
    'journal/live/*',
    'search/{indexes/*,operators,stream-search}',
    'workflows/runs/*-on-embedded',
  ].map((files) => `packages/server/src/modules/${files}`),
].map((files) => `${files}.int.test.ts`);

const integration = (engine: 'embedded' | 'postgres', name: string = engine) => ({
  ...fromSource,
  test: {
    name,
    setupFiles,
    include: name === 'embedded' ? hardOnEngine : ['packages/*/{src,test}/**/*.int.test.ts'],
    exclude: [
      '**/node_modules/**',
      // the embedded engine has one process, so it has no replicas, and is lost with it
      ...(engine === 'embedded' ? ['**/*-on-{replicas,postgres}.int.test.ts'] : ['**/*-on-embedded.int.test.ts']),
      ...(name === 'embedded-rest' ? hardOnEngine : []),
    ],
    globalSetup: ['packages/server/test/database-setup.ts'],
    isolate: false,
    env: { PORTOLAN_TEST_ENGINE: engine },
    testTimeout: 30_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
  },
});

export default defineConfig({
  test: {
    projects: [
      {
        ...fromSource,
        test: {
          name: 'unit',
          setupFiles,
          isolate: false,
          include: ['packages/*/{src,test}/**/*.test.ts', 'tools/**/*.test.ts', 'bench/**/*.test.ts'],
          exclude: ['**/*.int.test.ts', '**/node_modules/**', '**/dist/**', ...without.map((folder) => `${folder}/**`)],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        // parts and forms of the portal, drawn without a browser
        ...fromSource,
        test: {
          name: 'portal',
          isolate: false,
          include: ['packages/portal/src/**/*.test.tsx'],
          setupFiles: [...setupFiles, 'packages/portal/test/setup.ts'],
          environment: 'happy-dom',
          environmentOptions: { happyDOM: { url: 'http://portal.test/' } },
          testTimeout: 30_000,
        },
      },
      {
        // a Gitea of its own: `npm test -- --only gitea` builds one first
        ...fromSource,
        test: {
          name: 'gitea',
          include: ['packages/server/test/git/*.gitea.ts', 'e2e/*.gitea.ts'],
          testTimeout: 60_000,
          hookTimeout: 600_000,
        },
      },
      {
        // the packed product, installed into an empty folder
        ...fromSource,
        test: {
          name: 'package',
          include: ['tools/package/*.packed.ts'],
          sequence: { shuffle: false },
          testTimeout: 60_000,
          hookTimeout: 180_000,
        },
      },
      integration('embedded'),
      integration('embedded', 'embedded-rest'),
      integration('postgres'),
      {
        ...fromSource,
        test: {
          name: 'e2e',
          include: ['e2e/**/*.spec.ts'],
          globalSetup: ['e2e/support/fill-folder.ts'],
          testTimeout: 120_000,
          hookTimeout: 180_000,
          expect: { poll: { timeout: 15_000 } },
          // a browser on a loaded machine loses a keystroke or a drag now and then; what is wrong fails twice
          retry: 1,
        },
      },
    ],
    sequence: { shuffle: { files: false, tests: true }, ...(seed ? { seed: Number(seed) } : {}) },
  },
});
