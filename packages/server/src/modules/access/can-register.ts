import type { Work } from '../../platform/unit-of-work.ts';
import type { StoredBlueprint } from '../blueprints/index.ts';
import { readingOf } from '../entity-query/index.ts';
import { canOn, reachOf } from '../rights/index.ts';
import { type DraftRow, policiesMetByDrafts } from './satisfied-grants.ts';

/**
 * Whether the caller may have the platform register this entity: by the grant itself, or because the entity satisfies
 * its policy. Whose teams will own it is not known yet, so sharing any team is enough.
 */
export async function mayRegister(work: Work, blueprint: StoredBlueprint, draft: Omit<DraftRow, 'teamRefs'>) {
  const { isAll, isOwned, policies } = reachOf(work.actor, 'register', blueprint);
  if (isAll || isOwned || policies.length === 0) return isAll || isOwned;
  const metBy = await policiesMetByDrafts(readingOf(work), work.actor, blueprint, [{ ...draft, teamRefs: [] }]);
  return canOn(work.actor, 'register', blueprint, { teamRefs: [], met: metBy(0) });
}
