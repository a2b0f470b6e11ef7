import { z } from 'zod';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { defineJob } from '../../platform/jobs/job.ts';
import { deleteEnded } from './ended.store.ts';

const hourMs = 60 * 60 * 1000;

/** Deletes expired rows. They are already invalid, so running twice, late or never is harmless. */
export function tidySignIns({ database, clock }: { readonly database: Database; readonly clock: Clock }) {
  return defineJob({
    name: 'sign-in.remove-ended',
    input: z.object({}),
    attempts: 3,
    timeoutMs: 60_000,
    everyMs: hourMs,
    run: () => deleteEnded(database, clock.now()),
  });
}
