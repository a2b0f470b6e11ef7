import type { Actor } from '../../platform/actor.ts';
import type { Reader } from '../../platform/db/database.ts';
import { notFound } from '../../platform/errors.ts';
import { listBlueprintRows } from '../blueprints/index.ts';
import { can } from '../rights/index.ts';
import { automaticPage } from './automatic-pages.ts';
import { findPageRow, findPageRows, listPageRows } from './page.store.ts';
import type { StoredPage } from './page.ts';
import { maySee } from './page-rights.ts';

/** Visible pages in order of creation, without those of unreadable blueprints. */
export async function listPages(reader: Reader, actor: Actor): Promise<StoredPage[]> {
  return visiblePages(reader, actor, await listPageRows(reader, actor.orgId));
}

/** Those of these pages that the caller may see, in no order; pages that were never saved are not among them. */
export async function findPages(
  reader: Reader,
  actor: Actor,
  sought: { readonly keys: readonly number[] } | { readonly identifiers: readonly string[] },
): Promise<StoredPage[]> {
  return visiblePages(reader, actor, await findPageRows(reader, actor.orgId, sought));
}

async function visiblePages(reader: Reader, actor: Actor, pages: readonly StoredPage[]): Promise<StoredPage[]> {
  const seen = pages.filter((page) => maySee(actor, page));
  return seen.length === 0 ? [] : seen.filter(await readableBlueprints(reader, actor));
}

/** @throws AppError `not_found` also for a page that the caller may not see */
export async function getPage(reader: Reader, actor: Actor, identifier: string): Promise<StoredPage> {
  const page =
    (await findPageRow(reader, actor.orgId, identifier)) ?? (await automaticPage(reader, actor.orgId, identifier));
  if (!page || !maySee(actor, page)) throw notFound('Page', identifier);
  if (page.blueprintKey !== null && !(await readableBlueprints(reader, actor))(page))
    throw notFound('Page', identifier);
  return page;
}

async function readableBlueprints(reader: Reader, actor: Actor): Promise<(page: StoredPage) => boolean> {
  const blueprints = await listBlueprintRows(reader, actor.orgId);
  const readable = new Set(blueprints.filter((each) => can(actor, 'read', each)).map(({ key }) => key));
  return ({ blueprintKey }) => blueprintKey === null || readable.has(blueprintKey);
}
