import type { UsersAndTeamsChoices } from '@portolan/contract';
import type { Actor } from '../../../platform/actor.ts';
import type { Reader } from '../../../platform/db/database.ts';
import { actionReferencesOf, listActionRows, type StoredAction } from '../../actions/index.ts';
import { listBlueprintRows, referencesIn, type StoredBlueprint } from '../../blueprints/index.ts';
import { countEntitiesWithTeams, listUnresolvedUses } from '../../catalog/index.ts';
import { countUsers, listAllTeams } from '../../identity/index.ts';
import { listPageRows, pageReferencesOf, type StoredPage } from '../../pages/index.ts';
import { findChoices } from './migration.store.ts';

interface Team {
  readonly key: string;
  readonly identifier: string;
  readonly title: string;
}

/** What the plan is made of: read once, without writing. */
export interface Facts<Model extends Actor['model'] = 'legacy' | 'beta'> {
  readonly orgId: string;
  readonly model: Model;
  readonly teams: readonly Team[];
  readonly users: number;
  readonly blueprints: readonly StoredBlueprint[];
  /** How many entities of each blueprint name teams, by the blueprint's key. */
  readonly withTeams: ReadonlyMap<number, number>;
  readonly actions: readonly StoredAction[];
  readonly pages: readonly StoredPage[];
  /** Names that are no team's, with the places that name them. */
  readonly unresolved: readonly { readonly name: string; readonly places: readonly string[] }[];
  readonly choices: UsersAndTeamsChoices;
}

/** Of names that are no team's, so many places are looked at. */
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

/** Titles that several teams have. */
export function collisionsOf(teams: readonly Team[]): { readonly title: string; readonly identifiers: string[] }[] {
  const byTitle = new Map<string, string[]>();
  for (const { title, identifier } of teams) byTitle.set(title, [...(byTitle.get(title) ?? []), identifier]);
  return [...byTitle].flatMap(([title, identifiers]) => (identifiers.length > 1 ? [{ title, identifiers }] : []));
}

/** The identifiers that teams get by choice, by key; those that keep theirs are missing. */
export function chosenIdentifiers({ teams, choices, model }: Pick<Facts, 'teams' | 'choices' | 'model'>) {
  const chosen = new Map<string, string>();
  if (model !== 'legacy') return chosen;
  for (const [title, identifier] of Object.entries(choices.identifiers ?? {})) {
    const named = teams.filter((team) => team.title === title);
    const team = named.length === 1 ? named[0] : undefined;
    if (team && team.identifier !== identifier) chosen.set(team.key, identifier);
  }
  return chosen;
}
