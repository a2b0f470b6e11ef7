import { teamIdentifierStem } from '@portolan/team-references';
import type { Reader } from '../../platform/db/database.ts';
import { usedIdentifiers } from './team.store.ts';

/** The first identifier for a team of the name that no team has: with `_2`, `_3` … if need be. */
export async function freeIdentifier(reader: Reader, orgId: string, name: string): Promise<string> {
  const stem = teamIdentifierStem(name);
  for (let from = 1; ; from += 50) {
    const candidates = Array.from({ length: 50 }, (_, index) =>
      from + index === 1 ? stem : `${stem}_${from + index}`,
    );
    const used = await usedIdentifiers(reader, orgId, candidates);
    const free = candidates.find((candidate) => !used.has(candidate));
    if (free !== undefined) return free;
  }
}
