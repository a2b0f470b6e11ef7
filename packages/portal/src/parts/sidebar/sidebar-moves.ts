import type { AnswerOf } from '../../api/api.ts';

export type SidebarItem = AnswerOf<'getSidebar'>['sidebar']['items'][number];

/** Where an item is to stand: in a folder or on the top level, after another item or as the first. */
export interface Place {
  readonly parent: string | undefined;
  readonly after: string | undefined;
}

export interface Move extends Place {
  readonly item: SidebarItem;
}

/** The items of one folder, or of the top level, in their order. */
export function siblingsIn(items: readonly SidebarItem[], parent: string | undefined): readonly SidebarItem[] {
  const folders = new Set(items.filter(isFolder).map(({ identifier }) => identifier));
  return items.filter((item) => (item.parent && folders.has(item.parent) ? item.parent : undefined) === parent);
}

export function isFolder({ sidebarType }: SidebarItem): boolean {
  return sidebarType === 'folder';
}

/**
 * What has to be written so that an item stands in a place. Most items name nobody they follow, so the neighbours that the
 * order hangs on are written too: as few as will do.
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
  // what nobody follows stands in the order of the list, which the moved one may have to leave
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

/** The order that the server gives: those that follow nobody first, in the order they have, each with its followers behind it. */
function toOrder(
  siblings: readonly { readonly item: SidebarItem; readonly after: string | undefined }[],
  items: readonly SidebarItem[],
  moved: SidebarItem,
): readonly SidebarItem[] {
  // an item that followed somebody until now stands, as far as is known here, behind those that never did
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

/** The folders that can hold an item: not a folder itself, nor what lies in it, and at most three deep. */
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
