import { type Conversation, type ConversationMessage, conversationLimits } from '@portolan/contract/conversations';
import { type Actor, isAdmin } from '../../../platform/actor.ts';
import { invalidRequest, notFound } from '../../../platform/errors.ts';
import { findTeamsByKey } from '../../accounts/index.ts';
import { readAskedCursor, writeAskedCursor } from '../asked-cursor.ts';
import type { AssistantDeps } from '../assistant.deps.ts';
import { readEventsWithin } from '../event.store.ts';
import { findInvocation, statusByState } from '../invocation.store.ts';
import { toLoopEvents } from '../loop/read-back.ts';
import {
  type ConversationRow,
  findConversation,
  listConversationRows,
  listPlaces,
  readPath,
  type SharedUntil,
  type TurnRow,
} from './conversation.store.ts';
import { isSharedWith, type SeeDeps, type SeenTurn, seeTurns } from './see-turns.ts';

type Known = ConversationRow & { readonly isRunning: boolean };

/**
 * A conversation of the caller, or one that is shared with them; administrators read all, as they read invocations.
 * @throws AppError `not_found`
 */
export async function readConversation(
  { database }: Pick<AssistantDeps, 'database'>,
  actor: Actor,
  id: string,
): Promise<Known> {
  const found = await findConversation(database, actor.orgId, id);
  if (found && (found.owner === actor.id || isAdmin(actor) || (found.shared && isSharedWith(found.shared, actor))))
    return found;
  throw notFound('Conversation', id);
}

/** A conversation of the caller. @throws AppError `not_found` */
export function assertOwner(found: ConversationRow | undefined, actor: Actor, id: string): asserts found {
  if (found?.owner !== actor.id) throw notFound('Conversation', id);
}

export async function presentConversation(
  deps: Pick<AssistantDeps, 'database'>,
  row: Known,
  actor: Actor,
): Promise<Conversation> {
  const [presented] = await presentConversations(deps, [row], actor);
  return presented as Conversation;
}

/** The teams of all of them are looked up at once. */
async function presentConversations(
  { database }: Pick<AssistantDeps, 'database'>,
  rows: readonly Known[],
  actor: Actor,
): Promise<Conversation[]> {
  const keys = rows.flatMap(({ owner, shared }) => (owner === actor.id && shared?.with === 'some' ? shared.teams : []));
  const teams = await findTeamsByKey(database, actor.orgId, [...new Set(keys)]);
  const names = new Map(teams.map(({ key, identifier }) => [key, identifier]));
  return rows.map((row) => present(row, actor, names));
}

function present(row: Known, actor: Actor, teamNames: ReadonlyMap<string, string>): Conversation {
  const isOwn = row.owner === actor.id;
  return {
    identifier: row.id,
    title: row.title,
    pinned: isOwn && row.pinnedAt !== null,
    askedAt: row.askedAt.toISOString(),
    createdAt: row.createdAt.toISOString(),
    turns: row.turns,
    agent: row.agent,
    shared: isOwn ? presentShared(row.shared, teamNames) : null,
    running: row.isRunning,
    head: isOwn || row.shared === null ? row.headId : row.shared.until,
    owner: row.owner,
    isOwn,
  };
}

/** Teams by their identifiers; they are kept by key, which a renamed team keeps. */
function presentShared(shared: SharedUntil | null, names: ReadonlyMap<string, string>): Conversation['shared'] {
  if (shared?.with !== 'some') return shared;
  return { ...shared, teams: shared.teams.flatMap((key) => names.get(key) ?? []).sort() };
}

export async function listConversations(
  deps: Pick<AssistantDeps, 'database'>,
  actor: Actor,
  {
    limit,
    cursor,
    query,
  }: { readonly limit: number; readonly cursor?: string | undefined; readonly query?: string | undefined },
) {
  const found = await listConversationRows(deps.database, actor.orgId, actor.id, {
    limit: limit + 1,
    query,
    before: cursor === undefined ? undefined : parseCursor(cursor),
  });
  const page = found.slice(0, limit);
  const last = found.length > limit ? page.at(-1) : undefined;
  return {
    conversations: await presentConversations(deps, page, actor),
    ...(last ? { nextCursor: writeAskedCursor(last) } : {}),
  };
}

/** A moment, as the published cursor is, or our own. */
function parseCursor(cursor: string): { readonly askedAt: Date; readonly id?: string } {
  if (/^\d{4}-\d\d-\d\dT/.test(cursor)) {
    const askedAt = new Date(cursor);
    if (!Number.isNaN(askedAt.getTime())) return { askedAt };
  }
  const position = readAskedCursor(cursor);
  if (position) return position;
  throw invalidRequest([{ path: '{query}/cursor', message: 'is not a cursor of this list' }]);
}

/**
 * The turns of one path as the caller sees them: to the head, or to a leaf of the conversation. Who only reads a shared
 * one sees the path to the shared turn.
 * @throws AppError `not_found` for a leaf that is not there, or not shared
 */
export async function readTurns(
  deps: SeeDeps,
  actor: Actor,
  row: ConversationRow,
  leaf: string | undefined,
): Promise<SeenTurn[]> {
  const { database } = deps;
  const isWhole = row.owner === actor.id || isAdmin(actor);
  const end = leaf ?? (isWhole || row.shared === null ? row.headId : row.shared.until);
  const path = await readPath(database, actor.orgId, end, conversationLimits.pathTurnsMax);
  const last = path.at(-1);
  const isOf = last !== undefined && (last.conversationId === row.id || last.id === row.baseId);
  if (leaf !== undefined && !isOf) throw notFound('Invocation', leaf);
  const turns = await seeTurns(deps, actor, path);
  const shown = turns.at(-1);
  if (!isWhole && leaf !== undefined && shown?.isGone && shown.row.contentRemovedAt === null)
    throw notFound('Invocation', leaf);
  return turns;
}

