import { type Campaign, campaignBody, campaignStatuses } from '@portolan/contract/campaigns';
import { z } from 'zod';
import { notFound } from '../../platform/errors.ts';
import { definition, readDefinition } from '../../platform/tools/definition.ts';
import { pageArguments, pageOfAll } from '../../platform/tools/page.ts';
import { type ToolDeclaration, tool } from '../../platform/tools/tool.ts';
import type { CatalogDeps } from '../entities/index.ts';
import { getCampaign, getCampaignProgress, listCampaigns } from './read-campaigns.ts';
import { createCampaign, deleteCampaign, replaceCampaign } from './write-campaigns.ts';

const blueprint = z.string().min(1).describe('Identifier of the blueprint');
const id = z.string().min(1).max(100).describe('Id of the campaign, from list_campaigns');

export function campaignTools(deps: CatalogDeps): ToolDeclaration[] {
  return [listTool(deps), getTool(deps), upsertTool(deps), deleteTool(deps)];
}

function listTool(deps: CatalogDeps): ToolDeclaration {
  return tool({
    name: 'list_campaigns',
    title: 'List campaigns',
    description:
      'Lists campaigns: what the entities of a blueprint are to reach of a scorecard, and by when. get_campaign says how far one is.',
    effect: 'read',
    scope: 'read:scorecards',
    audience: 'developer',
    input: z.strictObject({
      blueprint: blueprint.optional(),
      status: z.enum(campaignStatuses).optional(),
      ...pageArguments,
    }),
    run: async ({ actor }, { blueprint, status, ...paging }) => {
      const all = await listCampaigns(deps, actor, { blueprint });
      const wanted = all.filter((each) => status === undefined || each.status === status);
      const { items, ...page } = pageOfAll(wanted, (each) => each.id, paging);
      return { ...page, campaigns: items.map(shortForm) };
    },
  });
}

function shortForm({ id: name, title, blueprint, scorecard, dueDate, status }: Campaign) {
  return { id: name, title, blueprint, scorecard, dueDate, status };
}

function getTool(deps: CatalogDeps): ToolDeclaration {
  return tool({
    name: 'get_campaign',
    title: 'Get a campaign and its progress',
    description:
      'Returns one campaign, how many entities have reached its target, altogether and by team, and the query that finds those that have not.',
    effect: 'read',
    scope: 'read:scorecards',
    audience: 'developer',
    input: z.strictObject({ blueprint, id }),
    run: async ({ actor }, input) => {
      const campaign = await getCampaign(deps, actor, input.id);
      // agents that are limited to blueprints are held to the one they name
      if (campaign.blueprint !== input.blueprint) throw notFound('Campaign', input.id);
      return { campaign, progress: await getCampaignProgress(deps, actor, input.id) };
    },
  });
}

function upsertTool(deps: CatalogDeps): ToolDeclaration {
  return tool({
    name: 'upsert_campaign',
    title: 'Create or replace a campaign',
    description: 'Creates a campaign, or replaces the one with the id whole; read it first to keep what shall stay.',
    effect: 'destructive',
    scope: ['create:scorecards', 'update:scorecards'],
    audience: 'builder',
    input: z.strictObject({
      id: id.optional(),
      campaign: definition(
        'Like {"title": "Everything at Gold", "blueprint": "service", "scorecard": "readiness", "target": {"level": "Gold"}, "dueDate": "2027-03-31", "status": "active"}. The target may also be {"rules": ["has_owner"]}, which all have to pass. Optional: description, owner (an e-mail address), filter (a search query).',
      ),
    }),
    run: async ({ actor }, input) => {
      const body = readDefinition(campaignBody, input.campaign, 'campaign');
      const campaign =
        input.id === undefined
          ? await createCampaign(deps, actor, body)
          : await replaceCampaign(deps, actor, input.id, body);
      return { created: input.id === undefined, campaign };
    },
  });
}

function deleteTool(deps: CatalogDeps): ToolDeclaration {
  return tool({
    name: 'delete_campaign',
    title: 'Delete a campaign',
    description: 'Deletes one campaign; its scorecard, results and entities stay.',
    effect: 'destructive',
    scope: 'delete:scorecards',
    audience: 'builder',
    input: z.strictObject({ id }),
    run: async ({ actor }, input) => {
      await deleteCampaign(deps, actor, input.id);
      return { deleted: input.id };
    },
  });
}
