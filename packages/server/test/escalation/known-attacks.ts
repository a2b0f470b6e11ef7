import { beyond, type KnownAttack, machine, principals, step } from './attack-words.ts';
import { attacksOnGrants } from './attacks-on-grants.ts';
import { newest, placeholderKey } from './dictionary.ts';
import { ownApiCall } from './recipes.ts';
import type { Step } from './steps.ts';
import { people } from './world.ts';

const selfService = { type: 'self-service', operation: 'CREATE', userInputs: { properties: {} } };
const toAdministrator = { identifier: people.mia, properties: { port_role: 'Admin' } };
const user = `/v1/users/${people.mia}`;
const guide = ['read', 'create', 'update', 'delete'].flatMap((verb) => [`${verb}:users`, `${verb}:teams`]);

function createAction(invocationMethod: object, trigger: object = selfService): Step {
  return step('createAction', 'POST', '/v1/actions', {
    identifier: 'fresh',
    title: 'Fresh',
    trigger,
    invocationMethod,
  });
}

const run = step('startRun', 'POST', '/v1/actions/fresh/runs', { properties: {} });
const promote = { type: 'UPSERT_ENTITY', blueprintIdentifier: '_user', mapping: toAdministrator };
const onChange = { type: 'automation', event: { type: 'ANY_ENTITY_CHANGE', blueprintIdentifier: 'service' } };
const mapping = {
  blueprint: '_user',
  entity: { identifier: `"${people.mia}"`, properties: { port_role: '"Admin"' } },
};
const hook = { identifier: 'fresh', title: 'Fresh', enabled: true, mappings: [mapping] };
const patchOperation = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

