import { z } from 'zod';
import { newId } from '../../../platform/ids.ts';
import { defineJob, type JobDeclaration } from '../../../platform/jobs/job.ts';
import { type Outgoing, OutgoingFailure } from '../../../platform/outgoing/outgoing.ts';
import type { Work } from '../../../platform/unit-of-work.ts';
import type { StoredIntegration } from '../integration.ts';

const notifyInput = z.object({ url: z.string() });
export type NotifyJob = JobDeclaration<typeof notifyInput>;

/** Returns the integration with a resync requested, not stored yet, and notifies one that listens on an address. */
export async function requestResync(
  work: Work,
  tell: NotifyJob,
  integration: StoredIntegration,
): Promise<StoredIntegration> {
  const { type, url, agent } = integration.changelogDestination ?? {};
  if (type === 'WEBHOOK' && typeof url === 'string' && agent !== true) await work.enqueue(tell, { url });
  // clients detect a request by a later time, so each gets one later than the last
  const last = integration.resyncRequestedAt?.getTime() ?? 0;
  const resyncRequestedAt = new Date(Math.max(work.now.getTime(), last + 1));
  return { ...integration, resyncRequestId: newId('resync_'), resyncRequestedAt };
}

/** Calls the address where an integration listens for resync requests. A repeated call causes a second resync. */
export function notifyIntegrationJob(outgoing: Outgoing): NotifyJob {
  return defineJob({
    name: 'integrations.tell-of-resync',
    input: notifyInput,
    attempts: 5,
    timeoutMs: 40_000,
    dedupeBy: ({ url }) => url,
    run: async ({ url }, { signal }) => {
      try {
        const headers = { 'content-type': 'application/json' };
        const { status } = await outgoing.send({ url, headers, body: '{}', timeoutMs: 30_000, signal });
        if (status >= 500) throw new Error(`${new URL(url).host} answered ${status}`);
      } catch (error) {
        // an address that the platform refuses to call stays refused, so no retry
        if (error instanceof OutgoingFailure && error.kind === 'refused') return;
        throw error;
      }
    },
  });
}
