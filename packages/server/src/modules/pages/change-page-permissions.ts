import type { PagePermissions, PagePermissionsBody } from '@portolan/contract/pages';
import { type Actor, isAdmin } from '../../platform/actor.ts';
import type { Database, Reader } from '../../platform/db/database.ts';
import { AppError, invalidRequest } from '../../platform/errors.ts';
import type { UnitOfWork, Work } from '../../platform/unit-of-work.ts';
import { type GrantChange, grantedScopes, permitGrants, teamNames, writtenTeams } from '../accounts/index.ts';
import { insertPage, lockPages, setPageRights } from './page.store.ts';
import { isBuiltIn, type PageRights, type StoredPage } from './page.ts';
import { mayChange, mergeGrant, pageGrant, pageTeamReferences, presentRights } from './page-rights.ts';
import { getPage } from './read-pages.ts';

interface OwnPagePermissions {
  readonly permissions: PagePermissions;
  /** What the caller may do with the page. */
  readonly allowed: { readonly update: boolean; readonly delete: boolean };
}

/** @throws AppError `not_found` also for a page that the caller may not see */
export async function readPagePermissions(
  { database }: { readonly database: Database },
  actor: Actor,
  identifier: string,
): Promise<OwnPagePermissions> {
  const page = await getPage(database, actor, identifier);
  const update = mayChange(actor, page);
  const permissions = await presentPermissions(database, actor, page);
  return { permissions, allowed: { update, delete: update && !isBuiltIn(page) } };
}

/** The new rights, with warnings for their author. */
export interface ChangedPermissions {
  readonly permissions: PagePermissions;
  readonly warnings: readonly string[];
}

/**
 * Replaces the given lists. Administrators only; a private page has no rights.
 * @throws AppError `not_found`, `missing_permissions`, `invalid_request`
 */
export function changePagePermissions(
  { unitOfWork }: { readonly unitOfWork: UnitOfWork },
  actor: Actor,
  identifier: string,
  body: PagePermissionsBody,
): Promise<ChangedPermissions> {
  return unitOfWork(actor, (work) => changePagePermissionsWithin(work, identifier, body));
}

/**
 * Within the caller's unit of work.
 * @throws AppError as `changePagePermissions`
 */
export async function changePagePermissionsWithin(
  work: Work,
  identifier: string,
  body: PagePermissionsBody,
): Promise<ChangedPermissions> {
  const { tx, actor } = work;
  await lockPages(tx, actor.orgId);
  const page = await getPage(tx, actor, identifier);
  if (!isAdmin(actor)) {
    throw new AppError('missing_permissions', 'Only administrators change who may see and change a page');
  }
  if (page.owner !== null) throw invalidRequest([{ path: '', message: 'a private page is yours alone' }], 'The page');
  const names = [...(body.read?.teams ?? []), ...(body.update?.teams ?? [])];
  const resolve = await writtenTeams(work, { kind: 'page-permissions', identifier }, names);
  const wanted: PageRights = {
    ...page.rights,
    ...(body.read ? { read: mergeGrant(page, 'read', body.read, resolve) } : {}),
    ...(body.update ? { update: mergeGrant(page, 'update', body.update, resolve) } : {}),
  };
  const rights = permitGrants(actor, wanted, listGrantChanges(page, wanted));
  const after = { ...page, rights };
  if (page.key === undefined) await insertPage(tx, actor.orgId, after);
  else await setPageRights(tx, actor.orgId, page.key, rights);
  const permissions = await presentPermissions(tx, actor, after);
  work.record({
    event: 'page-permissions.updated',
    action: 'UPDATE',
    resourceType: 'page',
    identifier,
    context: { page: identifier },
    before: { permissions: await presentPermissions(tx, actor, page) },
    after: { permissions },
  });
  return { permissions, warnings: resolve(names).warnings };
}

function listGrantChanges(page: StoredPage, rights: PageRights): GrantChange[] {
  const { identifier } = page;
  const change = (verb: 'read' | 'update', scopes: readonly string[]): GrantChange => ({
    before: pageGrant(page, verb),
    after: pageGrant({ rights }, verb),
    what: `${verb} the page "${identifier}"`,
    scopes,
  });
  return [change('read', grantedScopes.readPage), change('update', grantedScopes.updatePage)];
}

async function presentPermissions(reader: Reader, actor: Actor, page: StoredPage): Promise<PagePermissions> {
  return presentRights(page, await teamNames(reader, actor.orgId, actor.model, pageTeamReferences(page)));
}
