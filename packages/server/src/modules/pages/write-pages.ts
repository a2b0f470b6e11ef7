import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { PageBody, Widget } from '@portolan/contract/pages';
import { type Actor, isAdmin } from '../../platform/actor.ts';
import { AppError, invalidRequest, notFound } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { assertReadVersion, momentOfChange } from '../../platform/read-version.ts';
import type { UnitOfWork, Work } from '../../platform/unit-of-work.ts';
import { findBlueprint } from '../blueprints/index.ts';
import { can } from '../rights/index.ts';
import { automaticPage } from './automatic-pages.ts';
import { appendWidget, mapWidget } from './change-widgets.ts';
import { checkWidgets, warnOfWidgets } from './check-widgets.ts';
import { listFolderRows } from './folder.store.ts';
import { deletePageRow, findPageRow, insertPage, lockPages, updatePageRow } from './page.store.ts';
import { isBuiltIn, type PageDefinition, presentPage, type StoredPage } from './page.ts';
import { assertMayChange } from './page-rights.ts';
import { getPage } from './read-pages.ts';

export interface WritePageDeps {
  readonly unitOfWork: UnitOfWork;
}

/** The page, with warnings for its author. */
export interface WrittenPage {
  readonly page: StoredPage;
  readonly warnings: readonly string[];
}

/**
 * Shared pages need an administrator; private ones belong to their author, who is part of the identifier.
 * @throws AppError `missing_permissions`, `not_found` (the blueprint), `identifier_taken`
 */
export function createPage({ unitOfWork }: WritePageDeps, actor: Actor, body: PageBody): Promise<WrittenPage> {
  return unitOfWork(actor, (work) => createPageWithin(work, body));
}

/**
 * Within the caller's unit of work.
 * @throws AppError as `createPage`
 */
export async function createPageWithin(work: Work, body: PageBody): Promise<WrittenPage> {
  const { actor } = work;
  const isPrivate = body.visibility === 'private';
  if (!isPrivate && !isAdmin(actor)) {
    throw new AppError(
      'missing_permissions',
      'Only administrators create pages of the organization; yours can be private',
    );
  }
  const issues = [
    ...(isBuiltIn(body)
      ? [{ path: '/type', message: `a page of type "${body.type}" exists without being made; replace it with PUT` }]
      : []),
    ...(isPrivate ? placeIssues(body) : []),
  ];
  if (issues.length > 0) throw invalidRequest(issues, 'The page');
  await lockPages(work.tx, actor.orgId);
  const named = body.identifier ?? newId('page_');
  const identifier = isPrivate ? `${named}_${shortHash(actor.id)}` : named;
  await assertFree(work, identifier);
  const checked = await check(work, body);
  const page = {
    identifier,
    type: body.type,
    ...checked.stored,
    owner: isPrivate ? actor.id : null,
    rights: null,
    ...stamps(work, undefined),
  };
  await insertPage(work.tx, actor.orgId, page);
  record(work, undefined, page);
  return { page, warnings: checked.warnings };
}

/**
 * Another identifier renames the page; the home page and entity pages keep type and name. With an expected version,
 * refuses a page changed since.
 * @throws AppError as `createPage`, `managed_field` and `stale_version`
 */
export function replacePage(
  { unitOfWork }: WritePageDeps,
  actor: Actor,
  identifier: string,
  body: PageBody,
  expectedVersion?: string,
): Promise<WrittenPage> {
  return unitOfWork(actor, (work) => replacePageWithin(work, identifier, body, expectedVersion));
}

/**
 * Within the caller's unit of work.
 * @throws AppError as `replacePage`
 */
export async function replacePageWithin(
  work: Work,
  identifier: string,
  body: PageBody,
  expectedVersion?: string,
): Promise<WrittenPage> {
  const before = await lockedPage(work, identifier);
  assertReadVersion('page', before, expectedVersion);
  assertSameKind(before, body);
  if (before.owner !== null && placeIssues(body).length > 0) throw invalidRequest(placeIssues(body), 'The page');
  const renamed = body.identifier ?? before.identifier;
  if (renamed !== before.identifier) await assertFree(work, renamed);
  const checked = await check(work, { ...body, blueprint: body.blueprint ?? before.blueprint ?? undefined });
  const after: StoredPage = {
    ...before,
    identifier: renamed,
    type: body.type,
    ...checked.stored,
    ...stamps(work, before),
  };
  return { page: await store(work, before, after), warnings: checked.warnings };
}

