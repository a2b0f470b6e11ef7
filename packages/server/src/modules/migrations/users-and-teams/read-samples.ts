import type { UsersAndTeamsPlan } from '@portolan/contract/users-and-teams';
import { type JsonObject, type ManualItem, type OrganizationDocuments, sampledItems } from '@portolan/team-references';
import type { Reader } from '../../../platform/db/database.ts';
import { createTurns } from '../../../platform/take-turns.ts';
import { listPersonStandings, type PersonStanding } from '../../accounts/maintenance.ts';
import { listOwnedDocuments } from './documents.ts';
import type { Facts } from './read-facts.ts';

/** Number of people among whom one in a team is searched. */
const peopleMax = 200;
/** Expressions of people may be slow: items not evaluated within this time get no sample. */
const timeMaxMs = 5_000;
const atOnceMs = 20;

/** Adds to each item with an expression its results on one entity or person, now and with the suggestion. */
export async function withSamples(
  reader: Reader,
  facts: Facts,
  documents: OrganizationDocuments,
  manual: UsersAndTeamsPlan['manual'],
): Promise<UsersAndTeamsPlan['manual']> {
  const items = manual as unknown as ManualItem[];
  if (!items.some(({ expression }) => expression !== undefined)) return manual;
  const people = await listPersonStandings(reader, facts.orgId, peopleMax);
  const { entities, users } = await readSamples(reader, facts, people, items, 1);
  const [user] = users;
  const { identifiers } = facts.choices;
  const data = { entities, ...(user === undefined ? {} : { user }) };
  const sampled: ManualItem[] = [];
  const each = sampledItems(items, documents, data, identifiers ? { identifiers } : {});
  for await (const item of withSampleTimeout(each, timeMaxMs)) sampled.push(item);
  return [...sampled, ...items.slice(sampled.length)] as unknown as UsersAndTeamsPlan['manual'];
}

/** Reads up to `most` entities per blueprint with expressions, and up to `most` people in teams. */
export async function readSamples(
  reader: Reader,
  facts: Facts,
  people: readonly PersonStanding[],
  manual: readonly ManualItem[],
  most: number,
): Promise<{ readonly entities: Record<string, JsonObject[]>; readonly users: JsonObject[] }> {
  const owners = new Set(manual.flatMap(({ area, resource }) => (area === 'calculation' ? [resource.identifier] : [])));
  for (const { definition } of facts.actions) {
    const blueprint = blueprintNamedBy(definition as unknown as JsonObject);
    if (blueprint !== undefined) owners.add(blueprint);
  }
  const entities: Record<string, JsonObject[]> = {};
  for (const blueprint of facts.blueprints.filter(({ identifier }) => owners.has(identifier))) {
    const found = await listOwnedDocuments(reader, blueprint, facts.model, most);
    entities[blueprint.identifier] = found.map((entity) => JSON.parse(JSON.stringify(entity)) as JsonObject);
  }
  return { entities, users: sampleUsers(facts, people, most) };
}

/** Iterates until the time is over, and yields to the event loop in between. */
export async function* withSampleTimeout<Each>(all: Iterable<Each>, timeMs: number): AsyncGenerator<Each, void> {
  const startedAt = performance.now();
  const takeTurns = createTurns(atOnceMs);
  for (const each of all) {
    yield each;
    if (performance.now() - startedAt > timeMs) return;
    await takeTurns();
  }
}

function blueprintNamedBy({ trigger }: { readonly trigger?: unknown }): string | undefined {
  if (typeof trigger !== 'object' || trigger === null) return undefined;
  const { blueprintIdentifier, event } = trigger as { blueprintIdentifier?: unknown; event?: unknown };
  const own = typeof event === 'object' && event !== null ? event : {};
  const named = blueprintIdentifier ?? (own as { blueprintIdentifier?: unknown }).blueprintIdentifier;
  return typeof named === 'string' ? named : undefined;
}

/** People in teams in the form that expressions of forms read. */
function sampleUsers({ teams, model }: Facts, people: readonly PersonStanding[], most: number): JsonObject[] {
  const members = people.filter(({ teamKeys }) => teamKeys.length > 0).slice(0, most);
  return members.map(({ identifier, role, teamKeys }): JsonObject => {
    const own = teams.filter(({ key }) => teamKeys.includes(key));
    const titles = own.map(({ title }) => title);
    return {
      email: identifier,
      team: titles,
      teams: titles.map((name) => ({ name, provider: null })),
      properties: { port_role: role },
      ...(model === 'beta'
        ? {
            relations: { teams: own.map((team) => team.identifier) },
            teamsIdentifiers: own.map((team) => team.identifier),
          }
        : {}),
    };
  });
}
