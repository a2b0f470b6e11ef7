import type { BlueprintDocument, JsonObject, OrganizationDocuments } from '@portolan/team-references';
import type { Actor } from '../../../platform/actor.ts';
import type { Reader } from '../../../platform/db/database.ts';
import { actionReferencesOf, isSelfService, presentAction, presentActionRights } from '../../actions/maintenance.ts';
import { listDestinations } from '../../automations/maintenance.ts';
import { referencesIn } from '../../blueprints/index.ts';
import { presentBlueprint, presentPermissions } from '../../blueprints/maintenance.ts';
import { listIntegrationRows, listWebhookRows } from '../../integrations/maintenance.ts';
import { pageReferencesOf, presentPage, presentPageRights } from '../../pages/maintenance.ts';
import { listAgentDocuments, listScorecardDocuments } from './documents.ts';
import { shownBy } from './move-rights.ts';
import type { Facts } from './read-facts.ts';

/**
 * Every document of an organization that may name teams, as its administrators read it over the API: without secrets,
 * and with teams by title before the migration and by identifier after it.
 */
export async function readDocuments(reader: Reader, facts: Facts<Actor['model']>): Promise<OrganizationDocuments> {
  const { orgId, model } = facts;
  const shown = new Map(facts.teams.map((team) => [team.key, model === 'blueprints' ? team.identifier : team.title]));
  return {
    model,
    teams: facts.teams.map(({ key, identifier, title }) => ({ id: key, identifier, title })),
    blueprints: facts.blueprints.map(
      (blueprint): BlueprintDocument => ({
        blueprint: toDocument(presentBlueprint(blueprint)),
        permissions: toDocument(presentPermissions(blueprint, shownBy(shown, referencesIn(blueprint.rights)))),
        entitiesWithTeam: facts.withTeams.get(blueprint.key) ?? 0,
      }),
    ),
    actions: facts.actions.map((action) => ({
      action: toDocument(presentAction(action)),
      permissions: isSelfService(action)
        ? toDocument(presentActionRights(action, shownBy(shown, actionReferencesOf(action))))
        : null,
    })),
    integrations: (await listIntegrationRows(reader, orgId)).map((integration) =>
      toDocument({
        identifier: integration.installationId,
        installationId: integration.installationId,
        title: integration.title,
        integrationType: integration.appType,
        config: integration.config,
        changelogDestination: integration.changelogDestination,
      }),
    ),
    webhooks: (await listWebhookRows(reader, orgId)).map(({ identifier, definition }) =>
      toDocument({ identifier, ...definition }),
    ),
    pages: facts.pages.map((page) => ({
      page: toDocument(presentPage(page)),
      permissions: toDocument(presentPageRights(page, shownBy(shown, pageReferencesOf(page)))),
    })),
    scorecards: (await listScorecardDocuments(reader, orgId)).map(toDocument),
    destinations: (await listDestinations(reader, orgId)).map(({ id, type, url, resources }) =>
      toDocument({ identifier: id, title: url ?? type, type, url, resources }),
    ),
    agents: (await listAgentDocuments(reader, orgId, model)).map(toDocument),
  };
}

/** Plain JSON as on the wire: no dates, nothing undefined. */
function toDocument(value: object): JsonObject {
  return JSON.parse(JSON.stringify(value)) as JsonObject;
}
