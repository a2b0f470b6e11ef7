import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { StepRunner } from './job-chain.ts';

/** What is used of `@dbos-inc/dbos-sdk`, which is no dependency of ours. */
interface Dbos {
  setConfig(config: { readonly name: string; readonly systemDatabaseUrl: string; readonly logLevel: string }): void;
  registerWorkflow(work: () => Promise<number>, options: { readonly name: string }): () => Promise<number>;
  runStep(step: () => Promise<number>, options: { readonly name: string }): Promise<number>;
  launch(): Promise<void>;
  shutdown(): Promise<void>;
}

/** Workflows of DBOS from a folder in which it is installed, on this PostgreSQL. */
export async function openDbos(
  folder: string,
  systemDatabaseUrl: string,
  { stepsEach, atOnce }: { readonly stepsEach: number; readonly atOnce: number },
): Promise<StepRunner> {
  const { DBOS } = createRequire(join(folder, 'package.json'))('@dbos-inc/dbos-sdk') as { readonly DBOS: Dbos };
  DBOS.setConfig({ name: 'portolan-bench', systemDatabaseUrl, logLevel: 'error' });
  const workflow = DBOS.registerWorkflow(
    async () => {
      let sum = 0;
      for (let count = 0; count < stepsEach; count += 1) {
        sum += await DBOS.runStep(async () => 1, { name: `step-${count}` });
      }
      return sum;
    },
    { name: `chain-${stepsEach}` },
  );
  await DBOS.launch();
  return {
    name: 'DBOS',
    async run(runs) {
      let left = runs;
      const work = async (): Promise<void> => {
        while (left > 0) {
          left -= 1;
          await workflow();
        }
      };
      await Promise.all(Array.from({ length: atOnce }, work));
    },
    close: () => DBOS.shutdown(),
  };
}
