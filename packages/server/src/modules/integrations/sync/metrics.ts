import type { SyncKindMetrics, SyncMetadata, SyncMetrics } from '@portolan/contract/integration-reports';
import sql from 'sql-template-tag';
import type { Actor } from '../../../platform/actor.ts';
import type { Database, Tx } from '../../../platform/db/database.ts';
import { json } from '../../../platform/db/json.ts';
import type { UnitOfWork } from '../../../platform/unit-of-work.ts';
import { typeOf } from '../integration.ts';
import { getIntegrationByEither, getReporting } from '../read-integrations.ts';

interface Deps {
  readonly database: Database;
  readonly unitOfWork: UnitOfWork;
}

/** Resyncs that are kept, whatever their age. */
const kept = 50;
const days = 4;

/** Keeps what the kinds of a resync came to; a kind that was told before is replaced. */
export async function reportMetrics(
  { database, unitOfWork }: Deps,
  actor: Actor,
  ingestId: string,
  kinds: readonly SyncKindMetrics[],
): Promise<void> {
  const { key } = await getReporting(database, actor, ingestId);
  await unitOfWork(actor, async ({ tx, now }) => {
    for (const { eventId, kindIdentifier, ...rest } of kinds) {
      const where = { orgId: actor.orgId, key, eventId, kindIdentifier };
      await tx.execute(sql`
        insert into integration_syncs (org_id, integration_key, event_id, kind_identifier, sync_state, metrics,
          created_at, updated_at)
        values (${where.orgId}, ${key}, ${eventId}, ${kindIdentifier}, ${rest.syncState ?? 'unknown'}, ${json(rest)},
          ${now}, ${now})
        on conflict (org_id, integration_key, event_id, kind_identifier)
        do update set metrics = excluded.metrics, sync_state = excluded.sync_state, updated_at = excluded.updated_at`);
    }
    await forgetOld(tx, actor.orgId, key, now);
  });
}

/** A resync that still runs: its kinds are as new as this. */
export async function beat(
  { database, unitOfWork }: Deps,
  actor: Actor,
  ingestId: string,
  eventId: string | null | undefined,
): Promise<void> {
  const { key } = await getReporting(database, actor, ingestId);
  if (!eventId) return;
  await unitOfWork(actor, async ({ tx, now }) => {
    await tx.execute(sql`
      update integration_syncs set updated_at = ${now}
      where org_id = ${actor.orgId} and integration_key = ${key} and event_id = ${eventId}
        and lower(sync_state) not in ('completed', 'failed', 'aborted')`);
  });
}

async function forgetOld(tx: Tx, orgId: string, key: number, now: Date): Promise<void> {
  const since = new Date(now.getTime() - days * 86_400_000);
  await tx.execute(sql`
    delete from integration_syncs where org_id = ${orgId} and integration_key = ${key} and event_id in (
      select s.event_id from integration_syncs s where s.org_id = ${orgId} and s.integration_key = ${key}
      group by s.event_id having max(s.updated_at) < ${since} order by max(s.updated_at) desc offset ${kept})`);
}

interface Row {
  readonly eventId: string;
  readonly kindIdentifier: string;
  readonly syncState: string;
  readonly metrics: Readonly<Record<string, unknown>>;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The kinds of one resync, the latest unless told. @throws AppError `missing_permissions`, `not_found` */
export async function listMetrics(
  database: Database,
  actor: Actor,
  name: string,
  resyncId: string | undefined,
): Promise<SyncMetrics[]> {
  const integration = await getIntegrationByEither(database, actor, name);
  const { key } = integration;
  const event =
    resyncId === undefined
      ? sql`(select l.event_id from integration_syncs l where l.org_id = ${actor.orgId} and l.integration_key = ${key}
          order by l.created_at desc, l.event_id limit 1)`
      : sql`${resyncId}`;
  const rows = await database.rows<Row>(sql`
    select s.event_id as "eventId", s.kind_identifier as "kindIdentifier", s.sync_state as "syncState", s.metrics,
      s.created_at as "createdAt", s.updated_at as "updatedAt"
    from integration_syncs s where s.org_id = ${actor.orgId} and s.integration_key = ${key} and s.event_id = ${event}
    order by s.created_at, s.kind_identifier`);
  return rows.map(({ eventId, kindIdentifier, syncState, metrics, createdAt, updatedAt }) => ({
    integrationType: typeOf(integration),
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

/** Resyncs, newest first, each in the state that was told of it last. */
export async function listSyncs(
  { database, now }: { readonly database: Database; readonly now: Date },
  actor: Actor,
  name: string,
): Promise<SyncMetadata[]> {
  const { key } = await getIntegrationByEither(database, actor, name);
  const rows = await database.rows<Omit<Row, 'metrics' | 'kindIdentifier'>>(sql`
    select s.event_id as "eventId", (array_agg(s.sync_state order by s.updated_at desc))[1] as "syncState",
      min(s.created_at) as "createdAt", max(s.updated_at) as "updatedAt"
    from integration_syncs s where s.org_id = ${actor.orgId} and s.integration_key = ${key}
    group by s.event_id order by min(s.created_at) desc, s.event_id`);
  const since = now.getTime() - days * 86_400_000;
  return rows
    .filter(({ createdAt }, index) => index < kept || createdAt.getTime() >= since)
    .map(({ eventId, syncState, createdAt, updatedAt }) => ({
      eventId,
      syncState,
      createdAt: createdAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
    }));
}
