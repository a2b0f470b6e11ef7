import { z } from 'zod';
import type { JobDeclaration } from '../../../platform/jobs/job.ts';

export const runMigrationInput = z.object({ migrationId: z.string() });

export type RunMigration = JobDeclaration<typeof runMigrationInput>;
