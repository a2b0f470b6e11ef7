import { LRUCache } from 'lru-cache';
import type { Database, Tx } from '../../platform/db/database.ts';
import { findStampedBlueprint, holdStamp, type StampedBlueprint } from './blueprint.store.ts';
import type { StoredBlueprint } from './blueprint.ts';

/** Blueprints as last read, by organization and identifier; only committed states. */
const kept = new LRUCache<string, StampedBlueprint>({ max: 1_000 });

export interface ReadUnder<Value> {
  readonly value: Value;
  /** The blueprint's `blueprintStamp`, from the same statement; undefined if there is no row to carry it. */
  readonly stamp: string | undefined;
}

/**
 * Reads something that a blueprint explains and whose rights it holds, mostly without reading the blueprint. Undefined
 * if there is no such blueprint.
 *
 * Invariant: what `read` answers or throws counts only if the blueprint it was given had the same stamp when the rows were
 * read, or has it afterwards, and so had it all the while. Else it is read again with the blueprint as it is now. A kept
 * blueprint is a guess, on every replica.
 */
export async function readUnderBlueprint<Value>(
  database: Database,
  orgId: string,
  identifier: string,
  read: (blueprint: StoredBlueprint) => Promise<ReadUnder<Value>>,
): Promise<Value | undefined> {
  let guess = kept.get(cacheKey(orgId, identifier)) ?? (await look(database, orgId, identifier));
  for (;;) {
    if (!guess) return undefined;
    const { blueprint, stamp } = guess;
    const outcome = await read(blueprint).catch((error: unknown) => ({ error, stamp: undefined }));
    const isFromStandby = database.engine.standbys?.hasAsked() === true;
    if (isFromStandby || outcome.stamp !== stamp) {
      // only the primary knows the rights of now
      guess = await look(database, orgId, identifier);
      const isEarlier = isFromStandby && outcome.stamp !== undefined && outcome.stamp !== stamp;
      if (isEarlier) database.leaveStandby?.('changed');
      if (isEarlier || guess?.stamp !== stamp) continue;
    }
    if ('error' in outcome) throw outcome.error;
    return outcome.value;
  }
}

/** The blueprint, held unchanged for the transaction; others may read and hold it too. */
export async function holdBlueprint(tx: Tx, orgId: string, identifier: string): Promise<StoredBlueprint | undefined> {
  const stamp = await holdStamp(tx, orgId, identifier);
  if (stamp === undefined) return undefined;
  const guess = kept.get(cacheKey(orgId, identifier));
  if (guess?.stamp === stamp) return guess.blueprint;
  const found = await findStampedBlueprint(tx, orgId, identifier);
  // the transaction may have changed it itself
  if (found) tx.afterCommit(() => kept.set(cacheKey(orgId, identifier), found));
  return found?.blueprint;
}

async function look(database: Database, orgId: string, identifier: string): Promise<StampedBlueprint | undefined> {
  const found = await findStampedBlueprint(database, orgId, identifier);
  if (found) kept.set(cacheKey(orgId, identifier), found);
  else kept.delete(cacheKey(orgId, identifier));
  return found;
}

function cacheKey(orgId: string, identifier: string): string {
  return `${orgId}/${identifier}`;
}
