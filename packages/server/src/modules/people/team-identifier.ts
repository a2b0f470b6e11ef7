import { teamIdentifierStem } from '@portolan/team-references';
import type { Actor } from '../../platform/actor.ts';
import type { Reader } from '../../platform/db/database.ts';
import { usedIdentifiers } from './team.store.ts';

/** Small letters and digits, in words that `-` or `_` join: what people already use as an identifier elsewhere. */
const plain = /^[\p{Ll}\p{Lo}0-9]+(?:[-_][\p{Ll}\p{Lo}0-9]+)*$/u;

/**
 * The first identifier for a team of the name that no team has, nor as its title: with `_2`, `_3` … if need be. Where teams
 * are named by identifiers, a name that would do as one stays, like `platform-team`: whoever goes on to name the team by it
 * is understood.
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
