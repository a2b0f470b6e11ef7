import { AppError } from '../../../platform/errors.ts';
import type { Work } from '../../../platform/unit-of-work.ts';
import { countOwnParts, type ListedPart, lockPartEntities } from './ledger.store.ts';
import { holdBlueprints } from './write-parts.ts';

/**
 * Holds entities that are about to be deleted as they were when they were listed: lists are read before the transaction,
 * and people go on writing meanwhile.
 * @throws AppError `stale_version` if anybody wrote one of them since, or another source brings it
 */
export async function holdParts(work: Work, sourceKey: number, parts: readonly ListedPart[]): Promise<void> {
  const { tx, actor } = work;
  await holdBlueprints(
    work,
    parts.map(({ blueprint }) => blueprint),
  );
  await lockPartEntities(tx, actor.orgId, parts);
  if ((await countOwnParts(tx, actor.orgId, sourceKey, parts)) === parts.length) return;
  throw new AppError('stale_version', 'it was written meanwhile, or another source brings it now');
}
