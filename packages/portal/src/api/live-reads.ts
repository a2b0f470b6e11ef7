import { factKind } from '@portolan/contract/entity-facts';
import type { LiveChange } from '@portolan/contract/live';
import type { Query } from '@tanstack/react-query';
import type { OperationName } from './api.ts';

/** Reads that become stale when any resource of this type changes. */
const readsOf: Readonly<Record<string, readonly OperationName[]>> = {
  run: ['listRuns', 'getEntityTimeline'],
  blueprint: ['listBlueprints', 'verifyUsersAndTeams'],
  scorecard: [
    'listScorecards',
    'listAllScorecards',
    'getScorecard',
    'getCampaignProgress',
    'listOwnCampaigns',
    'verifyUsersAndTeams',
  ],
  campaign: ['listCampaigns', 'getCampaign', 'getCampaignProgress', 'listOwnCampaigns'],
  exemption: ['listExemptions', 'getCampaignProgress', 'listOwnCampaigns'],
  conversation: ['listConversations'],
  page: ['getPage', 'listPages', 'getSidebar', 'getFavorites', 'getPagePermissions', 'verifyUsersAndTeams'],
  team: ['listTeams', 'getTeam'],
  user: ['listUsers', 'getUser'],
  organization: [
    'getOwnOrganization',
    'getAiPolicy',
    'getAiQuota',
    'getCutover',
    'listAiBudgets',
    'listStandingApprovals',
  ],
  action: [
    'listActions',
    'getAction',
    'getFavorites',
    'getActionPermissions',
    'listStandingApprovals',
    'verifyUsersAndTeams',
  ],
  pack: ['listPacks'],
  secret: ['listSecrets'],
  'llm-provider': ['listLlmProviders', 'getLlmDefaults'],
  'mcp-server': ['listMcpServers', 'getMcpServer', 'listMcpServerTools', 'listAiTools'],
  integration: ['listIntegrations', 'getIntegration', 'listSyncs', 'listInstalls', 'getInstall', 'verifyUsersAndTeams'],
  source: ['listSources', 'getSource', 'listSourceSyncs', 'listMissing'],
  webhook: ['listWebhooks', 'getWebhook', 'verifyUsersAndTeams'],
  migration: ['getDataMigration', 'getUsersAndTeams'],
  workflow: [
    'listWorkflows',
    'getWorkflow',
    'listWorkflowVersions',
    'listSelfServiceTriggers',
    'evaluateTriggerForm',
    'getTriggerAddress',
    'explainWorkflow',
  ],
  workflowProposal: ['listWorkflowProposals', 'getWorkflowProposal'],
  notice: ['listNotices'],
  workflowRun: ['listWorkflowRuns', 'listWorkflowDrafts'],
  credential: ['listApps', 'listUsers', 'getInstall'],
  token: ['listApiTokens'],
};

/** Reads of a single run, which name it in their input. */
const readsOfRun: readonly OperationName[] = [
  'getRun',
  'getRunDecision',
  'listApprovers',
  'listAffectedEntities',
  'listRunLogs',
];

const readsOfWorkflowRun: readonly OperationName[] = ['getWorkflowRun', 'getWorkflowRunLogs', 'getWorkflowDraft'];

/** Counts and charts over a blueprint's entities. They can be refetched at once: no rows move. */
const figuresOf: ReadonlySet<string> = new Set([
  'countEntities',
  'groupBlueprintEntities',
  'countBlueprintValues',
  'aggregateEntities',
  'aggregateOverTime',
]);

/** Lists that people read row by row: never refetched automatically. `LiveNotice` announces changes instead. */
const gentle: ReadonlySet<string> = new Set(['searchBlueprintEntities', 'searchEntities', 'listEntities']);

/** Reads that the live stream keeps fresh, so they are polled less often. */
export const liveReads: ReadonlySet<string> = new Set([
  'listRuns',
  'getRun',
  'getEntity',
  'listWorkflowRuns',
  'getWorkflowRun',
  'getWorkflowRunLogs',
  'listNotices',
]);

/** Whether these changes make the cached read stale. */
export function isTouched({ queryKey }: Pick<Query, 'queryKey'>, changes: readonly LiveChange[]): boolean {
  const [name, ...rest] = queryKey as readonly [string, ...unknown[]];
  if (gentle.has(name)) return false;
  // what is done follows from everything there is
  if (name === 'getChecklist') return true;
  return changes.some((change) => {
    if (readsOf[change.resource]?.includes(name as OperationName)) return true;
    if (change.resource === 'run') return isOfRun(name, rest, change.identifier);
    if (change.resource === 'workflowRun') return names(name, rest, change.identifier, readsOfWorkflowRun);
    if (change.resource === 'blueprint')
      return names(name, rest, change.identifier, [
        'getBlueprint',
        'getBlueprintPermissions',
        'getOwnRights',
        'listUnknownProperties',
      ]);
    return change.resource === 'entity' && isOfEntity(name, rest, change);
  });
}

/** Whether the read is refetched when the stream cannot say what changed. */
export function isReread({ queryKey }: Pick<Query, 'queryKey'>): boolean {
  return !gentle.has(String(queryKey[0]));
}

function isOfRun(name: string, rest: readonly unknown[], run: string | undefined): boolean {
  return names(name, rest, run, readsOfRun) || (name === 'followed log' && rest[0] === run);
}

function isOfEntity(name: string, rest: readonly unknown[], { blueprint, entity }: LiveChange): boolean {
  if (name === 'getEntity') return holds(rest, blueprint) && holds(rest, entity);
  if (name === 'getAuditLog') return entity !== undefined && holds(rest, entity);
  if (name === 'countRelated') return holds(rest, entity);
  // deployments and incidents stand in the timelines of what they point to, which the change does not name
  if (name === 'getEntityTimeline') {
    return (
      holds(rest, entity) || (blueprint !== undefined && factKind({ identifier: blueprint, title: '' }) !== undefined)
    );
  }
  if (figuresOf.has(name)) return holds(rest, blueprint);
  if (blueprint === '_ai_invocations')
    return name === 'listInvocations' || name === 'getAiQuota' || name === 'listAiBudgets';
  if (blueprint === '_ai_agent') return name === 'getCutover' || name === 'listStandingApprovals';
  return false;
}

function names(
  name: string,
  rest: readonly unknown[],
  identifier: string | undefined,
  reads: readonly string[],
): boolean {
  return reads.includes(name) && holds(rest, identifier);
}

/** Whether an input names the resource. Without an identifier (a bulk change) every input matches. */
function holds(rest: readonly unknown[], identifier: string | undefined): boolean {
  return identifier === undefined || JSON.stringify(rest).includes(JSON.stringify(identifier));
}
