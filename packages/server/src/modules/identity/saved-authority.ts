import { type Actor, systemActor } from '../../platform/actor.ts';
import { type Authority, authorityOf, commonAuthority, coversAuthority } from '../../platform/authority.ts';
import type { Reader } from '../../platform/db/database.ts';
import type { Work } from '../../platform/unit-of-work.ts';
import { findActor } from './find-actor.ts';

/** The authority of whoever saved something that acts later, kept beside it. */
export interface SavedAuthority extends Authority {
  /** Whose it was; without them it is nobody's. */
  readonly by: { readonly kind: Actor['kind']; readonly id: string };
}

/** What the actor may do, to be kept with what they save. What a run saves keeps the authority of the run. */
export function saveAuthority(actor: Actor): SavedAuthority {
  const { kind, id } = actor.standsBehind ?? actor;
  return { by: { kind, id }, ...authorityOf(actor) };
}

/**
 * What is left of a saved authority: as much of it as its editor has today. Undefined once the editor is gone or
 * disabled. That a token was used up since takes nothing away: whoever it belonged to still stands behind what they saved.
 */
export async function authorityToday(
  reader: Reader,
  orgId: string,
  saved: SavedAuthority,
): Promise<SavedAuthority | undefined> {
  // what came with an import or the demo is the organization's
  if (saved.by.kind === 'system') return saved;
  const editor = await findActor(reader, orgId, saved.by);
  return editor && { by: saved.by, ...commonAuthority(saved, authorityOf(editor)) };
}

/** Something that people save and that acts later. */
interface Saved {
  /** Null for what was saved before it was kept. */
  readonly authority: SavedAuthority | null;
  readonly updatedBy: string;
}

/** The authority that something was saved with; for what was saved before it was kept, that of its last editor today. */
export async function savedAuthorityOf(
  reader: Reader,
  orgId: string,
  { authority, updatedBy }: Saved,
): Promise<SavedAuthority | undefined> {
  if (authority) return authority;
  const organization = systemActor(orgId);
  if (updatedBy === organization.id) return saveAuthority(organization);
  const editor =
    (await findActor(reader, orgId, { kind: 'person', id: updatedBy })) ??
    (await findActor(reader, orgId, { kind: 'machine', id: updatedBy }));
  return editor && saveAuthority(editor);
}

/** What is left today of what something was saved with. Undefined once nobody stands behind it. */
export async function authorityLeft(reader: Reader, orgId: string, thing: Saved): Promise<SavedAuthority | undefined> {
  const saved = await savedAuthorityOf(reader, orgId, thing);
  return saved && authorityToday(reader, orgId, saved);
}

/** What something may do after the caller saved it, and whether that is more than is left to it now. */
export async function authorityWhenSaved(
  { tx, actor }: Work,
  before: Saved,
): Promise<{ readonly authority: SavedAuthority | null; readonly isMore: boolean }> {
  const authority = saveAuthority(actor);
  const left = await authorityLeft(tx, actor.orgId, before);
  return { authority, isMore: left === undefined || !coversAuthority(left, authority) };
}

/** The same where the platform rewrites something for people, and lends it nothing. */
export async function authorityWhenRewritten(
  { tx, actor }: Work,
  before: Saved,
): ReturnType<typeof authorityWhenSaved> {
  return { authority: (await savedAuthorityOf(tx, actor.orgId, before)) ?? null, isMore: false };
}

/** Tells whoever saves with a restricted token that what they save gets no further than the token. */
export function warnOfAuthority({ authority }: Pick<Saved, 'authority'>): string[] {
  if (authority?.scopes === undefined) return [];
  const scopes = authority.scopes.join(', ') || 'nothing';
  return [
    `The token is restricted, and what was saved with it does no more in this organization: ${scopes}. Save it with a token that may do more if it needs more`,
  ];
}

/** How somebody who acts later shows: whose name is written, and where it came from. */
export type LaterActor = Pick<Actor, 'orgId' | 'model' | 'id' | 'datasource' | 'origin'> &
  Partial<Pick<Actor, 'runId' | 'webhook' | 'depth'>>;

/** What acts later, with this authority and no more, under the rules that bind people and machines. */
export function actWith({ by, ...authority }: SavedAuthority, as: LaterActor): Actor {
  return { ...as, kind: 'machine', ...authority, standsBehind: by };
}