export async function readMessages(
  deps: SeeDeps,
  actor: Actor,
  id: string,
  { leaf, below = false }: { readonly leaf?: string | undefined; readonly below?: boolean },
) {
  const row = await readConversation(deps, actor, id);
  const isWhole = row.owner === actor.id || isAdmin(actor);
  const end =
    leaf !== undefined && below && isWhole ? latestBelow(await listPlaces(deps.database, actor.orgId, id), leaf) : leaf;
  const turns = await readTurns(deps, actor, row, end);
  const siblings = await siblingsOf(deps, actor.orgId, turns, isWhole);
  const messages: ConversationMessage[] = [];
  for (const turn of turns) messages.push(...(await toMessages(deps, actor.orgId, turn, siblings(turn.row))));
  return { conversation: await presentConversation(deps, row, actor), messages, previousInvocationId: null };
}

/** The end of the branch that was continued last, from a turn on. */
function latestBelow(places: Awaited<ReturnType<typeof listPlaces>>, from: string): string {
  let leaf = from;
  for (let depth = 0; depth < conversationLimits.pathTurnsMax; depth += 1) {
    const next = places.findLast(({ parentId }) => parentId === leaf);
    if (!next) break;
    leaf = next.id;
  }
  return leaf;
}

/** The messages of the path to an invocation, which has to be a turn of a conversation. @throws AppError `not_found` */
export async function readInvocationMessages(deps: SeeDeps, actor: Actor, invocation: string) {
  const found = await findInvocation(deps.database, actor.orgId, invocation);
  if (!found?.conversationId) throw notFound('Invocation', invocation);
  return readMessages(deps, actor, found.conversationId, { leaf: invocation }).catch((error: unknown) => {
    // the refusal names what was asked for
    throw error instanceof Error && 'code' in error && error.code === 'not_found'
      ? notFound('Invocation', invocation)
      : error;
  });
}

/** Turns of the same parent in the same conversation; who reads a shared path sees the turns of that alone. */
async function siblingsOf(
  { database }: SeeDeps,
  orgId: string,
  turns: readonly SeenTurn[],
  isWhole: boolean,
): Promise<(turn: TurnRow) => string[]> {
  if (!isWhole) return ({ id }) => [id];
  const conversations = [...new Set(turns.flatMap(({ row }) => row.conversationId ?? []))];
  const places = (await Promise.all(conversations.map((id) => listPlaces(database, orgId, id)))).flat();
  return ({ id, parentId, conversationId }) => {
    const found = places.filter((each) => each.parentId === parentId && each.conversationId === conversationId);
    return found.length === 0 ? [id] : found.map((each) => each.id);
  };
}

const eventBytesMax = 1024 * 1024;

/** A turn in the form of `execution_logs`, read back from its stream. */
async function toMessages(
  { database }: SeeDeps,
  orgId: string,
  { row, isGone, isHidden, hiddenRecords }: SeenTurn,
  siblings: string[],
): Promise<ConversationMessage[]> {
  const { id, state, askedAt, usage, contextUsage } = row;
  const of = { invocationIdentifier: id, siblings, status: statusByState[state], askedAt: askedAt.toISOString() };
  let count = 0;
  const next = () => `${id}:m${++count}`;
  const isUnread = isGone && row.contentRemovedAt === null;
  const prompt = isUnread ? '' : row.prompt;
  const asked: ConversationMessage = { role: 'user', messageId: next(), content: prompt, ...of };
  if (isGone || isHidden) {
    const more = hiddenRecords > 0 ? { hiddenRecords } : {};
    return [asked, { role: 'assistant', messageId: next(), content: [], ...more, ...of }];
  }
  const messages: ConversationMessage[] = [asked];
  const { events } = await readEventsWithin(database, orgId, id, eventBytesMax);
  const reply = (): { -readonly [Key in keyof ConversationMessage]: ConversationMessage[Key] } => {
    const last = messages.at(-1);
    if (last?.role === 'assistant') return last;
    const made: ConversationMessage = { role: 'assistant', messageId: next(), content: [], ...of };
    messages.push(made);
    return made;
  };
  for (const event of toLoopEvents(events)) {
    if (event.type === 'segment') {
      const said = reply();
      const before = Array.isArray(said.content) ? (said.content[0]?.text ?? '') : '';
      said.content = [{ type: 'text', text: before + event.text }];
    } else if (event.type === 'tool-call') {
      const said = reply();
      const call = { id: event.id, name: event.name, arguments: parseArguments(event.arguments) };
      said.toolCalls = [...(said.toolCalls ?? []), call];
    } else if (event.type === 'tool-result') {
      const { id: toolCallId, content, isError } = event;
      messages.push({
        role: 'tool',
        messageId: next(),
        toolCallId,
        content,
        ...(isError ? { isError } : {}),
        ...of,
      });
    }
  }
  if (state !== 'running') {
    const last = reply();
    if (usage) {
      last.costUsd = usage.costUsd;
      last.tokens = usage.inputTokens + usage.outputTokens;
    }
    if (contextUsage) last.contextUsage = contextUsage;
  }
  return messages;
}

function parseArguments(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
