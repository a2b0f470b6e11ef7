import type { OrganizationModel, TeamDocument } from './documents.ts';
import type { TeamAssignment } from './plan.ts';

/** The identifier derived from a title if no other team has it: `Payments Core` → `payments_core`. */
export function teamIdentifierStem(title: string): string {
  const words = title
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}0-9]+/gu, '_')
    .replace(/^_+|_+$/g, '');
  return words.slice(0, 900) || 'team';
}

/** The candidates for a title in order: the stem, then `_2`, `_3` … */
function* teamIdentifierCandidates(title: string): Generator<string, never> {
  const stem = teamIdentifierStem(title);
  yield stem;
  for (let number = 2; ; number++) yield `${stem}_${number}`;
}

/**
 * Assigns an identifier to each team, in the order of the teams: the chosen one, the existing one, or the first free
 * candidate. A candidate is never another team's current identifier or title, so that no stored reference changes its
 * meaning. In `legacy`, an existing identifier that equals another team's title is replaced, since few clients see it.
 * Chosen and kept identifiers are never given to another team; the older team gets the shorter one.
 */
export function assignTeamIdentifiers(
  teams: readonly TeamDocument[],
  chosen: Readonly<Record<string, string>> = {},
  model: OrganizationModel = 'legacy',
): TeamAssignment[] {
  const titled = new Map<string, number>();
  for (const { title } of teams) titled.set(title, (titled.get(title) ?? 0) + 1);
  const isTitleOfAnother = (identifier: string, title: string): boolean =>
    (titled.get(identifier) ?? 0) > (identifier === title ? 1 : 0);
  const fixed = teams.map(({ title, identifier }): TeamAssignment | undefined => {
    if (Object.hasOwn(chosen, title)) return { title, identifier: chosen[title]!, source: 'chosen' };
    if (identifier === undefined || (model === 'legacy' && isTitleOfAnother(identifier, title))) return undefined;
    return { title, identifier, source: 'kept' };
  });
  const used = new Set([
    ...fixed.flatMap((assignment) => assignment?.identifier ?? []),
    ...teams.flatMap(({ identifier }) => identifier ?? []),
  ]);
  const byAge = teams
    .map((team, index) => ({ team, index }))
    .filter(({ index }) => fixed[index] === undefined)
    .sort((a, b) => compare(a.team.createdAt, b.team.createdAt) || compare(a.team.id, b.team.id) || a.index - b.index);
  const assigned = [...fixed];
  for (const { team, index } of byAge) {
    for (const identifier of teamIdentifierCandidates(team.title)) {
      if (used.has(identifier) || isTitleOfAnother(identifier, team.title)) continue;
      used.add(identifier);
      assigned[index] = { title: team.title, identifier, source: 'derived' };
      break;
    }
  }
  return assigned as TeamAssignment[];
}

function compare(left = '', right = ''): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
