import sql from 'sql-template-tag';
import type { Reader, Tx } from '../../../platform/db/database.ts';
import { json } from '../../../platform/db/json.ts';

/** A caller that used a form which the cutover removes, and has not used the new one since. */
export interface OldCaller {
  readonly caller: string;
  readonly endpoint: 'router' | 'agent';
  /** Empty for the router without an agent. */
  readonly agent: string;
  readonly calls: number;
  readonly lastAt: Date;
}

export async function noteOldCall(
  tx: Tx,
  orgId: string,
  { caller, endpoint, agent }: Pick<OldCaller, 'caller' | 'endpoint' | 'agent'>,
  now: Date,
): Promise<void> {
  await tx.execute(sql`
    insert into ai_old_calls as c (org_id, caller, endpoint, agent, calls, last_at)
    values (${orgId}, ${caller}, ${endpoint}, ${agent}, 1, ${now})
    on conflict (org_id, caller, endpoint, agent) do update set calls = c.calls + 1, last_at = excluded.last_at`);
}

/** Clears old calls of a caller who now uses the new form, for the same agent or the router. */
export async function forgetOldCalls(tx: Tx, orgId: string, caller: string, agent: string | undefined): Promise<void> {
  await tx.execute(sql`
    delete from ai_old_calls
    where org_id = ${orgId} and caller = ${caller} and (agent = ${agent ?? ''} or (endpoint = 'router' and agent = ''))`);
}

export function listOldCallers(reader: Reader, orgId: string, since: Date): Promise<OldCaller[]> {
  return reader.rows<OldCaller>(sql`
    select caller, endpoint, agent, calls, last_at as "lastAt" from ai_old_calls
    where org_id = ${orgId} and last_at >= ${since} order by last_at desc, caller, endpoint, agent limit 200`);
}

export interface CutoverStep {
  readonly at: Date;
  readonly kind: 'stage' | 'schema' | 'agent' | 'widget';
  readonly subject: string;
  readonly details: Readonly<Record<string, unknown>>;
}

export async function insertSteps(tx: Tx, orgId: string, steps: readonly CutoverStep[]): Promise<void> {
  if (steps.length === 0) return;
  await tx.execute(sql`
    insert into ai_cutover_steps (org_id, at, kind, subject, details)
    select ${orgId}, (s.at)::timestamptz, s.kind, s.subject, s.details
    from jsonb_to_recordset(${json(steps)}::jsonb) as s(at text, kind text, subject text, details jsonb)`);
}

export function listSteps(reader: Reader, orgId: string): Promise<CutoverStep[]> {
  return reader.rows<CutoverStep>(sql`
    select at, kind, subject, details from ai_cutover_steps where org_id = ${orgId} order by key desc limit 200`);
}

/** Invocations after one, by identifier, for updating their entities. */
export function listRecordsAfter(reader: Reader, orgId: string, after: string, limit: number) {
  return reader.rows<{
    id: string;
    askedAt: Date;
    repliedAt: Date | null;
    provider: string;
    model: string;
    error: string | null;
  }>(sql`
    select id, asked_at as "askedAt", replied_at as "repliedAt", provider, model, error_message as error
    from invocations where org_id = ${orgId} and id > ${after} order by id limit ${limit}`);
}
