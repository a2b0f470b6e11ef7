import type { Actor } from '../../../platform/actor.ts';
import type { Reader } from '../../../platform/db/database.ts';
import { invalidRequest, notFound } from '../../../platform/errors.ts';
import { findNodeRun, listNodeRunsById, listResponses } from './node-run.store.ts';
import { mayRespond } from './responders.ts';
import { findWorkflowRun, type ListedRun, selectWorkflowRuns } from './run.store.ts';
import { named, olderThan, type WorkflowRunFilters, workflowRunConditions } from './run-conditions.sql.ts';
import { maySeeRun } from './run-rights.ts';
import type { StoredNodeRun, StoredWorkflowRun } from './workflow-run.ts';

export interface RunPage {
  readonly runs: readonly ListedRun[];
  readonly nextCursor?: string;
}

/** Runs that the caller may see, newest first. */
export async function listRuns(
  reader: Reader,
  actor: Actor,
  filters: WorkflowRunFilters,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<RunPage> {
  const conditions = workflowRunConditions(filters);
  const found: ListedRun[] = [];
  let before = cursor === undefined ? undefined : readCursor(cursor);
  // skips hidden runs, and reads on until the page is full
  for (;;) {
    const page = await selectWorkflowRuns(
      reader,
      actor.orgId,
      before === undefined ? conditions : [...conditions, olderThan(before)],
      limit,
    );
    for (const run of page) {
      if (filters.waiting_for_me && !(await waitsFor(reader, actor, run))) continue;
      if (!(await maySeeRun(reader, actor, run))) continue;
      found.push(run);
      if (found.length === limit) return { runs: found, nextCursor: writeCursor(run.key) };
    }
    before = page.at(-1)?.key;
    if (page.length < limit) return { runs: found };
  }
}

async function waitsFor(reader: Reader, actor: Actor, run: StoredWorkflowRun): Promise<boolean> {
  const nodeRun = run.atNodeRun === null ? undefined : await findNodeRun(reader, actor.orgId, run.atNodeRun);
  if (!nodeRun || !(await mayRespond(reader, actor, nodeRun))) return false;
  const answers = await listResponses(reader, actor.orgId, [nodeRun.id]);
  return answers.every(({ responder }) => responder !== (actor.userId ?? actor.id));
}

/** @throws AppError `not_found` if missing or not visible to the caller */
export async function getRun(reader: Reader, actor: Actor, id: string): Promise<StoredWorkflowRun> {
  const run = await findWorkflowRun(reader, actor.orgId, id);
  if (!run || !(await maySeeRun(reader, actor, run))) throw notFound('Workflow run', id, 'id');
  return run;
}

/** @throws AppError `not_found` unless the caller may see its run */
export async function getNodeRun(
  reader: Reader,
  actor: Actor,
  id: string,
): Promise<{ readonly run: StoredWorkflowRun; readonly nodeRun: StoredNodeRun }> {
  const nodeRun = await findNodeRun(reader, actor.orgId, id);
  const run = nodeRun && (await findWorkflowRun(reader, actor.orgId, nodeRun.runId));
  if (!run || !(await maySeeRun(reader, actor, run))) throw notFound('Node run', id, 'id');
  return { run, nodeRun };
}

/** The node runs at which these runs are. */
export async function currentNodeRuns(
  reader: Reader,
  orgId: string,
  runs: readonly StoredWorkflowRun[],
): Promise<ReadonlyMap<string, StoredNodeRun>> {
  const ids = runs.flatMap(({ status, atNodeRun }) =>
    status === 'COMPLETED' || atNodeRun === null ? [] : [atNodeRun],
  );
  const found = ids.length === 0 ? [] : await listNodeRunsById(reader, orgId, ids);
  return new Map(found.map((nodeRun) => [nodeRun.runId, nodeRun]));
}

/** Which of these runs the caller may see. */
export async function visibleWorkflowRuns(
  reader: Reader,
  actor: Actor,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const runs = await selectWorkflowRuns(reader, actor.orgId, [named(ids)], ids.length);
  const seen = await Promise.all(runs.map((run) => maySeeRun(reader, actor, run)));
  return new Set(runs.filter((_run, index) => seen[index]).map(({ id }) => id));
}

function writeCursor(key: number): string {
  return Buffer.from(`1:${key}`).toString('base64url');
}

/** @throws AppError `invalid_request` */
export function readCursor(cursor: string): number {
  const key = /^1:(\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString())?.[1];
  if (key === undefined) throw invalidRequest([{ path: '{query}/cursor', message: 'is not a cursor of this list' }]);
  return Number(key);
}

export { writeCursor };
