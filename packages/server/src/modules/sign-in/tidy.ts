import { z } from 'zod';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { defineJob } from '../../platform/jobs/job.ts';
import { deleteEnded } from './ended.store.ts';

const hourMs = 60 * 60 * 1000;

/** Removes what has ended. None of it works any more, so running twice, late or not at all changes nothing else. */
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