/** @throws AppError `not_found`, `missing_permissions`, `managed_field` for the home page and pages of entities */
export function deletePage({ unitOfWork }: WritePageDeps, actor: Actor, identifier: string): Promise<void> {
  return unitOfWork(actor, (work) => deletePageWithin(work, identifier));
}

/** Within the caller's unit of work. @throws AppError as `deletePage` */
export async function deletePageWithin(work: Work, identifier: string): Promise<void> {
  const page = await lockedPage(work, identifier);
  if (isBuiltIn(page)) {
    throw new AppError('managed_field', `The page "${identifier}" is built in: it can be changed, not deleted`);
  }
  if (page.key !== undefined) await deletePageRow(work.tx, work.actor.orgId, page.key);
  record(work, page, undefined);
}

/**
 * Returns the widget's id.
 * @throws AppError `not_found`, `missing_permissions`, `identifier_taken`
 */
export async function addWidget(deps: WritePageDeps, actor: Actor, page: string, widget: Widget): Promise<string> {
  const id = widget.id ?? newId('widget_');
  await changeWidgets(deps, actor, page, (widgets) => {
    if (mapWidget(widgets, id, () => undefined) !== widgets) {
      throw new AppError('identifier_taken', `The page "${page}" has a widget "${id}"; the identifier is taken`);
    }
    return appendWidget(widgets, { ...widget, id });
  });
  return id;
}

/**
 * Replaces the given keys; null removes one.
 * @throws AppError `not_found`, `missing_permissions`
 */
export async function patchWidget(
  deps: WritePageDeps,
  actor: Actor,
  page: string,
  id: string,
  patch: Readonly<Record<string, unknown>>,
): Promise<string> {
  await changeWidgets(deps, actor, page, (widgets) =>
    found(
      id,
      widgets,
      mapWidget(widgets, id, (widget) => {
        const merged = Object.entries({ ...widget, ...patch, id }).filter(([, value]) => value !== null);
        return Object.fromEntries(merged) as Widget;
      }),
    ),
  );
  return id;
}

/** @throws AppError `not_found`, `missing_permissions` */
export async function removeWidget(deps: WritePageDeps, actor: Actor, page: string, id: string): Promise<void> {
  await changeWidgets(deps, actor, page, (widgets) =>
    found(
      id,
      widgets,
      mapWidget(widgets, id, () => undefined),
    ),
  );
}

function found(id: string, before: readonly Widget[], after: readonly Widget[]): readonly Widget[] {
  if (before === after) throw notFound('Widget', id, 'id');
  return after;
}

function changeWidgets(
  { unitOfWork }: WritePageDeps,
  actor: Actor,
  identifier: string,
  change: (widgets: readonly Widget[]) => readonly Widget[],
): Promise<StoredPage> {
  return unitOfWork(actor, (work) =>
    editPageWithin(work, identifier, (page) => ({ ...page, widgets: [...change(page.widgets ?? [])] })),
  );
}

/**
 * Within the caller's unit of work; `edit` gets the current definition.
 * @throws AppError `not_found`, `missing_permissions`, `invalid_request`
 */
export async function editPageWithin(
  work: Work,
  identifier: string,
  edit: (definition: PageDefinition) => PageDefinition,
): Promise<StoredPage> {
  const before = await lockedPage(work, identifier);
  const definition = edit(before.definition);
  const issues = checkWidgets(definition.widgets ?? []);
  if (issues.length > 0) throw invalidRequest(issues, 'The page');
  return store(work, before, { ...before, definition, ...stamps(work, before) });
}

async function lockedPage(work: Work, identifier: string): Promise<StoredPage> {
  const { tx, actor } = work;
  await lockPages(tx, actor.orgId);
  const page = await getPage(tx, actor, identifier);
  assertMayChange(actor, page);
  return page;
}