/** One line for each hole that was found, or would be open without one of the protections, as literal requests. */
export const knownAttacks: readonly KnownAttack[] = [
  ...[people.boss, people.mia, people.mod].map((email) => ({
    name: `create:users makes a link to sign in as ${email}`,
    start: machine('create:users'),
    steps: [step('createPasswordLink', 'POST', '/v1/auth/password-links', { email })],
    refusal: beyond,
    untouched: principals,
  })),
  {
    name: 'the SCIM token of the guide makes a link to sign in as an administrator',
    start: { as: 'boss', scopes: guide },
    steps: [step('createPasswordLink', 'POST', '/v1/auth/password-links', { email: people.second })],
    refusal: beyond,
    untouched: principals,
  },
  {
    name: 'update:users makes a member an administrator',
    start: machine('update:users'),
    steps: [step('patchUser', 'PATCH', user, { roles: ['Admin'] })],
    refusal: beyond,
    untouched: principals,
  },
  {
    name: 'update:users makes a member a moderator',
    start: machine('update:users'),
    steps: [step('patchUser', 'PATCH', user, { roles: ['service-moderator'] })],
    refusal: beyond,
    untouched: principals,
  },
  {
    name: 'the SCIM token of the guide makes a member an administrator',
    start: { as: 'boss', scopes: guide },
    steps: [step('patchUser', 'PATCH', user, { roles: ['Admin'] })],
    refusal: beyond,
    untouched: principals,
  },
  {
    name: 'create:users invites an administrator',
    start: machine('create:users'),
    steps: [
      step('inviteUser', 'POST', '/v1/users/invite', { invitee: { email: 'new@example.com', roles: ['Admin'] } }),
    ],
    refusal: beyond,
    untouched: principals,
  },
  {
    name: 'update:users rotates the credentials of an administrator',
    start: machine('update:users'),
    steps: [step('rotateCredentials', 'POST', `/v1/rotate-credentials/${people.boss}`, {})],
    refusal: beyond,
    untouched: principals,
  },
  {
    name: 'create:entities and update:entities make a member an administrator',
    start: machine('create:entities', 'update:entities'),
    steps: [
      step('patchEntity', 'PATCH', `/v1/blueprints/_user/entities/${people.mia}`, {
        properties: { port_role: 'Admin' },
      }),
    ],
    untouched: principals,
  },
  {
    name: 'update:teams puts a member into a team that carries rights',
    start: machine('update:teams'),
    steps: [step('patchTeam', 'PATCH', '/v1/teams/owners', { users: [people.mia] })],
    refusal: beyond,
    untouched: principals,
  },
  {
    name: 'SCIM enables an administrator who was disabled',
    start: { as: 'boss', scopes: guide },
    steps: [
      step('scim.patchUser', 'PATCH', `/scim/v2/Users/${placeholderKey('users', people.gone)}`, {
        schemas: [patchOperation],
        Operations: [{ op: 'replace', path: 'active', value: true }],
      }),
    ],
    untouched: principals,
  },
  ...(['attacker', 'mia'] as const).map((by) => ({
    name: `create:actions has an action promote a member when ${by} runs it`,
    start: machine('create:actions', 'execute:actions'),
    steps: [createAction(promote), { ...run, by }],
    untouched: principals,
  })),
  ...(['attacker', 'mia'] as const).map((by) => ({
    name: `create:actions has an action make credentials when ${by} runs it, whose answer members read`,
    start: machine('create:actions', 'execute:actions'),
    steps: [createAction(ownApiCall('POST', '/v1/apps', { name: 'fresh', role: 'Admin' })), { ...run, by }],
    untouched: principals,
  })),
  {
    name: 'create:actions has an action make a link to sign in as an administrator',
    start: machine('create:actions', 'execute:actions'),
    steps: [createAction(ownApiCall('POST', '/v1/auth/password-links', { email: people.boss })), run],
    untouched: principals,
  },
  {
    name: 'a restricted token of an administrator has an action promote a member',
    start: { as: 'boss', scopes: ['create:actions', 'execute:actions'] },
    steps: [createAction(promote), run],
    untouched: principals,
  },
  {
    name: 'create:actions has an action write an entity',
    start: machine('create:actions', 'execute:actions'),
    steps: [createAction({ ...promote, blueprintIdentifier: 'service', mapping: { identifier: 'fresh' } }), run],
    untouched: ['entities'],
  },
  {
    name: 'create:actions has an action read the audit log',
    start: machine('create:actions', 'execute:actions', 'read:runs'),
    steps: [createAction(ownApiCall('GET', '/v1/audit-log')), run],
    untouched: principals,
  },
  {
    name: 'create:actions has an automation promote a member when something changes',
    start: machine('create:actions'),
    steps: [createAction(promote, onChange)],
    untouched: principals,
  },
  {
    name: 'create:actions has an action start another that only administrators may run',
    start: machine('create:actions', 'execute:actions'),
    steps: [
      createAction(
        ownApiCall('PATCH', '/v1/actions/reserved/permissions', { execute: { roles: ['Admin', 'Member'] } }),
      ),
      run,
    ],
    untouched: principals,
  },
  {
    name: 'update:actions turns an action of an administrator into one that promotes',
    start: machine('update:actions'),
    steps: [
      step('replaceAction', 'PUT', '/v1/actions/scaffold', {
        identifier: 'scaffold',
        title: 'Scaffold',
        trigger: selfService,
        invocationMethod: promote,
      }),
      step('startRun', 'POST', '/v1/actions/scaffold/runs', { properties: {} }, 'mia'),
    ],
    untouched: principals,
  },
  {
    name: 'create:integrations has a webhook promote a member',
    start: machine('create:integrations'),
    steps: [
      step('createWebhook', 'POST', '/v1/webhooks', hook),
      step('ingestWebhook', 'POST', `/ingest/${newest('webhooks', 'ingest_key')}`, {}),
    ],
    untouched: principals,
  },
  {
    name: 'create:integrations has a webhook change an entity',
    start: machine('create:integrations'),
    steps: [
      step('createWebhook', 'POST', '/v1/webhooks', {
        ...hook,
        mappings: [{ blueprint: 'service', entity: { identifier: '"portal"', properties: { note: '"Changed"' } } }],
      }),
      step('ingestWebhook', 'POST', `/ingest/${newest('webhooks', 'ingest_key')}`, {}),
    ],
    untouched: ['entities'],
  },
  {
    name: 'create:integrations has a webhook delete an entity',
    start: machine('create:integrations'),
    steps: [
      step('createWebhook', 'POST', '/v1/webhooks', {
        ...hook,
        mappings: [{ blueprint: 'service', operation: 'delete', entity: { identifier: '"portal"' } }],
      }),
      step('ingestWebhook', 'POST', `/ingest/${newest('webhooks', 'ingest_key')}`, {}),
    ],
    untouched: ['entities'],
  },
  {
    name: 'update:integrations has an integration promote a member by its mapping',
    start: machine('update:integrations'),
    steps: [
      step('patchIntegration', 'PATCH', '/v1/integration/exporter', {
        config: { resources: [{ kind: 'user', port: { entity: { mappings: mapping } } }] },
      }),
      step('createEntity', 'POST', '/v1/blueprints/_user/entities?upsert=true&merge=true', toAdministrator, 'exporter'),
    ],
    refusal: beyond,
    untouched: principals,
  },
  {
    name: 'create:teams takes a team that carries rights over by SCIM',
    start: machine('create:teams'),
    steps: [
      step('scim.createGroup', 'POST', '/scim/v2/Groups', {
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
        displayName: 'owners',
        members: [{ value: placeholderKey('users', people.mia) }],
      }),
    ],
    untouched: principals,
  },
  {
    name: 'update:blueprints gives members a right on entities that it does not have itself',
    start: machine('update:blueprints'),
    steps: [
      step('patchBlueprintPermissions', 'PATCH', '/v1/blueprints/service/permissions', {
        entities: { unregister: { roles: ['Member'] } },
      }),
    ],
    refusal: beyond,
    untouched: ['blueprints'],
  },
  {
    name: 'update:blueprints gives members that right by a tool',
    start: machine('update:blueprints'),
    steps: [
      step('mcp.update_blueprint_permissions', 'POST', '/v1/mcp', {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: {
          name: 'update_blueprint_permissions',
          arguments: { identifier: 'service', permissions: { entities: { unregister: { roles: ['Member'] } } } },
        },
      }),
    ],
    untouched: ['blueprints'],
  },
  {
    name: 'a program that asked for a run approves it itself',
    start: machine('execute:actions', 'update:runs'),
    steps: [
      step('startRun', 'POST', '/v1/actions/guarded/runs', { properties: {} }),
      step('decideRun', 'PATCH', `/v1/actions/runs/${newest('action_runs', 'id')}/approval`, { status: 'APPROVE' }),
    ],
    refusal: [403, 'missing_permissions'],
    untouched: ['action_run_approvals'],
  },
  {
    name: 'create:migrations has a data migration promote a member',
    start: machine('create:migrations'),
    steps: [step('startDataMigration', 'POST', '/v1/migrations', { sourceBlueprint: 'service', mapping })],
    refusal: beyond,
    untouched: principals,
  },
  {
    name: 'a requester who is listed as an approver approves the own run',
    start: { as: 'mia', scopes: null },
    steps: [
      step('startRun', 'POST', '/v1/actions/guarded/runs', { properties: {} }),
      step('decideRun', 'PATCH', `/v1/actions/runs/${newest('action_runs', 'id')}/approval`, { status: 'APPROVE' }),
    ],
    refusal: [403, 'missing_permissions'],
    untouched: ['action_run_approvals'],
  },
  ...attacksOnGrants,
];
