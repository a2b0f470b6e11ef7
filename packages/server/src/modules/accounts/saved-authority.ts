import { type Actor, systemActor } from '../../platform/actor.ts';
import { type Authority, actorAuthority, commonAuthority, coversAuthority } from '../../platform/authority.ts';
import type { Reader } from '../../platform/db/database.ts';
import type { Work } from '../../platform/unit-of-work.ts';
import { findActor } from './find-actor.ts';

/** The authority stored with something that acts later. */
export interface SavedAuthority extends Authority {
  /** Whose authority it is. */
  readonly by: { readonly kind: Actor['kind']; readonly id: string };
}

/** The actor's authority, to store with what they save. What a run saves keeps the authority of the run. */
export function saveAuthority(actor: Actor): SavedAuthority {
  const { kind, id } = actor.standsBehind ?? actor;
  return { by: { kind, id }, ...actorAuthority(actor) };
}

/**
 * The saved authority limited to what its author may do today; undefined if deleted or disabled. An expired token
 * removes nothing: its owner still stands behind what they saved.
 */
export async function authorityToday(
  reader: Reader,
  orgId: string,
  saved: SavedAuthority,
): Promise<SavedAuthority | undefined> {
  // what an import or the demo saved is the organization's
  if (saved.by.kind === 'system') return saved;
  const editor = await findActor(reader, orgId, saved.by);
  return editor && { by: saved.by, ...commonAuthority(saved, actorAuthority(editor)) };
}

/** Something saved that acts later. */
interface SavedWith {
  /** Null if saved before authorities were stored. */
  readonly authority: SavedAuthority | null;
  readonly updatedBy: string;
}

/** The stored authority; for older things their last editor's authority of today. */
export async function findSavedAuthority(
  reader: Reader,
  orgId: string,
  { authority, updatedBy }: SavedWith,
): Promise<SavedAuthority | undefined> {
  if (authority) return authority;
  const organization = systemActor(orgId);
  if (updatedBy === organization.id) return saveAuthority(organization);
  const editor =
    (await findActor(reader, orgId, { kind: 'person', id: updatedBy })) ??
    (await findActor(reader, orgId, { kind: 'machine', id: updatedBy }));
  return editor && saveAuthority(editor);
}

/** The part of the saved authority that is left today; undefined if nobody stands behind it. */
export async function authorityLeft(
  reader: Reader,
  orgId: string,
  thing: SavedWith,
): Promise<SavedAuthority | undefined> {
  const saved = await findSavedAuthority(reader, orgId, thing);
  return saved && authorityToday(reader, orgId, saved);
}

/** The authority after the caller saves, and whether it is more than what is left now. */
export async function authorityWhenSaved(
  { tx, actor }: Work,
  before: SavedWith,
): Promise<{ readonly authority: SavedAuthority | null; readonly isMore: boolean }> {
  const authority = saveAuthority(actor);
  const left = await authorityLeft(tx, actor.orgId, before);
  return { authority, isMore: left === undefined || !coversAuthority(left, authority) };
}

/** The same for rewrites by the platform, which lend no authority. */
export async function authorityWhenRewritten(
  { tx, actor }: Work,
  before: SavedWith,
): ReturnType<typeof authorityWhenSaved> {
  return { authority: (await findSavedAuthority(tx, actor.orgId, before)) ?? null, isMore: false };
}

/** Warns authors with a restricted token that what they save is limited to it. */
export function warnOfAuthority({ authority }: Pick<SavedWith, 'authority'>): string[] {
  if (authority?.scopes === undefined) return [];
  const scopes = authority.scopes.join(', ') || 'nothing';
  return [
    `The token is restricted, and what was saved with it does no more in this organization: ${scopes}. Save it with a token that may do more if it needs more`,
  ];
}

/** How something that acts later appears: as whom, and from where. */
export type LaterActor = Pick<Actor, 'orgId' | 'model' | 'id' | 'datasource' | 'origin'> &
  Partial<Pick<Actor, 'runId' | 'webhook' | 'depth'>>;

/** An actor with exactly this authority, under the rules for people and machines. */
export function actWith({ by, ...authority }: SavedAuthority, as: LaterActor): Actor {
  return { ...as, kind: 'machine', ...authority, standsBehind: by };
}
