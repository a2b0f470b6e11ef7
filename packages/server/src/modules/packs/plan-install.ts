import type { PackChange, PackFile } from '@portolan/contract/packs';
import { isSameJson } from '../../platform/same-json.ts';
import type { Definitions } from './installed-definitions.ts';
import { type Item, type ItemName, isPart, itemId, listItems } from './pack-item.ts';
import { renameInPack } from './rename-in-pack.ts';

export type Resolutions = Readonly<Record<string, 'rename' | 'skip'>>;

/** One item of a pack, and what installing the pack does with it. */
export interface PlannedItem {
  /** As the pack names it. */
  readonly item: Item;
  /** As it is made; another than `item` where something was renamed. */
  readonly made: Item;
  readonly change: 'new' | 'same' | 'renamed' | 'skipped' | 'conflict';
  readonly reason?: string;
}

/** Compares a pack with what is there. `held` names what other packs made. Pure. */
export function planInstall(
  pack: PackFile,
  definitions: Definitions,
  held: ReadonlySet<string>,
  resolutions: Resolutions,
): PlannedItem[] {
  const items = listItems(pack);
  const created = new Set(pack.blueprints.map(({ identifier }) => identifier));
  const planned = items.map((item) => {
    const found = compare(item, definitions, held, created);
    const resolution = resolutions[itemId(item)];
    if (found.change !== 'conflict' || resolution === undefined) return { item, ...found };
    return { item, ...found, change: resolution === 'rename' ? ('renamed' as const) : ('skipped' as const) };
  });
  const names = new Set([...definitions.items.keys(), ...items.map(itemId)]);
  const renamed = planned
    .filter(({ change }) => change === 'renamed')
    .reduce((renaming, { item }) => renameInPack(renaming, item, freeName(item, pack.id, names)), pack);
  // renaming keeps the order
  const made = listItems(renamed);
  return planned.map((each, index) => ({ ...each, made: made[index] ?? each.item }));
}

export function presentPlanned({ item, made, change, reason }: PlannedItem): PackChange {
  return {
    ...presentItem(item),
    change,
    ...(change === 'renamed' ? { renamedTo: made.identifier } : {}),
    ...(reason === undefined ? {} : { reason }),
  };
}

export function presentItem(item: Item) {
  const { kind, blueprint, identifier, definition } = item;
  const { title } = definition as { readonly title?: string | undefined };
  return {
    id: itemId(item),
    kind,
    blueprint: blueprint === '' ? null : blueprint,
    identifier,
    title: title ?? identifier,
  };
}

function compare(
  item: Item,
  { items, blueprints }: Definitions,
  held: ReadonlySet<string>,
  created: ReadonlySet<string>,
): Pick<PlannedItem, 'change' | 'reason'> {
  if (isPart(item)) {
    if (!blueprints.has(item.blueprint)) {
      if (created.has(item.blueprint)) return { change: 'new' };
      return { change: 'skipped', reason: `There is no blueprint "${item.blueprint}" to extend` };
    }
    const other = occupant(item, items);
    if (!other) return { change: 'new' };
    if (other.kind === item.kind && isAlike(item, other)) return { change: 'same' };
    const what = other.kind === item.kind ? `Another ${other.kind}` : `A ${other.kind}`;
    return { change: 'conflict', reason: `${what} "${item.identifier}" of "${item.blueprint}" is there` };
  }
  const id = itemId(item);
  if (!items.has(id)) return { change: 'new' };
  if (item.kind === 'blueprint' || held.has(id)) return { change: 'same' };
  return { change: 'conflict', reason: `Another ${item.kind} "${item.identifier}" is there` };
}

/** The part of the blueprint that has the key: a key stands for one thing only. */
function occupant({ blueprint, identifier }: ItemName, items: Definitions['items']): Item | undefined {
  const kinds = ['property', 'relation', 'mirror', 'calculation', 'aggregation'] as const;
  return kinds.map((kind) => items.get(itemId({ kind, blueprint, identifier }))).find((found) => found !== undefined);
}

/** What must agree so that one part serves for the other; titles, icons and choices may differ. */
const decisive: Readonly<Record<string, readonly string[]>> = {
  property: ['type', 'format'],
  relation: ['target', 'many'],
  mirror: ['path'],
  calculation: ['calculation', 'type'],
  aggregation: ['target', 'calculationSpec', 'query', 'pathFilter'],
};

function isAlike(ours: Item, theirs: Item): boolean {
  const read = ({ definition }: Item, member: string) => (definition as Readonly<Record<string, unknown>>)[member];
  return (decisive[ours.kind] ?? []).every((member) => isSameJson(read(ours, member), read(theirs, member)));
}

function freeName(item: ItemName, pack: string, taken: Set<string>): string {
  const stem = `${item.identifier}_${pack.replaceAll('-', '_')}`;
  const isTaken = (identifier: string): boolean => {
    const kinds = isPart(item)
      ? (['property', 'relation', 'mirror', 'calculation', 'aggregation'] as const)
      : [item.kind];
    return kinds.some((kind) => taken.has(itemId({ ...item, kind, identifier })));
  };
  let name = stem;
  for (let number = 2; isTaken(name); number += 1) name = `${stem}_${number}`;
  taken.add(itemId({ ...item, identifier: name }));
  return name;
}
