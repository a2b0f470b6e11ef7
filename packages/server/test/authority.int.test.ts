import { randomUUID } from 'node:crypto';
import sql, { raw } from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, createTestApp, type TestApp } from './build-test-app.ts';
import { blueprintBody } from './catalog-fixtures.ts';
import { redeemFor, signInAs } from './sign-in-fixtures.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
  await seedOrganization();
});
afterAll(() => app.close());

const password = 'correct horse battery';
const permissions = '/v1/blueprints/service/permissions';
const user = (email: string): string => `/v1/users/${email}`;
const entityPath = (email: string): string => `/v1/blueprints/_user/entities/${email}`;

/** People and teams of every kind: `ops` may update services, `owners` own one, `plain` carries nothing. */
async function seedOrganization(): Promise<void> {
  const made = async (method: string, path: string, body: object) => {
    const answer = await app.request(method, path, { body });
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  };
  await made('POST', '/v1/blueprints', blueprintBody('service'));
  await made('POST', '/v1/blueprints', blueprintBody('owned'));
  for (const name of ['ops', 'plain', 'owners']) await made('POST', '/v1/teams', { name });
  for (const [email, change] of [
    ['boss@acme.dev', { roles: ['Admin'] }],
    ['other@acme.dev', { roles: ['Admin'] }],
    ['gone@acme.dev', { roles: ['Admin'] }],
    ['worker@acme.dev', {}],
    ['jo@acme.dev', {}],
    ['fresh@acme.dev', {}],
    ['opsy@acme.dev', { teams: ['ops'] }],
  ] as const) {
    await made('POST', '/v1/users/invite', { invitee: { email, ...change } });
  }
  await redeemFor(app, 'worker@acme.dev', password);
  await redeemFor(app, 'boss@acme.dev', password);
  await made('PATCH', entityPath('gone@acme.dev'), { properties: { status: 'Disabled' } });
  await made('PATCH', permissions, {
    entities: { update: { teams: ['ops'], users: ['named@acme.dev'], roles: ['Admin'] } },
  });
  await made('PATCH', '/v1/blueprints/owned/permissions', { entities: { unregister: { ownedByTeam: true } } });
  await made('POST', '/v1/blueprints/owned/entities', { identifier: 'one', team: ['owners'] });
}

