import type { AnswerOf } from '../api/api.ts';

type SidebarItem = AnswerOf<'getSidebar'>['sidebar']['items'][number];

export interface RailNode {
  readonly item: SidebarItem;
  readonly children: readonly RailNode[];
}

/**
 * The side bar's flat list as a tree, without home and entity pages. An item whose folder is hidden goes to the top
 * level.
 */
export function railTree(items: readonly SidebarItem[]): readonly RailNode[] {
  const folders = new Set(
    items.filter(({ sidebarType }) => sidebarType === 'folder').map(({ identifier }) => identifier),
  );
  const isShown = (item: SidebarItem) => item.sidebarType === 'folder' || !['entity', 'home'].includes(item.type);
  const below = (parent: string | undefined): readonly RailNode[] =>
    items
      .filter((item) => isShown(item) && parentOf(item) === parent)
      .map((item) => ({ item, children: item.sidebarType === 'folder' ? below(item.identifier) : [] }));
  const parentOf = ({ parent }: SidebarItem) => (parent !== undefined && folders.has(parent) ? parent : undefined);
  return below(undefined);
}
