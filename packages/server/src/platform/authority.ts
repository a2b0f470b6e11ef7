import { narrowScopes, scopesCover } from '@portolan/contract/scopes';
import type { Actor } from './actor.ts';

/**
 * The most somebody may do: the rights of their roles and teams within the scopes of their credential. What acts later
 * in their name (an action, an automation, a webhook) keeps the authority it was saved with.
 */
export interface Authority {
  /** `Admin`, `Member`, and `<blueprint>-moderator` for each moderated blueprint; empty for nobody's rights. */
  readonly roles: readonly string[];
  readonly teamKeys: readonly string[];
  /** Absent without restriction. */
  readonly scopes?: readonly string[];
}

export function actorAuthority({ roles, teamKeys, scopes }: Actor): Authority {
  return { roles, teamKeys, ...(scopes === undefined ? {} : { scopes }) };
}

/** Roles and teams alone, without the scopes of the credential. */
export function unscopedAuthority({ roles, teamKeys }: Actor): Authority {
  return { roles, teamKeys };
}

/** An unrestricted administrator's. */
export const fullAuthority: Authority = { roles: ['Admin'], teamKeys: [] };

/** The same actor, limited to this authority. */
export function limitTo(actor: Actor, authority: Authority): Actor {
  const { scopes: _scopes, ...rest } = actor;
  return { ...rest, ...commonAuthority(actorAuthority(actor), authority) };
}

/** The intersection of two authorities. */
export function commonAuthority(one: Authority, other: Authority): Authority {
  const scopes = narrowScopes(one.scopes, other.scopes);
  return {
    roles: intersect(one, other, impliedRoles, hasRole),
    teamKeys: intersect(one, other, ({ teamKeys }) => teamKeys, hasTeam),
    ...(scopes === undefined ? {} : { scopes }),
  };
}

/** Whether the holder may do everything that the other authority allows. */
export function coversAuthority(holder: Authority, other: Authority): boolean {
  return (
    other.roles.every((role) => hasRole(holder, role)) &&
    other.teamKeys.every((team) => hasTeam(holder, team)) &&
    coversScopes(holder.scopes, other.scopes)
  );
}

function coversScopes(held: readonly string[] | undefined, other: readonly string[] | undefined): boolean {
  if (held === undefined) return true;
  return other?.every((scope) => scopesCover(held, scope)) ?? held.includes('*');
}

/** An administrator has every role; a moderator has a member's. */
function hasRole({ roles }: Authority, role: string): boolean {
  if (roles.includes('Admin') || roles.includes(role)) return true;
  if (role === 'Member') return roles.some(isModerator);
  return isModerator(role) && roles.some((own) => own.toLowerCase() === role.toLowerCase());
}

/** Adds `Member` where a moderator's role implies it, so that moderators of two blueprints have it in common. */
function impliedRoles({ roles }: Authority): readonly string[] {
  return roles.some(isModerator) && !roles.includes('Member') ? [...roles, 'Member'] : roles;
}

function isModerator(role: string): boolean {
  return role.toLowerCase().endsWith('-moderator');
}

/** An administrator may do what any team may. */
function hasTeam({ roles, teamKeys }: Authority, team: string): boolean {
  return roles.includes('Admin') || teamKeys.includes(team);
}

function intersect(
  one: Authority,
  other: Authority,
  partOf: (authority: Authority) => readonly string[],
  has: (authority: Authority, part: string) => boolean,
): string[] {
  const parts = [...partOf(one).filter((each) => has(other, each)), ...partOf(other).filter((each) => has(one, each))];
  return [...new Set(parts)];
}
