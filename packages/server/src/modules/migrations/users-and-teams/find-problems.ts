import type { UsersAndTeamsProblem } from '@portolan/contract/users-and-teams';
import { teamIdentifierStem } from '@portolan/team-references';
import type { StoredBlueprint } from '../../blueprints/index.ts';
import { findHandovers, movedIdentifiers } from './find-handovers.ts';
import type { BlueprintPlan } from './plan-blueprints.ts';
import { equalTitles, type Facts, nextTeams } from './read-facts.ts';

export interface Problems {
  readonly blockers: readonly UsersAndTeamsProblem[];
  readonly warnings: readonly UsersAndTeamsProblem[];
}

/** Problems that block the migration, and notices that do not. Pure. */
export function findProblems(facts: Facts, plan: BlueprintPlan): Problems {
  return {
    blockers: [
      ...duplicateTitles(facts),
      ...wrongChoices(facts),
      ...findHandovers(facts),
      ...reserved(facts),
      ...cycles(facts),
    ],
    warnings: [
      ...collisions(facts),
      ...similarTitles(facts),
      ...movedIdentifiers(facts),
      ...unknownNames(facts),
      ...paths(plan, facts.blueprints),
      ...candidates(facts, plan),
    ],
  };
}

function duplicateTitles({ teams, unresolved, choices }: Facts): UsersAndTeamsProblem[] {
  const used = new Map(unresolved.map(({ name, places }) => [name, places]));
  return equalTitles(teams).flatMap(({ title, identifiers }) => {
    const places = used.get(title);
    if (!places || Object.hasOwn(choices.duplicates ?? {}, title)) return [];
    return [
      {
        code: 'DUPLICATE_TEAM_TITLE',
        message: `"${title}" is the title of ${identifiers.length} teams (${identifiers.join(', ')}), and is named in ${places.join(', ')}`,
        fix: `Rename all but one of them, or say which is meant: PUT …/overrides {"duplicates": {"${title}": "${identifiers[0]}"}}`,
        resource: { kind: 'team', identifier: title },
      },
    ];
  });
}

function wrongChoices(facts: Facts): UsersAndTeamsProblem[] {
  const { teams, choices, model } = facts;
  const after = nextTeams(facts).map(({ identifier }) => identifier);
  const twice = after.filter((identifier, index) => after.indexOf(identifier) !== index);
  const fix = 'Correct it with PUT …/overrides';
  const identifiers = Object.entries(choices.identifiers ?? {}).flatMap(([title, identifier]) => {
    const resource = { kind: 'team', identifier: title };
    const named = teams.filter((team) => team.title === title);
    if (model !== 'legacy') {
      const message =
        'Teams are entities already, and their identifiers are in use: rename the entity of the team instead';
      return [{ code: 'IDENTIFIER_FIXED', message, fix, resource }];
    }
    if (named.length !== 1) {
      const message = `The identifier "${identifier}" is chosen for "${title}", which is the title of ${named.length === 0 ? 'no team' : 'several teams'}`;
      return [{ code: 'UNKNOWN_TEAM', message, fix, resource }];
    }
    return twice.includes(identifier)
      ? [{ code: 'IDENTIFIER_TAKEN', message: `Two teams would have the identifier "${identifier}"`, fix, resource }]
      : [];
  });
  const duplicates = Object.entries(choices.duplicates ?? {}).flatMap(([title, identifier]) => {
    if (identifier === null || after.includes(identifier) || teams.some((team) => team.identifier === identifier))
      return [];
    const message = `"${identifier}", chosen for the title "${title}", is the identifier of no team`;
    return [{ code: 'UNKNOWN_TEAM', message, fix, resource: { kind: 'team', identifier: title } }];
  });
  return [...identifiers, ...duplicates];
}

/** Blueprints that people made under names that are now reserved for the platform. */
function reserved({ model, blueprints }: Facts): UsersAndTeamsProblem[] {
  if (model !== 'legacy') return [];
  return blueprints
    .filter(({ identifier }) => identifier === '_user' || identifier === '_team')
    .map(({ identifier }) => ({
      code: 'RESERVED_BLUEPRINT',
      message: `The organization has a blueprint "${identifier}" of its own`,
      fix: `Rename it: PUT /v1/blueprints/${identifier} with another identifier`,
      resource: { kind: 'blueprint', identifier },
    }));
}

function cycles({ blueprints }: Facts): UsersAndTeamsProblem[] {
  const next = new Map(blueprints.map((blueprint) => [blueprint.identifier, inheritedFrom(blueprint, blueprints)]));
  return blueprints.flatMap(({ identifier }) => {
    const seen = new Set<string>();
    let at = next.get(identifier);
    while (at !== undefined && at !== identifier && !seen.has(at)) {
      seen.add(at);
      at = next.get(at);
    }
    if (at !== identifier) return [];
    const message = `"${identifier}" inherits its teams from itself`;
    const fix = 'Change teamInheritance of one of the blueprints on the circle';
    return [{ code: 'INHERITANCE_CYCLE', message, fix, resource: { kind: 'blueprint', identifier } }];
  });
}

function inheritedFrom(start: StoredBlueprint, all: readonly StoredBlueprint[]): string | undefined {
  const { ownership, teamInheritance } = start.definition;
  const path = ownership ? (ownership.type === 'Inherited' ? ownership.path : undefined) : teamInheritance?.path;
  return path === undefined ? undefined : walk(start, path, all).end;
}

