import { performance } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** A process that uses less of a core than this has nothing to do. */
const quietUtilization = 0.05;
const lookMs = 5_000;
/** Quiet looks in a row before anything is given back, so that no pause falls between two requests of a person. */
const quietLooks = 3;
/** V8's room for new objects after a start or a burst; at rest it needs a megabyte. */
const grownBytes = 8 * 1024 * 1024;

export interface MemoryPorts {
  /** Share of the time since the last call in which the event loop had work. */
  utilization(): number;
  /** How much room V8 keeps for new objects. */
  youngBytes(): number;
  collect(): void;
  every(ms: number, action: () => void): void;
}

/**
 * Collects garbage once after a start and after each burst, when the process has become quiet: V8 returns what they took
 * only with a full collection, which allocation brings about, so an idle process would keep it for good.
 */
export function giveBackMemory({ utilization, youngBytes, collect, every }: MemoryPorts = createMemoryPorts()): void {
  let quiet = 0;
  // a process with a little traffic keeps its room, however often it collects
  let isDue = true;
  every(lookMs, () => {
    const isQuiet = utilization() < quietUtilization;
    quiet = isQuiet ? quiet + 1 : 0;
    isDue ||= !isQuiet;
    if (!isDue || quiet < quietLooks || youngBytes() <= grownBytes) return;
    isDue = false;
    collect();
  });
}

function createMemoryPorts(): MemoryPorts {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  let last = performance.eventLoopUtilization();
  return {
    utilization: () => {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, last);
      last = now;
      return utilization;
    },
    youngBytes: () => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0,
    collect: () => collect(),
    every: (ms, action) => setInterval(action, ms).unref(),
  };
}
