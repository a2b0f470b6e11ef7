import type { Work } from '../../../platform/unit-of-work.ts';
import { findRunLabel } from './run.store.ts';

/** Authors of the texts behind the run for which something is written, so that what a run writes has them too. */
export async function findCarriedAuthors({ tx, actor }: Work): Promise<readonly string[]> {
  return actor.runId === undefined ? [] : findRunLabel(tx, actor.orgId, actor.runId);
}
