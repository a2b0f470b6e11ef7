import { takeDue } from './node-run.store.ts';
import { advance } from './run-jobs.ts';
import type { RunsDeps } from './runs.deps.ts';

const batchSize = 500;

/** Sends on the runs whose node run is due; a full batch asks again at once. Answers how many there were. */
export async function wakeDue(deps: RunsDeps, signal: AbortSignal): Promise<number> {
  let woken = 0;
  for (;;) {
    signal.throwIfAborted();
    const taken = await deps.database.transaction(async (tx) => {
      const due = await takeDue(tx, deps.clock.now(), batchSize);
      await deps.jobs.enqueueAll(
        tx,
        advance,
        due.map(({ orgId, runId }) => ({ orgId, input: { runId } })),
      );
      return due.length;
    });
    woken += taken;
    if (taken < batchSize) return woken;
  }
}
