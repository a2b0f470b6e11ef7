import {
  type AuditFilters,
  type AuditPart,
  type AuditQuery,
  type AuditRecord,
  auditExportMax,
} from '@portolan/contract/audit';
import type { Issue } from '@portolan/contract/errors';
import type { Sql } from 'sql-template-tag';
import { type Actor, isUnlimited } from '../../platform/actor.ts';
import type { Database } from '../../platform/db/database.ts';
import { AppError, invalidRequest } from '../../platform/errors.ts';
import { auditConditions } from './audit-conditions.sql.ts';
import { type Position, selectRecords } from './journal.store.ts';
import { presentRecord, type TeamNames, teamReferencesIn } from './present-record.ts';

/** Implemented by modules above the journal; `app.ts` passes it in. */
export interface AuditPorts {
  readonly database: Database;
  /** Limits the records of non-administrators. */
  readonly visibleRecords: (actor: Actor) => Promise<VisibleRecords>;
  readonly teamNames: (actor: Actor, references: readonly string[]) => Promise<TeamNames>;
}

export interface VisibleRecords {
  readonly condition: Sql;
  /** True if a derived value of a blueprint's entities may be shown. */
  isShown(blueprint: string, key: string): boolean;
}

export interface AuditPage {
  readonly audits: Partial<AuditRecord>[];
  /** Undefined on the last page. */
  readonly next: string | undefined;
}

const day = 24 * 60 * 60 * 1000;

/**
 * One page, newest first. Non-administrators must filter by subject, and see only records of things that they may read.
 * @throws AppError `missing_permissions`, `invalid_request`
 */
export async function readAuditLog(ports: AuditPorts, actor: Actor, query: AuditQuery): Promise<AuditPage> {
  const read = await openAuditLog(ports, actor, query);
  const { audits, last } = await read(query.next === undefined ? undefined : parseCursor(query.next), query.limit);
  return { audits, next: last && toCursor(last) };
}

/**
 * All that `readAuditLog` would page through, up to `auditExportMax`, as lines in batches.
 * @throws AppError as `readAuditLog`, before the first
 */
export async function exportAuditLog(
  ports: AuditPorts,
  actor: Actor,
  filters: AuditFilters,
): Promise<AsyncIterable<readonly object[]>> {
  const read = await openAuditLog(ports, actor, filters);
  return (async function* lines() {
    let records = 0;
    let after: Position | undefined;
    for (;;) {
      const { audits, last } = await read(after, Math.min(exportedAtOnce, auditExportMax - records));
      records += audits.length;
      yield audits;
      after = last;
      if (!last || records >= auditExportMax) break;
    }
    yield [{ done: true, records, more: after?.at.toISOString() ?? null }];
  })();
}

const exportedAtOnce = 500;

interface ReadPage {
  readonly audits: Partial<AuditRecord>[];
  /** Where the page ends; undefined on the last one. */
  readonly last: Position | undefined;
}

/** @throws AppError `missing_permissions`, `invalid_request` */
async function openAuditLog(
  ports: AuditPorts,
  actor: Actor,
  filters: AuditFilters,
): Promise<(after: Position | undefined, limit: number) => Promise<ReadPage>> {
  assertNamed(actor, filters);
  assertBounded(filters);
  const conditions = auditConditions(filters);
  const visible = isUnlimited(actor) ? undefined : await ports.visibleRecords(actor);
  if (visible) conditions.push(visible.condition);
  const parts = (filters.includes ?? filters['includes[]']) as AuditPart[] | undefined;
  // what may be seen of it follows from data
  const reader = visible ? ports.database : ports.database.standby;
  const isDiffWanted = parts?.includes('diff') ?? true;
  return async (after, limit) => {
    const found = await selectRecords(reader, actor.orgId, conditions, {
      after,
      limit: limit + 1,
      isDiffWanted,
    });
    const page = found.slice(0, limit);
    const names = await ports.teamNames(actor, teamReferencesIn(page));
    const shown = { orgId: actor.orgId, names, isShown: visible?.isShown, parts };
    return {
      audits: page.map((record) => presentRecord(record, shown)),
      last: found.length > page.length ? page.at(-1) : undefined,
    };
  };
}

function assertNamed(actor: Actor, query: AuditFilters): void {
  if (isUnlimited(actor)) return;
  if (query.identifier === undefined && query.entity === undefined && query.run_id === undefined) {
    const message = 'Only an administrator may read the whole audit log; name an identifier, an entity or a run_id';
    throw new AppError('missing_permissions', message);
  }
  if (query.include_deleted_entities) {
    throw new AppError('missing_permissions', 'Only an administrator may read the audit log of deleted entities');
  }
}

/** Bounds queries for deleted entities to one blueprint, entity and status within a day (catalog semantics §2.6). */
function assertBounded(query: AuditFilters): void {
  if (!query.include_deleted_entities) return;
  const message = 'is required with include_deleted_entities';
  const issues: Issue[] = (['entity', 'blueprint', 'status', 'from', 'to'] as const)
    .filter((name) => query[name] === undefined)
    .map((name) => ({ path: `{query}/${name}`, message }));
  const spanMs = (query.to?.getTime() ?? 0) - (query.from?.getTime() ?? 0);
  if (issues.length === 0 && (spanMs > day || spanMs < 0)) {
    issues.push({ path: '{query}/to', message: 'must be at most one day after `from`' });
  }
  if (issues.length > 0) throw invalidRequest(issues);
}

/** Opaque to clients; the leading version allows another format later. */
function toCursor({ at, key }: Position): string {
  return Buffer.from(`1:${at.getTime()}:${key}`).toString('base64url');
}

function parseCursor(cursor: string): Position {
  const read = /^1:(\d{1,15}):(\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString());
  if (!read) throw invalidRequest([{ path: '{query}/next', message: 'is not a cursor of the audit log' }]);
  return { at: new Date(Number(read[1])), key: Number(read[2]) };
}
