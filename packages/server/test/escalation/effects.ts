import { type Authority, covers } from './authority.ts';
import { type Row, type Rows, sameRows } from './rows.ts';

/** Who may change what lies in a table: whoever holds one of the scopes, as administrator unless `role` says less. */
interface Explanation {
  readonly scopes: readonly string[];
  readonly role?: 'Member';
}

const writeScopes = (...resources: readonly string[]): string[] =>
  resources.flatMap((resource) => ['create', 'update', 'delete'].map((verb) => `${verb}:${resource}`));

const people = writeScopes('users', 'teams', 'entities');
const schema = writeScopes('blueprints', 'migrations');
const runs = { scopes: ['execute:actions', ...writeScopes('runs')], role: 'Member' } as const;
const integrations = { scopes: writeScopes('integrations') };
// deleting all entities of a blueprint is done as a data migration
const migrations = { scopes: [...writeScopes('migrations'), 'delete:entities'], role: 'Member' } as const;
// lists that people upload are theirs; what an upload does is compared as entities
const lists = { scopes: [...writeScopes('integrations'), ...writeScopes('entities')], role: 'Member' } as const;
const flip = { scopes: writeScopes('blueprints') };

/**
 * Every table of an organization: which scopes explain that something in it changed, `machinery` where it only follows
 * what happened elsewhere, and `credentials` where the holdings are compared instead. A new table is written down here.
 */
export const explanations: Readonly<Record<string, Explanation | 'machinery' | 'credentials'>> = {
  api_tokens: 'credentials',
  credential_directory: 'credentials',
  credentials: 'credentials',
  oauth_codes: 'credentials',
  oauth_grants: 'credentials',
  oauth_tokens: 'credentials',
  password_links: 'credentials',
  sessions: 'credentials',
  sso_attempts: 'credentials',
  sso_subjects: 'credentials',
  user_passwords: 'credentials',

  action_run_approvals: runs,
  action_run_logs: runs,
  // runs that wait for an action end with it
  action_runs: { ...runs, scopes: [...runs.scopes, 'update:actions', 'delete:actions'] },
  workflow_runs: runs,
  workflow_node_runs: runs,
  workflow_node_run_logs: runs,
  workflow_responses: runs,
  workflow_run_events: runs,
  workflow_run_calls: runs,
  workflows: { scopes: writeScopes('actions') },
  workflow_versions: { scopes: writeScopes('actions') },
  workflow_triggers: { scopes: writeScopes('actions') },
  workflow_hooks: { scopes: writeScopes('actions') },
  workflow_waits: runs,
  workflow_pauses: { scopes: writeScopes('actions') },
  // everybody proposes; what comes of it is for those who save workflows
  workflow_proposals: { scopes: writeScopes('actions'), role: 'Member' },
  actions: { scopes: [...writeScopes('actions'), ...schema, ...people] },
  blueprints: { scopes: [...schema, ...people, ...writeScopes('scorecards')] },
  campaigns: { scopes: [...writeScopes('scorecards'), ...schema] },
  scorecard_exemptions: { scopes: [...writeScopes('scorecards', 'entities'), ...schema] },
  // everybody writes their own, which end with their user
  conversations: { scopes: ['invoke:ai', ...people], role: 'Member' },
  changelog_destinations: { scopes: writeScopes('organization') },
  data_migration_failures: migrations,
  data_migration_images: migrations,
  data_migrations: migrations,
  // everybody keeps their own, which end with their user
  favorites: { scopes: people, role: 'Member' },
  // everybody reads and dismisses their own; runs write them
  notices: { scopes: [...runs.scopes, ...people], role: 'Member' },
  integration_cursors: integrations,
  integration_delete_guards: integrations,
  integration_examples: integrations,
  integration_logs: integrations,
  integration_syncs: integrations,
  integrations,
  installs: integrations,
  invitations: { scopes: people },
  invocation_events: { scopes: ['invoke:ai'], role: 'Member' },
  invocation_egress: { scopes: ['invoke:ai'], role: 'Member' },
  invocation_receipts: { scopes: ['invoke:ai'], role: 'Member' },
  invocations: { scopes: ['invoke:ai', ...writeScopes('ai')], role: 'Member' },
  llm_defaults: { scopes: writeScopes('llm-providers') },
  llm_providers: { scopes: writeScopes('llm-providers') },
  mcp_server_tools: { scopes: writeScopes('mcp-servers') },
  mcp_servers: { scopes: writeScopes('mcp-servers') },
  organization_secrets: { scopes: writeScopes('secrets') },
  organizations: { scopes: writeScopes('organization') },
  ai_budgets: { scopes: writeScopes('organization') },
  trusted_sources: { scopes: writeScopes('organization') },
  ai_memory_notes: { scopes: writeScopes('memory'), role: 'Member' },
  ai_memory_people: { scopes: writeScopes('memory'), role: 'Member' },
  ai_memory_settings: { scopes: writeScopes('memory') },
  ai_standing_approvals: { scopes: ['execute:actions', ...writeScopes('ai')], role: 'Member' },
  ai_standing_uses: { scopes: ['execute:actions', 'invoke:ai', ...writeScopes('ai')], role: 'Member' },
  ai_policies: { scopes: writeScopes('organization') },
  organization_milestones: 'machinery',
  pack_items: { scopes: writeScopes('blueprints') },
  packs: { scopes: writeScopes('blueprints') },
  checklists: { scopes: writeScopes('organization') },
  pages: { scopes: [...writeScopes('pages'), ...schema, ...people] },
  people_migration_acceptances: flip,
  people_migration_choices: flip,
  people_migration_images: flip,
  people_migration_suggestions: flip,
  people_migration_teams: flip,
  people_migrations: flip,
  scorecard_entities: { scopes: [...writeScopes('scorecards', 'entities'), ...schema] },
  scorecards: {
    scopes: [...writeScopes('scorecards'), ...schema, 'create:entities', 'update:entities', 'delete:entities'],
  },
  sidebar_folders: { scopes: writeScopes('pages') },
  source_changes: lists,
  source_items: lists,
  source_problems: lists,
  source_syncs: lists,
  source_waiting: lists,
  sources: lists,
  sso_connections: { scopes: writeScopes('organization') },
  team_members: { scopes: people },
  teams: { scopes: people },
  // blueprints that people moderate are renamed and deleted; what that gives them is compared as holdings
  users: { scopes: [...people, 'update:blueprints', 'delete:blueprints'] },
  webhooks: integrations,

  ai_budget_days: 'machinery',
  ai_budget_warnings: 'machinery',
  ai_charges: 'machinery',
  ai_cutover_steps: 'machinery',
  ai_old_calls: 'machinery',
  ai_reservations: 'machinery',
  ai_settlements: 'machinery',
  ai_usage: 'machinery',
  campaign_days: 'machinery',
  campaign_reminders: 'machinery',
  campaign_reminder_people: 'machinery',
  changelog_receivers: 'machinery',
  derived_marks: 'machinery',
  entity_relations: 'machinery',
  event_deliveries: 'machinery',
  expired_timers: 'machinery',
  jobs: 'machinery',
  journal: 'machinery',
  old_team_relations: 'machinery',
  old_team_writers: 'machinery',
  rule_result_marks: 'machinery',
  search_indexes: 'machinery',
  timer_sweeps: 'machinery',
  unknown_properties: 'machinery',
  // whoever holds the address of a webhook may send to it; what comes of that is compared as entities
  webhook_deliveries: 'machinery',
  webhook_requests: 'machinery',
};

