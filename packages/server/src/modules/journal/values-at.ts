import type { Reader } from '../../platform/db/database.ts';
import {
  findRenaming,
  type PastKey,
  type PastRename,
  type PastSubject,
  selectValuesAt,
  type Values,
} from './past.store.ts';

/** Bounds the renames that are followed; earlier history is left out. */
const renamesMax = 20;

/**
 * Values just before each moment, across renames: from the last change before it, or, if that record was deleted, from
 * the first change after it. Undefined if neither record exists. Costs one index lookup per moment.
 */
export async function readValuesAt(
  reader: Reader,
  orgId: string,
  of: PastSubject,
  keys: readonly PastKey[],
  moments: readonly Date[],
): Promise<(readonly unknown[] | undefined)[]> {
  const [first] = moments;
  if (!first) return [];
  const names = await readNames(reader, orgId, of, keys, first);
  const nameAt = (moment: Date) => names.find(({ from }) => from < moment) ?? (names.at(-1) as PastName);
  const asked = moments.map((at) => ({ ...nameAt(at), at }));
  const rows = await selectValuesAt(reader, orgId, of, keys, asked);
  return rows.map(({ found }, index) => found ?? asked[index]?.last);
}

interface PastName {
  readonly name: string;
  /** The time in which the entity had this name. */
  readonly from: Date;
  readonly until: Date | null;
  /** The values just before the renaming that ended this name. */
  readonly last: Values | undefined;
}

/** The names of the entity since a moment, the current one first. */
async function readNames(
  reader: Reader,
  orgId: string,
  of: PastSubject,
  keys: readonly PastKey[],
  from: Date,
): Promise<PastName[]> {
  const names: PastName[] = [];
  let name = of.entity;
  let later: PastRename | undefined;
  while (names.length < renamesMax) {
    const renaming: PastRename | undefined = await findRenaming(
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
