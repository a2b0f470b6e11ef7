import { z } from 'zod';
import type { JobDeclaration } from '../../platform/jobs/job.ts';

export const runDataMigrationInput = z.object({ migrationId: z.string() });

export type RunDataMigration = JobDeclaration<typeof runDataMigrationInput>;
