import { initEvaluation } from '@portolan/evaluation';
import { askAs } from './api.ts';
import type { Product } from './product.ts';
import { waitingWorkflow } from './waiting-workflow.ts';

/** An example of a screen, and what it shows when reads go wrong; what is left out has nothing to show. */
export interface Example {
  readonly address: string;
  /** The screen reads something, so it waits for it. */
  readonly reads?: boolean;
  /** What it says when there is nothing; lists alone have it. */
  readonly empty?: RegExp;
}

const lists = (address: string, empty: RegExp): Example => ({ address, reads: true, empty });
const reads = (address: string): Example => ({ address, reads: true });

/** Every screen of the portal by the path it is declared with. What stands in braces is found when the product runs. */
export const examples: Readonly<Record<string, Example>> = {
  '/': reads('/'),
  '/first-steps': reads('/first-steps'),
  '/sign-in': { address: '/sign-in' },
  '/set-password': { address: '/set-password' },
  '/me/credentials': lists('/me/credentials', /You have no API token/),
  '/connect-app': { address: '/connect-app' },
  '/me/connected-apps': lists('/me/connected-apps', /You let no app in/),
  '/me/memory': lists('/me/memory', /There are no notes/),
  '/me/preferences': { address: '/me/preferences' },
  '/ai': { address: '/ai' },
  '/ai/agents': lists('/ai/agents', /no agent/i),
  '/ai/new-agent': { address: '/ai/new-agent' },
  '/ai/agents/$agent': reads('/ai/agents/service_guide'),
  '/ai/evaluation': { address: '/ai/evaluation' },
  '/ai/evaluation/$run': { address: '/ai/evaluation/gallery' },
  '/ai/new-case': { address: '/ai/new-case' },
  '/ai/cases/$case': reads('/ai/cases/number-of-services'),
  '/ai/invocations': lists('/ai/invocations', /No invocation|Nobody|nothing/i),
  '/ai/invocations/$invocation': reads('/ai/invocations/{invocation}'),
  '/ai/usage': reads('/ai/usage'),
  '/approvals': lists('/approvals', /Nothing|None|No /),
  '/approvals/$run': reads('/approvals/{run}'),
  '/builder/audit': lists('/builder/audit', /Nothing|No /),
  '/builder/ai': reads('/builder/ai'),
  '/builder/connectors': lists('/builder/connectors', /no |None|Nothing/i),
  '/builder/connectors/$server': reads('/builder/connectors/gallery'),
  '/builder/actions/$action': reads('/builder/actions/create_sandbox'),
  '/builder/new-action': { address: '/builder/new-action' },
  '/builder/automations': lists('/builder/automations', /No automations yet/),
  '/builder/automations/$automation': reads('/builder/automations/triage_new_incident'),
  '/builder/new-automation': { address: '/builder/new-automation' },
  '/builder/data-model': lists('/builder/data-model', /no blueprint/i),
  '/builder/data-model/$blueprint': reads('/builder/data-model/service'),
  '/builder/data-model/$blueprint/migrate-data': reads('/builder/data-model/service/migrate-data'),
  '/builder/data-model/$blueprint/permissions': reads('/builder/data-model/service/permissions'),
  '/builder/models': lists('/builder/models', /no starter model/i),
  '/builder/organization': reads('/builder/organization'),
  '/builder/new-campaign': reads('/builder/new-campaign'),
  '/builder/campaigns': lists('/builder/campaigns', /No campaigns yet/),
  '/builder/campaigns/$campaign': reads('/builder/campaigns/{campaign}'),
  '/builder/new-scorecard': { address: '/builder/new-scorecard' },
  '/builder/scorecards': lists('/builder/scorecards', /No scorecards yet/),
  '/builder/scorecards/$blueprint/$scorecard': reads('/builder/scorecards/service/production_readiness'),
  '/builder/secrets': lists('/builder/secrets', /no secret/i),
  '/builder/sources': lists('/builder/sources', /no |Nothing/i),
  '/builder/sources/add': reads('/builder/sources/add'),
  '/builder/sources/add/$type': reads('/builder/sources/add/pagerduty'),
  '/builder/sources/integrations/$integration': reads('/builder/sources/integrations/{integration}'),
  '/builder/sources/own/$source': reads('/builder/sources/own/gallery'),
  '/builder/sources/new-webhook': { address: '/builder/sources/new-webhook' },
  '/builder/sources/webhooks/$webhook': reads('/builder/sources/webhooks/{webhook}'),
  '/imports/backstage': { address: '/imports/backstage' },
  '/imports/new': { address: '/imports/new' },
  '/builder/teams': lists('/builder/teams', /no team/i),
  '/builder/users': lists('/builder/users', /no |Nobody/i),
  '/builder/users-and-teams': reads('/builder/users-and-teams'),
  '/catalog': { address: '/catalog' },
  '/catalog/$page': lists('/catalog/delivery', /nothing|no |empty/i),
  '/catalog/$page/edit': reads('/catalog/incident_room/edit'),
  '/e/$blueprint/$entity': reads('/e/service/route-planner'),
  '/e/$blueprint/$entity/$tab': lists('/e/service/route-planner/runs', /No runs/),
  '/new/$blueprint': reads('/new/service'),
  '/runs': lists('/runs', /Nothing has run yet/),
  '/runs/$run': reads('/runs/{run}'),
  '/self-serve': { address: '/self-serve?action=create_sandbox' },
  '/self-service': lists('/self-service', /no action|Nothing/i),
  '/self-service/$action': reads('/self-service/create_sandbox'),
  '/workflows': lists('/workflows', /No workflows yet/),
  '/workflows/new': { address: '/workflows/new' },
  '/workflows/proposals/$proposal': reads('/workflows/proposals/{proposal}'),
  '/workflows/$workflow/edit': reads('/workflows/gallery_workflow/edit'),
  '/workflows/$workflow/start': reads('/workflows/gallery_workflow/start'),
  '/workflow-runs': lists('/workflow-runs', /No workflow has run yet/),
  '/workflow-runs/$workflowRun': reads('/workflow-runs/{workflowRun}'),
};

