import { actionFormOperations } from './action-forms.ts';
import { actionRunOperations } from './action-runs.ts';
import { actionOperations } from './actions.ts';
import { aiBudgetOperations } from './ai-budgets.ts';
import { aiPolicyOperations } from './ai-policy.ts';
import { analyticsOperations } from './analytics.ts';
import { assistantNotBuiltOperations } from './assistant-not-built.ts';
import { assistantOperations } from './assistant-operations.ts';
import { auditOperations } from './audit.ts';
import { authOperations } from './auth.ts';
import { automationOperations } from './automations.ts';
import { blueprintActionOperations } from './blueprint-actions.ts';
import { blueprintPermissionOperations } from './blueprint-permissions.ts';
import { blueprintOperations } from './blueprints.ts';
import { campaignOperations } from './campaigns.ts';
import { changelogDestinationOperations } from './changelog-destinations.ts';
import { checklistOperations } from './checklist.ts';
import { connectedAppOperations } from './connected-apps.ts';
import { conversationOperations } from './conversations.ts';
import { credentialOperations } from './credentials.ts';
import { cutoverOperations } from './cutover.ts';
import { dataMigrationOperations } from './data-migrations.ts';
import { deleteGuardOperations } from './delete-guards.ts';
import { demoOrganizationOperations } from './demo-organization.ts';
import { entityOperations } from './entities.ts';
import { entityHistoryOperations } from './entity-history.ts';
import { entityTimelineOperations } from './entity-timeline.ts';
import { exemptionOperations } from './exemptions.ts';
import { exportOperations } from './exports.ts';
import { favoriteOperations } from './favorites.ts';
import { importOperations } from './imports.ts';
import { installOperations } from './installs.ts';
import { integrationReportOperations } from './integration-reports.ts';
import { integrationOperations } from './integrations.ts';
import { invitationOperations } from './invitations.ts';
import { liveOperations } from './live.ts';
import { llmProviderOperations } from './llm-providers.ts';
import { mappingTestOperations } from './mapping-tests.ts';
import { mcpServerOperations } from './mcp-servers.ts';
import { memoryOperations } from './memory.ts';
import { absentOperations } from './not-built.ts';
import { noticeOperations } from './notices.ts';
import type { Operation } from './operation.ts';
import { operatorOperations } from './operator.ts';
import { ownOrganizationOperations } from './organization.ts';
import { packOperations } from './packs.ts';
import { pageOperations } from './pages.ts';
import { peopleOperations } from './people.ts';
import { permissionExplanationOperations } from './permission-explanations.ts';
import { portalOperations } from './portal.ts';
import { scorecardOperations } from './scorecards.ts';
import { searchOperations } from './search.ts';
import { sidebarOperations } from './sidebars.ts';
import { signInOperations } from './sign-in.ts';
import { sourceTypeOperations } from './source-types.ts';
import { sourceOperations } from './sources.ts';
import { standingApprovalOperations } from './standing-approvals.ts';
import { unknownPropertyOperations } from './unknown-properties.ts';
import { usersAndTeamsOperations } from './users-and-teams.ts';
import { webhookOperations } from './webhooks.ts';
import { workflowDraftOperations } from './workflow-drafts.ts';
import { workflowExplanationOperations } from './workflow-explanations.ts';
import { workflowNodeRunOperations } from './workflow-node-runs.ts';
import { workflowPauseOperations } from './workflow-pauses.ts';
import { workflowProposalOperations } from './workflow-proposals.ts';
import { workflowRerunOperations } from './workflow-reruns.ts';
import { workflowRunEventOperations } from './workflow-run-events.ts';
import { workflowRunOperations } from './workflow-runs.ts';
import { workflowTestOperations } from './workflow-test.ts';
import { workflowOperations } from './workflows.ts';

const all = [
  ...authOperations,
  ...signInOperations,
  ...connectedAppOperations,
  ...credentialOperations,
  ...ownOrganizationOperations,
  ...demoOrganizationOperations,
  ...blueprintOperations,
  ...unknownPropertyOperations,
  ...blueprintPermissionOperations,
  ...permissionExplanationOperations,
  ...entityOperations,
  ...entityHistoryOperations,
  ...entityTimelineOperations,
  ...searchOperations,
  ...analyticsOperations,
  ...scorecardOperations,
  ...campaignOperations,
  ...exemptionOperations,
  ...peopleOperations,
  ...invitationOperations,
  ...auditOperations,
  ...liveOperations,
  ...dataMigrationOperations,
  ...usersAndTeamsOperations,
  ...actionFormOperations,
  ...actionRunOperations,
  ...actionOperations,
  ...integrationOperations,
  ...sourceOperations,
  ...importOperations,
  ...exportOperations,
  ...sourceTypeOperations,
  ...installOperations,
  ...integrationReportOperations,
  ...deleteGuardOperations,
  ...webhookOperations,
  ...mappingTestOperations,
  ...blueprintActionOperations,
  ...automationOperations,
  ...workflowDraftOperations,
  ...workflowNodeRunOperations,
  ...workflowRunOperations,
  ...workflowRerunOperations,
  ...workflowRunEventOperations,
  ...workflowTestOperations,
  ...workflowProposalOperations,
  ...noticeOperations,
  ...workflowExplanationOperations,
  ...workflowOperations,
  ...workflowPauseOperations,
  ...changelogDestinationOperations,
  ...pageOperations,
  ...sidebarOperations,
  ...favoriteOperations,
  ...packOperations,
  ...portalOperations,
  ...checklistOperations,
  ...assistantOperations,
  ...aiBudgetOperations,
  ...aiPolicyOperations,
  ...standingApprovalOperations,
  ...memoryOperations,
  ...llmProviderOperations,
  ...assistantNotBuiltOperations,
  ...conversationOperations,
  ...cutoverOperations,
  ...mcpServerOperations,
  ...operatorOperations,
  ...absentOperations,
] as const;

/** Every operation of the API, in the order in which the reference shows them. */
export const operations: readonly Operation[] = all;

/** The operations by their ids, as types. */
export type Operations = { readonly [O in (typeof all)[number] as O['id']]: O };
