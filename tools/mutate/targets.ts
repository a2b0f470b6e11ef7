import { type RemovedFix, removedFixes } from './removed-fixes.ts';
import { removedGateChecks } from './removed-gate-checks.ts';

/** A part of the product, and who should notice a change of it. */
interface TargetPaths {
  readonly name: string;
  /** Files, or folders with all that lies directly in them; a folder that ends in `/**` includes its folders. */
  readonly sources: readonly string[];
  /** The same for test files, the nearest first. */
  readonly tests: readonly string[];
  /** The mutants are these protections, each taken away alone. */
  readonly removals?: readonly RemovedFix[];
}

const modules = 'packages/server/src/modules';
const access = `${modules}/access`;
const query = `${modules}/entity-query`;
const search = `${modules}/search`;
const platform = 'packages/server/src/platform';
const escalation = 'packages/server/test/escalation';
const http = `${platform}/http`;
const runs = `${modules}/actions/runs`;
const dispatch = `${modules}/actions/dispatch`;

/** What `npm run mutate` changes. */
export const targets: readonly TargetPaths[] = [
  {
    name: 'authority',
    sources: [
      `${modules}/accounts/authority`,
      `${modules}/accounts/saved-authority.ts`,
      `${platform}/authority.ts`,
      `${dispatch}/run-actors.ts`,
    ],
    tests: [
      `${modules}/accounts/authority`,
      `${platform}/authority.test.ts`,
      `${modules}/accounts/saved-authority.int.test.ts`,
      `${dispatch}/run-actors.int.test.ts`,
      `${modules}/integrations/webhooks/authority-of-webhooks.int.test.ts`,
      `${dispatch}/authority-of-runs.int.test.ts`,
      'packages/server/test/authority.int.test.ts',
    ],
  },
  {
    name: 'removed-fixes',
    removals: removedFixes,
    sources: [],
    tests: [
      `${escalation}/known-attacks.int.test.ts`,
      `${http}/named-operation.test.ts`,
      `${http}/own-api.test.ts`,
      `${modules}/accounts/authority/people.int.test.ts`,
      `${modules}/accounts/authority/carried-rights.int.test.ts`,
      `${modules}/accounts/saved-authority.int.test.ts`,
      `${dispatch}/run-actors.int.test.ts`,
      `${dispatch}/authority-of-runs.int.test.ts`,
      `${modules}/integrations/webhooks/authority-of-webhooks.int.test.ts`,
      `${dispatch}/own-api.int.test.ts`,
      `${runs}/approvers.int.test.ts`,
      `${runs}/four-eyes.int.test.ts`,
      `${modules}/data-migrations/data-migration-rights.int.test.ts`,
      'packages/server/test/authority.int.test.ts',
    ],
  },
  {
    name: 'campaigns',
    sources: ['campaign-rights.ts', 'exemptions.ts', 'is-exempt.sql.ts', 'reminder-steps.ts'].map(
      (file) => `${modules}/campaigns/${file}`,
    ),
    tests: [
      `${modules}/campaigns/reminder-steps.test.ts`,
      `${modules}/campaigns/exemptions.int.test.ts`,
      `${modules}/campaigns/campaign-rights.int.test.ts`,
    ],
  },
  {
    name: 'invitations',
    sources: ['invite-person.ts', 'look-at-link.ts', 'revoke-invitation.ts'].map(
      (file) => `${modules}/sign-in/invitations/${file}`,
    ),
    tests: [
      `${modules}/sign-in/invitations/invitations.int.test.ts`,
      `${modules}/sign-in/invitations/mail-link.int.test.ts`,
    ],
  },
  {
    name: 'favorites',
    sources: [`${modules}/favorites`],
    tests: [`${modules}/favorites/favorites.int.test.ts`],
  },
  {
    name: 'masking',
    sources: [`${platform}/secrets`],
    tests: [`${platform}/secrets/matcher.test.ts`, `${platform}/secrets`],
  },
  {
    name: 'scopes',
    sources: ['packages/server/src/platform/scopes.ts', 'packages/contract/src/scopes.ts'],
    tests: [
      'packages/contract/src/scopes.test.ts',
      'packages/server/src/platform/scopes.test.ts',
      'packages/server/test/scopes.int.test.ts',
      `${modules}/assistant/action-tools.int.test.ts`,
    ],
  },
  {
    name: 'rights',
    sources: ['rights/rights.ts', 'identity/caller-scopes.ts', 'rights/grant-lists.ts'].map(
      (file) => `${modules}/${file}`,
    ),
    tests: [
      `${modules}/rights/rights.test.ts`,
      `${modules}/rights/grant-lists.test.ts`,
      `${modules}/identity/caller-scopes.test.ts`,
      `${access}/rights.int.test.ts`,
      access,
      `${modules}/policies`,
      `${modules}/blueprints/blueprint-permissions.int.test.ts`,
      'packages/server/test/scopes.int.test.ts',
    ],
  },
  {
    name: 'write-gate',
    removals: removedGateChecks,
    sources: [],
    tests: [
      `${access}/write-policy.int.test.ts`,
      `${access}/entity-rights.int.test.ts`,
      `${access}/hidden-writes.int.test.ts`,
      `${access}/rights.int.test.ts`,
      `${modules}/data-migrations/undo-faults.int.test.ts`,
      `${modules}/scorecards/data/seen-and-kept.int.test.ts`,
      `${modules}/entities/delete-entity.int.test.ts`,
      `${access}/two-faults.int.test.ts`,
    ],
  },
  {
    name: 'permits',
    sources: [`${modules}/people-sync/people-rules.ts`, `${access}/permit-entity-write.ts`],
    tests: [
      `${access}/entity-rights.int.test.ts`,
      `${access}/rights.int.test.ts`,
      `${access}/hidden-writes.int.test.ts`,
      `${access}/write-policy.int.test.ts`,
      `${modules}/people`,
    ],
  },
  {
    name: 'hidden',
    sources: [
      ...['hidden-targets', 'hidden-values'].map((name) => `${access}/${name}.ts`),
      ...['visible-changes', 'visible-identifiers', 'visible-records.sql'].map(
        (name) => `${modules}/entities/${name}.ts`,
      ),
    ],
    tests: [
      `${access}/hidden-reads.int.test.ts`,
      `${access}/hidden-writes.int.test.ts`,
      `${access}/rights.int.test.ts`,
      `${modules}/journal`,
      `${modules}/journal/live`,
    ],
  },
  {
    name: 'policies',
    sources: [
      `${modules}/policies`,
      ...['compile-policies', 'entity-conditions.sql', 'grant-condition', 'met-grants.store', 'satisfied-grants'].map(
        (name) => `${access}/${name}.ts`,
      ),
    ],
    tests: [`${modules}/policies`, access],
  },
  {
    name: 'caller-values',
    sources: [`${query}/caller-values.ts`],
    tests: [`${search}/caller-values.int.test.ts`, `${search}/callers-and-paths.int.test.ts`],
  },
  {
    name: 'search',
    sources: [query, search],
    tests: [
      `${query}/team-condition.int.test.ts`,
      `${search}/callers-and-paths.int.test.ts`,
      search,
      `${modules}/entities/ownership.int.test.ts`,
    ],
  },
  {
    name: 'live',
    sources: [`${modules}/journal/live`],
    tests: [`${modules}/journal/live`, `${access}/hidden-reads.int.test.ts`],
  },
  {
    name: 'event-streams',
    sources: [`${http}/sse.ts`, `${http}/sse-writer.ts`],
    tests: [`${http}/sse.test.ts`, `${http}/sse-writer.test.ts`],
  },
  {
    name: 'dashboards',
    sources: ['packages/portal/src/parts/widgets/widget-shape.ts'],
    tests: ['packages/portal/src/parts/widgets/widget-shape.test.ts'],
  },
  { name: 'pages', sources: [`${modules}/pages`], tests: [`${modules}/pages`] },
  {
    name: 'quotas',
    sources: ['gathering', 'reservation.store', 'settlement.store', 'usage-ledger', 'usage-now', 'usage.store'].map(
      (name) => `${modules}/assistant/${name}.ts`,
    ),
    tests: ['gathering.test', 'limits.int.test', 'reservations.int.test', 'usage-ledger.int.test'].map(
      (name) => `${modules}/assistant/${name}.ts`,
    ),
  },
  { name: 'budgets', sources: [`${modules}/assistant/budgets`], tests: [`${modules}/assistant/budgets`] },
  { name: 'standing', sources: [`${modules}/assistant/standing`], tests: [`${modules}/assistant/standing`] },
  { name: 'memory', sources: [`${modules}/assistant/memory`], tests: [`${modules}/assistant/memory`] },
  { name: 'cutover', sources: [`${modules}/assistant/cutover`], tests: [`${modules}/assistant/cutover`] },
  {
    name: 'approvals',
    sources: [
      'approvers',
      'decide-run',
      'decision-standing',
      'draft-decision',
      'list-approvers',
      'read-decision',
      'run-rights',
      'run-state',
    ].map((name) => `${runs}/${name}.ts`),
    tests: [
      `${runs}/draft-decision.test.ts`,
      `${runs}/run-state.test.ts`,
      `${runs}/approvers.int.test.ts`,
      `${runs}/run-decisions.int.test.ts`,
      `${runs}/four-eyes.int.test.ts`,
      `${runs}/decision-races.int.test.ts`,
      `${runs}/approval-races.int.test.ts`,
      `${runs}/drafts.int.test.ts`,
      runs,
    ],
  },
  {
    name: 'migrations',
    sources: [`${modules}/migrations/users-and-teams`],
    tests: [
      `${modules}/migrations/users-and-teams/edge-cases.test.ts`,
      `${modules}/migrations/users-and-teams/undo.int.test.ts`,
      `${modules}/migrations/users-and-teams`,
    ],
  },
  {
    name: 'team-references',
    sources: ['packages/team-references/src/**'],
    tests: ['packages/team-references/test'],
  },
];
