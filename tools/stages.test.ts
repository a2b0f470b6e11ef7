import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { top } from './lib/source-files.ts';

interface Stage {
  readonly name: string;
  readonly vitest?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

const run = promisify(execFile);
const { stagesNamed } = (await import(join(top, 'tools/lib/stages.mjs'))) as {
  stagesNamed: (names: readonly string[]) => Stage[];
};

async function filesOf({ vitest = [], environment }: Omit<Stage, 'name'>): Promise<string[]> {
  const { stdout } = await run(join(top, 'node_modules/.bin/vitest'), ['list', '--filesOnly', ...vitest], {
    cwd: top,
    // the stage that this runs in leaves folders out itself
    env: { ...process.env, PORTOLAN_TEST_WITHOUT: '', ...environment },
  });
  return stdout.split('\n').filter((line) => line.includes('.test.ts'));
}

test('every file of the unit tests belongs to exactly one stage', async () => {
  const stages = stagesNamed(['rules', 'unit', 'contract']);
  const files = await Promise.all(stages.map(filesOf));
  expect(files.every(({ length }) => length > 0)).toBe(true);
  expect(files.flat().sort()).toEqual((await filesOf({ vitest: ['--project', 'unit'] })).sort());
});
