import { z } from 'zod';
import { defineJob } from '../../platform/jobs/job.ts';

export const mailReminderDeclared = {
  name: 'campaigns.mail-reminder',
  input: z.object({ campaign: z.string(), dueDate: z.string(), step: z.number(), userKey: z.string() }),
  attempts: 5,
  timeoutMs: 90_000,
  waitsOutside: true,
} as const;

/** Only enqueues; `mailReminderJob` runs the job. */
export const mailReminderRequest = defineJob({
  ...mailReminderDeclared,
  run: () => Promise.reject(new Error('This declaration only enqueues')),
});
