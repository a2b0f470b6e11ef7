import type { UsersAndTeamsProblem } from '@portolan/contract/users-and-teams';
import { teamMeantBy } from '../../accounts/index.ts';
import { byName, type Facts, nextTeams } from './read-facts.ts';

type TeamFacts = Pick<Facts, 'teams' | 'choices' | 'model'>;

/**
 * Names that mean one team now and another, or two, once both titles and identifiers resolve: a client that keeps
 * writing such a name would hand over what the team owns (decision 0077).
 */
export function findHandovers(facts: TeamFacts): UsersAndTeamsProblem[] {
  const { teams, model } = facts;
  const next = nextTeams(facts);
  const [now, then] = [byName(teams), byName(next)];
  return [...new Set([...now.keys(), ...then.keys()])].flatMap((name) => {
    const was = teamMeantBy(now.get(name) ?? [], model, name);
    const meant = then.get(name) ?? [];
    // an identifier that was chosen twice is reported as a wrong choice elsewhere
    const isTwice = meant.filter(({ identifier }) => identifier === name).length > 1;
    const becomes = teamMeantBy(meant, 'blueprints', name);
    if (was.kind !== 'one' || becomes.kind === 'none' || isTwice) return [];
    if (becomes.kind === 'one' && becomes.team.key === was.team.key) return [];
    const other = meant.find(({ key }) => key !== was.team.key) ?? was.team;
    const wrong = meant.find(({ identifier }) => identifier === name) ?? other;
    return [
      {
        code: was.team.title === name ? 'TITLE_IS_IDENTIFIER' : 'IDENTIFIER_TAKEN',
        message: `"${name}" names the team "${was.team.title}" now, and would name "${other.title}" too: whoever goes on to write it would hand over ownership and rights`,
        fix:
          model === 'legacy'
            ? `Choose another identifier: PUT …/overrides {"identifiers": {"${wrong.title}": "…"}}`
            : `Rename one of the two teams, or give the entity another identifier: PUT /v1/blueprints/_team/entities/${encodeURIComponent(wrong.identifier)}`,
        resource: { kind: 'team', identifier: name },
      },
    ];
  });
}

/** Teams whose identifier changes because it is the title of another team. */
export function movedIdentifiers(facts: TeamFacts): UsersAndTeamsProblem[] {
  return nextTeams(facts).flatMap(({ key, title, identifier, source }) => {
    const before = facts.teams.find((team) => team.key === key)?.identifier;
    if (source !== 'derived') return [];
    return [
      {
        code: 'IDENTIFIER_CHANGES',
        message: `"${title}" gets the identifier "${identifier}": "${before}", which it has, is the title of another team`,
        fix: `Nothing, or choose another one: PUT …/overrides {"identifiers": {"${title}": "…"}}`,
        resource: { kind: 'team', identifier: title },
      },
    ];
  });
}
