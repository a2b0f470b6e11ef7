import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestOrganization } from '../../../test/build-test-app.ts';
import {
  createBlueprint,
  createEntity,
  entityPath,
  issuePaths,
  readEntity,
  unique,
} from '../../../test/catalog-fixtures.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const models = ['legacy', 'beta', 'blueprints'] as const;
const userPath = (email: string) => `/v1/users/${encodeURIComponent(email)}`;
const invite = (organization: TestOrganization, invitee: object, query = '') =>
  organization.request('POST', `/v1/users/invite${query}`, { body: { invitee } });
const readUser = async ({ request }: TestOrganization, email: string) =>
  (await request('GET', userPath(email))).body.user;

describe.each(models)('in model %s', (model) => {
  let organization: TestOrganization;
  beforeAll(async () => {
    organization = await app.createOrganization({ model });
    await organization.request('POST', '/v1/teams', { body: { name: 'Payments Core' } });
    await organization.request('POST', '/v1/teams', { body: { name: 'SRE' } });
  });

  test('an invited user is what clients expect of one', async () => {
    const { request, id, journal } = organization;
    const moderated = await createBlueprint(request, 'Checkout');
    const invitee = { email: 'ana@acme.dev', roles: [`${moderated}-Moderator`], teams: ['Payments Core', 'sre'] };
    const answer = await invite(organization, invitee, '?notify=true');
    expect([answer.status, answer.body]).toEqual([200, { ok: true }]);
    const user = await readUser(organization, 'ana@acme.dev');
    expect(user).toEqual({
      id: expect.stringMatching(/^u_/),
      email: 'ana@acme.dev',
      firstName: '',
      lastName: '',
      status: 'Invited',
      type: 'Standard',
      providers: ['port'],
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
      orgs: [{ id }],
      teams: ['Payments Core', 'SRE'],
      teamsIdentifiers: ['payments_core', 'sre'],
      roles: [{ name: `${moderated}-moderator` }],
      orgMembers: [{ orgId: id, status: 'Invited', lastLoginAt: null }],
      termsAccepted: null,
    });
    expect(await journal()).toEqual(expect.arrayContaining(['user.created ana@acme.dev', 'user.invited ana@acme.dev']));
    if (model !== 'legacy') {
      expect(await readEntity(request, '_user', 'ana@acme.dev')).toMatchObject({
        team: model === 'beta' ? ['Payments Core', 'SRE'] : ['payments_core', 'sre'],
        properties: {
          status: 'Invited',
          port_role: 'Moderator',
          moderated_blueprints: [moderated],
          port_type: 'Standard',
        },
      });
    }
    const { teamsIdentifiers: _left, ...listed } = user;
    expect((await request('GET', '/v1/users')).body.users).toContainEqual(listed);
    const some = await request('GET', '/v1/users?fields=email&fields=roles.name,teams.name');
    expect(some.body.users).toContainEqual({ email: 'ana@acme.dev', roles: user.roles, teams: user.teams });
  });

  test('without a notice a user is staged', async () => {
    await invite(organization, { email: 'quiet@acme.dev' }, '?notify=false');
    expect(await readUser(organization, 'quiet@acme.dev')).toMatchObject({
      status: 'Staged',
      roles: [{ name: 'Member' }],
    });
    expect(await organization.journal()).not.toContain('user.invited quiet@acme.dev');
  });

  test('an address in another case or composition is taken, by name and by path', async () => {
    await invite(organization, { email: 'jos\u00e9@acme.dev' });
    const before = await app.count('users', organization.id);
    for (const email of ['jos\u00e9@acme.dev', 'JOSE\u0301@ACME.dev']) {
      const answer = await invite(organization, { email });
      expect([answer.status, answer.body.error, issuePaths(answer.body)]).toEqual([
        409,
        'identifier_taken',
        ['/invitee/email'],
      ]);
    }
    expect(await app.count('users', organization.id)).toBe(before);
    expect((await readUser(organization, 'JOS\u00c9@acme.dev')).email).toBe('jos\u00e9@acme.dev');
  });

  test('invitations of one address at a time make one user', async () => {
    const answers = await Promise.all(
      ['race@acme.dev', 'Race@acme.dev', 'RACE@acme.dev'].map((email) => invite(organization, { email })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  });

  test('roles and teams are replaced, what is not named stays', async () => {
    const { request } = organization;
    await invite(organization, { email: 'li@acme.dev', teams: ['SRE'] });
    const change = (body: object) => request('PATCH', userPath('li@acme.dev'), { body });
    expect((await change({ roles: ['Admin', 'Member'] })).body).toMatchObject({
      ok: true,
      email: 'li@acme.dev',
      roles: [{ name: 'Admin' }],
      teams: ['SRE'],
    });
    expect((await change({ teams: ['payments_core'] })).body).toMatchObject({
      roles: [{ name: 'Admin' }],
      teams: ['Payments Core'],
      teamsIdentifiers: ['payments_core'],
    });
    const blueprint = await createBlueprint(request, 'cart');
    expect((await invite(organization, { email: 'other-admin@acme.dev', roles: ['Admin'] })).status).toBe(200);
    expect((await change({ roles: [`${blueprint}-moderator`], teams: [] })).body).toMatchObject({
      roles: [{ name: `${blueprint}-moderator` }],
      teams: [],
    });
    await request('PUT', `/v1/teams/SRE`, { body: { name: 'SRE', users: ['LI@acme.dev'] } });
    expect((await readUser(organization, 'li@acme.dev')).teams).toEqual(['SRE']);
    expect((await request('DELETE', userPath('li@acme.dev'))).status).toBe(200);
    expect((await request('GET', userPath('li@acme.dev'))).status).toBe(404);
    expect((await request('GET', '/v1/teams/SRE')).body.team.users).not.toContainEqual(
      expect.objectContaining({ email: 'li@acme.dev' }),
    );
    const audits = (await request('GET', '/v1/audit-log?resources=user&identifier=li@acme.dev')).body.audits;
    expect(audits.map(({ action }: { action: string }) => action).at(0)).toBe('DELETE');
  });

  test('what is wrong with roles and teams is said at once, and nothing changes', async () => {
    await invite(organization, { email: 'same@acme.dev' });
    const before = await readUser(organization, 'same@acme.dev');
    const wrong = { roles: ['Boss', 'ghost-moderator'], teams: ['SRE', 'Ghosts'] };
    const answer = await organization.request('PATCH', userPath('same@acme.dev'), { body: wrong });
    expect([answer.status, issuePaths(answer.body)]).toEqual([422, ['/roles/0', '/roles/1', '/teams/1']]);
    expect(await readUser(organization, 'same@acme.dev')).toEqual(before);
    const invited = await invite(organization, { email: 'new@acme.dev', ...wrong });
    expect(issuePaths(invited.body)).toEqual(['/invitee/roles/0', '/invitee/roles/1', '/invitee/teams/1']);
    expect((await organization.request('GET', userPath('new@acme.dev'))).status).toBe(404);
  });

  test('the last administrator stays one', async () => {
    const own = await app.createOrganization({ model });
    await invite(own, { email: 'boss@acme.dev', roles: ['Admin'] });
    const before = await readUser(own, 'boss@acme.dev');
    const demoted = await own.request('PATCH', userPath('boss@acme.dev'), { body: { roles: ['Member'] } });
    const removed = await own.request('DELETE', userPath('boss@acme.dev'));
    expect([demoted.status, demoted.body.error]).toEqual([409, 'last_administrator']);
    expect([removed.status, removed.body.error]).toEqual([409, 'last_administrator']);
    expect(await readUser(own, 'boss@acme.dev')).toEqual(before);
    await invite(own, { email: 'next@acme.dev', roles: ['Admin'] });
    const both = await Promise.all(['boss', 'next'].map((name) => own.request('DELETE', userPath(`${name}@acme.dev`))));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test('an organization has as many people as it has seats', async () => {
    const own = await app.createOrganization({ model, quotas: { users: 1 } });
    expect((await invite(own, { email: 'one@acme.dev' })).status).toBe(200);
    const refused = await invite(own, { email: 'two@acme.dev' });
    expect([refused.status, refused.body.error, refused.body.details]).toEqual([
      409,
      'user_limit_reached',
      { limit: 1 },
    ]);
    expect((await own.request('GET', userPath('two@acme.dev'))).status).toBe(404);
    // who is only staged takes no seat
    expect((await invite(own, { email: 'two@acme.dev' }, '?notify=false')).status).toBe(200);
    await own.request('DELETE', userPath('one@acme.dev'));
    expect((await invite(own, { email: 'three@acme.dev' })).status).toBe(200);
  });
});

test.each([
  [{ invitee: {} }, ['/invitee/email']],
  [{ invitee: { email: 'nobody' } }, ['/invitee/email']],
  [{ invitee: { email: 'a b@acme.dev' } }, ['/invitee/email']],
  [{ invitee: { email: 'a@acme.dev', role: 'Admin' } }, ['/invitee/role']],
  [{ invitee: { email: 'a@acme.dev', roles: 'Admin' } }, ['/invitee/roles']],
  [{ email: 'a@acme.dev' }, ['/email', '/invitee']],
])('422 for the invitation %j', async (body, paths) => {
  const answer = await app.request('POST', '/v1/users/invite', { body });
  expect([answer.status, issuePaths(answer.body).sort()]).toEqual([422, paths]);
});

test('an address may have every character of one', async () => {
  const email = "o'brien+{x}!#$%&*=~|`^@acme.dev";
  await createEntity(app.request, '_user', { identifier: email, title: "Pat O'Brien" });
  expect(await readUser(app.organization, email)).toMatchObject({ email, firstName: 'Pat', lastName: "O'Brien" });
  const blueprint = await createBlueprint(app.request, 'plain');
  for (const [where, identifier] of [
    [blueprint, email],
    ['_user', 'nobody'],
  ] as const) {
    const answer = await app.request('POST', `/v1/blueprints/${where}/entities`, { body: { identifier } });
    expect([answer.status, issuePaths(answer.body)]).toEqual([422, ['/identifier']]);
  }
});

describe('an entity of _user', () => {
  const admin = { status: 'Active', port_role: 'Admin' };
  const mail = (stem: string) => `${unique(stem)}@acme.dev`;
  const patch = (email: string, properties: object, token?: string) =>
    app.request('PATCH', entityPath('_user', email), { body: { properties }, ...(token ? { token } : {}) });
  beforeAll(async () => {
    await createEntity(app.request, '_user', { identifier: 'root@acme.dev', properties: admin });
  });

  test('comes staged and a member, and a replacement takes no standing away', async () => {
    const identifier = mail('plain');
    const created = await createEntity(app.request, '_user', { identifier });
    expect(created.properties).toMatchObject({ status: 'Staged', port_role: 'Member', port_type: 'Standard' });
    await patch(identifier, { status: 'Active', port_role: 'Admin' });
    const replaced = await createEntity(app.request, '_user', { identifier, title: 'Jo' }, '?upsert=true');
    expect(replaced.properties).toMatchObject({ status: 'Active', port_role: 'Admin', port_type: 'Standard' });
  });

  test('with an address in another case is taken', async () => {
    const identifier = mail('case');
    await createEntity(app.request, '_user', { identifier });
    const body = { identifier: identifier.toUpperCase() };
    const answer = await app.request('POST', '/v1/blueprints/_user/entities?upsert=true', { body });
    expect([answer.status, answer.body.error, issuePaths(answer.body)]).toEqual([
      409,
      'identifier_taken',
      ['/identifier'],
    ]);
  });

  test('of an integration comes staged whatever it says', async () => {
    const identifier = mail('synced');
    const headers = { 'user-agent': 'port-ocean/okta/1.0/mine/exporter' };
    const write = () =>
      app.request('POST', '/v1/blueprints/_user/entities?upsert=true', {
        body: { identifier, properties: { status: 'Active' } },
        headers,
      });
    const created = await write();
    expect([created.status, created.body.entity.properties.status]).toEqual([201, 'Staged']);
    expect(created.headers['warning']).toContain('it stays Staged');
    await patch(identifier, { status: 'Disabled' });
    expect((await write()).body.entity.properties.status).toBe('Disabled');
  });

  test('gets its standing from administrators alone, and nobody changes their own status', async () => {
    const identifier = mail('self');
    await createEntity(app.request, '_user', { identifier, properties: { status: 'Active', port_role: 'Admin' } });
    const token = await app.organization.personToken(identifier, 'Admin');
    const own = await patch(identifier, { status: 'Staged' }, token);
    expect([own.status, own.body.error, issuePaths(own.body)]).toEqual([
      403,
      'missing_permissions',
      ['/properties/status'],
    ]);
    const moderator = mail('mod');
    const properties = { status: 'Active', port_role: 'Moderator', moderated_blueprints: ['_user'] };
    await createEntity(app.request, '_user', { identifier: moderator, properties });
    const lesser = await app.organization.personToken(moderator);
    for (const change of [
      { port_role: 'Admin' },
      { moderated_blueprints: ['_user', 'service'] },
      { status: 'Disabled' },
    ]) {
      expect((await patch(moderator, change, lesser)).status).toBe(403);
    }
    expect((await patch(identifier, { port_role: 'Member' }, lesser)).status).toBe(403);
    const made = await app.request('POST', '/v1/blueprints/_user/entities', {
      body: { identifier: mail('made'), properties: { port_role: 'Admin' } },
      token: lesser,
    });
    expect([made.status, made.body.error]).toEqual([403, 'missing_permissions']);
    expect(
      (await app.request('PATCH', entityPath('_user', identifier), { body: { title: 'Jo' }, token: lesser })).status,
    ).toBe(200);
  });

  test('a role that was taken away is gone within a second', async () => {
    const identifier = mail('fallen');
    await createEntity(app.request, '_user', { identifier, properties: admin });
    const token = await app.organization.personToken(identifier, 'Admin');
    expect((await app.request('DELETE', '/v1/teams/none', { token })).status).toBe(404);
    await patch(identifier, { port_role: 'Member' });
    app.clock.advance(1000);
    expect((await app.request('DELETE', '/v1/teams/none', { token })).status).toBe(403);
  });

  test('the last active administrator can neither be deleted nor demoted nor disabled, one by one or together', async () => {
    const own = await app.createOrganization();
    for (const name of ['a', 'b']) {
      await createEntity(own.request, '_user', { identifier: `${name}@acme.dev`, properties: admin });
    }
    await createEntity(own.request, '_user', { identifier: 'c@acme.dev', properties: { ...admin, status: 'Staged' } });
    const body = {
      entities: ['a', 'b'].map((name) => ({ identifier: `${name}@acme.dev`, properties: { port_role: 'Member' } })),
    };
    const bulk = await own.request('POST', '/v1/blueprints/_user/entities/bulk?upsert=true&merge=true', { body });
    expect([bulk.status, bulk.body.errors]).toMatchObject([
      207,
      [{ index: 1, error: 'last_administrator', statusCode: 409 }],
    ]);
    const change = (properties: object) =>
      own.request('PATCH', entityPath('_user', 'b@acme.dev'), { body: { properties } });
    expect((await change({ status: 'Disabled' })).body.error).toBe('last_administrator');
    expect((await own.request('DELETE', entityPath('_user', 'b@acme.dev'))).body.error).toBe('last_administrator');
    const all = { entities: ['a@acme.dev', 'b@acme.dev'] };
    expect((await own.request('POST', '/v1/blueprints/_user/bulk/entities/delete', { body: all })).status).toBe(409);
    expect((await own.request('GET', '/v1/users?fields=email')).body.users).toHaveLength(3);
  });

  test('moderates nothing that comes later under the name of a blueprint that is gone', async () => {
    const identifier = mail('moder');
    const blueprint = await createBlueprint(app.request, 'gone');
    const kept = await createBlueprint(app.request, 'kept');
    const properties = { status: 'Active', port_role: 'Moderator', moderated_blueprints: [blueprint, kept] };
    await createEntity(app.request, '_user', { identifier, properties });
    expect((await app.request('DELETE', `/v1/blueprints/${blueprint}`)).status).toBe(200);
    await app.request('POST', '/v1/blueprints', { body: { identifier: blueprint, title: 'New', schema: {} } });
    const token = await app.organization.personToken(identifier);
    const write = (where: string) =>
      app.request('POST', `/v1/blueprints/${where}/entities`, { body: { identifier: 'a' }, token });
    expect([(await write(blueprint)).status, (await write(kept)).status]).toEqual([403, 201]);
    expect((await readUser(app.organization, identifier)).roles).toEqual([{ name: `${kept}-moderator` }]);
    expect((await readEntity(app.request, '_user', identifier)).properties['moderated_blueprints']).toEqual([kept]);
  });

  test('and teams are not wiped all at once, and the refusal says what to do instead', async () => {
    const own = await app.createOrganization();
    await createEntity(own.request, '_user', { identifier: 'a@acme.dev', properties: admin });
    await createEntity(own.request, '_team', { identifier: 'crew' });
    for (const name of ['_user', '_team', '_ai_invocations']) {
      for (const query of ['', '?delete_blueprint=true']) {
        const wiped = await own.request('DELETE', `/v1/blueprints/${name}/all-entities${query}`);
        expect([wiped.status, wiped.body.error], name).toEqual([422, 'wipe_refused']);
        expect(wiped.body.message).toMatch(/DELETE \/v1|evidence/);
      }
    }
    await app.app.jobs.drain();
    expect((await own.request('GET', entityPath('_team', 'crew'))).status).toBe(200);
    expect((await own.request('GET', userPath('a@acme.dev'))).status).toBe(200);
  });

  test('is what the API of users shows, both ways', async () => {
    const identifier = mail('both');
    await createEntity(app.request, '_team', { identifier: `${identifier}-team`, title: `Team of ${identifier}` });
    await createEntity(app.request, '_user', { identifier, title: 'Ana María Ruiz', team: `${identifier}-team` });
    expect(await readUser(app.organization, identifier)).toMatchObject({
      firstName: 'Ana',
      lastName: 'María Ruiz',
      teams: [`Team of ${identifier}`],
    });
    await app.request('PATCH', userPath(identifier), { body: { roles: ['Admin'], teams: [] } });
    expect(await readEntity(app.request, '_user', identifier)).toMatchObject({
      team: [],
      properties: { port_role: 'Admin' },
    });
    await app.request('DELETE', userPath(identifier));
    expect((await app.request('GET', entityPath('_user', identifier))).status).toBe(404);
  });
});

describe('a service account', () => {
  const create = (body: object, query = '') => app.request('POST', `/v1/blueprints/_user/entities${query}`, { body });
  const account = (stem: string, more: object = {}) => ({
    identifier: `${unique(stem)}@serviceaccounts.getport.io`,
    title: 'Robot',
    properties: { port_type: 'Service Account', status: 'Active', port_role: 'Member', ...more },
  });
  const tokenOf = (credentials: object) =>
    app.request('POST', '/v1/auth/access_token', { body: credentials, token: null });

  test('gets credentials once, signs in, is disabled within a second and comes back', async () => {
    const body = account('bot', { port_role: 'Admin' });
    const created = await create(body);
    const { credentials } = created.body.additionalData;
    expect(credentials).toEqual({ clientId: expect.any(String), clientSecret: expect.any(String) });
    const signedIn = await tokenOf(credentials);
    const token = signedIn.body.accessToken as string;
    expect(JSON.parse(Buffer.from(token.split('.')[1] as string, 'base64url').toString()).isMachine).toBe(true);
    expect((await app.request('POST', '/v1/teams', { body: { name: unique('By a bot ') }, token })).status).toBe(200);
    const again = await create(body, '?upsert=true');
    expect([again.status, again.body.additionalData]).toEqual([201, undefined]);
    const read = await app.request('GET', entityPath('_user', body.identifier));
    expect(JSON.stringify(read.body)).not.toContain(credentials.clientSecret);
    const audits = await app.request('GET', '/v1/audit-log?limit=1000');
    expect(JSON.stringify(audits.body)).not.toContain(credentials.clientSecret);
    const set = (status: string) =>
      app.request('PATCH', entityPath('_user', body.identifier), { body: { properties: { status } } });
    await set('Disabled');
    app.clock.advance(1000);
    expect((await app.request('GET', '/v1/teams', { token })).status).toBe(401);
    expect((await tokenOf(credentials)).status).toBe(401);
    await set('Active');
    app.clock.advance(1000);
    expect((await app.request('GET', '/v1/teams', { token })).status).toBe(200);
    expect((await tokenOf(credentials)).status).toBe(200);
  });

  test('of a bulk request has its credentials beside it', async () => {
    const entities = [account('one'), { identifier: `${unique('jo')}@acme.dev` }, account('two')];
    const answer = await app.request('POST', '/v1/blueprints/_user/entities/bulk', { body: { entities } });
    const shown = answer.body.entities.map(
      ({ additionalData }: { additionalData?: object }) => additionalData !== undefined,
    );
    expect(shown).toEqual([true, false, true]);
    expect((await tokenOf(answer.body.entities[2].additionalData.credentials)).status).toBe(200);
  });

  test('that is only rehearsed gets none', async () => {
    const before = await app.count('credentials');
    const answer = await create(account('dry'), '?validation_only=true');
    expect([answer.status, answer.body.additionalData]).toEqual([201, undefined]);
    expect(await app.count('credentials')).toBe(before);
  });

  test('gets new credentials, and the old ones end', async () => {
    const body = account('rotated');
    const old = (await create(body)).body.additionalData.credentials;
    const answer = await app.request('POST', `/v1/rotate-credentials/${encodeURIComponent(body.identifier)}`);
    expect(answer.status).toBe(200);
    expect((await tokenOf(old)).status).toBe(401);
    expect((await tokenOf(answer.body.credentials)).status).toBe(200);
    await app.request('DELETE', userPath(body.identifier));
    expect((await tokenOf(answer.body.credentials)).status).toBe(401);
    expect((await app.request('POST', '/v1/rotate-credentials/none@acme.dev')).status).toBe(404);
  });

  test.each([
    ['another domain', { identifier: 'bot@acme.dev' }, {}, ['/identifier']],
    ['a domain that only ends so', { identifier: 'bot@evil-serviceaccounts.getport.io' }, {}, ['/identifier']],
    ['staged', {}, { status: 'Staged' }, ['/properties/status']],
    ['disabled from the start', {}, { status: 'Disabled' }, ['/properties/status']],
  ])('%s is refused', async (_name, more, properties, paths) => {
    const answer = await create({ ...account('wrong', properties), ...more });
    expect([answer.status, issuePaths(answer.body)]).toEqual([422, paths]);
  });

  test('of the installation has its own domain, and stays what it is', async () => {
    const body = { ...account('own'), identifier: `${unique('own')}@serviceaccounts.127.0.0.1` };
    expect((await create(body)).status).toBe(201);
    const answer = await app.request('PATCH', entityPath('_user', body.identifier), {
      body: { properties: { port_type: 'Standard' } },
    });
    expect([answer.status, answer.body.error, issuePaths(answer.body)]).toEqual([
      422,
      'managed_field',
      ['/properties/port_type'],
    ]);
  });
});

test('the users of another organization are not there', async () => {
  const other = await app.createOrganization();
  await createEntity(app.request, '_user', { identifier: 'ours@acme.dev' });
  for (const [method, path, body] of [
    ['GET', userPath('ours@acme.dev'), undefined],
    ['PATCH', userPath('ours@acme.dev'), { roles: ['Admin'] }],
    ['DELETE', userPath('ours@acme.dev'), undefined],
  ] as const) {
    const answer = await other.request(method, path, body ? { body } : {});
    const missing = await other.request(method, userPath('none@acme.dev'), body ? { body } : {});
    expect(answer.status).toBe(404);
    expect(JSON.stringify(answer.body).replaceAll('ours@', 'none@')).toBe(JSON.stringify(missing.body));
  }
  await app.request('POST', '/v1/teams', { body: { name: 'Ours Alone' } });
  expect((await other.request('GET', '/v1/users')).body.users).toEqual([]);
  expect((await other.request('GET', '/v1/teams')).body.teams).toEqual([]);
  const named = await other.request('POST', '/v1/teams', { body: { name: 'Ours Alone', users: ['ours@acme.dev'] } });
  expect([named.status, issuePaths(named.body)]).toEqual([422, ['/users/0']]);
  // what others have is free here
  expect((await invite(other, { email: 'ours@acme.dev' })).status).toBe(200);
  expect((await other.request('POST', '/v1/teams', { body: { name: 'Ours Alone' } })).status).toBe(200);
});
