import { join, relative } from 'node:path';
import process from 'node:process';
import { defineConfig, type Plugin } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import base from '../../vitest.config.ts';
import { instrument } from './instrument.ts';
import { planVariable, readPlan } from './plan.ts';
import { root } from './root.ts';

const { mutants, tests } = readPlan(process.env[planVariable] ?? '');

/** Sources get their mutants while they are loaded; on the disk nothing changes. */
const sleepingMutants: Plugin = {
  name: 'sleeping-mutants',
  enforce: 'pre',
  transform(code, id) {
    const path = id.split('?')[0] ?? id;
    const own = mutants.filter(({ file }) => join(root, file) === path);
    return own.length > 0 ? { code: instrument(code, own), map: null } : undefined;
  },
};

/** The projects of the tests, run by a runner that tries each mutant in the process that loaded it. */
const projects = (base.test?.projects ?? []).flatMap((project) =>
  typeof project === 'object' && 'test' in project
    ? [
        {
          ...project,
          plugins: [sleepingMutants],
          test: {
            ...project.test,
            runner: join(import.meta.dirname, 'mutation-runner.ts'),
            isolate: false,
            retry: 0,
            testTimeout: 60_000,
            hookTimeout: 60_000,
          },
        },
      ]
    : [],
);

/** The nearest test first, since it kills most. */
class NearestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => tests.indexOf(relative(root, moduleId));
    return files.toSorted((one, other) => place(one) - place(other));
  }
}

export default defineConfig({ test: { projects, sequence: { shuffle: false, sequencer: NearestFirst } } });
