import type { PageGrantBody, PagePermissions } from '@portolan/contract/pages';
import { type Actor, isAdmin } from '../../platform/actor.ts';
import { AppError } from '../../platform/errors.ts';
import type { ResolveTeams } from '../accounts/index.ts';
import { type Grant, isNamedIn, mergeLists, presentLists } from '../rights/index.ts';
import type { PageRights, StoredPage } from './page.ts';

/** All members see a page, administrators change it (api contract §3.7.3). */
const defaults = { read: { roles: ['Admin', 'Member'] }, update: { roles: ['Admin'] } } as const satisfies PageRights;

/** Stored grant, or the default. */
export function pageGrant({ rights }: Pick<StoredPage, 'rights'>, verb: 'read' | 'update'): Grant {
  return rights?.[verb] ?? defaults[verb];
}

/** A private page is visible to its author only. Who may change a page may see it. */
export function maySee(actor: Actor, page: StoredPage): boolean {
  if (page.owner !== null) return page.owner === actor.id;
  if (isAdmin(actor)) return true;
  return isNamedIn(actor, pageGrant(page, 'read')) || isNamedIn(actor, pageGrant(page, 'update'));
}

/** Locked pages are changed by administrators only. */
export function mayChange(actor: Actor, page: StoredPage): boolean {
  if (page.owner !== null) return page.owner === actor.id;
  if (isAdmin(actor)) return true;
  return page.definition.locked !== true && isNamedIn(actor, pageGrant(page, 'update'));
}

/** @throws AppError `missing_permissions`; the actor may see the page */
export function assertMayChange(actor: Actor, page: StoredPage): void {
  if (mayChange(actor, page)) return;
  const why = page.definition.locked
    ? 'is locked, and only administrators change locked pages'
    : 'is not yours to change';
  throw new AppError('missing_permissions', `The page "${page.identifier}" ${why}`);
}

/** Each given list replaces the stored one. */
export function mergeGrant(
  page: StoredPage,
  verb: 'read' | 'update',
  change: PageGrantBody,
  resolve: ResolveTeams,
): Grant {
  return mergeLists(pageGrant(page, verb), change, resolve);
}

/** Effective rights, teams by name. */
export function presentRights(page: StoredPage, teamNames: ReadonlyMap<string, string>): PagePermissions {
  const show = (verb: 'read' | 'update') => presentLists(pageGrant(page, verb), teamNames);
  return { read: show('read'), update: show('update') };
}

export function pageTeamReferences(page: StoredPage): string[] {
  return [...(page.rights?.read?.teams ?? []), ...(page.rights?.update?.teams ?? [])];
}
