import sql, { type Sql } from 'sql-template-tag';
import type { Actor } from '../../../platform/actor.ts';
import type { Reader } from '../../../platform/db/database.ts';
import { notFound } from '../../../platform/errors.ts';
import { findActionByKey, listActionRows } from '../action.store.ts';
import type { StoredAction } from '../action.ts';
import { findRun, selectRuns } from './run.store.ts';
import type { StoredRun } from './run.ts';
import { maySeeRun } from './run-rights.ts';

/** Absent filters do not apply. */
export interface RunFilters {
  readonly entity?: string | undefined;
  readonly blueprint?: string | undefined;
  readonly active?: string | undefined;
  readonly user_email?: string | undefined;
  readonly user_id?: string | undefined;
  readonly external_run_id?: string | undefined;
  readonly action?: string | undefined;
  readonly status?: string | undefined;
  readonly source?: readonly string[] | undefined;
  /** Runs that wait for a decision, including drafts. */
  readonly isWaiting?: boolean | undefined;
  readonly limit: number;
}

/** Visible runs that match, newest first; drafts only if asked for. */
export async function listRuns(
  reader: Reader,
  actor: Actor,
  filters: RunFilters,
  passes: (run: StoredRun) => Promise<boolean> = async () => true,
): Promise<StoredRun[]> {
  const actions = await actionsByKey(reader, actor.orgId);
  const found: StoredRun[] = [];
  const conditions = conditionsOf(filters);
  let before: string | undefined;
  // hidden runs are skipped and the page filled up
  while (found.length < filters.limit) {
    const after: Sql[] =
      before === undefined
        ? []
        : [sql`r.key < (select k.key from action_runs k where k.org_id = r.org_id and k.id = ${before})`];
    const page = await selectRuns(reader, actor.orgId, [...conditions, ...after], filters.limit);
    for (const run of page) {
      if (found.length >= filters.limit) break;
      if (maySeeRun(actor, run, actionOf(actions, run)) && (await passes(run))) found.push(run);
    }
    before = page.at(-1)?.id;
    if (page.length < filters.limit) break;
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

function actionOf(actions: ReadonlyMap<number, StoredAction>, { actionKey }: StoredRun): StoredAction | undefined {
  return actionKey === null ? undefined : actions.get(actionKey);
}

const isActive = sql`r.status in ('WAITING_FOR_APPROVAL', 'IN_PROGRESS')`;

function conditionsOf(filters: RunFilters): Sql[] {
  const { entity, blueprint, active, external_run_id: externalId, action, status, source } = filters;
  const who = filters.user_email ?? filters.user_id;
  const isWanted = active?.toLowerCase();
  return [
    ...(filters.isWaiting ? [sql`r.status in ('DRAFT', 'WAITING_FOR_APPROVAL')`] : []),
    ...(status === undefined && !filters.isWaiting ? [sql`r.status <> 'DRAFT'`] : []),
    ...(status === undefined ? [] : [sql`r.status = ${status}`]),
    ...(entity === undefined ? [] : [sql`r.entity = ${entity}`]),
    ...(blueprint === undefined ? [] : [sql`r.blueprint = ${blueprint}`]),
    ...(isWanted === 'true' ? [isActive] : []),
    ...(isWanted === 'false' ? [sql`not ${isActive}`] : []),
    ...(who === undefined
      ? []
      : [
          sql`(r.created_by = ${who} or r.created_by = (
            select u.identifier from users u where u.org_id = r.org_id and u.key = ${who}))`,
        ]),
    ...(externalId === undefined ? [] : [sql`r.external_run_id = ${externalId}`]),
    ...(action === undefined ? [] : [sql`r.action_identifier = ${action}`]),
    ...(source === undefined ? [] : [sql`r.source = any(${[...source]})`]),
  ];
}
