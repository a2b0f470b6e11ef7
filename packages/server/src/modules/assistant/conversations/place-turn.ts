import { randomBytes } from 'node:crypto';
import type { InvokeRequest } from '@portolan/contract/assistant';
import { conversationLimits } from '@portolan/contract/conversations';
import type { Actor } from '../../../platform/actor.ts';
import type { Reader, Tx } from '../../../platform/db/database.ts';
import { storable } from '../../../platform/db/storable.ts';
import { AppError, invalidRequest, notFound } from '../../../platform/errors.ts';
import { findInvocation, type Invocation } from '../invocation.store.ts';
import {
  adoptInvocation,
  type ConversationRow,
  findConversation,
  insertConversation,
  moveToTurn,
} from './conversation.store.ts';

/** Where a new turn stands. */
export interface TurnPlace {
  readonly conversationId: string;
  readonly parentId: string | null;
  readonly replacesId: string | null;
  /** Turns on its path, itself included; turns of a conversation that this one continues do not count. */
  readonly turn: number;
  /** Undefined for a new conversation. */
  readonly conversation?: ConversationRow | undefined;
  /** The turn that it continues is the head, which nobody else may have continued meanwhile. */
  readonly expectedHead?: string | undefined;
  /** The conversation is made of a question that stood alone. */
  readonly isMade?: boolean | undefined;
}

/**
 * Finds the place of a new turn; undefined for a question that stands alone.
 * @throws AppError `not_found` (unknown and foreign alike), `invalid_request` (of another conversation),
 * `conversation_busy` (the turn before is being answered), `conversation_full`
 */
export async function placeTurn(
  reader: Reader,
  actor: Actor,
  id: string,
  { conversation: named, parent, replaces }: InvokeRequest,
): Promise<TurnPlace | undefined> {
  if (named === undefined) return undefined;
  if (named === 'new') return { conversationId: id, parentId: null, replacesId: null, turn: 1 };
  const { row, isMade } = await findOwn(reader, actor, named);
  const turnOf = async (turn: string, path: string): Promise<Invocation> => {
    const found = await findInvocation(reader, actor.orgId, turn);
    if (!found || (found.askedBy !== actor.id && found.id !== row.baseId)) throw notFound('Invocation', turn);
    const isOf = found.conversationId === row.id || (isMade && found.id === row.id) || found.id === row.baseId;
    if (!isOf) throw invalidRequest([{ path, message: `is of another conversation than ${row.id}` }]);
    return found;
  };
  const replaced = replaces === undefined ? undefined : await turnOf(replaces, '/replaces');
  if (replaced && replaced.id === row.baseId)
    throw invalidRequest([{ path: '/replaces', message: 'is of another conversation, which this one continues' }]);
  const parentId = replaced ? replaced.parentId : parent === undefined ? row.headId : parent;
  const before = parentId === null ? undefined : await findBefore(reader, actor, parentId, { row, parent, turnOf });
  if (before?.state === 'running') throw busy(before.id);
  const depth = before && before.id !== row.baseId ? (before.turn ?? 1) : 0;
  if (depth >= conversationLimits.pathTurnsMax) throw full(conversationLimits.pathTurnsMax, 'on one path');
  if (row.turns >= conversationLimits.turnsMax) throw full(conversationLimits.turnsMax, 'in all its branches');
  return {
    conversationId: row.id,
    parentId,
    replacesId: replaced?.id ?? null,
    turn: depth + 1,
    conversation: row,
    isMade,
    ...(parentId === row.headId ? { expectedHead: row.headId } : {}),
  };
}

/** The turn before, which may be one of a conversation that this one continues. */
async function findBefore(
  reader: Reader,
  actor: Actor,
  id: string,
  {
    row,
    parent,
    turnOf,
  }: {
    row: ConversationRow;
    parent: string | null | undefined;
    turnOf: (turn: string, path: string) => Promise<Invocation>;
  },
): Promise<Invocation> {
  if (typeof parent === 'string') return turnOf(parent, '/parent');
  const found = await findInvocation(reader, actor.orgId, id);
  if (!found) throw notFound('Conversation', row.id);
  return found;
}

/** An own conversation, or a question of one's own that stood alone, as the conversation that it becomes. */
async function findOwn(
  reader: Reader,
  actor: Actor,
  id: string,
): Promise<{ readonly row: ConversationRow; readonly isMade: boolean }> {
  const known = await findConversation(reader, actor.orgId, id);
  if (known?.owner === actor.id) return { row: known, isMade: false };
  const single = known ? undefined : await findInvocation(reader, actor.orgId, id);
  if (single?.askedBy !== actor.id || single.conversationId !== null) throw notFound('Conversation', id);
  return { row: newConversation(single), isMade: true };
}

/** Takes the place, in the transaction that accepts the turn, after its entity was written. @throws as `placeTurn` */
export async function claimPlace(tx: Tx, place: TurnPlace, invocation: Invocation, now: Date): Promise<void> {
  const { orgId, id, askedBy } = invocation;
  const { conversation, conversationId, expectedHead, isMade } = place;
  if (!conversation) {
    await insertConversation(tx, orgId, newConversation(invocation));
    return;
  }
  if (isMade && (await insertConversation(tx, orgId, conversation))) await adoptInvocation(tx, orgId, conversationId);
  const { turnsMax } = conversationLimits;
  const isMoved = await moveToTurn(tx, orgId, conversationId, {
    invocation: id,
    owner: askedBy,
    expectedHead,
    turnsMax,
    now,
  });
  if (isMoved) return;
  const current = await findConversation(tx, orgId, conversationId);
  if (!current) throw notFound('Conversation', conversationId);
  if (current.turns >= turnsMax) throw full(turnsMax, 'in all its branches');
  throw busy(current.headId);
}

function newConversation({ id, askedBy, prompt, agent, askedAt }: Invocation): ConversationRow {
  return {
    id,
    owner: askedBy,
    title: conversationTitle(prompt),
    titleBy: 'question',
    headId: id,
    turns: 1,
    agent,
    pinnedAt: null,
    fenceMark: newFenceMark(),
    createdAt: askedAt,
    askedAt,
    shared: null,
    baseId: null,
  };
}

export function newFenceMark(): string {
  return randomBytes(8).toString('hex');
}

/** The first line of a question, shortened. */
function conversationTitle(question: string): string {
  const { titleCharactersMax } = conversationLimits;
  const line = question.trim().split('\n', 1)[0] ?? '';
  return storable(line.length > titleCharactersMax ? `${line.slice(0, titleCharactersMax - 1)}…` : line);
}

export function busy(invocation: string): AppError {
  return new AppError(
    'conversation_busy',
    'A turn of this conversation is being answered. Wait for its end, or stop it, and ask again.',
    { details: { invocation }, retryAfterSeconds: 1 },
  );
}

function full(turns: number, where: string): AppError {
  return new AppError(
    'conversation_full',
    `The conversation has ${turns} turns ${where}, and no more are kept. Continue it in a new one, with POST …/fork.`,
  );
}
