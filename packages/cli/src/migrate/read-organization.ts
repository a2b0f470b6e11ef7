import { getActionPermissions, listActions } from '@portolan/contract/actions';
import { aggregateEntities } from '@portolan/contract/analytics';
import { getBlueprintPermissions } from '@portolan/contract/blueprint-permissions';
import { listBlueprints } from '@portolan/contract/blueprints';
import { listChangelogDestinations } from '@portolan/contract/changelog-destinations';
import { ApiError, type Client } from '@portolan/contract/client';
import { listIntegrations } from '@portolan/contract/integrations';
import { getOwnOrganization } from '@portolan/contract/organization';
import { getPagePermissions, listPages } from '@portolan/contract/pages';
import { listTeams, listUsers } from '@portolan/contract/people';
import { listAllScorecards } from '@portolan/contract/scorecards';
import { searchBlueprintEntities } from '@portolan/contract/search';
import { planUsersAndTeams } from '@portolan/contract/users-and-teams';
import { listWebhooks } from '@portolan/contract/webhooks';
import type {
  BlueprintDocument,
  JsonObject,
  OrganizationDocuments,
  OrganizationModel,
  SampleData,
  TeamDocument,
} from '@portolan/team-references';
import { hasTeamsAsBlueprints } from '../teams-as-blueprints.ts';

export interface ReadOrganization {
  readonly id: string;
  readonly name: string;
  readonly documents: OrganizationDocuments;
  readonly samples: SampleData;
}

/** So many requests are under way at once. */
const parallelMax = 6;
const agentsMax = 1000;

/** Reads everything in which teams can be named. Nothing is written. */
export async function readOrganization(client: Client): Promise<ReadOrganization> {
  const { organization } = await client.call(getOwnOrganization);
  const { blueprints } = await client.call(listBlueprints);
  const plain = blueprints as unknown as JsonObject[];
  const model = findModel(organization, plain);
  const [actions, integrations, webhooks, pages, scorecards, teams, users] = await Promise.all([
    client.call(listActions, { query: { version: 'v2' } }).then((answer) => answer.actions as unknown as JsonObject[]),
    client.call(listIntegrations).then((answer) => answer.integrations as unknown as JsonObject[]),
    client.call(listWebhooks).then((answer) => answer.integrations as unknown as JsonObject[]),
    client.call(listPages, { query: { compact: false } }).then((answer) => answer.pages as unknown as JsonObject[]),
    client.call(listAllScorecards).then((answer) => answer.scorecards as unknown as JsonObject[]),
    client.call(listTeams).then((answer) => answer.teams),
    client.call(listUsers).then((answer) => answer.users as unknown as JsonObject[]),
  ]);
  const planned = model === 'blueprints' ? new Map<string, string>() : await plannedIdentifiers(client);
  const samples: Record<string, readonly JsonObject[]> = {};
  const documents: OrganizationDocuments = {
    model,
    teams: teams.map(({ name = '', identifier: current, createdAt, id }): TeamDocument => {
      const identifier = planned.get(name) ?? current;
      return {
        title: name,
        ...(identifier === undefined ? {} : { identifier }),
        ...(createdAt === undefined ? {} : { createdAt }),
        ...(id === undefined ? {} : { id }),
      };
    }),
    blueprints: await inParallel(plain, async (blueprint): Promise<BlueprintDocument> => {
      const params = { blueprint_identifier: toText(blueprint['identifier']) };
      const { permissions } = await client.call(getBlueprintPermissions, { params });
      const entitiesWithTeam = await countOwned(client, params.blueprint_identifier);
      if (entitiesWithTeam > 0)
        samples[params.blueprint_identifier] = await sampleOwned(client, params.blueprint_identifier);
      return { blueprint, permissions: permissions as unknown as JsonObject, entitiesWithTeam };
    }),
    actions: await inParallel(actions, async (action) => {
      const isForm = (action['trigger'] as JsonObject | undefined)?.['type'] !== 'automation';
      if (!isForm) return { action, permissions: null };
      const params = { action_identifier: toText(action['identifier']) };
      const { permissions } = await client.call(getActionPermissions, { params });
      return { action, permissions: permissions as unknown as JsonObject };
    }),
    integrations,
    webhooks,
    pages: await inParallel(pages, async (page) => {
      const identifier = toText(page['identifier']);
      // pages that the platform makes have no rights of their own
      if (identifier.startsWith('$') || typeof page['sidebar'] !== 'string') return { page, permissions: null };
      const { permissions } = await client.call(getPagePermissions, { params: { page_identifier: identifier } });
      return { page, permissions: permissions as unknown as JsonObject };
    }),
    scorecards,
    destinations: await readDestinations(client),
    agents: plain.some(({ identifier }) => identifier === '_ai_agent') ? await readAgents(client) : [],
  };
  return {
    id: organization.id,
    name: organization.name,
    documents,
    samples: { entities: samples, ...sampleUser(users, model) },
  };
}

