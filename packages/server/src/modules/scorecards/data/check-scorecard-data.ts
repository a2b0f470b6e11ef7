import type { Actor } from '../../../platform/actor.ts';
import type { Database } from '../../../platform/db/database.ts';
import type { UnitOfWork } from '../../../platform/unit-of-work.ts';
import type { ConsistencyReport } from '../../derived/index.ts';
import { checkReflections } from './check-reflections.ts';
import { checkResults } from './check-results.ts';

/** Compares the entities of scorecards, rules and results with what they represent; writes nothing. */
export async function checkScorecardData(
  deps: { readonly database: Database; readonly unitOfWork: UnitOfWork },
  actor: Actor,
  now: Date,
): Promise<ConsistencyReport> {
  const results = await checkResults(deps, actor, now);
  const reflections = await checkReflections(deps, actor);
  return {
    checked: results.checked + reflections.checked,
    pending: results.pending,
    differences: [...reflections.differences, ...results.differences],
  };
}
