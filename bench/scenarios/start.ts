import { setTimeout as sleep } from 'node:timers/promises';
import type { StartedProcess } from '../harness/processes.ts';
import { median } from '../harness/statistics.ts';
import type { Finding } from '../harness/table.ts';
import type { Scenario } from './scenario.ts';

/** Starts with an empty installation, then again with what is there; a server that nobody asks anything. */
export const startAndMemory: Scenario = {
  name: 'start',
  async run(environment, size) {
    const repeats = size.rounds < 5 ? 1 : 5;
    // long enough for a process to notice that it is idle, and to give memory back
    const idleMs = size.rounds < 5 ? 1_000 : 30_000;
    const findings: Finding[] = [];
    for (const engine of ['postgres', 'embedded'] as const) {
      const where = {
        dataDir: environment.folder(`start-${engine}`),
        ...(engine === 'postgres' ? { database: 'start' } : {}),
      };
      const first = await environment.startOurs(where);
      await first.stop();
      const warm: number[] = [];
      let last: StartedProcess | undefined;
      for (let count = 0; count < repeats; count += 1) {
        await last?.stop();
        last = await environment.startOurs(where);
        warm.push(last.readyMs);
      }
      await sleep(idleMs);
      const rss = (await last?.rssMb()) ?? Number.NaN;
      const cpuBefore = (await last?.cpuMs()) ?? Number.NaN;
      await sleep(idleMs);
      const idleCpu = ((await last?.cpuMs()) ?? Number.NaN) - cpuBefore;
      await last?.stop();
      const common = { path: 'start and memory', contender: `ours, ${engine}`, unit: 'ms' };
      const isServer = engine === 'postgres';
      findings.push(
        { ...common, figure: 'first start, with demo', value: first.readyMs },
        { ...common, figure: 'warm start', value: median(warm), budget: { of: 'value', most: 2_000 } },
        {
          ...common,
          figure: 'idle RSS',
          value: rss,
          unit: 'MB',
          note: `${((idleCpu / idleMs) * 100).toFixed(1)} % of a core while idle`,
          budget: { of: 'value', most: isServer ? 130 : 300 },
        },
      );
    }
    return findings;
  },
};
