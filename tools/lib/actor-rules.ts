import type { SourceFile } from './source-files.ts';

/** Where an actor is made of what is known of somebody: who asks, and who acts later with a saved authority. */
const makers = new Set([
  'packages/server/src/platform/actor.ts',
  'packages/server/src/platform/authority.ts',
  'packages/server/src/modules/identity/authenticate.ts',
  'packages/server/src/modules/identity/find-actor.ts',
  'packages/server/src/modules/identity/saved-authority.ts',
  'packages/server/src/modules/identity/user-actor.ts',
  'packages/server/src/modules/sign-in/sessions/open-session.ts',
  // whoever asked, as the migration that only administrators begin
  'packages/server/src/modules/migrations/users-and-teams/run-migration.ts',
]);

/** Where the platform acts for itself, by what it does there. None of them carries out what somebody wrote. */
export const platformWork: Readonly<Record<string, string>> = {
  'actions/dispatch/run-actors.ts': 'keeps the record of a run',
  'actions/inputs/form-context.ts': 'shows a form the person who fills it',
  'actions/runs/expire-drafts.ts': 'declines drafts that nobody decided on',
  'actions/runs/run-rights.ts': 'tells what the organization asked for from what somebody did',
  'actions/runs/run-subject.ts': 'reads the entity that a right is decided on',
  'actions/runs/void-drafts.ts': 'declines drafts of agents that are off',
  'actions/runs/wake-approved.ts': 'lets runs go on that everybody has approved',
  'assistant/cutover/follow-cutover.ts': 'moves the schema of agents',
  'assistant/finish-invocation.ts': 'ends invocations that nobody carries on',
  'assistant/invocation-entity.ts': 'keeps the entity of an invocation',
  'automations/changelog/changelog-sender.ts': 'reads how the organization shows teams',
  'automations/take-events.ts': 'stores runs of automations, which act with their own authority',
  'automations/test-automation.ts': 'names the platform as who would start a run',
  'catalog/derived/check-derived.ts': 'compares derived values',
  'catalog/derived/derived.jobs.ts': 'works out derived values',
  'catalog/policies/policy-entities.ts': 'shows policies the entities that they decide on',
  'catalog/scorecards/data/furnish-scorecard-data.ts': 'furnishes the blueprints of scorecards',
  'catalog/scorecards/data/refresh-results.ts': 'keeps results of scorecards',
  'catalog/scorecards/reevaluate.ts': 'asks rules of scorecards again',
  'catalog/search/indexes/search-index.jobs.ts': 'makes and drops search indexes',
  'catalog/timers/expire-timers.ts': 'says that timers have passed',
  'connectors/call-connected-tool.ts': 'keeps the list of tools of a connected server',
  'identity/create-organization.ts': 'makes an organization for the operator',
  'identity/saved-authority.ts': 'stands for what came with an import',
  'identity/update-organization.ts': 'changes an organization for the operator',
  'integrations/webhooks/process-deliveries.ts': 'keeps the record of deliveries',
  'integrations/webhooks/receive-event.ts': 'notes an event that came',
  'migrations/users-and-teams/forget-images.ts': 'forgets what cannot be undone any more',
  'sign-in/provisioner.ts': "carries out the identity provider's word, under the rules of users",
};

const modules = 'packages/server/src/modules/';

/** Actors that are made, and work of the platform, where neither belongs. */
export function actorFindings({ path, text }: SourceFile): string[] {
  if (!path.startsWith('packages/server/src/') || path.endsWith('.test.ts') || makers.has(path)) return [];
  const isListed = path.startsWith(modules) && Object.hasOwn(platformWork, path.slice(modules.length));
  const findings: string[] = [];
  if (/\bsystemActor\(/.test(text) && !isListed) {
    findings.push(
      `${path} acts as the platform: act with the authority of whoever saved it (actWith), or list it with what it does`,
    );
  }
  // both keys in one literal, in either order, widen or make an actor
  if (/\{[^{}]*\broles: ?(\[|[\w.]+,)[^{}]*\bteamKeys: ?(\[|[\w.]+[,\s}])/.test(text) && /\bActor\b/.test(text)) {
    findings.push(`${path} makes an actor: take one of identity, or limit the one there is (limitTo)`);
  }
  return findings;
}
