import { beyond, type KnownAttack, machine, principals, step } from './attack-words.ts';
import { newest } from './dictionary.ts';
import { people } from './world.ts';

const group = 'urn:ietf:params:scim:schemas:core:2.0:Group';

/** Ways to give more than one has: grants, scopes, and what decides later. */
export const attacksOnGrants: readonly KnownAttack[] = [
  {
    name: 'update:entities disables a moderator',
    start: machine('update:entities', 'read:entities'),
    steps: [
      step('patchEntity', 'PATCH', `/v1/blueprints/_user/entities/${people.mod}`, {
        properties: { status: 'Disabled' },
      }),
    ],
    refusal: beyond,
    untouched: principals,
  },
  {
    name: 'update:teams renames a team that carries rights',
    start: machine('update:teams'),
    steps: [step('patchTeam', 'PATCH', '/v1/teams/owners', { name: 'everybody' })],
    refusal: beyond,
    untouched: ['teams'],
  },
  {
    name: 'create:teams has a provider say who is in a team that carries rights',
    start: machine('create:teams', 'read:teams'),
    steps: [step('scim.createGroup', 'POST', '/scim/v2/Groups', { schemas: [group], displayName: 'owners' })],
    untouched: ['teams', 'team_members'],
  },
  {
    name: 'update:pages lets members change a page',
    start: machine('update:pages'),
    steps: [step('patchPagePermissions', 'PATCH', '/v1/pages/board/permissions', { update: { roles: ['Member'] } })],
    refusal: beyond,
    untouched: ['pages'],
  },
  {
    name: 'create:mcp-servers lets members use the tools of a server',
    start: machine('create:mcp-servers'),
    steps: [
      step('createMcpServer', 'POST', '/v1/mcp/servers', {
        identifier: 'fresh',
        url: 'http://127.0.0.1:9/mcp',
        permissions: { roles: ['Member'] },
      }),
    ],
    refusal: beyond,
    untouched: ['mcp_servers'],
  },
  {
    name: 'create:apps makes credentials without restriction',
    start: machine('create:apps'),
    steps: [step('createApp', 'POST', '/v1/apps', { name: 'Fresh', role: 'Admin' })],
    refusal: beyond,
    untouched: principals,
  },
  {
    name: 'update:apps reads the secret of credentials that may do more',
    start: { as: 'boss', scopes: ['update:apps'] },
    steps: [step('rotateAppSecret', 'POST', `/v1/apps/${newest('credentials', 'client_id')}/rotate-secret`, {})],
    refusal: beyond,
    untouched: principals,
  },
  {
    name: 'create:tokens of an administrator makes a token without restriction',
    start: { as: 'boss', scopes: ['create:tokens'] },
    steps: [step('createApiToken', 'POST', '/v1/users/me/tokens', { name: 'Fresh' })],
    refusal: beyond,
    untouched: principals,
  },
  {
    name: 'update:organization says who vouches for people',
    start: machine('update:organization'),
    steps: [step('putSsoConnection', 'PUT', '/v1/auth/sso', { issuer: 'http://127.0.0.1:9', clientId: 'fresh' })],
    refusal: beyond,
    untouched: ['sso_connections'],
  },
  {
    name: 'update:organization lets requesters approve',
    start: machine('update:organization'),
    steps: [step('patchOrganization', 'PATCH', '/v1/organization', { settings: { requestersMayApprove: true } })],
    refusal: beyond,
    untouched: ['organizations'],
  },
  {
    name: 'update:actions lets members run an action of administrators',
    start: machine('update:actions'),
    steps: [
      step('patchActionPermissions', 'PATCH', '/v1/actions/reserved/permissions', { execute: { roles: ['Member'] } }),
    ],
    refusal: beyond,
    untouched: ['actions'],
  },
  {
    name: 'update:apps widens credentials of the organization',
    start: machine('update:apps'),
    steps: [
      step('setAppPermissions', 'POST', `/v1/apps/${newest('credentials', 'client_id')}/permissions`, {
        permissions: ['*'],
      }),
    ],
    refusal: beyond,
    untouched: principals,
  },
];
