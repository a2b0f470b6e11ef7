import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Our packages are tested from their sources, so the tests never run a stale build. */
const fromSource = {
  resolve: { conditions: ['portolan-source'] },
  ssr: { resolve: { conditions: ['portolan-source'] } },
};

/** Folders whose unit tests the caller runs apart. */
const without = (process.env.PORTOLAN_TEST_WITHOUT ?? '').split(',').filter(Boolean);

/** Given, it decides every random draw and the order of the tests; without it each run has others. */
const seed = process.env.PORTOLAN_TEST_SEED;
const setupFiles = seed ? [fileURLToPath(new URL('tools/property-seed.ts', import.meta.url))] : [];

const integration = (engine: 'embedded' | 'postgres') => ({
  ...fromSource,
  test: {
    name: engine,
    setupFiles,
    include: ['packages/*/{src,test}/**/*.int.test.ts'],
    // the embedded engine has one process, so it has no replicas
    exclude: ['**/node_modules/**', ...(engine === 'embedded' ? ['**/*-on-replicas.int.test.ts'] : [])],
    globalSetup: ['packages/server/test/database-setup.ts'],
    // No module keeps state that a file could leave behind, and reading all of them anew for each file takes longer
    // than many a file's tests.
    isolate: false,
    env: { PORTOLAN_TEST_ENGINE: engine },
    testTimeout: 30_000,
    hookTimeout: 60_000,
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
          include: ['packages/*/{src,test}/**/*.test.ts', 'tools/**/*.test.ts', 'bench/**/*.test.ts'],
          exclude: ['**/*.int.test.ts', '**/node_modules/**', '**/dist/**', ...without.map((folder) => `${folder}/**`)],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      integration('embedded'),
      integration('postgres'),
      {
        ...fromSource,
        test: {
          name: 'e2e',
          include: ['e2e/**/*.spec.ts'],
          testTimeout: 120_000,
          hookTimeout: 180_000,
          // a browser on a loaded machine loses a keystroke or a drag now and then; what is wrong fails twice
          retry: 1,
        },
      },
    ],
    sequence: { shuffle: { files: false, tests: true }, ...(seed ? { seed: Number(seed) } : {}) },
  },
});
