import type { Actor } from '../../../platform/actor.ts';
import type { Reader } from '../../../platform/db/database.ts';
import { listActionsByKey } from '../action.store.ts';
import { selectRuns } from './run.store.ts';
import { oneOf } from './run-conditions.sql.ts';
import { maySeeRun } from './run-rights.ts';

export async function visibleRuns(reader: Reader, actor: Actor, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const runs = await selectRuns(reader, actor.orgId, [oneOf(ids)], ids.length);
  const keys = runs.flatMap(({ actionKey }) => (actionKey === null ? [] : [actionKey]));
  const actions = new Map((await listActionsByKey(reader, actor.orgId, keys)).map((action) => [action.key, action]));
  const seen = runs.filter((run) =>
    maySeeRun(actor, run, run.actionKey === null ? undefined : actions.get(run.actionKey)),
  );
  return new Set(seen.map(({ id }) => id));
}
