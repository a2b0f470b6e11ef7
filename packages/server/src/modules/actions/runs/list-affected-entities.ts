import { type Actor, isAdmin } from '../../../platform/actor.ts';
import { visibleRecords } from '../../entities/index.ts';
import { listTouchedEntities, type TouchedEntity } from '../../journal/index.ts';
import type { ActionsDeps } from '../actions.deps.ts';
import { getRun } from './read-runs.ts';

/** Entities written for a run, limited to those that the caller may read. @throws AppError `not_found` */
export async function listAffectedEntities(deps: ActionsDeps, actor: Actor, id: string): Promise<TouchedEntity[]> {
  const run = await getRun(deps.database, actor, id);
  const visible = isAdmin(actor) ? undefined : await visibleRecords(deps.catalog, actor);
  return listTouchedEntities(deps.database, actor.orgId, run.id, visible?.condition);
}
