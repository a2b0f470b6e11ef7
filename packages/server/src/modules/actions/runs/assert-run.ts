import { AppError } from '../../../platform/errors.ts';
import type { Work } from '../../../platform/unit-of-work.ts';
import { findRun } from './run.store.ts';

/**
 * A write may name a run (`run_id`) only while that is in progress. An unknown name is accepted and recorded: it gives
 * no rights, and migrated data names runs of the old system.
 * @throws AppError `run_ended`
 */
export async function assertRun({ tx, actor }: Work): Promise<void> {
  if (actor.runId === undefined) return;
  const run = await findRun(tx, actor.orgId, actor.runId);
  if (!run || run.status === 'IN_PROGRESS') return;
  const message = `The run "${run.id}" has the status ${run.status}; entities are changed for runs in progress alone`;
  throw new AppError('run_ended', message);
}
