import sql from 'sql-template-tag';
import type { Reader, Tx } from '../../../platform/db/database.ts';
import { json } from '../../../platform/db/json.ts';
import { field, fields, type RowOf, row } from '../../../platform/db/row.ts';

const oldCaller = row({
  ...fields('ai_old_calls', 'caller', 'endpoint', 'calls', 'last_at'),
  /** Empty for the router without an agent. */
  agent: field('ai_old_calls', 'agent'),
});

/** A caller that used a form which the cutover removes, and has not used the new one since. */
export type OldCaller = RowOf<typeof oldCaller>;

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
export async function deleteOldCalls(tx: Tx, orgId: string, caller: string, agent: string | undefined): Promise<void> {
  await tx.execute(sql`
    delete from ai_old_calls
    where org_id = ${orgId} and caller = ${caller} and (agent = ${agent ?? ''} or (endpoint = 'router' and agent = ''))`);
}

export function listOldCallers(reader: Reader, orgId: string, since: Date): Promise<OldCaller[]> {
  return reader.rows(oldCaller.sql`
    select caller, endpoint, agent, calls, last_at as "lastAt" from ai_old_calls
    where org_id = ${orgId} and last_at >= ${since} order by last_at desc, caller, endpoint, agent limit 200`);
}

const cutoverStep = row({
  ...fields('ai_cutover_steps', 'at', 'kind', 'subject'),
  details: field('ai_cutover_steps', 'details').as<Readonly<Record<string, unknown>>>(),
});
export type CutoverStep = RowOf<typeof cutoverStep>;

export async function insertSteps(tx: Tx, orgId: string, steps: readonly CutoverStep[]): Promise<void> {
  if (steps.length === 0) return;
  await tx.execute(sql`
    insert into ai_cutover_steps (org_id, at, kind, subject, details)
    select ${orgId}, (s.at)::timestamptz, s.kind, s.subject, s.details
    from jsonb_to_recordset(${json(steps)}::jsonb) as s(at text, kind text, subject text, details jsonb)`);
}

export function listSteps(reader: Reader, orgId: string): Promise<CutoverStep[]> {
  return reader.rows(cutoverStep.sql`
    select at, kind, subject, details from ai_cutover_steps where org_id = ${orgId} order by key desc limit 200`);
}

const invocationRow = row({
  ...fields('invocations', 'id', 'asked_at', 'replied_at', 'provider', 'model'),
  error: field('invocations', 'error_message'),
});

/** Invocations after one, by identifier, for updating their entities. */
export function listRecordsAfter(reader: Reader, orgId: string, after: string, limit: number) {
  return reader.rows(invocationRow.sql`
    select id, asked_at as "askedAt", replied_at as "repliedAt", provider, model, error_message as error
    from invocations where org_id = ${orgId} and id > ${after} order by id limit ${limit}`);
}
