import type { Reader } from '../../platform/db/database.ts';
import { findRenaming, type PastKey, type PastOf, type Renaming, selectValuesAt, type Values } from './past.store.ts';

/** An entity renamed more often than this has lost the rest of its past. */
const renamesMax = 20;

/**
 * What an entity's values were just before each of some moments, past names followed: as the last change before left
 * them, or where its record is no longer kept, as the first change after found them. Undefined where no record is kept.
 * A look into the index for each moment, however often the entity changed.
 */
export async function readValuesAt(
  reader: Reader,
  orgId: string,
  of: PastOf,
  keys: readonly PastKey[],
  moments: readonly Date[],
): Promise<(readonly unknown[] | undefined)[]> {
  const [first] = moments;
  if (!first) return [];
  const names = await namesOf(reader, orgId, of, keys, first);
  const nameAt = (moment: Date) => names.find(({ from }) => from < moment) ?? (names.at(-1) as PastName);
  const asked = moments.map((at) => ({ ...nameAt(at), at }));
  const rows = await selectValuesAt(reader, orgId, of, keys, asked);
  return rows.map(({ found }, index) => found ?? asked[index]?.last);
}

interface PastName {
  readonly name: string;
  /** When it came to be called so, and no longer was. */
  readonly from: Date;
  readonly until: Date | null;
  /** What the values were when it was renamed. */
  readonly last: Values | undefined;
}

/** The names the entity had from a moment on, the present one first. */
async function namesOf(
  reader: Reader,
  orgId: string,
  of: PastOf,
  keys: readonly PastKey[],
  from: Date,
): Promise<PastName[]> {
  const names: PastName[] = [];
  let name = of.entity;
  let later: Renaming | undefined;
  while (names.length < renamesMax) {
    const renaming: Renaming | undefined = await findRenaming(
      reader,
      orgId,
      { ...of, entity: name },
      keys,
      from,
      later,
    );
    names.push({ name, from: renaming?.at ?? of.since, until: later?.at ?? null, last: later?.found });
    if (!renaming) break;
    name = renaming.renamedFrom;
    later = renaming;
  }
  return names;
}
