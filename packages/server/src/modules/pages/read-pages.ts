import type { Actor } from '../../platform/actor.ts';
import type { Reader } from '../../platform/db/database.ts';
import { notFound } from '../../platform/errors.ts';
import { listBlueprintRows } from '../blueprints/index.ts';
import { can } from '../rights/index.ts';
import { automaticPage } from './automatic-pages.ts';
import { findPageRow, listPageRows } from './page.store.ts';
import type { StoredPage } from './page.ts';
import { maySee } from './page-rights.ts';

/** Visible pages in order of creation, without those of unreadable blueprints. */
export async function listPages(reader: Reader, actor: Actor): Promise<StoredPage[]> {
  const pages = (await listPageRows(reader, actor.orgId)).filter((page) => maySee(actor, page));
  const isReadable = await readableBlueprints(reader, actor);
  return pages.filter(isReadable);
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
