import type { Chance } from './chance.ts';
import { people } from './world.ts';

const addresses = Object.values(people);
const blueprints = ['_user', '_team', 'service', '_ai_agent', 'scaffolded'];
const privileged = { port_role: 'Admin', status: 'Active' };

/** The newest row of a table when the step is taken; identifiers that the server makes are not known before. */
export function newest(table: string, column: string): string {
  return `<newest ${table}.${column}>`;
}

/** The key of what has this identifier in a table, as a surface wants it. */
export function placeholderKey(table: string, identifier: string): string {
  return `<${table}.key of ${identifier}>`;
}

/** What fills the parameters of paths, by name. What is not here is named as if it did not exist. */
export const parameters: Readonly<Record<string, readonly string[]>> = {
  user_email: [...addresses, people.mia, people.gone, 'new@example.com'],
  team_name: ['owners', 'guests'],
  blueprint_identifier: blueprints,
  entity_identifier: [...addresses, 'owners', 'portal'],
  action_identifier: [
    'guarded',
    'reserved',
    'scaffold',
    newest('actions', 'identifier'),
    newest('actions', 'identifier'),
  ],
  app_id: [newest('credentials', 'client_id')],
  token_id: [newest('api_tokens', 'id')],
  run_id: [newest('action_runs', 'id')],
  page_identifier: ['board'],
  webhook_identifier: ['hook', newest('webhooks', 'identifier')],
  webhook_key: [newest('webhooks', 'ingest_key')],
  integration_identifier: ['exporter'],
  secret_name: ['VAULT'],
  migration_id: [newest('data_migrations', 'id')],
  delivery_id: [newest('webhook_deliveries', 'id')],
  session_id: [newest('sessions', 'id')],
  provider: ['openai'],
  property_identifier: ['note', 'role', 'port_role'],
};

const grants = [
  { roles: ['Member'] },
  { users: [people.mia] },
  { teams: ['guests'] },
  { roles: ['Admin', 'Member'], users: addresses, teams: ['owners', 'guests'] },
];

/** Values that mean something to authority, by the name of the field they stand in, wherever that is. */
export const values: Readonly<Record<string, readonly unknown[]>> = {
  email: [...addresses, 'new@example.com'],
  role: ['Admin', 'Member'],
  roles: [['Admin'], ['Admin'], ['Member'], ['service-moderator'], ['_user-moderator']],
  teams: [['owners'], ['guests'], ['owners', 'guests']],
  users: [[people.mia], addresses],
  scopes: [['*'], ['read:*'], ['create:apps'], ['read:entities']],
  permissions: [['*'], ['create:apps', 'read:*']],
  team: ['owners', ['owners'], ['guests']],
  blueprint: blueprints,
  blueprintIdentifier: blueprints,
  sourceBlueprint: ['service', 'scaffolded'],
  identifier: ['fresh', ...addresses, 'portal', 'owners'],
  invitee: [
    { email: 'new@example.com', roles: ['Admin'] },
    { email: 'new@example.com', roles: ['Member'], teams: ['owners'] },
    { email: 'new@example.com', roles: ['service-moderator'] },
    { email: 'new@example.com' },
  ],
  properties: [
    privileged,
    { ...privileged, port_type: 'Service Account' },
    { status: 'Active' },
    { note: 'Changed' },
    {},
  ],
  entities: [[{ identifier: people.mia, properties: privileged }]],
  read: grants,
  register: grants,
  update: grants,
  unregister: grants,
  execute: grants,
  approve: grants,
  status: ['APPROVE', 'SUCCESS', 'Active', 'RUNNING'],
  password: ['a long new password'],
  newPassword: ['a long new password'],
  name: ['fresh', 'owners'],
  expiresAt: ['2026-12-01T00:00:00.000Z'],
  overlapSeconds: [0, 3600],
  installationId: ['exporter', 'fresh'],
  url: ['http://127.0.0.1:3000/v1/apps'],
  query: [{ combinator: 'and', rules: [] }],
  rules: [[]],
};

/** The query parameters that widen what an operation does. */
export const queries = [
  '',
  '',
  '',
  '?upsert=true',
  '?upsert=true&merge=true',
  '?notify=false',
  `?run_as=${people.boss}`,
  '?delete_dependents=true',
  '?create_missing_related_entities=true',
];

/** Entities whose writing would be worth something. */
export function worthwhileEntity(chance: Chance): {
  readonly blueprint: string;
  readonly entity: Record<string, unknown>;
} {
  return chance.pick([
    { blueprint: '_user', entity: { identifier: people.mia, properties: privileged } },
    {
      blueprint: '_user',
      entity: {
        identifier: people.mia,
        properties: { moderated_blueprints: ['service', '_user'], port_role: 'Moderator' },
      },
    },
    { blueprint: '_user', entity: { identifier: people.mia, team: ['owners'] } },
    { blueprint: '_user', entity: { identifier: people.gone, properties: { status: 'Active' } } },
    {
      blueprint: '_user',
      entity: { identifier: 'new@example.com', properties: { ...privileged, port_type: 'Standard' } },
    },
    { blueprint: 'service', entity: { identifier: 'portal', properties: { note: 'Changed' } } },
    { blueprint: 'service', entity: { identifier: 'portal', team: ['guests'] } },
    { blueprint: '_team', entity: { identifier: 'guests', title: 'Changed' } },
    {
      blueprint: '_ai_agent',
      entity: {
        identifier: 'agent',
        title: 'Agent',
        properties: { status: 'active', prompt: 'Do it', execution_mode: 'Automatic', tools: ['.*'] },
      },
    },
  ]);
}
