import type { Work } from '../../../../platform/unit-of-work.ts';
import { addResultTarget, type StoredBlueprint } from '../../../blueprints/index.ts';
import { createEntityKeeper } from '../../adapt-entities.ts';

/**
 * Results get a relation to the entities of a blueprint with its first scorecard. Call it last: a change of a blueprint
 * lets nobody derive until the transaction ends.
 */
export function addResults(work: Work, blueprint: StoredBlueprint): Promise<void> {
  return addResultTarget(createEntityKeeper(), work, blueprint);
}
