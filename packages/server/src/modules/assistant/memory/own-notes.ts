import type { Memory } from '@portolan/contract/memory';
import { memoryBounds } from '@portolan/contract/proposed-note';
import type { Actor } from '../../../platform/actor.ts';
import { AppError, invalidRequest, notFound } from '../../../platform/errors.ts';
import { newId } from '../../../platform/ids.ts';
import type { AssistantDeps } from '../assistant.deps.ts';
import { findInvocation } from '../invocation.store.ts';
import {
  deleteNotes,
  insertNote,
  listNotes,
  lockMemory,
  type MemoryState,
  type Note,
  putOwnState,
  readMemoryState,
  updateNoteRow,
} from './memory.store.ts';

/*
 * Nothing of a note goes into the audit log, which administrators read.
 */

/** A person's notes, and whether they are used. A program has none. */
export async function listOwnNotes(
  { database }: AssistantDeps,
  actor: Actor,
): Promise<MemoryState & { memories: Memory[] }> {
  const person = actor.kind === 'person' ? actor.id : undefined;
  const state = await readMemoryState(database, actor.orgId, person);
  const notes = person === undefined ? [] : await listNotes(database, actor.orgId, person);
  return { ...state, memories: notes.map(presentNote) };
}

/**
 * Writes a note down. One that says the same is answered instead.
 * @throws AppError `missing_permissions`, `memory_off`, `limit_reached`, `invalid_request`
 */
export async function createNote(
  deps: AssistantDeps,
  actor: Actor,
  { content, invocation = null }: { readonly content: string; readonly invocation?: string | undefined | null },
): Promise<Memory> {
  const person = assertOwner(actor);
  const { orgId } = actor;
  if (invocation !== null) await assertSaid(deps, actor, content, invocation);
  return deps.unitOfWork(actor, async ({ tx, now }) => {
    if (!(await lockMemory(tx, orgId, person))) throw memoryOff(await readMemoryState(tx, orgId, person));
    const notes = await listNotes(tx, orgId, person);
    const same = notes.find((note) => note.content === content);
    if (same) return presentNote(same);
    if (notes.length >= memoryBounds.notesMax) {
      throw new AppError('limit_reached', `There may be ${memoryBounds.notesMax} notes; delete one that is not needed`);
    }
    const note: Note = { id: newId('note_'), content, invocation, createdAt: now, updatedAt: now };
    await insertNote(tx, orgId, person, note);
    return presentNote(note);
  });
}

/** @throws AppError `missing_permissions`, `not_found` */
export async function updateNote(deps: AssistantDeps, actor: Actor, id: string, content: string): Promise<Memory> {
  const person = findOwner(actor, id);
  const note = await deps.unitOfWork(actor, ({ tx, now }) =>
    updateNoteRow(tx, actor.orgId, person, { id, content, at: now }),
  );
  if (!note) throw notFound('Note', id, 'id');
  return presentNote(note);
}

/** @throws AppError `missing_permissions`, `not_found` */
export async function deleteNote(deps: AssistantDeps, actor: Actor, id: string): Promise<void> {
  const person = findOwner(actor, id);
  const deleted = await deps.unitOfWork(actor, ({ tx }) => deleteNotes(tx, actor.orgId, person, [id]));
  if (deleted === 0) throw notFound('Note', id, 'id');
}

/** Deletes these notes, or all. @throws AppError `missing_permissions` */
export async function deleteOwnNotes(deps: AssistantDeps, actor: Actor, ids: readonly string[] | undefined) {
  const person = assertOwner(actor);
  await deps.unitOfWork(actor, ({ tx }) => deleteNotes(tx, actor.orgId, person, ids));
}

/** Turns a person's notes on, or pauses them. @throws AppError `missing_permissions`, `memory_off` */
export function setOwnState(deps: AssistantDeps, actor: Actor, isOn: boolean): Promise<MemoryState> {
  const person = assertOwner(actor);
  return deps.unitOfWork(actor, async ({ tx, now }) => {
    const { memoryEnabled } = await readMemoryState(tx, actor.orgId, person);
    if (isOn && !memoryEnabled) throw memoryOff({ memoryEnabled, isOn: false });
    await putOwnState(tx, actor.orgId, person, isOn, now);
    return { memoryEnabled, isOn };
  });
}

/** Notes come from people alone: what a tool, an agent or an automation could write, text of others could make it write. */
function assertOwner({ kind, id, origin }: Actor): string {
  if (kind === 'person' && origin !== 'AI' && origin !== 'MCP' && origin !== 'AUTOMATION') return id;
  throw new AppError('missing_permissions', 'Only people have notes, and write them in the portal or over the API');
}

/** Programs have no notes, so none is found. @throws AppError `not_found`, `missing_permissions` */
function findOwner(actor: Actor, note: string): string {
  if (actor.kind === 'machine') throw notFound('Note', note, 'id');
  return assertOwner(actor);
}

/** Whether the question of an own invocation says it, letter by letter. */
async function assertSaid({ database }: AssistantDeps, actor: Actor, content: string, id: string): Promise<void> {
  const found = await findInvocation(database, actor.orgId, id);
  const isOwn = found?.askedBy === actor.id;
  if (isOwn && found.prompt.replace(/\s+/g, ' ').includes(content)) return;
  const message = isOwn ? 'has a question that does not say this' : 'is no invocation of yours';
  throw invalidRequest([{ path: '/invocation', message }], 'The note');
}

function memoryOff({ memoryEnabled }: MemoryState): AppError {
  return new AppError(
    'memory_off',
    memoryEnabled
      ? 'Your notes are paused; turn them on first'
      : 'Notes for the assistant are off in this organization; an administrator can allow them',
  );
}

function presentNote({ id, content, invocation, createdAt, updatedAt }: Note): Memory {
  return { id, content, invocation, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}
