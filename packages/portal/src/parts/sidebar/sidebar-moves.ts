import type { AnswerOf } from '../../api/api.ts';

export type SidebarItem = AnswerOf<'getSidebar'>['sidebar']['items'][number];

/** A place for an item: a folder or the top level, after another item or first. */
export interface Place {
  readonly parent: string | undefined;
  readonly after: string | undefined;
}

export interface Move extends Place {
  readonly item: SidebarItem;
}

/** The items of a folder, or of the top level, in order. */
export function siblingsIn(items: readonly SidebarItem[], parent: string | undefined): readonly SidebarItem[] {
  const folders = new Set(items.filter(isFolder).map(({ identifier }) => identifier));
  return items.filter((item) => (item.parent && folders.has(item.parent) ? item.parent : undefined) === parent);
}

export function isFolder({ sidebarType }: SidebarItem): boolean {
  return sidebarType === 'folder';
}

/**
 * The writes that move an item to a place. Most items have no `after`, so neighbours that the order depends on are
 * written too: as few as possible.
 */
export function movesTo(items: readonly SidebarItem[], moved: SidebarItem, place: Place): readonly Move[] {
  const others = siblingsIn(items, place.parent).filter((item) => !isSame(item, moved));
  const at = place.after === undefined ? 0 : others.findIndex(({ identifier }) => identifier === place.after) + 1;
  const wanted = others.toSpliced(at, 0, moved);
  const chain = wanted.map((item, index) => ({
    item,
    parent: place.parent,
    after: wanted[index - 1]?.identifier,
  }));
  const changed = (written: readonly Move[]) =>
    wanted.map((item) => {
      const move = written.find((each) => each.item === item);
      return move ? { item, after: move.after } : { item, after: item.after };
    });
  const own = chain.filter(({ item }) => item === moved);
  // an item without `after` keeps its place in the list, so its neighbours may need one
  for (let reach = 1; reach <= wanted.length; reach += 1) {
    const written = chain.filter(({ item }, index) => item === moved || Math.abs(index - at) < reach);
    const order = toOrder(changed(reach === 1 ? own : written), items, moved);
    if (order.every((item, index) => item === wanted[index])) return reach === 1 ? own : written.filter(isNeeded);
  }
  return chain;
}

function isNeeded({ item, parent, after }: Move): boolean {
  return item.parent !== parent || item.after !== after;
}

function isSame(one: SidebarItem, other: SidebarItem): boolean {
  return one.identifier === other.identifier && one.sidebarType === other.sidebarType;
}

/**
 * The order that the server computes: items without `after` first, in list order, each followed by the items after it.
 */
function toOrder(
  siblings: readonly { readonly item: SidebarItem; readonly after: string | undefined }[],
  items: readonly SidebarItem[],
  moved: SidebarItem,
): readonly SidebarItem[] {
  // an item that loses its `after` is assumed to come behind those that never had one
  const rank = ({ item, after }: { readonly item: SidebarItem; readonly after: string | undefined }) =>
    after === undefined && (item.after !== undefined || item === moved) ? items.length : items.indexOf(item);
  const listed = siblings.toSorted((one, other) => rank(one) - rank(other));
  const names = new Set(listed.map(({ item }) => item.identifier));
  const ordered = new Set<SidebarItem>();
  const place = ({ item }: { readonly item: SidebarItem }): void => {
    if (ordered.has(item)) return;
    ordered.add(item);
    listed.filter(({ after }) => after === item.identifier).forEach(place);
  };
  listed
    .filter(({ item, after }) => after === undefined || after === item.identifier || !names.has(after))
    .forEach(place);
  listed.forEach(place);
  return [...ordered];
}

/**
 * The folders that can hold an item. A folder cannot go into itself or its descendants, nor deeper than three levels.
 */
export function foldersFor(items: readonly SidebarItem[], moved: SidebarItem): readonly SidebarItem[] {
  const depth = (item: SidebarItem): number => {
    const parent = items.find((each) => isFolder(each) && each.identifier === item.parent);
    return parent && parent !== item ? 1 + depth(parent) : 1;
  };
  const height = (item: SidebarItem): number =>
    Math.max(
      0,
      ...items.filter((each) => isFolder(each) && each.parent === item.identifier).map((each) => 1 + height(each)),
    );
  const isWithin = (item: SidebarItem): boolean => {
    if (isSame(item, moved)) return true;
    const parent = items.find((each) => isFolder(each) && each.identifier === item.parent);
    return parent !== undefined && isWithin(parent);
  };
  return items.filter(
    (folder) => isFolder(folder) && (!isFolder(moved) || (!isWithin(folder) && depth(folder) + 1 + height(moved) <= 3)),
  );
}