/** An unchanged replacement is not recorded. */
async function store(work: Work, before: StoredPage, after: StoredPage): Promise<StoredPage> {
  const { tx, actor } = work;
  const isSame =
    before.identifier === after.identifier &&
    before.type === after.type &&
    before.blueprintKey === after.blueprintKey &&
    isDeepStrictEqual(before.definition, after.definition);
  if (isSame) return before;
  if (before.key === undefined) await insertPage(tx, actor.orgId, { ...after, rights: null });
  else await updatePageRow(tx, actor.orgId, before.key, after);
  record(work, before, after);
  return after;
}

function assertSameKind(before: StoredPage, body: PageBody): void {
  const issues = [
    ...(isBuiltIn(before) !== isBuiltIn(body) || (isBuiltIn(before) && before.type !== body.type)
      ? [{ path: '/type', message: `cannot change from "${before.type}" to "${body.type}"` }]
      : []),
    ...(isBuiltIn(before) && body.identifier !== undefined && body.identifier !== before.identifier
      ? [{ path: '/identifier', message: 'cannot be changed' }]
      : []),
    ...(before.type === 'entity' && body.blueprint !== undefined && body.blueprint !== before.blueprint
      ? [{ path: '/blueprint', message: 'cannot be changed' }]
      : []),
  ];
  if (issues.length > 0) {
    throw new AppError('managed_field', `The page "${before.identifier}" is built in`, { details: issues });
  }
}

/** Throws all issues at once; returns warnings. */
async function check(work: Work, body: PageBody) {
  const { tx, actor } = work;
  const { identifier: _named, type, blueprint: blueprintName, visibility: _who, ...written } = body;
  const blueprint = blueprintName === undefined ? undefined : await findBlueprint(tx, actor.orgId, blueprintName);
  if (blueprintName !== undefined && (!blueprint || !can(actor, 'read', blueprint))) {
    throw notFound('Blueprint', blueprintName);
  }
  const folders = new Set((await listFolderRows(tx, actor.orgId)).map((folder) => folder.identifier));
  const issues = [
    ...(type === 'blueprint-entities' && !blueprint
      ? [{ path: '/blueprint', message: 'is required for a page of a blueprint' }]
      : []),
    ...(body.parent !== undefined && !folders.has(body.parent)
      ? [{ path: '/parent', message: `"${body.parent}" is no folder of the side bar` }]
      : []),
    ...checkWidgets(body.widgets ?? []),
  ];
  if (issues.length > 0) throw invalidRequest(issues, 'The page');
  const definition = Object.fromEntries(
    Object.entries(written).filter(([, value]) => value !== undefined),
  ) as PageDefinition;
  return {
    stored: { definition, blueprintKey: blueprint?.key ?? null, blueprint: blueprint?.identifier ?? null },
    warnings: warnOfWidgets(body.widgets ?? []),
  };
}

/** Private pages are not in the organization's side bar. */
function placeIssues(body: PageBody) {
  return (['parent', 'after'] as const)
    .filter((key) => body[key] !== undefined)
    .map((key) => ({ path: `/${key}`, message: 'a private page has no place in the side bar' }));
}

async function assertFree(work: Work, identifier: string): Promise<void> {
  const { tx, actor } = work;
  const other = (await findPageRow(tx, actor.orgId, identifier)) ?? (await automaticPage(tx, actor.orgId, identifier));
  if (!other) return;
  throw new AppError('identifier_taken', `A page with identifier "${identifier}" exists; the identifier is taken`);
}

function stamps({ actor, now }: Work, before: StoredPage | undefined) {
  return {
    createdAt: before?.createdAt ?? now,
    createdBy: before?.createdBy ?? actor.id,
    updatedAt: before ? momentOfChange(before, now) : now,
    updatedBy: actor.id,
  };
}

/** Distinguishes private pages of the same name by author. */
function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}

function record(work: Work, before: StoredPage | undefined, after: StoredPage | undefined): void {
  const action = before ? (after ? 'UPDATE' : 'DELETE') : 'CREATE';
  work.record({
    event: { CREATE: 'page.created', UPDATE: 'page.updated', DELETE: 'page.deleted' }[action],
    action,
    resourceType: 'page',
    identifier: (after ?? before)?.identifier ?? '',
    context: { page: (after ?? before)?.identifier ?? '' },
    ...(before ? { before: presentPage(before) } : {}),
    ...(after ? { after: presentPage(after) } : {}),
  });
}
