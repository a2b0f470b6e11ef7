import type { SyncKindMetrics, SyncMetadata, SyncMetrics } from '@portolan/contract/integration-reports';
import type { Actor } from '../../../platform/actor.ts';
import type { Database } from '../../../platform/db/database.ts';
import type { UnitOfWork } from '../../../platform/unit-of-work.ts';
import { integrationType } from '../integration.ts';
import { getIntegrationByEither, getReporting } from '../read-integrations.ts';
import { deleteOldSyncs, listSyncKinds, listSyncRows, touchSync, upsertSyncKind } from './sync.store.ts';

interface Deps {
  readonly database: Database;
  readonly unitOfWork: UnitOfWork;
}

/** Resyncs that are kept regardless of age. */
const kept = 50;
const days = 4;
const dayMs = 86_400_000;

/** Stores the results per kind of a resync; a later report replaces the earlier one. */
export async function reportMetrics(
  { database, unitOfWork }: Deps,
  actor: Actor,
  ingestId: string,
  kinds: readonly SyncKindMetrics[],
): Promise<void> {
  const { key } = await getReporting(database, actor, ingestId);
  await unitOfWork(actor, async ({ tx, now }) => {
    for (const kind of kinds) await upsertSyncKind(tx, { orgId: actor.orgId, integrationKey: key }, kind, now);
    await deleteOldSyncs(tx, actor.orgId, key, { since: new Date(now.getTime() - days * dayMs), kept });
  });
}

/** Marks the unfinished kinds of a running resync as still alive. */
export async function recordSyncHeartbeat(
  { database, unitOfWork }: Deps,
  actor: Actor,
  ingestId: string,
  eventId: string | null | undefined,
): Promise<void> {
  const { key } = await getReporting(database, actor, ingestId);
  if (!eventId) return;
  await unitOfWork(actor, async ({ tx, now }) => {
    await touchSync(tx, actor.orgId, key, eventId, now);
  });
}

/** The kinds of one resync; the latest if none is named. @throws AppError `missing_permissions`, `not_found` */
export async function listMetrics(
  database: Database,
  actor: Actor,
  name: string,
  resyncId: string | undefined,
): Promise<SyncMetrics[]> {
  const integration = await getIntegrationByEither(database, actor, name);
  const { key } = integration;
  const rows = await listSyncKinds(database, actor.orgId, key, resyncId);
  return rows.map(({ eventId, kindIdentifier, syncState, metrics, createdAt, updatedAt }) => ({
    integrationType: integrationType(integration),
    integrationIdentifier: integration.installationId,
    integrationVersion: integration.version ?? '',
    oceanVersion: '',
    kind: kindIdentifier,
    metrics: {},
    ...(withoutNulls(metrics) as object),
    eventId,
    kindIdentifier,
    syncState,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }));
}

function withoutNulls(metrics: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(Object.entries(metrics).filter(([, value]) => value !== null));
}

/** Resyncs, newest first, each in its last reported state. */
export async function listSyncs(
  { database, now }: { readonly database: Database; readonly now: Date },
  actor: Actor,
  name: string,
): Promise<SyncMetadata[]> {
  const { key } = await getIntegrationByEither(database, actor, name);
  const rows = await listSyncRows(database, actor.orgId, key);
  const since = now.getTime() - days * dayMs;
  return rows
    .filter(({ createdAt }, index) => index < kept || createdAt.getTime() >= since)
    .map(({ eventId, syncState, createdAt, updatedAt }) => ({
      eventId,
      syncState,
      createdAt: createdAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
    }));
}
