import { teamIdentifierStem } from '@portolan/team-references';
import type { Actor } from '../../platform/actor.ts';
import type { Reader } from '../../platform/db/database.ts';
import { usedIdentifiers } from './team.store.ts';

/** Lowercase words joined by `-` or `_`: usable as an identifier as it is. */
const plain = /^[\p{Ll}\p{Lo}0-9]+(?:[-_][\p{Ll}\p{Lo}0-9]+)*$/u;

/**
 * The first free identifier for a team name, numbered `_2`, `_3` … if needed; identifiers and titles of other teams
 * are both taken. If teams are named by identifiers, a name like `platform-team` is used unchanged, so that references
 * by name keep working.
 */
export async function freeIdentifier(
  reader: Reader,
  orgId: string,
  name: string,
  model: Actor['model'],
): Promise<string> {
  const isKept = model === 'blueprints' && name.length <= 900 && plain.test(name);
  const stem = isKept ? name : teamIdentifierStem(name);
  for (let from = 1; ; from += 50) {
    const candidates = Array.from({ length: 50 }, (_, index) =>
      from + index === 1 ? stem : `${stem}_${from + index}`,
    );
    const used = await usedIdentifiers(reader, orgId, candidates);
    const free = candidates.find((candidate) => !used.has(candidate));
    if (free !== undefined) return free;
  }
}
