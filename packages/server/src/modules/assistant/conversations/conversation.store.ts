import type { SharedWith } from '@portolan/contract/conversations';
import type { ContextUsage, InvocationUsage } from '@portolan/contract/invocation-stream';
import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import type { Reader, Tx } from '../../../platform/db/database.ts';
import { json } from '../../../platform/db/json.ts';
import { computed, field, fields, row } from '../../../platform/db/row.ts';
import type { InvocationState } from '../invocation.store.ts';
import type { RecalledCall } from '../loop/recall.ts';

export interface ConversationRow {
  readonly id: string;
  readonly owner: string;
  readonly title: string;
  readonly titleBy: 'question' | 'person';
  readonly headId: string;
  readonly turns: number;
  readonly agent: string | null;
  readonly pinnedAt: Date | null;
  readonly fenceMark: string;
  readonly createdAt: Date;
  readonly askedAt: Date;
  readonly shared: SharedUntil | null;
  readonly baseId: string | null;
}

/** Who may read a conversation beside its owner; the path up to the turn, which is not of a later branch. */
export type SharedUntil = Exclude<SharedWith, { with: 'private' }> & { readonly until: string };

const columns = raw(`c.id, c.owner, c.title, c.title_by as "titleBy", c.head_id as "headId", c.turns, c.agent,
  c.pinned_at as "pinnedAt", c.fence_mark as "fenceMark", c.created_at as "createdAt", c.asked_at as "askedAt",
  c.shared, c.base_id as "baseId"`);

const conversationFields = {
  ...fields(
    'conversations',
    'id',
    'owner',
    'title',
    'head_id',
    'turns',
    'agent',
    'pinned_at',
    'fence_mark',
    'created_at',
    'asked_at',
    'base_id',
  ),
  titleBy: field('conversations', 'title_by').as<'question' | 'person'>(),
  shared: field('conversations', 'shared').as<SharedUntil>(),
};
const conversationRow = row(conversationFields);
const listedRow = row({ ...conversationFields, isRunning: computed.boolean });

const isRunning = sql`exists (select 1 from invocations r where r.org_id = c.org_id and r.conversation_id = c.id
  and r.state = 'running') as "isRunning"`;

export function findConversation(
  reader: Reader,
  orgId: string,
  id: string,
): Promise<(ConversationRow & { readonly isRunning: boolean }) | undefined> {
  return reader.first(listedRow.sql`
    select ${columns}, ${isRunning} from conversations c where c.org_id = ${orgId} and c.id = ${id}`);
}

export function lockConversation(tx: Tx, orgId: string, id: string): Promise<ConversationRow | undefined> {
  return tx.first(conversationRow.sql`
    select ${columns} from conversations c where c.org_id = ${orgId} and c.id = ${id} for update`);
}

/** Latest activity first. */
export function listConversationRows(
  reader: Reader,
  orgId: string,
  owner: string,
  page: {
    readonly limit: number;
    readonly query?: string | undefined;
    readonly before?: { readonly askedAt: Date; readonly id?: string | undefined } | undefined;
  },
): Promise<(ConversationRow & { readonly isRunning: boolean })[]> {
  const { limit, query, before } = page;
  const conditions: Sql[] = [
    sql`c.org_id = ${orgId}`,
    sql`c.owner = ${owner}`,
    ...(query ? [sql`position(lower(${query}) in lower(c.title)) > 0`] : []),
    ...(before === undefined
      ? []
      : before.id === undefined
        ? [sql`c.asked_at < ${before.askedAt}`]
        : [sql`(c.asked_at < ${before.askedAt} or (c.asked_at = ${before.askedAt} and c.id > ${before.id}))`]),
  ];
  return reader.rows(listedRow.sql`
    select ${columns}, ${isRunning} from conversations c where ${join(conditions, ' and ')}
    order by c.asked_at desc, c.id limit ${limit}`);
}

/** False if there is one already. */
export async function insertConversation(tx: Tx, orgId: string, made: ConversationRow): Promise<boolean> {
  const inserted = await tx.first(sql`
    insert into conversations (org_id, id, owner, title, title_by, head_id, turns, agent, pinned_at, fence_mark,
      created_at, asked_at, shared, base_id)
    values (${orgId}, ${made.id}, ${made.owner}, ${made.title}, ${made.titleBy}, ${made.headId}, ${made.turns},
      ${made.agent}, ${made.pinnedAt}, ${made.fenceMark}, ${made.createdAt}, ${made.askedAt},
      ${made.shared && json(made.shared)}::jsonb, ${made.baseId})
    on conflict do nothing returning 1`);
  return inserted !== undefined;
}

/** Makes a question that stood alone the first turn of its conversation. */
export async function adoptInvocation(tx: Tx, orgId: string, id: string): Promise<void> {
  await tx.execute(sql`
    update invocations set conversation_id = id, turn = 1
    where org_id = ${orgId} and id = ${id} and conversation_id is null`);
}

