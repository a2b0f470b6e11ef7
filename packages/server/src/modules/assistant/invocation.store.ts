import type { ContextUsage, InvocationStatus, InvocationUsage } from '@portolan/contract/invocation-stream';
import sql, { join, raw, type Sql } from 'sql-template-tag';
import type { Database, Reader, Tx } from '../../platform/db/database.ts';
import { json } from '../../platform/db/json.ts';
import { field, fields, row } from '../../platform/db/row.ts';
import { batchInsert, type EventBatch } from './event.store.ts';
import type { RecalledCall } from './loop/recall.ts';

export type InvocationState = 'running' | 'completed' | 'failed';

/** The specification's word for each state. */
export const statusByState: Readonly<Record<InvocationState, InvocationStatus>> = {
  running: 'In Progress',
  completed: 'Completed',
  failed: 'Failed',
};

export interface Invocation {
  readonly orgId: string;
  readonly id: string;
  readonly state: InvocationState;
  readonly askedBy: string;
  readonly requestHash: string;
  readonly idempotencyKey: string | null;
  readonly prompt: string;
  readonly labels: Readonly<Record<string, unknown>>;
  readonly agent: string | null;
  readonly provider: string;
  readonly model: string;
  readonly promptVersion: string;
  readonly response: string | null;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
  readonly usage: InvocationUsage | null;
  readonly runner: string;
  readonly askedAt: Date;
  readonly repliedAt: Date | null;
  readonly contentRemovedAt: Date | null;
  /** Where it stands in a conversation; all null for a question that stands alone. */
  readonly conversationId: string | null;
  readonly parentId: string | null;
  readonly replacesId: string | null;
  readonly turn: number | null;
}

const columns = raw(`org_id as "orgId", id, state, asked_by as "askedBy", request_hash as "requestHash",
  idempotency_key as "idempotencyKey", prompt, labels, agent, provider, model, prompt_version as "promptVersion",
  response, error_code as "errorCode", error_message as "errorMessage", usage, runner, asked_at as "askedAt",
  replied_at as "repliedAt", content_removed_at as "contentRemovedAt", conversation_id as "conversationId",
  parent_id as "parentId", replaces_id as "replacesId", turn`);

/** Inserts an invocation with its first events. False if the identifier or the caller's idempotency key is in use. */
export async function insertInvocation(
  tx: Tx,
  invocation: Invocation,
  first: EventBatch,
  heartbeatAt: Date,
): Promise<boolean> {
  const made = await tx.first(sql`
    with made as (
    insert into invocations (org_id, id, state, asked_by, request_hash, idempotency_key, prompt, labels, agent,
      provider, model, prompt_version, runner, heartbeat_at, asked_at, conversation_id, parent_id, replaces_id, turn)
    values (${invocation.orgId}, ${invocation.id}, ${invocation.state}, ${invocation.askedBy},
      ${invocation.requestHash}, ${invocation.idempotencyKey}, ${invocation.prompt}, ${json(invocation.labels)},
      ${invocation.agent}, ${invocation.provider}, ${invocation.model}, ${invocation.promptVersion},
      ${invocation.runner}, ${heartbeatAt}, ${invocation.askedAt}, ${invocation.conversationId},
      ${invocation.parentId}, ${invocation.replacesId}, ${invocation.turn})
    on conflict do nothing returning 1
    ), begun as (${batchInsert(first, sql`from made`)})
    select 1 from made`);
  return made !== undefined;
}

const invocationRow = row({
  ...fields(
    'invocations',
    'org_id',
    'id',
    'state',
    'asked_by',
    'request_hash',
    'idempotency_key',
    'prompt',
    'agent',
    'provider',
    'model',
    'prompt_version',
    'response',
    'error_code',
    'error_message',
    'runner',
    'asked_at',
    'replied_at',
    'content_removed_at',
    'conversation_id',
    'parent_id',
    'replaces_id',
    'turn',
  ),
  labels: field('invocations', 'labels').as<Readonly<Record<string, unknown>>>(),
  usage: field('invocations', 'usage').as<InvocationUsage>(),
});

export function findInvocation(reader: Reader, orgId: string, id: string): Promise<Invocation | undefined> {
  return reader.first(invocationRow.sql`select ${columns} from invocations where org_id = ${orgId} and id = ${id}`);
}

