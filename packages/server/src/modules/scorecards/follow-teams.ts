import type { Work } from '../../platform/unit-of-work.ts';
import type { StoredBlueprint } from '../blueprints/index.ts';
import { reevaluateIfScored } from '../scorecard-changes/index.ts';
import { resultsRequest } from '../scorecard-rules/index.ts';
import { markEvaluated } from './data/rule-results.store.ts';

/**
 * Scorecards of a blueprint that may ask for teams are evaluated anew: here where entities are few, else by a job. Results
 * belong to the teams of their entities, which may be others now.
 */
export async function followTeamsInScorecards(work: Work, blueprint: StoredBlueprint): Promise<void> {
  await reevaluateIfScored(work, blueprint);
  if ((await markEvaluated(work.tx, work.actor.orgId, blueprint.key)) > 0) await work.enqueue(resultsRequest, {});
}
