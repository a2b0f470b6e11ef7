import { newId } from '../../../platform/ids.ts';
import type { Work } from '../../../platform/unit-of-work.ts';
import { parseDatasource } from '../guard/parse-datasource.ts';
import { findIntegration } from '../integration.store.ts';
import { insertLogs } from './log.store.ts';

/**
 * Adds warnings of the platform to the log of the acting integration. Webhooks get theirs with the delivery; other
 * actors have no log.
 */
export async function logForSource({ tx, actor, now }: Work, messages: readonly string[]): Promise<void> {
  const source = parseDatasource(actor.datasource);
  const integration = source && (await findIntegration(tx, actor.orgId, source.installationId));
  if (!integration) return;
  const logs = messages.map(
    (message) =>
      ({
        id: newId('log_'),
        level: 'WARNING',
        message,
        eventId: null,
        at: now,
        attributes: { source: 'portolan' },
      }) as const,
  );
  await insertLogs(tx, actor.orgId, integration.key, logs);
}