/** Entities of what the platform keeps in step. */
const ofBlueprint: Readonly<Record<string, readonly string[]>> = {
  _user: writeScopes('users', 'teams'),
  _team: writeScopes('teams', 'users'),
  _ai_invocations: ['invoke:ai'],
  _scorecard: writeScopes('scorecards'),
  _rule: writeScopes('scorecards'),
  _rule_result: [...writeScopes('scorecards')],
};
/** What the actions of the start make for whoever may run them, or approve of it. */
const madeForEverybody = { blueprint: 'scaffolded', scopes: ['execute:actions', 'create:runs', 'update:runs'] };

/** What changed between two states that somebody with this authority may not change, in words. */
export function unexplained(before: Rows, after: Rows, authority: Authority): string[] {
  return Object.keys(after).flatMap((table) => {
    if (sameRows(before[table], after[table])) return [];
    if (table === 'entities') return unexplainedEntities(before, after, authority);
    const explanation = explanations[table];
    if (!explanation) throw new Error(`Say in effects.ts which scopes explain a change of the table ${table}`);
    if (explanation === 'machinery' || explanation === 'credentials') return [];
    const { scopes, role = 'Admin' } = explanation;
    if (scopes.some((scope) => covers(authority, role, scope) || mayModerate(authority, scope))) return [];
    return [`changed ${table}, which needs ${role} under one of ${scopes.join(', ')}`];
  });
}

function unexplainedEntities(before: Rows, after: Rows, authority: Authority): string[] {
  const identifiers = new Map(
    [...(before['blueprints'] ?? []), ...(after['blueprints'] ?? [])].map((row) => [row['key'], row['identifier']]),
  );
  const touched = new Set(
    changedRows(before['entities'], after['entities']).map((row) => identifiers.get(row['blueprint_key']) as string),
  );
  return [...touched].flatMap((blueprint) => {
    const scopes = [
      ...writeScopes('entities'),
      ...schema,
      ...writeScopes('teams', 'scorecards'),
      ...(ofBlueprint[blueprint] ?? []),
    ];
    const isScaffold =
      blueprint === madeForEverybody.blueprint &&
      madeForEverybody.scopes.some((scope) => covers(authority, 'Member', scope));
    const isGiven = [...authority].some(
      ([privilege, held]) =>
        (privilege.startsWith(`entities:${blueprint}:`) || privilege === `moderator:${blueprint}`) && held.size > 0,
    );
    if (isScaffold || isGiven || scopes.some((scope) => covers(authority, 'Admin', scope))) return [];
    return [`changed entities of ${blueprint} without any scope for them`];
  });
}

/** Moderators shape what belongs to their blueprint. */
function mayModerate(authority: Authority, scope: string): boolean {
  return [...authority].some(([privilege, scopes]) => privilege.startsWith('moderator:') && scopes.has(scope));
}

/** Rows of either side that the other does not have in the same form; the moment of the last look does not count. */
function changedRows(before: readonly Row[] = [], after: readonly Row[] = []): Row[] {
  const text = (row: Row): string => JSON.stringify({ ...row, seen_at: null, derived: null, scorecards: null });
  const one = new Map(before.map((row) => [text(row), row]));
  const other = new Map(after.map((row) => [text(row), row]));
  return [...[...one].filter(([key]) => !other.has(key)), ...[...other].filter(([key]) => !one.has(key))].map(
    ([, row]) => row,
  );
}
