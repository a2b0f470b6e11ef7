import type { Actor } from '../../../platform/actor.ts';
import type { Reader } from '../../../platform/db/database.ts';
import { notFound } from '../../../platform/errors.ts';
import { findActionByKey, listActionRows } from '../action.store.ts';
import type { StoredAction } from '../action.ts';
import { findRun, selectRuns } from './run.store.ts';
import type { StoredRun } from './run.ts';
import { olderThan, type RunFilters, runConditions } from './run-conditions.sql.ts';
import { maySeeRun } from './run-rights.ts';

const readOnMax = 500;

/** Visible runs that match, newest first; without drafts unless requested. */
export async function listRuns(
  reader: Reader,
  actor: Actor,
  filters: RunFilters,
  passes: (run: StoredRun, action: StoredAction | undefined) => Promise<boolean> = async () => true,
): Promise<StoredRun[]> {
  const actions = await actionsByKey(reader, actor.orgId);
  const found: StoredRun[] = [];
  const conditions = runConditions(filters);
  let before: string | undefined;
  let size = filters.limit;
  // skips hidden runs, and reads on until the page is full
  while (found.length < filters.limit) {
    const page = await selectRuns(
      reader,
      actor.orgId,
      before === undefined ? conditions : [...conditions, olderThan(before)],
      size,
    );
    for (const run of page) {
      if (found.length >= filters.limit) break;
      const action = findRunAction(actions, run);
      if (maySeeRun(actor, run, action) && (await passes(run, action))) found.push(run);
    }
    before = page.at(-1)?.id;
    if (page.length < size) break;
    // whoever passes over many has most of them before them
    size = Math.max(size, readOnMax);
  }
  return found.slice(0, filters.limit);
}

/** @throws AppError `not_found` if missing or not visible to the caller */
export async function getRun(reader: Reader, actor: Actor, id: string): Promise<StoredRun> {
  const run = await findRun(reader, actor.orgId, id);
  if (!run) throw runMissing(id);
  const action = run.actionKey === null ? undefined : await findActionByKey(reader, actor.orgId, run.actionKey);
  if (!maySeeRun(actor, run, action)) throw runMissing(id);
  return run;
}

export function runMissing(id: string) {
  return notFound('Run', id, 'id');
}

async function actionsByKey(reader: Reader, orgId: string): Promise<ReadonlyMap<number, StoredAction>> {
  const actions = await listActionRows(reader, orgId);
  return new Map(actions.map((action) => [action.key, action]));
}

function findRunAction(actions: ReadonlyMap<number, StoredAction>, { actionKey }: StoredRun): StoredAction | undefined {
  return actionKey === null ? undefined : actions.get(actionKey);
}
