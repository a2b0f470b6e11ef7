import type { Work } from '../../platform/unit-of-work.ts';
import type { StoredBlueprint } from '../blueprints/index.ts';
import { reevaluateIfScored } from '../scorecard-changes/index.ts';
import { resultsRequest } from '../scorecard-rules/index.ts';
import { markEvaluated } from './data/rule-results.store.ts';

/**
 * Reevaluates scorecards whose rules may use teams: at once if entities are few, else in a job. Results inherit the
 * teams of their entities, which may have changed.
 */
export async function followTeamsInScorecards(work: Work, blueprint: StoredBlueprint): Promise<void> {
  await reevaluateIfScored(work, blueprint);
  if ((await markEvaluated(work.tx, work.actor.orgId, blueprint.key)) > 0) await work.enqueue(resultsRequest, {});
}
