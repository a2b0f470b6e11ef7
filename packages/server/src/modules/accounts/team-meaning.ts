import type { Actor } from '../../platform/actor.ts';
import type { TeamRow } from './people.store.ts';

/** A name matches no team, one (by identifier or only by title), or several. */
export type TeamMeaning<Team> =
  | { readonly kind: 'none' }
  | { readonly kind: 'one'; readonly team: Team; readonly isTitle: boolean }
  | { readonly kind: 'several'; readonly teams: readonly Team[] };

type NamedTeamRow = Pick<TeamRow, 'key' | 'identifier' | 'title'>;

/**
 * Which team a name means, wherever a name of a team is read. In `legacy` and `beta` titles come first, and what fits no
 * title alone may be an identifier. In `blueprints` both are understood, and a name that fits two teams means neither:
 * a writer that was not told of the migration means the title, one that was the identifier (decision 0077).
 * `teams` holds at least every team with this title or identifier.
 */
export function teamMeantBy<Team extends NamedTeamRow>(
  teams: readonly Team[],
  model: Actor['model'],
  name: string,
): TeamMeaning<Team> {
  const titled = teams.filter(({ title }) => title === name);
  const identified = teams.find(({ identifier }) => identifier === name);
  const one = (team: Team): TeamMeaning<Team> => ({ kind: 'one', team, isTitle: team.identifier !== name });
  if (model === 'blueprints') {
    const meant = [...(identified ? [identified] : []), ...titled.filter(({ key }) => key !== identified?.key)];
    const [team, ...others] = meant;
    if (others.length > 0) return { kind: 'several', teams: meant };
    return team ? one(team) : { kind: 'none' };
  }
  const [only] = titled.length === 1 ? titled : [];
  const team = only ?? identified;
  return team ? one(team) : { kind: 'none' };
}

/** The error for an ambiguous name, with the remedy. */
export function severalTeams(name: string, teams: readonly Pick<NamedTeamRow, 'identifier' | 'title'>[]): string {
  const each = teams.map(({ identifier, title }) =>
    identifier === name ? `the identifier of the team "${title}"` : `the title of the team "${identifier}"`,
  );
  const instead = teams.find(({ identifier }) => identifier !== name)?.identifier ?? '';
  return `"${name}" means ${teams.length} teams: it is ${each.join(' and ')}. Write "${instead}" for the latter, or give one of them another title`;
}
