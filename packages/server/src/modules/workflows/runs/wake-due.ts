import type { EachRecord } from '../../../platform/jobs/each-record.ts';
import { listDueOrganizations, takeDue } from './node-run.store.ts';
import { advance } from './run-jobs.ts';
import type { RunsDeps } from './runs.deps.ts';

const batchSize = 500;

/** Sends on the runs whose node run is due, organization by organization; a full batch asks again at once. */
export async function wakeDue(deps: RunsDeps, each: EachRecord): Promise<void> {
  const organizations = await listDueOrganizations(deps.database, deps.clock.now());
  await each(organizations, async ({ orgId }, signal) => {
    let taken = batchSize;
    while (taken === batchSize) {
      signal.throwIfAborted();
      taken = await deps.database.transaction(async (tx) => {
        const due = await takeDue(tx, orgId, deps.clock.now(), batchSize);
        const inputs = due.map((runId) => ({ orgId, input: { runId } }));
        await deps.jobs.enqueueAll(tx, advance, inputs);
        return due.length;
      });
    }
  });
}