export function findByIdempotencyKey(
  reader: Reader,
  orgId: string,
  askedBy: string,
  key: string,
): Promise<Invocation | undefined> {
  return reader.first(invocationRow.sql`
    select ${columns} from invocations
    where org_id = ${orgId} and asked_by = ${askedBy} and idempotency_key = ${key}`);
}

export interface InvocationEnding {
  readonly state: 'completed' | 'failed';
  readonly response: string | null;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
  readonly provider: string;
  readonly model: string;
  /** Authors of everything that it read; null if nobody knows. */
  readonly label: readonly string[] | null;
  readonly usage: InvocationUsage;
  readonly repliedAt: Date;
  /** Of a turn of a conversation. */
  readonly contextUsage: ContextUsage | null;
  readonly recalled: readonly RecalledCall[] | null;
}

/** The update that ends an invocation, as part of another statement. */
export function endingUpdate(orgId: string, id: string, ending: InvocationEnding): Sql {
  return sql`
    update invocations set state = ${ending.state}, response = ${ending.response}, error_code = ${ending.errorCode},
      error_message = ${ending.errorMessage}, provider = ${ending.provider}, model = ${ending.model},
      usage = ${json(ending.usage)}, label = ${ending.label && [...ending.label]}::text[], replied_at = ${ending.repliedAt},
      context_usage = ${ending.contextUsage && json(ending.contextUsage)}::jsonb,
      recalled = ${ending.recalled && json(ending.recalled)}::jsonb
    where org_id = ${orgId} and id = ${id}`;
}

export async function markCancelled(tx: Tx, orgId: string, id: string, by: string): Promise<void> {
  await tx.execute(sql`
    update invocations set cancelled_by = ${by} where org_id = ${orgId} and id = ${id} and state = 'running'`);
}

const heartbeatRow = row(fields('invocations', 'org_id', 'id', 'cancelled_by'));

/** Renews the heartbeat of this process's invocations, and returns those cancelled elsewhere. */
export async function heartbeatInvocations(
  tx: Tx,
  invocations: readonly { readonly orgId: string; readonly id: string }[],
  now: Date,
): Promise<{ readonly orgId: string; readonly id: string; readonly cancelledBy: string }[]> {
  if (invocations.length === 0) return [];
  const rows = await tx.rows(heartbeatRow.sql`
    update invocations i set heartbeat_at = ${now}
    from jsonb_to_recordset(${json(invocations)}::jsonb) as r("orgId" text, id text)
    where i.org_id = r."orgId" and i.id = r.id and i.state = 'running'
    returning i.org_id as "orgId", i.id, i.cancelled_by as "cancelledBy"`);
  return rows.flatMap(({ cancelledBy, ...run }) => (cancelledBy === null ? [] : [{ ...run, cancelledBy }]));
}

/** An invocation without a heartbeat, with the number of attempts to end it, including this one. */
export type AbandonedInvocation = Pick<Invocation, 'orgId' | 'id' | 'prompt' | 'provider' | 'model'> & {
  readonly tries: number;
};

const abandonedInvocation = row({
  ...fields('invocations', 'id', 'model', 'org_id', 'prompt', 'provider'),
  tries: field('invocations', 'sweep_tries'),
});

const silentInvocation = row(fields('invocations', 'org_id', 'id', 'sweep_tries'));

/**
 * Claims the next invocation without a heartbeat, of any organization, and counts the attempt, so that one counts even
 * if its process dies. Fewest attempts come first. Of replicas that look at once the first to count has it.
 */
export async function claimAbandoned(
  database: Pick<Database, 'transaction' | 'first'>,
  before: Date,
  exceptRunner: string,
  exceptKeys: readonly string[],
): Promise<AbandonedInvocation | undefined> {
  const passed = [...exceptKeys];
  for (;;) {
    const next = await database.first(silentInvocation.sql`
      select org_id as "orgId", id, sweep_tries as "sweepTries" from invocations /* all organizations */
      where state = 'running' and heartbeat_at < ${before} and runner <> ${exceptRunner}
        and org_id || '/' || id <> all(${passed}::text[])
      order by sweep_tries, heartbeat_at limit 1`);
    if (!next) return undefined;
    const claimed = await database.transaction((tx) =>
      tx.first(abandonedInvocation.sql`
        update invocations i set sweep_tries = least(i.sweep_tries + 1, 1000) from (
          select id from invocations
          where org_id = ${next.orgId} and id = ${next.id} and sweep_tries = ${next.sweepTries} and state = 'running'
          for update skip locked) free
        where i.org_id = ${next.orgId} and i.id = free.id
        returning i.org_id as "orgId", i.id, i.prompt, i.provider, i.model, i.sweep_tries as tries`),
    );
    if (claimed) return claimed;
    passed.push(`${next.orgId}/${next.id}`);
  }
}