function walk(start: StoredBlueprint, path: string, all: readonly StoredBlueprint[]) {
  let at: StoredBlueprint | undefined = start;
  let hasMany = false;
  for (const segment of path.split('.').filter((each) => each !== '$team')) {
    const relations: StoredBlueprint['definition']['relations'] = at?.definition.relations ?? {};
    const relation: { readonly target: string; readonly many?: boolean } | undefined = Object.hasOwn(relations, segment)
      ? relations[segment]
      : undefined;
    hasMany ||= relation?.many === true;
    at = relation && all.find(({ identifier }) => identifier === relation.target);
  }
  return { end: at?.identifier, hasMany };
}

function collisions({ teams }: Facts): UsersAndTeamsProblem[] {
  return equalTitles(teams).map(({ title, identifiers }) => ({
    code: 'EQUAL_TEAM_TITLES',
    message: `"${title}" is the title of ${identifiers.length} teams: ${identifiers.join(', ')}`,
    fix: 'Rename all but one: clients find teams by their title',
    resource: { kind: 'team', identifier: title },
  }));
}

/** Different titles with the same identifier stem: the younger team gets a number. */
function similarTitles(facts: Facts): UsersAndTeamsProblem[] {
  if (facts.model !== 'legacy') return [];
  return nextTeams(facts).flatMap(({ key, title, identifier, source }) => {
    const stem = teamIdentifierStem(title);
    const others = facts.teams.filter((team) => team.key !== key && teamIdentifierStem(team.title) === stem);
    if (source !== 'kept' || identifier === stem || others.length === 0) return [];
    return [
      {
        code: 'SIMILAR_TEAM_TITLES',
        message: `"${title}" gets the identifier "${identifier}", since ${others.map((team) => `"${team.title}"`).join(', ')} reads alike`,
        fix: `Nothing, or choose another one: PUT …/overrides {"identifiers": {"${title}": "…"}}`,
        resource: { kind: 'team', identifier: title },
      },
    ];
  });
}

/** Relations to teams that do not define ownership: they stay, and may define it after the migration. */
function candidates({ blueprints }: Facts, plan: BlueprintPlan): UsersAndTeamsProblem[] {
  return blueprints.flatMap(({ identifier, key, isSystem, definition }) => {
    const planned = plan.blueprints.find(({ before }) => before.key === key)?.definition ?? definition;
    if (isSystem || definition.teamInheritance || definition.ownership) return [];
    return Object.entries(planned.relations ?? {}).flatMap(([relation, { target }]) =>
      target === '_team'
        ? [
            {
              code: 'RELATION_TO_TEAMS_STAYS',
              message: `The relation "${relation}" of "${identifier}" leads to teams and decides nothing: it stays a relation`,
              fix: `Nothing; to make it the ownership afterwards, give "${identifier}" ownership of type Direct, then POST /v1/migrations with {"entity": {"team": ".relations.${relation}"}}`,
              resource: { kind: 'blueprint', identifier },
            },
          ]
        : [],
    );
  });
}

function unknownNames({ unresolved }: Facts): UsersAndTeamsProblem[] {
  return unresolved.map(({ name, places }) => ({
    code: 'UNKNOWN_TEAM_NAME',
    message: `"${name}" is no team; it stays in ${places.join(', ')} and grants nothing`,
    fix: 'Create the team and write the name again, or remove it',
    resource: { kind: 'team', identifier: name },
  }));
}

/** Ownership paths that validation would now refuse: kept, and reported as problems. */
function paths({ blueprints, going }: BlueprintPlan, all: readonly StoredBlueprint[]): UsersAndTeamsProblem[] {
  const after = all.map((each) => {
    const planned = blueprints.find(({ before }) => before.key === each.key);
    return planned ? { ...each, definition: planned.definition } : each;
  });
  const inherited = blueprints.flatMap(({ before, definition: { ownership }, changes }) => {
    if (ownership?.type !== 'Inherited' || !changes.some(({ rule }) => rule === 2)) return [];
    const { identifier } = before;
    const { end, hasMany } = walk(before, ownership.path, after);
    const resource = { kind: 'blueprint', identifier };
    const target = after.find((each) => each.identifier === end);
    const isDirect = end === '_team' || target?.definition.ownership?.type === 'Direct';
    return [
      ...(end === undefined
        ? [
            {
              code: 'BROKEN_INHERITANCE_PATH',
              message: `The path "${ownership.path}" of "${identifier}" leads nowhere; its entities have no teams`,
              fix: 'Correct ownership.path',
              resource,
            },
          ]
        : []),
      ...(hasMany
        ? [
            {
              code: 'MANY_IN_INHERITANCE_PATH',
              message: `The path "${ownership.path}" of "${identifier}" passes a relation to many; the teams are those of all`,
              fix: 'A new path must be of relations to one',
              resource,
            },
          ]
        : []),
      ...(end !== undefined && !isDirect
        ? [
            {
              code: 'INHERITANCE_TARGET_NOT_DIRECT',
              message: `"${identifier}" inherits from "${end}", which inherits itself; this goes on working`,
              fix: 'Nothing; a path to a blueprint with Direct ownership is easier to read',
              resource,
            },
          ]
        : []),
    ];
  });
  const lost = going.flatMap(({ blueprint, relation, isMany }) => {
    const definition = all.find(({ identifier }) => identifier === blueprint)?.definition;
    const isRequired = definition?.relations?.[relation]?.required === true;
    if (isMany && !isRequired) return [];
    const what = isRequired ? 'be required' : 'be limited to one';
    return [
      {
        code: 'RELATION_CONSTRAINT_LOST',
        message: `Teams of "${blueprint}" can no longer ${what}, as the relation "${relation}" could`,
        fix: 'Nothing, unless you rely on it',
        resource: { kind: 'blueprint', identifier: blueprint },
      },
    ];
  });
  return [...inherited, ...lost];
}
