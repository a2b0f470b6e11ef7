import type { LiveChange } from '@portolan/contract/live';
import { type Actor, isUnlimited } from '../../../platform/actor.ts';
import { requireEntities } from '../../../platform/scopes.ts';
import { visibleChanges } from '../../entities/index.ts';
import type { SourcesDeps } from '../sources.deps.ts';

interface Named {
  readonly blueprint: string | null;
  readonly identifier: string | null;
}

/**
 * Rows about entities that the caller may read; those about none stay. Whoever may see a source does not for that see
 * what it writes.
 * @throws AppError `insufficient_scope` for tokens that may not read entities
 */
export async function readableRows<Row extends Named>(
  { database, catalog, clock }: Pick<SourcesDeps, 'database' | 'catalog' | 'clock'>,
  actor: Actor,
  rows: readonly Row[],
): Promise<Row[]> {
  requireEntities(actor);
  // also what names a blueprint that is not there
  if (isUnlimited(actor)) return [...rows];
  const named = rows.flatMap((row) => {
    const { blueprint, identifier } = row;
    return blueprint === null ? [] : [{ row, blueprint, entity: identifier ?? '' }];
  });
  const asked = named.map(({ blueprint, entity }) => ({ event: 'entity', resource: 'entity', blueprint, entity }));
  const visible = new Set(await visibleChanges({ ...catalog, database, clock }, actor, asked));
  const hidden = new Set(named.flatMap(({ row }, index) => (visible.has(asked[index] as LiveChange) ? [] : [row])));
  return rows.filter((row) => !hidden.has(row));
}
