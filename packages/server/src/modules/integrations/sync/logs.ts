import { type IntegrationLog, type LogLevel, logLevels } from '@portolan/contract/integration-reports';
import { isRecord } from '@portolan/contract/json-value';
import type { Actor } from '../../../platform/actor.ts';
import type { Database } from '../../../platform/db/database.ts';
import { invalidRequest } from '../../../platform/errors.ts';
import { newId } from '../../../platform/ids.ts';
import type { UnitOfWork } from '../../../platform/unit-of-work.ts';
import { getIntegration, getReporting } from '../read-integrations.ts';
import { insertLogs, type LogFilter, type StoredLog, selectLogs } from './log.store.ts';

const messageMax = 10_000;
const attributesMax = 20_000;
const levelOf: Readonly<Record<string, LogLevel>> = {
  ...Object.fromEntries(logLevels.map((level) => [level, level])),
  TRACE: 'DEBUG',
  SUCCESS: 'INFO',
  WARN: 'WARNING',
  EXCEPTION: 'ERROR',
  CRITICAL: 'FATAL',
  PANIC: 'FATAL',
};

/** Stores log records of a client. Any shape is accepted, because clients differ. */
export async function ingestLogs(
  { database, unitOfWork }: { readonly database: Database; readonly unitOfWork: UnitOfWork },
  actor: Actor,
  ingestId: string,
  logs: readonly unknown[],
): Promise<void> {
  const integration = await getReporting(database, actor, ingestId);
  await unitOfWork(actor, async ({ tx, now }) => {
    const records = logs.flatMap((log) => (isRecord(log) ? [toStoredLog(log, now)] : []));
    await insertLogs(tx, actor.orgId, integration.key, records);
  });
}

function toStoredLog(log: Readonly<Record<string, unknown>>, now: Date): StoredLog {
  const { level, message, timestamp, ...rest } = log;
  const named = typeof level === 'string' ? level : (level as { name?: unknown } | null)?.name;
  const at = new Date(typeof timestamp === 'string' || typeof timestamp === 'number' ? timestamp : Number.NaN);
  const isDated = at.getTime() > 0 && at.getTime() < 4e12;
  const isSmall = JSON.stringify(rest).length <= attributesMax;
  return {
    id: newId('log_'),
    level: levelOf[String(named ?? '').toUpperCase()] ?? 'INFO',
    message: (typeof message === 'string' ? message : (JSON.stringify(message) ?? '')).slice(0, messageMax),
    eventId: findEventId(rest),
    at: isDated ? at : now,
    attributes: isSmall ? rest : { omitted: 'the rest of the record was too large' },
  };
}

function findEventId(rest: Readonly<Record<string, unknown>>): string | null {
  const places = [rest, rest['extra'], rest['event']].filter(isRecord);
  const ids = places.flatMap((place) => [place['eventId'], place['event_id'], place['resync_id']]);
  return ids.find((id): id is string => typeof id === 'string' && id !== '')?.slice(0, 1000) ?? null;
}

export interface LogQuery extends Omit<LogFilter, 'at' | 'isUpwards'> {
  readonly timestamp?: string | undefined;
  readonly direction?: string | undefined;
}

/** @throws AppError `missing_permissions`, `not_found`, `invalid_request` */
export async function listLogs(
  database: Database,
  actor: Actor,
  identifier: string,
  { timestamp, direction, ...filter }: LogQuery,
): Promise<IntegrationLog[]> {
  const integration = await getIntegration(database, actor, identifier);
  const at = timestamp === undefined ? undefined : new Date(timestamp);
  if (at && Number.isNaN(at.getTime())) {
    throw invalidRequest([{ path: '{query}/timestamp', message: 'must be a moment, such as 2026-01-31T12:00:00Z' }]);
  }
  const found = await selectLogs(database, actor.orgId, integration.key, {
    ...filter,
    at,
    isUpwards: direction === 'up',
  });
  return found.map(({ id, level, message, eventId, at: when, attributes }) => ({
    ...(attributes as Record<string, never>),
    _id: id,
    level,
    message,
    timestamp: when.toISOString(),
    ...(eventId === null ? {} : { eventId }),
  }));
}