export interface InvocationFilter {
  readonly labels: readonly (readonly [key: string, value: string])[];
  readonly state?: InvocationState | undefined;
  readonly agent?: string | undefined;
  readonly askedBy?: string | undefined;
  /** Limits the list to invocations of one person, or of these agents. */
  readonly visibleTo?: { readonly askedBy: string; readonly agents: readonly string[] } | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  readonly after?: { readonly askedAt: Date; readonly id: string } | undefined;
  readonly limit: number;
}

/** Newest first. */
export function listInvocationRows(reader: Reader, orgId: string, filter: InvocationFilter): Promise<Invocation[]> {
  const conditions: Sql[] = [
    sql`org_id = ${orgId}`,
    ...filter.labels.map(([key, value]) => sql`labels ->> ${key} = ${value}`),
    ...(filter.state ? [sql`state = ${filter.state}`] : []),
    ...(filter.agent ? [sql`agent = ${filter.agent}`] : []),
    ...(filter.askedBy ? [sql`asked_by = ${filter.askedBy}`] : []),
    ...(filter.visibleTo
      ? [sql`(asked_by = ${filter.visibleTo.askedBy} or agent = any(${[...filter.visibleTo.agents]}::text[]))`]
      : []),
    ...(filter.from ? [sql`asked_at >= ${filter.from}`] : []),
    ...(filter.to ? [sql`asked_at <= ${filter.to}`] : []),
    ...(filter.after ? [sql`(asked_at, id) < (${filter.after.askedAt}, ${filter.after.id})`] : []),
  ];
  return reader.rows(invocationRow.sql`
    select ${columns} from invocations where ${join(conditions, ' and ')}
    order by asked_at desc, id desc limit ${filter.limit}`);
}

const invocationId = row(fields('invocations', 'id'));

/** Replaces question and answer of invocations that ended before a moment, oldest first, and returns their ids. */
export async function removeTexts(
  tx: Tx,
  orgId: string,
  which: { readonly before: Date; readonly marker: string; readonly now: Date; readonly limit: number },
): Promise<string[]> {
  const { before, marker, now, limit } = which;
  const rows = await tx.rows(invocationId.sql`
    update invocations i set prompt = ${marker}, response = case when response is null then null else ${marker} end,
      content_removed_at = ${now}, recalled = null
    from (select id from invocations
      where org_id = ${orgId} and replied_at < ${before} and content_removed_at is null
      order by replied_at limit ${limit} for update) old
    where i.org_id = ${orgId} and i.id = old.id returning i.id`);
  return rows.map(({ id }) => id);
}

/** Replaces question and answer of these invocations, and returns the ids of those that had them. */
export async function removeChosenTexts(
  tx: Tx,
  orgId: string,
  ids: readonly string[],
  { marker, now }: { readonly marker: string; readonly now: Date },
): Promise<string[]> {
  const rows = await tx.rows(invocationId.sql`
    update invocations i set prompt = ${marker}, response = case when response is null then null else ${marker} end,
      content_removed_at = ${now}, recalled = null
    where i.org_id = ${orgId} and i.id = any(${[...ids]}::text[]) and content_removed_at is null returning i.id`);
  return rows.map(({ id }) => id);
}

const invocationOrgId = row(fields('invocations', 'org_id'));

/** Organizations with an invocation that ended before a moment and still has its content. */
export async function listOrganizationsWithContent(reader: Reader, before: Date): Promise<string[]> {
  const rows = await reader.rows(invocationOrgId.sql`
    select distinct org_id as "orgId" from invocations /* all organizations */
    where replied_at < ${before} and content_removed_at is null`);
  return rows.map(({ orgId }) => orgId);
}
