import { z } from 'zod';
import { defineJob } from '../../platform/jobs/job.ts';
import type { ConnectedAppsDeps } from './connected-apps.deps.ts';
import { deleteEndedGrants } from './grant.store.ts';

const hourMs = 60 * 60 * 1000;

/** Deletes what has ended. It is refused already, so running twice, late or never is harmless. */
export function tidyConnectedApps({ database, clock }: ConnectedAppsDeps) {
  return defineJob({
    name: 'connected-apps.remove-ended',
    input: z.object({}),
    attempts: 3,
    timeoutMs: 60_000,
    everyMs: hourMs,
    run: () => deleteEndedGrants(database, clock.now()),
  });
}
