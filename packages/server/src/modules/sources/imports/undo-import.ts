import type { Actor } from '../../../platform/actor.ts';
import { groupBy } from '../../../platform/collections.ts';
import { AppError } from '../../../platform/errors.ts';
import type { Work } from '../../../platform/unit-of-work.ts';
import { holdBlueprint } from '../../blueprints/index.ts';
import { deleteEntitiesWithin, writeEntities } from '../../entities/index.ts';
import { holdParts } from '../ingest/hold-parts.ts';
import type { IngestDeps } from '../ingest/ingest.deps.ts';
import { namingSync } from '../ingest/ingest-chunk.ts';
import { deleteLedger } from '../ingest/ledger.store.ts';
import { findOpenSync, lockSync, updateSync } from '../ingest/sync.store.ts';
import type { StoredSync } from '../ingest/sync.ts';
import { listUndoable, settleRestored, type UndoablePart } from '../ingest/undo.store.ts';
import { undoUntil } from './present-import.ts';

const batchSize = 200;

export interface Undone {
  readonly sync: StoredSync;
  readonly deleted: number;
  readonly restored: number;
  /** Changed since, or needed by others. */
  readonly left: number;
}

/**
 * Takes back what an import created and changed, as far as nobody has written it since. Interrupted, it can be asked for
 * again.
 * @throws AppError `not_undoable`
 */
export async function undoImport(deps: IngestDeps, actor: Actor, sync: StoredSync): Promise<Undone> {
  const until = undoUntil(sync);
  const { sourceKey } = sync;
  if (sourceKey === null || !until || until <= deps.clock.now()) {
    const why = sourceKey === null ? 'it belongs to no source' : 'it is open, undone, a plan, or over seven days old';
    throw new AppError('not_undoable', `The import "${sync.id}" cannot be undone: ${why}`);
  }
  const open = await findOpenSync(deps.database, actor.orgId, sourceKey);
  if (open) {
    const message = `The import "${sync.id}" cannot be undone while "${open.id}" is open; end that first`;
    throw new AppError('not_undoable', message);
  }
  const counts = { deleted: 0, restored: 0, left: 0 };
  const all = await listUndoable(deps.database, actor.orgId, sourceKey, sync.key);
  const ours = all.filter(({ isCurrent }) => isCurrent);
  counts.left += all.length - ours.length;
  // what was created last may need what was created before
  const created = ours.filter(({ createdIn }) => createdIn === sync.key).toReversed();
  const changed = ours.filter(({ createdIn }) => createdIn !== sync.key);
  const run = async (parts: readonly UndoablePart[], take: Take): Promise<number> => {
    let done = 0;
    for (let from = 0; from < parts.length; from += batchSize) {
      done += await inHalves(deps, actor, sync, parts.slice(from, from + batchSize), take);
    }
    counts.left += parts.length - done;
    return done;
  };
  counts.restored = await run(changed, restore(deps, sourceKey));
  counts.deleted = await run(created, remove(sourceKey));
  const after = await deps.unitOfWork(actor, async (work) => {
    const before = (await lockSync(work.tx, actor.orgId, sync.key)) ?? sync;
    const undone: StoredSync = { ...before, status: 'undone', touchedAt: work.now };
    await updateSync(work.tx, actor.orgId, undone);
    work.record({
      event: 'import.undone',
      action: 'OTHER',
      resourceType: 'import',
      identifier: sync.id,
      context: { syncId: sync.id },
      message: `The import was taken back: ${counts.deleted} deleted, ${counts.restored} restored, ${counts.left} left`,
      after: counts,
    });
    return undone;
  });
  return { sync: after, ...counts };
}

type Take = (work: Work, parts: readonly UndoablePart[]) => Promise<void>;

/** How many could be taken back: what fails as a whole is tried in halves. */
async function inHalves(
  deps: IngestDeps,
  actor: Actor,
  sync: StoredSync,
  parts: readonly UndoablePart[],
  take: Take,
): Promise<number> {
  if (parts.length === 0) return 0;
  try {
    await deps.unitOfWork(actor, (work) => take(namingSync(work, sync), parts));
    return parts.length;
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    if (parts.length === 1) return 0;
    const middle = Math.ceil(parts.length / 2);
    const first = await inHalves(deps, actor, sync, parts.slice(0, middle), take);
    return first + (await inHalves(deps, actor, sync, parts.slice(middle), take));
  }
}

function remove(sourceKey: number): Take {
  return async (work, parts) => {
    await holdParts(work, sourceKey, parts);
    for (const [blueprint, group] of groupBy(parts, (each) => each.blueprint)) {
      const names = group.map(({ identifier }) => identifier);
      await deleteEntitiesWithin(work, blueprint, names, { deleteDependents: false });
    }
    await deleteLedger(work.tx, work.actor.orgId, sourceKey, parts);
  };
}

function restore({ catalog }: IngestDeps, sourceKey: number): Take {
  return async (work, parts) => {
    const { tx, actor } = work;
    for (const [name, group] of groupBy(parts, ({ blueprint }) => blueprint)) {
      const blueprint = await holdBlueprint(tx, actor.orgId, name);
      if (!blueprint) throw new AppError('not_found', `The blueprint "${name}" is gone`);
      const items = group.map(({ identifier, version, replaced }) => {
        const { ownTeamRefs, ...body } = replaced ?? {};
        const teamRefs = (ownTeamRefs ?? []) as string[];
        return {
          target: identifier,
          body: { ...body, identifier },
          teamRefs,
          expectedVersion: version ?? ('any' as const),
        };
      });
      const options = { mode: 'replace', expects: 'existing', createMissingRelated: false } as const;
      const outcomes = await writeEntities(catalog, work, blueprint, items, options);
      for (const outcome of outcomes) if ('error' in outcome) throw outcome.error;
    }
    await settleRestored(tx, actor.orgId, sourceKey, parts);
  };
}
