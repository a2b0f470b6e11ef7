import { z } from 'zod';
import { systemActor } from '../../../platform/actor.ts';
import { defineJob, type JobDeclaration } from '../../../platform/jobs/job.ts';
import type { MigrationsDeps } from '../migrations.deps.ts';
import { dropImages, listForgettable } from './migration.store.ts';

export function deleteImagesJob({ database, unitOfWork, clock }: MigrationsDeps): JobDeclaration {
  return defineJob({
    name: 'migrations.forget-images',
    input: z.object({}),
    attempts: 3,
    timeoutMs: 10 * 60_000,
    everyMs: 24 * 3_600_000,
    // safe to repeat
    run: async (_input, { each }) => {
      await each(await listForgettable(database, clock.now()), ({ orgId, id }) =>
        unitOfWork(systemActor(orgId), ({ tx }) => dropImages(tx, orgId, id)),
      );
    },
  });
}
