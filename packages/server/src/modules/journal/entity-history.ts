import type { Reader } from '../../platform/db/database.ts';
import { type EntityState, type HistoryRange, type StateRow, selectStates, type Until } from './past.store.ts';

/** Bounds the renames that are followed within the range; earlier history is left out. */
const renamesMax = 20;

/**
 * States between two moments, oldest first, starting with the one in force at the beginning; follows renames. Derived
 * values that changed without a write of the entity appear with its next write.
 */
export async function readEntityHistory(
  reader: Reader,
  orgId: string,
  blueprint: string,
  entity: string,
  range: HistoryRange,
): Promise<EntityState[]> {
  const states: EntityState[] = [];
  let name: string | undefined = entity;
  let until: Until = { at: range.to };
  for (let renames = 0; name !== undefined && renames < renamesMax; renames += 1) {
    const rows: StateRow[] = await selectStates(reader, orgId, { blueprint, entity: name }, range, until);
    const renamed = rows.findLast(({ renamedFrom }) => renamedFrom !== null);
    const own = renamed ? rows.slice(rows.indexOf(renamed)) : rows;
    states.unshift(...own.map(({ at, properties }) => ({ at, properties })));
    name = renamed && renamed.at >= range.from ? (renamed.renamedFrom ?? undefined) : undefined;
    if (renamed) until = renamed;
  }
  return states;
}
