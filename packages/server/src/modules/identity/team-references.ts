import type { Reader } from '../../platform/db/database.ts';
import { findTeamsByKey, findTeamsByName, type TeamRow } from './people.store.ts';

/** Marks a name that resolved to no team: kept and echoed, granting nothing. Keys never begin with it. */
const unresolvedMark = '?';

/** How rules of an organization name teams: by title in `legacy`, by identifier after (decisions, People and teams). */
export function ruleTeamForm(model: 'legacy' | 'beta' | 'blueprints'): 'identifier' | 'title' {
  return model === 'legacy' ? 'title' : 'identifier';
}

export interface TeamReferences {
  /** Team keys, and marked names, in the order given, each once. */
  readonly references: readonly string[];
  readonly unresolved: readonly string[];
}

/**
 * Resolves the names people write to references: in `legacy` and `beta` titles come first, in `blueprints`
 * identifiers; the other form is accepted where the first finds nothing. A name that fits no team, or several by
 * title, stays unresolved, also when a team of that name appears later (design §3.4).
 */
export async function resolveTeams(
  reader: Reader,
  orgId: string,
  model: 'legacy' | 'beta' | 'blueprints',
  names: readonly string[],
): Promise<TeamReferences> {
  return (await teamResolver(reader, orgId, model, names))(names);
}

/** `resolveTeams` for many lists of these names with one look-up. */
export async function teamResolver(
  reader: Reader,
  orgId: string,
  model: 'legacy' | 'beta' | 'blueprints',
  names: readonly string[],
): Promise<(some: readonly string[]) => TeamReferences> {
  const teams = names.length === 0 ? [] : await findTeamsByName(reader, orgId, [...new Set(names)]);
  return (some) => resolveAmong(teams, model, some);
}

function resolveAmong(
  teams: readonly TeamRow[],
  model: 'legacy' | 'beta' | 'blueprints',
  names: readonly string[],
): TeamReferences {
  const unresolved: string[] = [];
  // an empty text names nobody: mappings give one where the source has nothing
  const references = names
    .filter((name) => name !== '')
    .map((name) => {
      const byIdentifier = teams.find((team) => team.identifier === name);
      const byTitle = teams.filter((team) => team.title === name);
      const only = byTitle.length === 1 ? byTitle[0] : undefined;
      const team = model === 'blueprints' ? (byIdentifier ?? only) : (only ?? byIdentifier);
      if (team) return team.key;
      unresolved.push(name);
      return unresolvedMark + name;
    });
  return { references: [...new Set(references)], unresolved };
}

/** The marked form of a name that is known to resolve to nothing. */
function unresolvedName(reference: string): string | undefined {
  return reference.startsWith(unresolvedMark) ? reference.slice(unresolvedMark.length) : undefined;
}

/**
 * The names of references as the organization's model shows them: a name that resolved to nothing as it was written, a
 * team that is gone not at all.
 */
export async function teamNames(
  reader: Reader,
  orgId: string,
  model: 'legacy' | 'beta' | 'blueprints',
  references: readonly string[],
  form: 'identifier' | 'title' = model === 'blueprints' ? 'identifier' : 'title',
): Promise<ReadonlyMap<string, string>> {
  const keys = references.filter((reference) => unresolvedName(reference) === undefined);
  const teams = keys.length === 0 ? [] : await findTeamsByKey(reader, orgId, [...new Set(keys)]);
  const names = new Map(teams.map((team) => [team.key, team[form]]));
  for (const reference of references) {
    const name = unresolvedName(reference);
    if (name !== undefined) names.set(reference, name);
  }
  return names;
}
