import type { Issue } from '@portolan/contract/errors';
import type { Folder, FolderBody } from '@portolan/contract/sidebars';
import type { Actor } from '../../platform/actor.ts';
import { AppError, invalidRequest, notFound } from '../../platform/errors.ts';
import type { UnitOfWork, Work } from '../../platform/unit-of-work.ts';
import {
  deleteFolderRow,
  insertFolder,
  listFolderRows,
  moveContents,
  type StoredFolder,
  updateFolderRow,
} from './folder.store.ts';
import { lockPages } from './page.store.ts';
import { presentFolder } from './sidebar.ts';

/** Without an identifier the folder keeps its own. */
type FolderChange = Omit<FolderBody, 'identifier'> & { readonly identifier?: string | undefined };

interface Deps {
  readonly unitOfWork: UnitOfWork;
}

const depthMax = 3;

/** @throws AppError `identifier_taken`, `invalid_request` for a parent that is none, and for more than three levels */
export function createFolder({ unitOfWork }: Deps, actor: Actor, body: FolderBody): Promise<Folder> {
  return unitOfWork(actor, (work) => createFolderWithin(work, body));
}

/**
 * Within the caller's unit of work.
 * @throws AppError as `createFolder`
 */
export async function createFolderWithin(work: Work, body: FolderBody): Promise<Folder> {
  const folders = await lockedFolders(work);
  const folder = toFolderRow(body.identifier, body);
  assertSound(folders, folder, undefined);
  await insertFolder(work.tx, work.actor.orgId, folder);
  record(work, undefined, folder);
  return presentFolder(folder);
}

/**
 * Replaces place and title; contents follow a rename.
 * @throws AppError as `createFolder`, `not_found`
 */
export function patchFolder(
  { unitOfWork }: Deps,
  actor: Actor,
  identifier: string,
  body: FolderChange,
): Promise<Folder> {
  return unitOfWork(actor, async (work) => {
    const folders = await lockedFolders(work);
    const before = found(folders, identifier);
    const after = toFolderRow(body.identifier ?? identifier, { ...body, title: body.title ?? before.title });
    assertSound(folders, after, before);
    await updateFolderRow(work.tx, actor.orgId, before.key, after);
    if (after.identifier !== identifier) await moveContents(work.tx, actor.orgId, identifier, after.identifier);
    record(work, before, after);
    return presentFolder(after);
  });
}

/** @throws AppError `not_found` */
export function deleteFolder({ unitOfWork }: Deps, actor: Actor, identifier: string): Promise<void> {
  return unitOfWork(actor, async (work) => {
    const folder = found(await lockedFolders(work), identifier);
    await moveContents(work.tx, actor.orgId, identifier, folder.parent);
    await deleteFolderRow(work.tx, actor.orgId, folder.key);
    record(work, folder, undefined);
  });
}

async function lockedFolders({ tx, actor }: Work): Promise<StoredFolder[]> {
  await lockPages(tx, actor.orgId);
  return listFolderRows(tx, actor.orgId);
}

function found(folders: readonly StoredFolder[], identifier: string): StoredFolder {
  const folder = folders.find((each) => each.identifier === identifier);
  if (!folder) throw notFound('Folder', identifier);
  return folder;
}

type FolderRow = Omit<StoredFolder, 'key'>;

function toFolderRow(identifier: string, { title, parent, after }: FolderChange): FolderRow {
  // one client sends unset members as empty text
  return { identifier, title: title ?? null, parent: parent || null, after: after || null };
}

function assertSound(folders: readonly StoredFolder[], folder: FolderRow, before: StoredFolder | undefined): void {
  const others = folders.filter(({ key }) => key !== before?.key);
  if (others.some(({ identifier }) => identifier === folder.identifier)) {
    const message = `A folder with identifier "${folder.identifier}" exists; the identifier is taken`;
    throw new AppError('identifier_taken', message);
  }
  const issue = placeIssue(others, folder, before);
  if (issue) throw invalidRequest([issue], 'The folder');
}

function placeIssue(
  others: readonly StoredFolder[],
  folder: FolderRow,
  before: StoredFolder | undefined,
): Issue | undefined {
  const ancestors = listAncestors(others, folder.parent);
  if (!ancestors) {
    const isSelf = folder.parent === folder.identifier || folder.parent === before?.identifier;
    const message = isSelf ? 'a folder cannot lie in itself' : `"${folder.parent}" is no folder, or lies in this one`;
    return { path: '/parent', message };
  }
  const below = before ? folderHeight(others, before.identifier) : 0;
  if (ancestors.length + 1 + below <= depthMax) return undefined;
  return { path: '/parent', message: `folders lie at most ${depthMax} deep` };
}

/** Nearest first; undefined if one is missing. */
function listAncestors(folders: readonly StoredFolder[], parent: string | null): StoredFolder[] | undefined {
  const ancestors: StoredFolder[] = [];
  for (let name = parent; name !== null; ) {
    const wanted = name;
    const folder = folders.find(({ identifier }) => identifier === wanted);
    if (!folder || ancestors.includes(folder)) return undefined;
    ancestors.push(folder);
    name = folder.parent;
  }
  return ancestors;
}

/** Levels of folders below. */
function folderHeight(folders: readonly StoredFolder[], identifier: string): number {
  const inside = folders.filter(({ parent }) => parent === identifier);
  return inside.length === 0 ? 0 : 1 + Math.max(...inside.map((folder) => folderHeight(folders, folder.identifier)));
}

function record(work: Work, before: FolderRow | undefined, after: FolderRow | undefined): void {
  const action = before ? (after ? 'UPDATE' : 'DELETE') : 'CREATE';
  const identifier = (after ?? before)?.identifier ?? '';
  work.record({
    event: { CREATE: 'folder.created', UPDATE: 'folder.updated', DELETE: 'folder.deleted' }[action],
    action,
    resourceType: 'page',
    identifier,
    context: { folder: identifier },
    ...(before ? { before: presentFolder(before) } : {}),
    ...(after ? { after: presentFolder(after) } : {}),
  });
}