function findModel(
  organization: { readonly featureFlags?: unknown },
  blueprints: readonly JsonObject[],
): OrganizationModel {
  if (hasTeamsAsBlueprints(organization)) return 'blueprints';
  return blueprints.some(({ identifier }) => identifier === '_team') ? 'beta' : 'legacy';
}

const isOwned = { property: '$team', operator: 'isNotEmpty' } as const;

/** How many entities carry a team. */
async function countOwned(client: Client, blueprint: string): Promise<number> {
  const isOf = { property: '$blueprint', operator: '=', value: blueprint } as const;
  const { result } = await client.call(aggregateEntities, {
    body: { func: 'count', query: { combinator: 'and', rules: [isOf, isOwned] } },
  });
  return 'value' in result ? (result.value ?? 0) : result.total;
}

async function sampleOwned(client: Client, blueprint: string): Promise<readonly JsonObject[]> {
  const { entities } = await client.call(searchBlueprintEntities, {
    params: { blueprint_identifier: blueprint },
    body: { query: { combinator: 'and', rules: [isOwned] }, limit: 1 },
  });
  return entities as unknown as JsonObject[];
}

async function readDestinations(client: Client): Promise<JsonObject[]> {
  const answer = await ifKnown(client.call(listChangelogDestinations));
  return (answer?.destinations ?? []).map(({ id, type, url, resources }) => ({
    identifier: id,
    title: url ?? type,
    type,
    resources: resources ?? null,
  }));
}

/** What the migration would call each team, by its title; of several teams with one title, none. */
async function plannedIdentifiers(client: Client): Promise<ReadonlyMap<string, string>> {
  const teams = (await ifKnown(client.call(planUsersAndTeams)))?.plan.teams ?? [];
  const alone = teams.filter(({ title }) => teams.filter((team) => team.title === title).length === 1);
  return new Map(alone.map(({ title, identifier }) => [title, identifier]));
}

/** The answer, or undefined from an installation that does not know the call. */
async function ifKnown<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}

async function readAgents(client: Client): Promise<JsonObject[]> {
  const { entities } = await client.call(searchBlueprintEntities, {
    params: { blueprint_identifier: '_ai_agent' },
    body: { limit: agentsMax },
  });
  return entities as unknown as JsonObject[];
}

/** Somebody who is in a team, as forms see people. */
function sampleUser(users: readonly JsonObject[], model: OrganizationModel): Pick<SampleData, 'user'> {
  const user = users.find(({ teams }) => Array.isArray(teams) && teams.length > 0);
  if (user === undefined || model === 'blueprints') return {};
  const names = user['teams'] as string[];
  return { user: { email: user['email']!, team: names, teams: names.map((name) => ({ name, provider: null })) } };
}

async function inParallel<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results = new Array<Result>(items.length);
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let at = next++; at < items.length; at = next++) results[at] = await work(items[at]!);
  };
  await Promise.all(Array.from({ length: Math.min(parallelMax, items.length) }, worker));
  return results;
}

const toText = (value: unknown): string => (typeof value === 'string' ? value : '');
