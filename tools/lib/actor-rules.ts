import ts from 'typescript';
import type { SourceFile } from './source-files.ts';

/** Where an actor is made of what is known of somebody: who asks, and who acts later with a saved authority. */
const makers = new Set([
  'packages/server/src/platform/actor.ts',
  'packages/server/src/platform/authority.ts',
  'packages/server/src/modules/identity/authenticate.ts',
  'packages/server/src/modules/accounts/find-actor.ts',
  'packages/server/src/modules/accounts/saved-authority.ts',
  'packages/server/src/modules/accounts/user-actor.ts',
  'packages/server/src/modules/sign-in/sessions/open-session.ts',
  // whoever asked, as the migration that only administrators begin
  'packages/server/src/modules/migrations/users-and-teams/run-migration.ts',
  // each person of before and after a migration, compared and never acting
  'packages/server/src/modules/migrations/users-and-teams/rehearse.ts',
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
  'assistant/budgets/warn-budgets.ts': 'records that a budget is nearly or wholly used',
  'automations/changelog/changelog-sender.ts': 'reads how the organization shows teams',
  'automations/take-events.ts': 'stores runs of automations, which act with their own authority',
  'automations/test-automation.ts': 'names the platform as who would start a run',
  'derived/check-derived.ts': 'compares derived values',
  'derived/derived.jobs.ts': 'works out derived values',
  'policies/policy-entities.ts': 'shows policies the entities that they decide on',
  'scorecards/data/backfill-scorecard-entities.ts': 'furnishes the blueprints of scorecards',
  'scorecards/data/refresh-results.ts': 'keeps results of scorecards',
  'scorecard-changes/reevaluate.ts': 'asks rules of scorecards again',
  'search/indexes/search-index.jobs.ts': 'makes and drops search indexes',
  'entities/shown-authors.ts': 'learns who wrote what an event shows, and tells nothing of it',
  'entities/timers/expire-timers.ts': 'says that timers have passed',
  'connectors/call-connected-tool.ts': 'keeps the list of tools of a connected server',
  'identity/create-organization.ts': 'makes an organization for the operator',
  'accounts/saved-authority.ts': 'stands for what came with an import',
  'identity/update-organization.ts': 'changes an organization for the operator',
  'integrations/webhooks/process-deliveries.ts': 'keeps the record of deliveries',
  'integrations/webhooks/keep-arrivals.ts': 'notes events that came',
  'migrations/users-and-teams/delete-images.ts': 'forgets what cannot be undone any more',
  'campaigns/note-progress.ts': 'counts how far campaigns are, for those who may read every entity',
  'campaigns/end-exemptions.ts': 'deletes exemptions that are over',
  'campaigns/remind-owners.ts': 'finds out whose entities are open; each person is asked of with their own rights',
  'checklist/note-milestones.ts': 'notes which first steps an organization has taken',
  'sources/syncs/end-abandoned-syncs.ts': 'ends the record of a sync that broke off; writes nothing that a source says',
  'sources/syncs/hooks.ts': 'keeps the address to which a host sends events',
  'sources/syncs/run-sync.ts': 'keeps the record of a sync',
  'sources/syncs/schedule-syncs.ts': 'begins syncs, which act with the authority of their source',
  'sources/syncs/source-events.ts': 'notes an event that came, which is read with the authority of its source',
  'workflows/drafts/draft-jobs.ts': 'declines drafts that nobody can approve any more; nothing runs',
  'workflows/nodes/follow-invocation.ts': 'looks at an invocation that a run asked for, and notes its end',
  'workflows/nodes/report-nobody.ts': 'fails a step behind which nobody stands any more; nothing runs',
  'workflows/nodes/take-waits.ts': 'ends steps whose event has come; the run goes on with the authority of its version',
  'workflows/nodes/withdraw-action.ts':
    'takes back a run that nobody has decided on, because the run that asked for it was cancelled',
  'workflows/runs/receive-call.ts': 'stores runs of workflows, which act with the authority of their version',
  'workflows/runs/snapshot.ts': 'keeps the record of a run; its steps act with the authority of their version',
  'workflows/runs/take-events.ts': 'stores runs of workflows, which act with the authority of their version',
  'workflows/runs/tick-schedules.ts': 'stores runs of workflows, which act with the authority of their version',
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
  if (objectsIn(path, text).some(isActorMade)) {
    findings.push(`${path} makes an actor: take one of identity, or limit the one there is (limitTo)`);
  }
  return findings;
}

/** What an authority consists of. An object of these alone says what somebody holds or needs, and acts for nobody. */
const partsOfAuthority = new Set(['roles', 'teamKeys', 'scopes']);

function objectsIn(path: string, text: string): ts.ObjectLiteralExpression[] {
  if (![...partsOfAuthority, 'uthority'].some((word) => text.includes(word))) return [];
  const found: ts.ObjectLiteralExpression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isObjectLiteralExpression(node)) found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest));
  return found;
}

/** Somebody's marks with rights of their own, or an actor with other rights. */
function isActorMade({ properties }: ts.ObjectLiteralExpression): boolean {
  const keys = properties.flatMap(listKeys);
  const spreads = properties.filter(ts.isSpreadAssignment).map(({ expression }) => expressionName(expression));
  const isWithRights = keys.includes('roles') && keys.includes('teamKeys');
  if (isWithRights && (spreads.some(Boolean) || keys.some((key) => !partsOfAuthority.has(key)))) return true;
  const isOfActor = spreads.some((name) => /(actor|caller|asker|editor|author)$/i.test(name));
  return (
    isOfActor && (keys.some((key) => partsOfAuthority.has(key)) || spreads.some((name) => /authority/i.test(name)))
  );
}

/** Its own keys; of `...(isKnown ? { scopes } : {})` those of both sides. */
function listKeys(property: ts.ObjectLiteralElementLike): string[] {
  if (property.name) return 'text' in property.name ? [property.name.text] : [];
  return ts.isSpreadAssignment(property) ? keysSpread(property.expression) : [];
}

function keysSpread(expression: ts.Expression): string[] {
  if (ts.isParenthesizedExpression(expression)) return keysSpread(expression.expression);
  if (ts.isConditionalExpression(expression)) {
    return [...keysSpread(expression.whenTrue), ...keysSpread(expression.whenFalse)];
  }
  return ts.isObjectLiteralExpression(expression) ? expression.properties.flatMap(listKeys) : [];
}

/** The last name of `work.actor` and of `actorAuthority(actor)`; empty for what has none. */
function expressionName(expression: ts.Expression): string {
  if (ts.isIdentifier(expression)) return expression.text;
  if (ts.isPropertyAccessExpression(expression)) return expression.name.text;
  return ts.isCallExpression(expression) ? expressionName(expression.expression) : '';
}
