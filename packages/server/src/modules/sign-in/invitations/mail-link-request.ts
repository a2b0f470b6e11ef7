import { z } from 'zod';
import { defineJob } from '../../../platform/jobs/job.ts';

export const mailLinkDeclared = {
  name: 'sign-in.mail-link',
  input: z.object({ linkId: z.string() }),
  attempts: 5,
  timeoutMs: 90_000,
  waitsOutside: true,
} as const;

/** Only enqueues; `mailLinkJob` runs the job. */
export const mailLinkRequest = defineJob({
  ...mailLinkDeclared,
  run: () => Promise.reject(new Error('This declaration only enqueues')),
});