/** Addresses of the demo organization at which screens show other parts or other things than in their examples. */
export const furtherAddresses: readonly string[] = [
  '/builder/ai?tab=cutover',
  '/builder/ai?tab=limits',
  '/builder/data-model/service?tab=computed',
  '/builder/data-model/service?tab=json',
  '/builder/data-model/service?tab=ownership',
  '/builder/data-model/service?tab=relations',
  '/builder/data-model?view=list',
  '/builder/users?type=Service%20Account',
  '/catalog/_users',
  '/catalog/engineering_overview',
  '/catalog/incident_room',
  '/catalog/service',
  '/catalog/standards',
  '/e/service/sanctions-screening',
  '/e/service/shipment-tracking/audit',
  '/e/service/shipment-tracking/edit',
  '/e/service/shipment-tracking/related',
  '/e/service/shipment-tracking/related?face=graph',
  '/e/service/shipment-tracking/runs',
  '/e/service/shipment-tracking/scorecards',
  '/self-service/retire_service',
  '/workflows/new?template=scaffold',
];

type Places = ReadonlyMap<string, string>;

/** Makes what the examples need beside the demo organization, and finds what stands in braces. */
export async function findPlaces(product: Product): Promise<Places> {
  const ask = await askAs(product);
  const places = new Map<string, string>();
  const first = async (method: string, path: string, list: string, key: string, body?: object): Promise<string> => {
    const answer = (await ask(method, path, body)).body as Record<string, Record<string, string>[]>;
    return String(answer[list]?.[0]?.[key]);
  };
  await ask('POST', '/webhooks', { title: 'Gallery', identifier: 'gallery', enabled: true, mappings: [] });
  await ask('POST', '/integration', { installationId: 'gallery', installationAppType: 'custom', title: 'Gallery' });
  await ask('POST', '/sources', {
    type: 'gitea',
    identifier: 'gallery',
    isPaused: true,
    settings: { url: 'https://git.example' },
    secrets: { token: 'a-token-of-the-gallery' },
  });
  await initEvaluation({
    listBlueprints: async () => [{ identifier: 'service' }],
    createBlueprint: (body) => ask('POST', '/blueprints', body),
    createCase: async (blueprint, body) => (await ask('POST', `/blueprints/${blueprint}/entities`, body)).status < 300,
  });
  await ask('POST', '/blueprints/ai_eval_run/entities', {
    identifier: 'gallery',
    title: 'Gallery',
    properties: {
      started_at: '2026-01-01T00:00:00Z',
      run: 'gallery',
      variant: 'built-in',
      cases: 1,
      right: 1,
      share: 1,
    },
  });
  await ask('POST', '/workflows', waitingWorkflow('gallery_workflow'));
  const started = await ask('POST', '/workflows/gallery_workflow/runs', { inputs: {} });
  places.set('{workflowRun}', String((started.body as { run?: { identifier?: string } }).run?.identifier));
  const arguments_ = { goal: 'Be looked at', workflow: waitingWorkflow('gallery_proposed') };
  const params = { name: 'propose_workflow', arguments: arguments_ };
  const proposed = await ask('POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const { result } = proposed.body as { result?: { structuredContent?: { proposal?: string } } };
  places.set('{proposal}', String(result?.structuredContent?.proposal));
  places.set('{integration}', await first('GET', '/integration', 'integrations', 'installationId'));
  places.set('{webhook}', await first('GET', '/webhooks', 'integrations', 'identifier'));
  places.set('{campaign}', await first('GET', '/campaigns', 'campaigns', 'id'));
  await ask('POST', '/actions', {
    identifier: 'gallery_action',
    title: 'Gallery',
    requiredApproval: true,
    trigger: { type: 'self-service', operation: 'CREATE', userInputs: { properties: {}, required: [] } },
    invocationMethod: { type: 'WEBHOOK', url: 'https://elsewhere.example/hook' },
  });
  const asked = await ask('POST', '/actions/gallery_action/runs', { properties: {} });
  places.set('{run}', String((asked.body as { run?: { id?: string } }).run?.id));
  const search = { limit: 1 };
  const path = '/blueprints/_ai_invocations/entities/search';
  places.set('{invocation}', await first('POST', path, 'entities', 'identifier', search));
  return places;
}

export function fillAddress(places: Places, { address }: Example): string {
  return address.replace(/\{\w+\}/, (place) => encodeURIComponent(places.get(place) ?? place));
}