/** Puts a new turn at the head. False if the head is not the expected one any more, or the conversation is gone or full. */
export async function moveToTurn(
  tx: Tx,
  orgId: string,
  id: string,
  turn: {
    readonly invocation: string;
    readonly owner: string;
    readonly expectedHead?: string | undefined;
    readonly turnsMax: number;
    readonly now: Date;
  },
): Promise<boolean> {
  const expected = turn.expectedHead === undefined ? empty : sql`and head_id = ${turn.expectedHead}`;
  const moved = await tx.first(sql`
    update conversations set head_id = ${turn.invocation}, turns = turns + 1, asked_at = ${turn.now}
    where org_id = ${orgId} and id = ${id} and owner = ${turn.owner} and turns < ${turn.turnsMax} ${expected}
    returning 1`);
  return moved !== undefined;
}

/** What people change of a conversation; who changes it holds its lock. */
export async function updateConversation(
  tx: Tx,
  orgId: string,
  id: string,
  { title, titleBy, headId, pinnedAt, shared }: ConversationRow,
): Promise<void> {
  await tx.execute(sql`
    update conversations set title = ${title}, title_by = ${titleBy}, head_id = ${headId}, pinned_at = ${pinnedAt},
      shared = ${shared && json(shared)}::jsonb
    where org_id = ${orgId} and id = ${id}`);
}

export async function deleteConversationRow(tx: Tx, orgId: string, id: string): Promise<void> {
  await tx.execute(sql`delete from conversations where org_id = ${orgId} and id = ${id}`);
}

/** Titles that were made of questions whose text is gone. */
export async function removeTitles(
  tx: Tx,
  orgId: string,
  invocations: readonly string[],
  marker: string,
): Promise<void> {
  await tx.execute(sql`
    update conversations set title = ${marker} where org_id = ${orgId} and title_by = 'question'
      and (id = any(${[...invocations]}::text[]) or base_id = any(${[...invocations]}::text[]))`);
}

const runningRow = row(fields('invocations', 'id'));

export async function findRunningTurn(reader: Reader, orgId: string, id: string): Promise<string | undefined> {
  const found = await reader.first(runningRow.sql`
    select i.id from invocations i where i.org_id = ${orgId} and i.conversation_id = ${id} and i.state = 'running'
    limit 1`);
  return found?.id;
}

export async function listTurnIds(reader: Reader, orgId: string, id: string): Promise<string[]> {
  const found = await reader.rows(runningRow.sql`
    select i.id from invocations i where i.org_id = ${orgId} and i.conversation_id = ${id}`);
  return found.map((each) => each.id);
}

/** A turn with what is shown of it and what later turns are told. */
export interface TurnRow {
  readonly id: string;
  readonly askedBy: string;
  readonly state: InvocationState;
  readonly prompt: string;
  readonly response: string | null;
  readonly errorMessage: string | null;
  readonly agent: string | null;
  readonly labels: Readonly<Record<string, unknown>>;
  readonly label: readonly string[] | null;
  readonly askedAt: Date;
  readonly contentRemovedAt: Date | null;
  readonly conversationId: string | null;
  readonly parentId: string | null;
  readonly usage: InvocationUsage | null;
  readonly contextUsage: ContextUsage | null;
  readonly recalled: readonly RecalledCall[] | null;
}

const turnRow = row({
  ...fields(
    'invocations',
    'id',
    'asked_by',
    'prompt',
    'response',
    'error_message',
    'agent',
    'label',
    'asked_at',
    'content_removed_at',
    'conversation_id',
    'parent_id',
  ),
  state: field('invocations', 'state').as<InvocationState>(),
  labels: field('invocations', 'labels').as<Readonly<Record<string, unknown>>>(),
  usage: field('invocations', 'usage').as<InvocationUsage>(),
  contextUsage: field('invocations', 'context_usage').as<ContextUsage>(),
  recalled: field('invocations', 'recalled').as<readonly RecalledCall[]>(),
});

/** The turns from the first to a leaf, over the conversations that it continues; the last ones if there are more. */
export function readPath(reader: Reader, orgId: string, leaf: string, turnsMax: number): Promise<TurnRow[]> {
  return reader.rows(turnRow.sql`
    with recursive path (id, parent_id, depth) as (
      select i.id, i.parent_id, 1 from invocations i where i.org_id = ${orgId} and i.id = ${leaf}
      union all
      select p.id, p.parent_id, path.depth + 1 from path
        join invocations p on p.org_id = ${orgId} and p.id = path.parent_id
      where path.depth < ${turnsMax})
    select i.id, i.asked_by as "askedBy", i.state, i.prompt, i.response, i.error_message as "errorMessage", i.agent,
      i.labels, i.label, i.asked_at as "askedAt", i.content_removed_at as "contentRemovedAt",
      i.conversation_id as "conversationId", i.parent_id as "parentId", i.usage, i.context_usage as "contextUsage",
      i.recalled
    from path join invocations i on i.org_id = ${orgId} and i.id = path.id order by path.depth desc`);
}

const placeRow = row({
  ...fields('invocations', 'id', 'parent_id', 'conversation_id'),
});

/** The turns of a conversation with their places, in the order in which they were asked. */
export function listPlaces(
  reader: Reader,
  orgId: string,
  conversation: string,
): Promise<{ readonly id: string; readonly parentId: string | null; readonly conversationId: string | null }[]> {
  return reader.rows(placeRow.sql`
    select i.id, i.parent_id as "parentId", i.conversation_id as "conversationId" from invocations i
    where i.org_id = ${orgId} and i.conversation_id = ${conversation} order by i.asked_at, i.id`);
}
