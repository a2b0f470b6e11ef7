import type { Folder, SidebarItem } from '@portolan/contract/sidebars';
import type { Actor } from '../../platform/actor.ts';
import { groupBy } from '../../platform/collections.ts';
import type { Reader } from '../../platform/db/database.ts';
import { listFolderRows, type StoredFolder } from './folder.store.ts';
import { isInSidebar, type StoredPage } from './page.ts';
import { listPages } from './read-pages.ts';

/** Each folder comes before its contents, each item after the one it follows. */
export async function readSidebar(reader: Reader, actor: Actor): Promise<SidebarItem[]> {
  const folders = (await listFolderRows(reader, actor.orgId)).map(presentFolder);
  const pages = (await listPages(reader, actor)).filter(isInSidebar).map(presentItem);
  return arrange([...folders, ...pages]);
}

export function presentFolder({ identifier, title, parent, after }: Omit<StoredFolder, 'key'>): Folder {
  return {
    identifier,
    ...(title === null ? {} : { title }),
    ...(parent === null ? {} : { parent }),
    ...(after === null ? {} : { after }),
    sidebar: 'catalog',
    sidebarType: 'folder',
  };
}

function presentItem({ identifier, type, blueprint, definition }: StoredPage): SidebarItem {
  const { title, icon, parent, after } = definition;
  return {
    identifier,
    type,
    ...(title === undefined ? {} : { title }),
    ...(icon === undefined ? {} : { icon }),
    ...(blueprint === null ? {} : { blueprint }),
    ...(parent === undefined ? {} : { parent }),
    ...(after === undefined ? {} : { after }),
    sidebar: 'catalog',
    sidebarType: 'page',
  };
}

/** Items with a deleted folder or neighbour move to the end of the top level. */
function arrange(items: readonly SidebarItem[]): SidebarItem[] {
  const folders = new Set(items.filter(isFolder).map(({ identifier }) => identifier));
  const inside = groupBy(items, ({ parent }) => (parent !== undefined && folders.has(parent) ? parent : undefined));
  const arranged: SidebarItem[] = [];
  const place = (parent: string | undefined): void => {
    for (const item of inOrder(inside.get(parent) ?? [])) {
      arranged.push(item);
      if (isFolder(item)) place(item.identifier);
    }
  };
  place(undefined);
  return arranged;
}

function isFolder({ sidebarType }: SidebarItem): boolean {
  return sidebarType === 'folder';
}

/** Items without a present predecessor come first, each with its followers; cycles come last. */
function inOrder(siblings: readonly SidebarItem[]): SidebarItem[] {
  const names = new Set(siblings.map(({ identifier }) => identifier));
  const followers = groupBy(siblings, ({ identifier, after }) =>
    after !== undefined && after !== identifier && names.has(after) ? after : undefined,
  );
  const ordered = new Set<SidebarItem>();
  const place = (item: SidebarItem): void => {
    if (ordered.has(item)) return;
    ordered.add(item);
    followers.get(item.identifier)?.forEach(place);
  };
  followers.get(undefined)?.forEach(place);
  siblings.forEach(place);
  return [...ordered];
}
