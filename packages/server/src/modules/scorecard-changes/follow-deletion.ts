import { groupBy } from '../../platform/collections.ts';
import type { Work } from '../../platform/unit-of-work.ts';
import { lockBlueprint, type StoredBlueprint } from '../blueprints/index.ts';
import type { StoredEntity } from '../entity-rows/index.ts';
import { findScorecards } from '../scorecard-rules/index.ts';
import { reevaluate } from './reevaluate.ts';
import { changeScorecard, dropScorecard } from './scorecard-changes.ts';
import { findSubjectsByEntity, removeSubjects } from './scorecard-entities.store.ts';

/** Scorecards and rules whose entities are gone are gone, and their blueprints are evaluated without them. */
export async function deleteScorecardsOfEntities(
  work: Work,
  blueprints: ReadonlyMap<number, StoredBlueprint>,
  gone: readonly StoredEntity[],
): Promise<void> {
  const standing = gone.filter(({ blueprintKey }) => {
    const identifier = blueprints.get(blueprintKey)?.identifier;
    return identifier === '_scorecard' || identifier === '_rule';
  });
  if (standing.length === 0) return;
  const { tx, actor } = work;
  const keys = standing.map(({ key }) => key);
  const subjects = await findSubjectsByEntity(tx, actor.orgId, keys);
  await removeSubjects(tx, actor.orgId, keys);
  for (const [blueprintKey, its] of groupBy(subjects, (subject) => subject.blueprintKey)) {
    const blueprint = await lockBlueprint(tx, actor.orgId, blueprints.get(blueprintKey)?.identifier ?? '');
    if (!blueprint) continue;
    for (const scorecard of await findScorecards(tx, actor.orgId, blueprintKey)) {
      const parts = its.filter((each) => each.scorecard === scorecard.identifier).map(({ rule }) => rule);
      const { definition } = scorecard;
      if (parts.includes('')) await dropScorecard(work, blueprint, scorecard);
      else if (parts.length > 0) {
        const rules = definition.rules.filter(({ identifier }) => !parts.includes(identifier));
        await changeScorecard(work, blueprint, scorecard, { ...definition, rules });
      }
    }
    await reevaluate(work, blueprint);
  }
}
