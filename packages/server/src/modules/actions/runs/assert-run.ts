import { AppError } from '../../../platform/errors.ts';
import type { Work } from '../../../platform/unit-of-work.ts';
import { findRun } from './run.store.ts';

/**
 * Entities are changed for a run (`run_id`) only while it is in progress. A name that is no run here is noted with the
 * change as it always was: it gives no right, and data that moved in still names the runs of its old home.
 * @throws AppError `run_ended`
 */
export async function assertRun({ tx, actor }: Work): Promise<void> {
  if (actor.runId === undefined) return;
  const run = await findRun(tx, actor.orgId, actor.runId);
  if (!run || run.status === 'IN_PROGRESS') return;
  const message = `The run "${run.id}" has the status ${run.status}; entities are changed for runs in progress alone`;
  throw new AppError('run_ended', message);
}
