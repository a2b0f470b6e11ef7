import type { Conversation, SharedWith } from '@portolan/contract/conversations';
import type { Actor } from '../../../platform/actor.ts';
import { invalidRequest, notFound } from '../../../platform/errors.ts';
import { newUuid } from '../../../platform/ids.ts';
import type { Work } from '../../../platform/unit-of-work.ts';
import { findTeamsByIdentifier } from '../../accounts/index.ts';
import type { AssistantDeps } from '../assistant.deps.ts';
import { findInvocation } from '../invocation.store.ts';
import { removeContents } from '../remove-content.ts';
import {
  type ConversationRow,
  deleteConversationRow,
  findRunningTurn,
  insertConversation,
  listTurnIds,
  lockConversation,
  type SharedUntil,
  updateConversation,
} from './conversation.store.ts';
import { busy, newFenceMark } from './place-turn.ts';
import { assertOwner, presentConversation, readConversation, readTurns } from './read-conversation.ts';

type ChangeDeps = Pick<AssistantDeps, 'database' | 'unitOfWork' | 'catalog' | 'clock'>;

/** Changes an own conversation under its lock. @throws AppError `not_found` */
async function change(
  deps: ChangeDeps,
  actor: Actor,
  id: string,
  make: (row: ConversationRow, work: Work) => Promise<ConversationRow> | ConversationRow,
): Promise<{ conversation: Conversation }> {
  await deps.unitOfWork(actor, async (work) => {
    const row = await lockConversation(work.tx, actor.orgId, id);
    assertOwner(row, actor, id);
    await updateConversation(work.tx, actor.orgId, id, await make(row, work));
  });
  const changed = await readConversation(deps, actor, id);
  return { conversation: await presentConversation(deps, changed, actor) };
}

export function renameConversation(deps: ChangeDeps, actor: Actor, id: string, title: string) {
  return change(deps, actor, id, (row) => ({ ...row, title, titleBy: 'person' }));
}

export function pinConversation(deps: ChangeDeps, actor: Actor, id: string, isPinned: boolean) {
  return change(deps, actor, id, (row, { now }) => ({ ...row, pinnedAt: isPinned ? (row.pinnedAt ?? now) : null }));
}

/** @throws AppError `not_found`, `invalid_request` (a turn of another conversation) */
export function moveHead(deps: ChangeDeps, actor: Actor, id: string, head: string) {
  return change(deps, actor, id, async (row, { tx }) => {
    await assertTurn(tx, actor, row, head, '/head');
    return { ...row, headId: head };
  });
}

async function assertTurn(
  reader: Parameters<typeof findInvocation>[0],
  actor: Actor,
  row: ConversationRow,
  turn: string,
  path: string,
): Promise<void> {
  const found = await findInvocation(reader, actor.orgId, turn);
  if (!found || (found.askedBy !== actor.id && found.id !== row.baseId)) throw notFound('Invocation', turn);
  if (found.conversationId !== row.id && found.id !== row.baseId)
    throw invalidRequest([{ path, message: `is of another conversation than ${row.id}` }]);
}

/**
 * Deletes the conversation and the contents of its turns; who asked when, and the figures, stay as those of other
 * invocations do.
 * @throws AppError `not_found`, `conversation_busy`
 */
export async function deleteConversation(deps: ChangeDeps, actor: Actor, id: string): Promise<void> {
  const { orgId } = actor;
  await deps.unitOfWork(actor, async (work) => {
    const { tx, now } = work;
    const row = await lockConversation(tx, orgId, id);
    assertOwner(row, actor, id);
    const running = await findRunningTurn(tx, orgId, id);
    if (running !== undefined) throw busy(running);
    const turns = await listTurnIds(tx, orgId, id);
    await removeContents(tx, orgId, turns, { marker: '(deleted with its conversation)', now });
    await deleteConversationRow(tx, orgId, id);
    if (row.shared) recordShare(work, row, row.shared, null);
  });
}

/**
 * Shares an own conversation up to a turn, its head unless another is named, or no longer.
 * @throws AppError `not_found`, `invalid_request` (no such team)
 */
export function shareConversation(deps: ChangeDeps, actor: Actor, id: string, wanted: SharedWith) {
  return change(deps, actor, id, async (row, work) => {
    const shared = await toShared(work, actor, row, wanted);
    recordShare(work, row, row.shared, shared);
    return { ...row, shared };
  });
}

async function toShared(
  { tx }: Work,
  actor: Actor,
  row: ConversationRow,
  wanted: SharedWith,
): Promise<SharedUntil | null> {
  if (wanted.with === 'private') return null;
  const until = wanted.until ?? row.headId;
  await assertTurn(tx, actor, row, until, '/until');
  if (wanted.with === 'organization') return { with: 'organization', until };
  const teams = await findTeamsByIdentifier(tx, actor.orgId, wanted.teams);
  const known = new Set(teams.map(({ identifier }) => identifier));
  const issues = wanted.teams.flatMap((name, at) =>
    known.has(name) ? [] : [{ path: `/teams/${at}`, message: 'is not a team' }],
  );
  if (issues.length > 0) throw invalidRequest(issues);
  if (wanted.users.length + teams.length === 0)
    throw invalidRequest([{ path: '/users', message: 'names nobody, and teams neither' }]);
  return { with: 'some', users: wanted.users, teams: teams.map(({ key }) => key), until };
}

function recordShare(work: Work, row: ConversationRow, before: SharedUntil | null, after: SharedUntil | null): void {
  work.record({
    event: after ? 'conversation.shared' : 'conversation.unshared',
    action: 'UPDATE',
    resourceType: 'conversation',
    identifier: row.id,
    context: {},
    before: { shared: before },
    after: { shared: after },
  });
}

/**
 * Begins an own conversation that continues after a turn of one that the caller may read. Nothing is copied: what of the
 * turns before is seen, and told to a model, is what the caller may read then.
 * @throws AppError `not_found`
 */
export async function forkConversation(deps: ChangeDeps, actor: Actor, id: string, at: string | undefined) {
  const source = await readConversation(deps, actor, id);
  const turns = await readTurns(deps, actor, source, at);
  const base = turns.at(-1);
  if (!base) throw notFound('Conversation', id);
  const made: ConversationRow = {
    id: newUuid(),
    owner: actor.id,
    title: source.title,
    titleBy: source.titleBy,
    headId: base.row.id,
    turns: 0,
    agent: source.agent,
    pinnedAt: null,
    fenceMark: newFenceMark(),
    createdAt: deps.clock.now(),
    askedAt: deps.clock.now(),
    shared: null,
    baseId: base.row.id,
  };
  await deps.unitOfWork(actor, ({ tx }) => insertConversation(tx, actor.orgId, made));
  return { conversation: await presentConversation(deps, await readConversation(deps, actor, made.id), actor) };
}
