import type { Work } from '../../platform/unit-of-work.ts';
import { recomputeDerived } from '../derived/index.ts';
import { removeTeamReferences } from './sync-people.ts';

/** Within the caller's unit of work: nothing refers to these teams any more, and what was derived from them follows. */
export async function removeTeamReferencesWithin(work: Work, keys: readonly string[]): Promise<void> {
  await recomputeDerived(work, { entities: await removeTeamReferences(work, keys) });
}