async function tokenWith(scopes: readonly string[], token = app.organization.token): Promise<string> {
  const body = { name: randomUUID(), scopes };
  const answer = await app.request('POST', '/v1/users/me/tokens', { token, body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.accessToken;
}

/** SCIM has an envelope of its own. */
async function scim(method: string, path: string, body: object, token: string): Promise<Answer> {
  const answer = await app.app.http.inject({
    method: method as 'GET',
    url: `/scim/v2${path}`,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' },
    payload: JSON.stringify(body),
  });
  return { status: answer.statusCode, headers: answer.headers, body: answer.json() };
}

/** Every row of every organization, but for refusals in the journal and moments of use. */
async function everyRow(): Promise<Record<string, unknown>> {
  const tables = await app.tenantTables();
  const rows: Record<string, unknown> = {};
  for (const table of tables) {
    const where = table === 'journal' ? sql`where t.status = 'SUCCESS'` : sql`where true`;
    const row = await app.database.first<{ all: string }>(sql`
      select md5(coalesce(string_agg((to_jsonb(t) - 'last_used_at')::text, ',' order by to_jsonb(t)::text), '')) as all
      from ${raw(`"${table}"`)} t ${where} /* all organizations */`);
    rows[table] = row?.all;
  }
  return rows;
}

/** The refusal, with nothing written: no row, no event, no job. */
async function refused(
  ask: () => Promise<Answer>,
  code: 'insufficient_scope' | 'missing_permissions',
): Promise<Answer> {
  const before = await everyRow();
  const answer = await ask();
  expect([answer.status, answer.body.error], JSON.stringify(answer.body)).toEqual([403, code]);
  expect(await everyRow()).toEqual(before);
  return answer;
}

describe('a link to set a password', () => {
  const ask = (token: string, email: string) =>
    app.request('POST', '/v1/auth/password-links', { token, body: { email } });
  const redeem = (token: string) =>
    app.request('POST', '/v1/auth/password-links/redeem', { token: null, body: { token, password } });

  test.each(['boss@acme.dev', 'other@acme.dev', 'worker@acme.dev', 'opsy@acme.dev'])(
    'for %s is not for a token that may only create users',
    async (email) => {
      const token = await tokenWith(['create:users', 'read:users']);
      const answer = await refused(() => ask(token, email), 'insufficient_scope');
      expect(answer.body.message).toBe(
        `The token is restricted to create:users, read:users. Making a way to act as "${email}" needs a token without restriction`,
      );
    },
  );

  test('lets a plain member in for the first time, and nobody after that', async () => {
    const token = await tokenWith(['create:users']);
    const first = await ask(token, 'fresh@acme.dev');
    expect(first.status).toBe(201);
    const signedIn = await redeem(first.body.token);
    expect([signedIn.status, signedIn.body.roles]).toEqual([200, ['Member']]);
    await refused(() => ask(token, 'fresh@acme.dev'), 'insufficient_scope');
  });

  test('is worth no more than its maker once the user has more', async () => {
    const token = await tokenWith(['create:users']);
    await app.request('POST', '/v1/users/invite', { body: { invitee: { email: 'rising@acme.dev' } } });
    const made = await ask(token, 'rising@acme.dev');
    expect(made.status).toBe(201);
    const change = { body: { roles: ['Admin'] } };
    expect((await app.request('PATCH', user('rising@acme.dev'), change)).status).toBe(200);
    const before = await everyRow();
    expect((await redeem(made.body.token)).status).toBe(401);
    expect(await everyRow()).toEqual(before);
    const again = await ask(app.organization.token, 'rising@acme.dev');
    expect((await redeem(again.body.token)).body.roles).toEqual(['Admin']);
  });

  test('ends with the rights of whoever made it', async () => {
    await app.request('POST', '/v1/users/invite', { body: { invitee: { email: 'chief@acme.dev', roles: ['Admin'] } } });
    const made = await ask(await app.organization.personToken('chief@acme.dev'), 'other@acme.dev');
    expect(made.status).toBe(201);
    await app.request('PATCH', user('chief@acme.dev'), { body: { roles: ['Member'] } });
    expect((await redeem(made.body.token)).status).toBe(401);
  });
});

describe('roles and status', () => {
  const change = (token: string, email: string, body: object) => app.request('PATCH', user(email), { token, body });

  test.each<[string, string, object]>([
    ['the role Admin', 'jo@acme.dev', { roles: ['Admin'] }],
    ['the role of a moderator', 'jo@acme.dev', { roles: ['service-moderator'] }],
    ['a team with rights', 'jo@acme.dev', { teams: ['ops'] }],
    ['a team that owns what owners may delete', 'jo@acme.dev', { teams: ['owners'] }],
  ])('a token for users gives nobody %s', async (_name, email, body) => {
    const token = await tokenWith(['update:users', 'create:users', 'read:users']);
    const answer = await refused(() => change(token, email, body), 'insufficient_scope');
    expect(answer.body.message).toContain('The token is restricted to');
  });

  test('a token for users admits, disables and moves plain members', async () => {
    const token = await tokenWith(['update:users', 'create:users']);
    const invite = await app.request('POST', '/v1/users/invite', {
      token,
      body: { invitee: { email: 'plain@acme.dev', teams: ['plain'] } },
    });
    expect(invite.status, JSON.stringify(invite.body)).toBe(200);
    for (const body of [{ teams: [] }, { teams: ['plain'] }]) {
      expect((await change(token, 'plain@acme.dev', body)).status, JSON.stringify(body)).toBe(200);
    }
    const both = await tokenWith(['update:users', 'update:entities']);
    for (const status of ['Disabled', 'Active']) {
      const body = { properties: { status } };
      expect((await app.request('PATCH', entityPath('plain@acme.dev'), { token: both, body })).status, status).toBe(
        200,
      );
    }
  });

  test('a token for users and entities gives no disabled administrator back what the role has', async () => {
    const token = await tokenWith(['update:users', 'update:entities']);
    const body = { properties: { status: 'Active' } };
    await refused(() => app.request('PATCH', entityPath('gone@acme.dev'), { token, body }), 'insufficient_scope');
  });

  test('a token for users takes rights away', async () => {
    const token = await tokenWith(['update:users']);
    await app.request('POST', '/v1/users/invite', {
      body: { invitee: { email: 'high@acme.dev', roles: ['Admin'], teams: ['ops'] } },
    });
    expect((await change(token, 'high@acme.dev', { roles: ['Member'], teams: [] })).status).toBe(200);
  });

  test('a token that may do what a team may puts people into it', async () => {
    const token = await tokenWith(['update:users', 'update:entities', 'read:entities']);
    const path = user('jo@acme.dev');
    expect((await app.request('PATCH', path, { token, body: { teams: ['ops'] } })).status).toBe(200);
    expect((await app.request('PATCH', path, { body: { teams: [] } })).status).toBe(200);
  });

  test.each<[string, object]>([
    ['an administrator', { email: 'new@acme.dev', roles: ['Admin'] }],
    ['a member of a team with rights', { email: 'new@acme.dev', teams: ['ops'] }],
    ['somebody whom a grant names already', { email: 'named@acme.dev' }],
  ])('a token for users does not invite %s', async (_name, invitee) => {
    const token = await tokenWith(['create:users']);
    await refused(() => app.request('POST', '/v1/users/invite', { token, body: { invitee } }), 'insufficient_scope');
  });
});

describe('entities of users and teams', () => {
  const path = entityPath('jo@acme.dev');

  test.each<[string, object]>([
    ['a role', { properties: { port_role: 'Admin' } }],
    ['a status', { properties: { status: 'Disabled' } }],
    ['a team with rights', { team: ['ops'] }],
  ])('a token for entities gives nobody %s', async (_name, body) => {
    const token = await tokenWith(['update:entities']);
    await refused(() => app.request('PATCH', path, { token, body }), 'insufficient_scope');
  });

  test('of a bulk, those that give too much are refused and the others written', async () => {
    const token = await tokenWith(['create:entities', 'update:entities', 'read:entities']);
    const entities = [
      { identifier: 'one@acme.dev' },
      { identifier: 'two@acme.dev', team: ['owners'] },
      { identifier: 'three@acme.dev', team: ['plain'] },
    ];
    const answer = await app.request('POST', '/v1/blueprints/_user/entities/bulk?upsert=true', {
      token,
      body: { entities },
    });
    expect(answer.status).toBe(207);
    expect(answer.body.errors).toMatchObject([{ identifier: 'two@acme.dev', error: 'insufficient_scope' }]);
    expect((await app.request('GET', user('two@acme.dev'))).status).toBe(404);
    expect((await app.request('GET', user('three@acme.dev'))).body.user.teams).toEqual(['plain']);
  });

  test('a member who may change users puts people into own teams, and into others without rights', async () => {
    const grant = { entities: { update: { roles: ['Admin', 'Member'] } } };
    await app.request('PATCH', '/v1/blueprints/_user/permissions', { body: grant });
    const token = await app.organization.personToken('worker@acme.dev');
    const put = (identifier: string, team: string[]) =>
      app.request('PATCH', entityPath(identifier), { token, body: { team } });
    const answer = await refused(() => put('worker@acme.dev', ['ops']), 'missing_permissions');
    expect(answer.body.message).toBe(
      'Putting "worker@acme.dev" into the team "ops", which has rights, takes rights that you do not have; ask an administrator to do it',
    );
    expect((await put('worker@acme.dev', ['plain'])).status).toBe(200);
    const insider = await app.organization.personToken('opsy@acme.dev');
    const own = { token: insider, body: { team: ['ops'] } };
    expect((await app.request('PATCH', path, own)).status).toBe(200);
    await app.request('PATCH', path, { body: { team: [] } });
    await app.request('PATCH', '/v1/blueprints/_user/permissions', {
      body: { entities: { update: { roles: ['Admin'] } } },
    });
  });
});

describe('teams', () => {
  test('a token for teams changes the members of plain ones alone', async () => {
    const token = await tokenWith(['update:teams', 'create:teams', 'read:teams']);
    const set = (name: string, users: string[]) =>
      app.request('PATCH', `/v1/teams/${name}`, { token, body: { users } });
    await refused(() => set('ops', ['opsy@acme.dev', 'jo@acme.dev']), 'insufficient_scope');
    await refused(() => set('owners', ['jo@acme.dev']), 'insufficient_scope');
    expect((await set('plain', ['jo@acme.dev'])).status).toBe(200);
    expect((await set('plain', [])).status).toBe(200);
  });

  test('that carry rights get no other name by a token for teams, since groups find them by it', async () => {
    const token = await tokenWith(['update:teams', 'update:entities']);
    await refused(() => app.request('PATCH', '/v1/teams/ops', { token, body: { name: 'all' } }), 'insufficient_scope');
    const entity = '/v1/blueprints/_team/entities/ops';
    await refused(() => app.request('PATCH', entity, { token, body: { title: 'all' } }), 'insufficient_scope');
    expect((await app.request('PATCH', '/v1/teams/plain', { token, body: { description: 'Plain' } })).status).toBe(200);
    expect((await app.request('PATCH', '/v1/teams/ops', { token, body: { description: 'Ops' } })).status).toBe(200);
  });
});

describe('provisioning over SCIM', () => {
  const recommended = ['read', 'create', 'update', 'delete'].flatMap((verb) => [`${verb}:users`, `${verb}:teams`]);
  const patch = (...Operations: object[]) => ({
    schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
    Operations,
  });
  const keyOf = async (table: 'users' | 'teams', identifier: string): Promise<string> => {
    const row = await app.database.first<{ key: string }>(sql`
      select key from ${raw(table)} where org_id = ${app.organization.id} and identifier = ${identifier}`);
    return row?.key ?? '';
  };
  const refusedByScim = async (ask: () => Promise<Answer>): Promise<void> => {
    const before = await everyRow();
    const answer = await ask();
    expect([answer.status, answer.body.detail]).toEqual([403, expect.stringContaining('The token is restricted to')]);
    expect(await everyRow()).toEqual(before);
  };

  test('admits, disables and admits again plain members', async () => {
    const token = await tokenWith(recommended);
    const made = await scim('POST', '/Users', { userName: 'scim@acme.dev' }, token);
    expect(made.status).toBe(201);
    for (const active of [false, true]) {
      const answer = await scim('PATCH', `/Users/${made.body.id}`, patch({ op: 'replace', value: { active } }), token);
      expect([answer.status, answer.body.active]).toEqual([200, active]);
    }
  });

  test('does not give a disabled administrator back what the role has', async () => {
    const token = await tokenWith(recommended);
    const id = await keyOf('users', 'gone@acme.dev');
    await refusedByScim(() => scim('PATCH', `/Users/${id}`, patch({ op: 'replace', value: { active: true } }), token));
  });

  test('does not take over a team that has rights, by its id or by its name', async () => {
    const token = await tokenWith(recommended);
    const members = [{ value: await keyOf('users', 'jo@acme.dev') }];
    await refusedByScim(() => scim('POST', '/Groups', { displayName: 'ops' }, token));
    await refusedByScim(() => scim('POST', '/Groups', { displayName: 'ops', members }, token));
    const id = await keyOf('teams', 'ops');
    await refusedByScim(() =>
      scim('PATCH', `/Groups/${id}`, patch({ op: 'add', path: 'members', value: members }), token),
    );
    await refusedByScim(() =>
      scim('PATCH', `/Groups/${id}`, patch({ op: 'replace', path: 'externalId', value: 'x' }), token),
    );
  });

  test('decides on the members of its own teams, also once an administrator has given them rights', async () => {
    const token = await tokenWith(recommended);
    const group = await scim('POST', '/Groups', { displayName: 'From outside' }, token);
    expect(group.status).toBe(201);
    const grant = { entities: { update: { teams: ['From outside', 'ops'] } } };
    expect((await app.request('PATCH', permissions, { body: grant })).status).toBe(200);
    const members = [{ value: await keyOf('users', 'jo@acme.dev') }];
    const add = patch({ op: 'add', path: 'members', value: members });
    const answer = await scim('PATCH', `/Groups/${group.body.id}`, add, token);
    expect([answer.status, answer.body.members.length]).toEqual([200, 1]);
    const removed = await scim('PATCH', `/Groups/${group.body.id}`, patch({ op: 'remove', path: 'members' }), token);
    expect(removed.status).toBe(200);
  });

  test('with a token without restriction takes over what it names', async () => {
    await app.request('POST', '/v1/teams', { body: { name: 'linked' } });
    await app.request('PATCH', permissions, { body: { entities: { update: { teams: ['linked', 'ops'] } } } });
    expect((await scim('POST', '/Groups', { displayName: 'linked' }, app.organization.token)).status).toBe(201);
  });
});

describe('rights', () => {
  test('on entities are given by whoever has them', async () => {
    const body = { entities: { update: { roles: ['Admin', 'Member'] } } };
    const schema = await tokenWith(['update:blueprints', 'read:*']);
    const answer = await refused(
      () => app.request('PATCH', '/v1/blueprints/owned/permissions', { token: schema, body }),
      'insufficient_scope',
    );
    expect(answer.body.message).toContain(
      'Giving others the right to update entities of "owned" also needs update:entities',
    );
    const token = await tokenWith(['update:blueprints', 'update:entities', 'read:entities']);
    expect((await app.request('PATCH', '/v1/blueprints/owned/permissions', { token, body })).status).toBe(200);
    const back = { entities: { update: { roles: ['Admin'] } } };
    const taken = await app.request('PATCH', '/v1/blueprints/owned/permissions', { token: schema, body: back });
    expect(taken.status).toBe(200);
  });

  test('on actions and pages too', async () => {
    const action = {
      identifier: 'deploy',
      trigger: { type: 'self-service', operation: 'CREATE', userInputs: { properties: {}, required: [] } },
      invocationMethod: { type: 'WEBHOOK', url: 'https://example.com' },
    };
    expect((await app.request('POST', '/v1/actions', { body: action })).status).toBe(201);
    const token = await tokenWith(['update:actions', 'update:pages', 'read:actions', 'create:pages']);
    const change = (path: string, body: object, as = token) => app.request('PATCH', path, { token: as, body });
    const path = '/v1/actions/deploy/permissions';
    await refused(() => change(path, { approve: { roles: ['Admin', 'Member'] } }), 'insufficient_scope');
    await refused(() => change(path, { execute: { users: ['jo@acme.dev'] } }), 'insufficient_scope');
    expect((await change(path, { execute: { roles: ['Admin'] } })).status).toBe(200);
    const runner = await tokenWith(['update:actions', 'execute:actions', 'update:runs']);
    expect((await change(path, { approve: { roles: ['Admin', 'Member'] } }, runner)).status).toBe(200);
    await app.request('POST', '/v1/pages', { body: { identifier: 'board', type: 'dashboard', widgets: [] } });
    await refused(
      () => change('/v1/pages/board/permissions', { update: { roles: ['Admin', 'Member'] } }),
      'insufficient_scope',
    );
    const author = await tokenWith(['update:pages', 'read:pages']);
    const given = await change('/v1/pages/board/permissions', { update: { roles: ['Admin', 'Member'] } }, author);
    expect(given.status).toBe(200);
  });

  test('on servers of others too', async () => {
    const token = await tokenWith(['create:mcp-servers', 'update:mcp-servers']);
    const body = { identifier: 'tools', url: 'http://127.0.0.1:1/mcp', permissions: { roles: ['Member'] } };
    await refused(() => app.request('POST', '/v1/mcp/servers', { token, body }), 'insufficient_scope');
  });

  test('follow from whom owners are: a token for blueprints changes no inheritance that grants', async () => {
    const token = await tokenWith(['update:blueprints', 'create:blueprints']);
    const relation = { relations: { service: { title: 'Service', target: 'service', required: false, many: false } } };
    expect((await app.request('PATCH', '/v1/blueprints/owned', { token, body: relation })).status).toBe(200);
    const body = { ownership: { type: 'Inherited', path: 'service' } };
    await refused(() => app.request('PATCH', '/v1/blueprints/owned', { token, body }), 'insufficient_scope');
  });
});

describe('what decides later', () => {
  test('single sign-on is set by administrators without restriction', async () => {
    const token = await tokenWith(['update:organization', 'read:*']);
    const body = { issuer: 'http://127.0.0.1:1', clientId: 'portolan' };
    await refused(() => app.request('PUT', '/v1/auth/sso', { token, body }), 'insufficient_scope');
  });

  test('users and teams are migrated by administrators without restriction', async () => {
    const token = await tokenWith(['create:migrations', 'update:migrations', 'read:migrations']);
    for (const [method, path] of [
      ['POST', '/v1/blueprints/system/users-and-teams-as-blueprints'],
      ['POST', '/v1/blueprints/system/users-and-teams-as-blueprints/rollback'],
    ] as const) {
      await refused(() => app.request(method, path, { token, body: {} }), 'insufficient_scope');
    }
  });
});

test('a session of an administrator may do all of it', async () => {
  const { cookie, csrf } = await signInAs(app, 'boss@acme.dev', password);
  const headers = { cookie, 'x-csrf-token': csrf };
  const path = user('jo@acme.dev');
  for (const body of [
    { roles: ['Admin'], teams: ['ops'] },
    { roles: ['Member'], teams: [] },
  ]) {
    expect((await app.request('PATCH', path, { token: null, headers, body })).status).toBe(200);
  }
});
