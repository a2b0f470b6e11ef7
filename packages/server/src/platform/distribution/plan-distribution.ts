import type { FoundTable } from './distribution.store.ts';
import { findPlace, type Place } from './table-places.ts';

export interface PlannedTable {
  readonly name: string;
  readonly place: Place;
  readonly isDone: boolean;
}

/**
 * Every table with its place, in the order in which they are moved: what lies on every node first, and each table after
 * those that its foreign keys name, because Citus refuses a key to a table that it does not know.
 * @throws Error for a table that is to be divided and has no `org_id`
 */
export function planDistribution(
  tables: readonly FoundTable[],
  distributed: ReadonlyMap<string, Place>,
): readonly PlannedTable[] {
  const planned = new Map<string, PlannedTable>();
  const add = ({ name, hasOrganization, parents }: FoundTable): void => {
    if (planned.has(name)) return;
    const place = findPlace(name);
    if (place === 'organization' && !hasOrganization) throw new Error(`${name} has no org_id and no place of its own`);
    for (const parent of parents) {
      const found = tables.find((table) => table.name === parent);
      if (found) add(found);
    }
    planned.set(name, { name, place, isDone: place === 'local' || distributed.get(name) === place });
  };
  const first = (table: FoundTable): number => (findPlace(table.name) === 'organization' ? 1 : 0);
  for (const table of [...tables].sort((a, b) => first(a) - first(b) || (a.name < b.name ? -1 : 1))) add(table);
  return [...planned.values()];
}
