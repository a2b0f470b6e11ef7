import type { UsersAndTeamsChoices } from '@portolan/contract/users-and-teams';
import { assignTeamIdentifiers, type TeamAssignment } from '@portolan/team-references';
import type { Actor } from '../../../platform/actor.ts';
import type { Reader } from '../../../platform/db/database.ts';
import { teamMeantBy } from '../../accounts/index.ts';
import { countUsers, listAllTeams } from '../../accounts/maintenance.ts';
import type { StoredAction } from '../../actions/index.ts';
import { actionReferencesOf, listActionRows } from '../../actions/maintenance.ts';
import { listBlueprintRows, referencesIn, type StoredBlueprint } from '../../blueprints/index.ts';
import { listPageRows, pageReferencesOf, type StoredPage } from '../../pages/maintenance.ts';
import { findChoices } from './migration.store.ts';
import { countEntitiesWithTeams, listUnresolvedUses } from './owned-entities.store.ts';

interface Team {
  readonly key: string;
  readonly identifier: string;
  readonly title: string;
}

/** Input of the plan, read once without writing. */
export interface Facts<Model extends Actor['model'] = 'legacy' | 'beta'> {
  readonly orgId: string;
  readonly model: Model;
  readonly teams: readonly Team[];
  readonly users: number;
  readonly blueprints: readonly StoredBlueprint[];
  /** Number of entities that name teams, by blueprint key. */
  readonly withTeams: ReadonlyMap<number, number>;
  readonly actions: readonly StoredAction[];
  readonly pages: readonly StoredPage[];
  /** Names that resolve to no team, with the places that use them. */
  readonly unresolved: readonly { readonly name: string; readonly places: readonly string[] }[];
  readonly choices: UsersAndTeamsChoices;
}

/** Bounds the places of unresolved names that are read. */
const placesMax = 10_000;

export async function readFacts<Model extends Actor['model']>(
  reader: Reader,
  orgId: string,
  model: Model,
): Promise<Facts<Model>> {
  const blueprints = await listBlueprintRows(reader, orgId);
  const actions = await listActionRows(reader, orgId);
  const pages = await listPageRows(reader, orgId);
  const uses = await listUnresolvedUses(reader, orgId, placesMax);
  const named = [
    ...uses.map(({ name, blueprint, count }) => ({ name, place: `entities of ${blueprint} (${count})` })),
    ...blueprints.flatMap(({ identifier, rights }) => marked(referencesIn(rights), `permissions of ${identifier}`)),
    ...actions.flatMap((each) => marked(actionReferencesOf(each), `permissions of the action ${each.identifier}`)),
    ...pages.flatMap((each) => marked(pageReferencesOf(each), `permissions of the page ${each.identifier}`)),
  ];
  const names = [...new Set(named.map(({ name }) => name))].sort();
  return {
    orgId,
    model,
    teams: await listAllTeams(reader, orgId),
    users: await countUsers(reader, orgId),
    blueprints,
    withTeams: await countEntitiesWithTeams(reader, orgId),
    actions,
    pages,
    unresolved: names.map((name) => ({
      name,
      places: [...new Set(named.filter((each) => each.name === name).map(({ place }) => place))],
    })),
    choices: await findChoices(reader, orgId),
  };
}

function marked(references: readonly string[], place: string) {
  return references.flatMap((reference) => (reference.startsWith('?') ? [{ name: reference.slice(1), place }] : []));
}

export interface Collision {
  readonly title: string;
  readonly identifiers: string[];
}

export function equalTitles(teams: readonly Team[]): Collision[] {
  const byTitle = new Map<string, string[]>();
  for (const { title, identifier } of teams) byTitle.set(title, [...(byTitle.get(title) ?? []), identifier]);
  return [...byTitle].flatMap(([title, identifiers]) => (identifiers.length > 1 ? [{ title, identifiers }] : []));
}

/** Names that mean several teams today: shared titles, and titles that are the identifier of another team. */
export function findCollisions(teams: readonly Team[]): Collision[] {
  const named = byName(teams);
  return [...new Set(teams.map(({ title }) => title))].flatMap((title) => {
    const meant = teamMeantBy(named.get(title) ?? [], 'blueprints', title);
    return meant.kind === 'several' ? [{ title, identifiers: meant.teams.map(({ identifier }) => identifier) }] : [];
  });
}

/** Teams by title and by identifier. */
export function byName<T extends Team>(teams: readonly T[]): ReadonlyMap<string, readonly T[]> {
  const named = new Map<string, T[]>();
  for (const team of teams) {
    for (const name of new Set([team.title, team.identifier])) named.set(name, [...(named.get(name) ?? []), team]);
  }
  return named;
}

export interface NextTeam extends Team {
  /** How the new identifier was assigned. */
  readonly source: TeamAssignment['source'];
}

/** The teams with their identifiers after the migration. */
export function nextTeams({ teams, choices, model }: Pick<Facts, 'teams' | 'choices' | 'model'>): NextTeam[] {
  if (model !== 'legacy') return teams.map((team) => ({ ...team, source: 'kept' }));
  const unique = Object.entries(choices.identifiers ?? {}).filter(
    ([title]) => teams.filter((team) => team.title === title).length === 1,
  );
  const documents = teams.map(({ key, identifier, title }) => ({ id: key, identifier, title }));
  return assignTeamIdentifiers(documents, Object.fromEntries(unique)).map(({ identifier, source }, index) => {
    const team = teams[index] as Team;
    return { ...team, identifier, source: team.identifier === identifier ? 'kept' : source };
  });
}
