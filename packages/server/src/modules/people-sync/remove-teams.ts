import type { Work } from '../../platform/unit-of-work.ts';
import { settle } from '../derived/index.ts';
import { forgetTeams } from './sync-people.ts';

/** Within the caller's unit of work: nothing refers to these teams any more, and what was derived from them follows. */
export async function forgetTeamsWithin(work: Work, keys: readonly string[]): Promise<void> {
  await settle(work, { entities: await forgetTeams(work, keys) });
}
