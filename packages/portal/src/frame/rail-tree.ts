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

/** More pages of types than this at the top of the rail push everything else out of sight. */
const typesMax = 8;

/** The nodes that stay, and the pages of types to fold: those that came with their types, where there are too many of them. */
export function foldTypes(nodes: readonly RailNode[]): {
  readonly kept: readonly RailNode[];
  readonly folded: readonly RailNode[];
} {
  const isOfType = ({ item }: RailNode): boolean =>
    item.sidebarType === 'page' && item.type === 'blueprint-entities' && item.after === undefined;
  const folded = nodes.filter(isOfType);
  if (folded.length <= typesMax) return { kept: nodes, folded: [] };
  return { kept: nodes.filter((node) => !isOfType(node)), folded };
}
