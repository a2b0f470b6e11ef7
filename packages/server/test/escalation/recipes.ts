import type { Chance } from './chance.ts';
import { placeholderKey, worthwhileEntity } from './dictionary.ts';
import { people } from './world.ts';

/** A request that somebody would like made, by whoever can be brought to make it. */
export interface Wish {
  /** The operation, or the surface beside the contract, that it reaches. */
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

/** Where the organization reaches itself. */
export const home = 'http://127.0.0.1:3000';

/** Bodies of operations whose schemas are too wide to be met by chance, by operation; each mentions what is worth having. */
export const recipes: Readonly<Record<string, (chance: Chance, wish: () => Wish) => unknown>> = {
  createAction: action,
  replaceAction: action,
  createEntity: (chance) => worthwhileEntity(chance).entity,
  replaceEntity: (chance) => worthwhileEntity(chance).entity,
  patchEntity: (chance) => worthwhileEntity(chance).entity,
  bulkUpsertEntities: (chance) => ({ entities: [worthwhileEntity(chance).entity] }),
  startRun: () => ({ properties: {} }),
  decideRun: () => ({ status: 'APPROVE' }),
  acceptWorkflowProposal: () => ({}),
  dismissWorkflowProposal: () => ({}),
  decideWorkflowDraft: () => ({ status: 'APPROVE', inputsHash: 'sha256:0' }),
  createBlueprint: (chance) => blueprint(chance.pick(['fresh', '_user'])),
  replaceBlueprint: () => blueprint('service'),
  createWebhook: (chance) => webhook(chance),
  replaceWebhook: (chance) => webhook(chance),
  patchWebhook: (chance) => webhook(chance),
  ingestWebhook: () => ({ role: 'Admin' }),
  callWorkflowTrigger: () => ({ role: 'Admin' }),
  startDataMigration: (chance) => {
    const { blueprint: target, entity } = worthwhileEntity(chance);
    return { sourceBlueprint: 'service', mapping: { blueprint: target, entity: inJq(entity) } };
  },
  redeemPasswordLink: () => ({ token: 'nothing', password: 'a long new password' }),
  createPage: () => ({ identifier: 'fresh', type: 'dashboard', title: 'Fresh', widgets: [] }),
  putSsoConnection: () => ({ issuer: 'http://127.0.0.1:9', clientId: 'fresh' }),
  createTeam: () => ({ name: 'fresh', users: [people.mia] }),
  patchTeam: () => ({ users: [people.mia] }),
  replaceTeam: () => ({ name: 'owners', users: [people.mia] }),
};

/** A self-service action or an automation that writes an entity or calls our own API. */
function action(chance: Chance, wish: () => Wish): object {
  const trigger = chance.pick<object>([
    { type: 'self-service', operation: 'CREATE', userInputs: { properties: {} } },
    { type: 'self-service', operation: 'CREATE', userInputs: { properties: {} } },
    { type: 'automation', event: { type: 'ANY_ENTITY_CHANGE', blueprintIdentifier: 'service' } },
    { type: 'automation', event: { type: 'ANY_RUN_CHANGE', actionIdentifier: 'scaffold' } },
  ]);
  const identifier = chance.pick(['fresh', 'fresh', 'scaffold', 'reserved', 'guarded']);
  return { identifier, title: 'Fresh', trigger, invocationMethod: invocation(chance, wish), publish: true };
}

function invocation(chance: Chance, wish: () => Wish): object {
  if (chance.happens(0.4)) {
    const { blueprint: target, entity } = worthwhileEntity(chance);
    return { type: 'UPSERT_ENTITY', blueprintIdentifier: target, mapping: entity };
  }
  const { method, path, body } = wish();
  return ownApiCall(method, path, body);
}

/** An invocation that calls our own API and waits for the answer. */
export function ownApiCall(method: string, path: string, body?: unknown): object {
  return {
    type: 'WEBHOOK',
    url: `${home}${path}`,
    method,
    synchronized: true,
    ...(body === undefined ? {} : { body }),
  };
}

function blueprint(identifier: string): object {
  return { identifier, title: identifier, schema: { properties: { note: { type: 'string' } } } };
}

function webhook(chance: Chance): object {
  const { blueprint: target, entity } = worthwhileEntity(chance);
  return {
    identifier: 'fresh',
    title: 'Fresh',
    enabled: true,
    mappings: [{ blueprint: target, entity: inJq(entity) }],
  };
}

/** An entity as a mapping writes it: every value is an expression that answers it. */
function inJq(entity: Readonly<Record<string, unknown>>): object {
  const { properties, team, ...rest } = entity;
  const literal = (value: unknown): string => JSON.stringify(value);
  const texts = Object.entries(rest).map(([key, value]) => [key, literal(value)]);
  const inside = Object.entries((properties ?? {}) as object).map(([key, value]) => [key, literal(value)]);
  return {
    ...Object.fromEntries(texts),
    ...(team === undefined ? {} : { team: literal(team) }),
    ...(inside.length === 0 ? {} : { properties: Object.fromEntries(inside) }),
  };
}

interface Surface {
  /** One of them is needed to be let through at all. */
  readonly scopes: readonly string[];
  readonly wish: (chance: Chance, wish: () => Wish) => Wish;
}

/** Ways in that are no operations of the contract: the tools of models, and what an identity provider says. */
export const surfaces: readonly Surface[] = [
  {
    scopes: ['create:entities', 'update:entities'],
    wish: (chance) => {
      const { blueprint: target, entity } = worthwhileEntity(chance);
      return tool('upsert_entity', { blueprint: target, entity });
    },
  },
  {
    scopes: ['execute:actions'],
    wish: (chance) => tool('trigger_run', { workflowIdentifier: chance.pick(['fresh', 'flow', 'theirs']) }),
  },
  {
    scopes: ['create:actions', 'update:actions'],
    wish: (chance, wish) => tool('upsert_action', { action: action(chance, wish) }),
  },
  {
    scopes: ['update:blueprints'],
    wish: (chance) => {
      const grant = chance.pick([{ roles: ['Member'] }, { users: [people.mia] }]);
      const entities = { [chance.pick(['register', 'update', 'unregister'])]: grant };
      return tool('update_blueprint_permissions', { identifier: 'service', permissions: { entities } });
    },
  },
  {
    scopes: ['update:actions'],
    wish: (chance) => {
      const execute = { roles: ['Member'] };
      const identifier = chance.pick(['reserved', 'guarded']);
      return tool('update_action_permissions', { identifier, permissions: { execute } });
    },
  },
  {
    scopes: ['create:users'],
    wish: (chance) => ({
      operation: 'scim.createUser',
      method: 'POST',
      path: '/scim/v2/Users',
      body: {
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
        userName: chance.pick(['new@example.com', people.gone]),
        active: true,
        roles: [{ value: 'Admin', primary: true }],
      },
    }),
  },
  {
    scopes: ['update:users'],
    wish: (chance) => ({
      operation: 'scim.patchUser',
      method: 'PATCH',
      path: `/scim/v2/Users/${placeholderKey('users', chance.pick(Object.values(people)))}`,
      body: {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
        Operations: [
          chance.pick<object>([
            { op: 'replace', path: 'active', value: true },
            { op: 'add', path: 'roles', value: [{ value: 'Admin' }] },
          ]),
        ],
      },
    }),
  },
  {
    scopes: ['update:teams'],
    wish: (chance) => ({
      operation: 'scim.patchGroup',
      method: 'PATCH',
      path: `/scim/v2/Groups/${placeholderKey('teams', chance.pick(['owners', 'guests']))}`,
      body: {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
        Operations: [
          {
            op: chance.pick(['add', 'replace']),
            path: 'members',
            value: [{ value: placeholderKey('users', people.mia) }],
          },
        ],
      },
    }),
  },
  {
    scopes: ['create:teams'],
    wish: () => ({
      operation: 'scim.createGroup',
      method: 'POST',
      path: '/scim/v2/Groups',
      body: {
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
        displayName: 'owners',
        members: [{ value: placeholderKey('users', people.mia) }],
      },
    }),
  },
];

function tool(name: string, parameters: object): Wish {
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: parameters } };
  return { operation: `mcp.${name}`, method: 'POST', path: '/v1/mcp', body };
}
