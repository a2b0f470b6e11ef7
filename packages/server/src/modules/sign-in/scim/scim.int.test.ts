import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestOrganization } from '../../../../test/build-test-app.ts';
import { createEntity } from '../../../../test/catalog-fixtures.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User';
const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const patchSchema = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

/** Not through the helper of the API: SCIM has an envelope of its own. */
async function scim(
  method: string,
  path: string,
  body?: unknown,
  of: Pick<TestOrganization, 'token'> = app.organization,
) {
  const answer = await app.app.http.inject({
    method: method as 'GET',
    url: `/scim/v2${path}`,
    headers: {
      authorization: `Bearer ${of.token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/scim+json' }),
    },
    ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  if (answer.body !== '') expect(answer.headers['content-type']).toBe('application/scim+json; charset=utf-8');
  return { status: answer.statusCode, headers: answer.headers, body: answer.body === '' ? undefined : answer.json() };
}

function expectError(answer: Awaited<ReturnType<typeof scim>>, status: number, scimType?: string): void {
  expect(answer.body).toEqual({
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status: String(status),
    detail: expect.any(String),
    ...(scimType ? { scimType } : {}),
  });
  expect(answer.status).toBe(status);
}

let count = 0;
async function newUser(extra: object = {}) {
  count += 1;
  const userName = `user${count}@acme.dev`;
  const created = await scim('POST', '/Users', { schemas: [userSchema], userName, ...extra });
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  return created.body;
}

const readPersonEntity = async (kind: '_user' | '_team', identifier: string) =>
  (await app.request('GET', `/v1/blueprints/${kind}/entities/${identifier}`)).body.entity;
const patch = (path: string, ...Operations: object[]) => scim('PATCH', path, { schemas: [patchSchema], Operations });

describe('users', () => {
  test('are created, read, replaced, disabled and removed, in the portal at the same moment', async () => {
    const name = { givenName: 'Ann', familyName: 'Lee' };
    const created = await scim('POST', '/Users', {
      schemas: [userSchema, 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'],
      userName: 'Ann@acme.dev',
      externalId: 'ext-ann',
      name,
      emails: [{ value: 'ann@acme.dev', primary: true }],
      title: 'Engineer',
      active: true,
    });
    expect(created.status).toBe(201);
    expect(created.headers['location']).toBe(`http://127.0.0.1:3000/scim/v2/Users/${created.body.id}`);
    expect(created.body).toMatchObject({
      schemas: [userSchema],
      externalId: 'ext-ann',
      userName: 'Ann@acme.dev',
      name: { ...name, formatted: 'Ann Lee' },
      displayName: 'Ann Lee',
      active: true,
      meta: { resourceType: 'User' },
    });
    const path = `/Users/${created.body.id}`;
    expect((await scim('GET', path)).body).toEqual(created.body);
    expect(await readPersonEntity('_user', 'Ann@acme.dev')).toMatchObject({
      title: 'Ann Lee',
      properties: { status: 'Staged' },
    });
    const replaced = await scim('PUT', path, {
      userName: 'ann@ACME.dev',
      name: { givenName: 'Anna', familyName: 'Lee' },
    });
    expect([replaced.status, replaced.body.displayName]).toEqual([200, 'Anna Lee']);
    expect((await patch(path, { op: 'Replace', path: 'active', value: 'False' })).body.active).toBe(false);
    expect((await readPersonEntity('_user', 'Ann@acme.dev')).properties.status).toBe('Disabled');
    expect((await patch(path, { op: 'replace', value: { active: true } })).body.active).toBe(true);
    const gone = await scim('DELETE', path);
    expect([gone.status, gone.body]).toEqual([204, undefined]);
    expectError(await scim('GET', path), 404);
    expect(await readPersonEntity('_user', 'Ann@acme.dev')).toBeUndefined();
    expect(await app.organization.journal()).toEqual(
      expect.arrayContaining([
        'user.created Ann@acme.dev',
        'user.provisioned Ann@acme.dev',
        'user.deleted Ann@acme.dev',
      ]),
    );
  });

  test('of one address or one externalId are not made twice', async () => {
    const { userName } = await newUser({ externalId: 'ext-once' });
    const before = await app.count('users');
    expectError(await scim('POST', '/Users', { userName: userName.toUpperCase() }), 409, 'uniqueness');
    expectError(await scim('POST', '/Users', { userName: 'x@acme.dev', externalId: 'ext-once' }), 409, 'uniqueness');
    const other = await newUser();
    expectError(
      await patch(`/Users/${other.id}`, { op: 'add', path: 'externalId', value: 'ext-once' }),
      409,
      'uniqueness',
    );
    expect(await app.count('users')).toBe(before + 1);
  });

  test('that are asked for at the same moment come to be once', async () => {
    const [userName, displayName] = ['same@acme.dev', 'Same Moment'];
    const users = await Promise.all([1, 2, 3].map(() => scim('POST', '/Users', { userName, externalId: 'same' })));
    expect(users.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    const groups = await Promise.all([1, 2, 3].map(() => scim('POST', '/Groups', { displayName, externalId: 'same' })));
    expect(groups.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  });

  test('are found by userName, externalId, displayName, and by pages', async () => {
    await newUser();
    const made = await newUser({ externalId: 'ext "quoted"', displayName: 'Found Me' });
    const find = async (filter: string) => (await scim('GET', `/Users?filter=${encodeURIComponent(filter)}`)).body;
    for (const filter of [
      `userName eq "${made.userName}"`,
      `USERNAME EQ "${made.userName.toUpperCase()}"`,
      `emails[type eq "work"].value eq "${made.userName}"`,
      `${userSchema}:userName eq "${made.userName}"`,
      'externalId eq "ext \\"quoted\\""',
      'displayName eq "found me"',
      `userName eq "${made.userName}" and active eq true`,
    ]) {
      expect(
        (await find(filter)).Resources.map(({ id }: { id: string }) => id),
        filter,
      ).toEqual([made.id]);
    }
    expect(await find('userName eq "nobody@acme.dev"')).toMatchObject({ totalResults: 0, Resources: [] });
    const all = (await scim('GET', '/Users?count=200')).body;
    const page = (await scim('GET', '/Users?startIndex=2&count=1')).body;
    expect(page).toMatchObject({ totalResults: all.totalResults, startIndex: 2, itemsPerPage: 1 });
    expect(page.Resources).toEqual([all.Resources[1]]);
    expect((await scim('GET', '/Users?count=0')).body).toMatchObject({ totalResults: all.totalResults, Resources: [] });
    expect((await scim('GET', '/Users?startIndex=-5&count=-1')).body).toMatchObject({ startIndex: 1, itemsPerPage: 0 });
    const few = (await scim('GET', `/Users/${made.id}?attributes=userName`)).body;
    expect(Object.keys(few).sort()).toEqual(['id', 'meta', 'schemas', 'userName']);
  });

  test.each([
    'userName',
    'userName co "x"',
    'userName eq x',
    'userName eq "x" or userName eq "y"',
    'password eq "x"',
    'active eq "true"',
    'userName eq "\\u0000"',
    `userName eq "${'x'.repeat(3000)}"`,
    "userName eq 'x' -- drop table users",
  ])('refuses the filter %j', async (filter) => {
    expectError(await scim('GET', `/Users?filter=${encodeURIComponent(filter)}`), 400, 'invalidFilter');
  });

  test.each([
    ['an empty body', {}, 'invalidValue'],
    ['a list', [], 'invalidSyntax'],
    ['no JSON', '{', 'invalidSyntax'],
    ['a name that is no address', { userName: 'jdoe' }, 'invalidValue'],
    ['a name of another type', { userName: 7 }, 'invalidValue'],
    ['a flag of another type', { userName: 'a@b.dev', active: 'perhaps' }, 'invalidValue'],
    ['parts of a name of another type', { userName: 'a@b.dev', name: 'Ann' }, 'invalidSyntax'],
  ])('are not made of %s', async (_what, body, scimType) => {
    const before = await app.count('users');
    expectError(await scim('POST', '/Users', body), 400, scimType);
    expect(await app.count('users')).toBe(before);
  });

  test('keep their userName, and refuse patches that say nothing', async () => {
    const { id } = await newUser();
    expectError(
      await patch(`/Users/${id}`, { op: 'replace', path: 'userName', value: 'o@acme.dev' }),
      400,
      'mutability',
    );
    expectError(await patch(`/Users/${id}`), 400, 'invalidSyntax');
    expectError(await patch(`/Users/${id}`, { op: 'move', path: 'active' }), 400, 'invalidSyntax');
    expectError(await patch(`/Users/${id}`, { op: 'remove' }), 400, 'noTarget');
    expectError(await scim('PATCH', `/Users/${id}`, 'x'), 400, 'invalidSyntax');
  });

  test('that are provisioned keep their name here, and their roles and teams can be changed', async () => {
    const { userName } = await newUser({ displayName: 'From There' });
    await createEntity(app.request, '_team', { identifier: `own${count}`, title: `Own ${count}` });
    const entity = `/v1/blueprints/_user/entities/${userName}`;
    const renamed = await app.request('PATCH', entity, { body: { title: 'From Here' } });
    expect([renamed.status, renamed.body.error]).toEqual([409, 'SCIM_CONFLICT']);
    const roles = await app.request('PATCH', `/v1/users/${userName}`, {
      body: { roles: ['Admin'], teams: [`Own ${count}`] },
    });
    expect(roles.status).toBe(200);
    expect((await readPersonEntity('_user', userName)).title).toBe('From There');
  });

  test('can be one that was made here before', async () => {
    await createEntity(app.request, '_user', { identifier: 'hand@acme.dev', title: 'Hand' });
    const found = (await scim('GET', `/Users?filter=${encodeURIComponent('userName eq "hand@acme.dev"')}`)).body;
    const put = await scim('PUT', `/Users/${found.Resources[0].id}`, {
      userName: 'hand@acme.dev',
      externalId: 'ext-hand',
      displayName: 'Taken Over',
    });
    expect([put.status, put.body.externalId, put.body.displayName]).toEqual([200, 'ext-hand', 'Taken Over']);
  });
});

describe('groups', () => {
  const members = (...ids: string[]) => ids.map((value) => ({ value }));
  const idsOf = (group: { members: { value: string }[] }) => group.members.map(({ value }) => value);

  test('are teams: made with members, patched, renamed without another identifier, removed', async () => {
    const [one, two, three] = [await newUser(), await newUser(), await newUser()];
    const made = await scim('POST', '/Groups', {
      schemas: [groupSchema],
      displayName: 'Platform Crew',
      externalId: 'grp-platform',
      members: members(one.id),
    });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const path = `/Groups/${made.body.id}`;
    const team = await readPersonEntity('_team', 'platform_crew');
    expect(team.title).toBe('Platform Crew');
    expect((await readPersonEntity('_user', one.userName)).team).toEqual(['platform_crew']);
    await patch(path, { op: 'Add', path: 'members', value: members(two.id, three.id) });
    const removed = await patch(path, { op: 'Remove', path: `members[value eq "${one.id}"]` });
    expect(idsOf(removed.body)).toEqual([two.id, three.id]);
    await patch(path, { op: 'remove', path: 'members', value: members(two.id) });
    const renamed = await patch(path, { op: 'replace', value: { id: made.body.id, displayName: 'Platform' } });
    expect(renamed.body).toMatchObject({ displayName: 'Platform', externalId: 'grp-platform' });
    expect(idsOf(renamed.body)).toEqual([three.id]);
    expect((await readPersonEntity('_team', 'platform_crew')).title).toBe('Platform');
    expect((await scim('GET', `/Users/${three.id}`)).body.groups).toMatchObject([
      { display: 'Platform', type: 'direct' },
    ]);
    const put = await scim('PUT', path, { displayName: 'Platform', members: members(one.id) });
    expect(idsOf(put.body)).toEqual([one.id]);
    expect(idsOf((await patch(path, { op: 'remove', path: 'members' })).body)).toEqual([]);
    expect((await scim('DELETE', path)).status).toBe(204);
    expect(await readPersonEntity('_team', 'platform_crew')).toBeUndefined();
    expectError(await scim('DELETE', path), 404);
  });

  test('change their own team where its name is the identifier of another', async () => {
    await createEntity(app.request, '_team', { identifier: 'ops', title: 'Operations' });
    const made = await scim('POST', '/Groups', { displayName: 'ops' });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    expect((await readPersonEntity('_team', 'ops_2')).title).toBe('ops');
    const user = await newUser();
    await patch(`/Groups/${made.body.id}`, { op: 'Add', path: 'members', value: members(user.id) });
    expect((await readPersonEntity('_user', user.userName)).team).toEqual(['ops_2']);
    expect((await scim('DELETE', `/Groups/${made.body.id}`)).status).toBe(204);
    expect((await readPersonEntity('_team', 'ops')).title).toBe('Operations');
    expect(await readPersonEntity('_team', 'ops_2')).toBeUndefined();
  });

  test('mean the team of their name that nobody has, and never two', async () => {
    await createEntity(app.request, '_team', { identifier: 'by-hand', title: 'By Hand' });
    const taken = await scim('POST', '/Groups', { displayName: 'by hand', externalId: 'grp-hand' });
    expect(taken.status).toBe(201);
    expect((await readPersonEntity('_team', 'by-hand')).title).toBe('by hand');
    expectError(await scim('POST', '/Groups', { displayName: 'By Hand', externalId: 'grp-2' }), 409, 'uniqueness');
    expectError(await scim('POST', '/Groups', { displayName: 'Other', externalId: 'grp-hand' }), 409, 'uniqueness');
    const found = (await scim('GET', `/Groups?filter=${encodeURIComponent('externalId eq "grp-hand"')}`)).body;
    expect(found.Resources).toHaveLength(1);
    const bare = (await scim('GET', `/Groups/${taken.body.id}?excludedAttributes=members`)).body;
    expect(bare.members).toBeUndefined();
  });

  test('have members that exist; their memberships are not edited here', async () => {
    const user = await newUser();
    const before = await app.count('teams');
    const unknown = await scim('POST', '/Groups', { displayName: 'Nobody', members: members('u_nobody') });
    expectError(unknown, 400, 'invalidValue');
    expect(await app.count('teams')).toBe(before);
    await scim('POST', '/Groups', { displayName: 'Managed', members: members(user.id) });
    const left = await app.request('PATCH', `/v1/users/${user.userName}`, { body: { teams: [] } });
    expect([left.status, left.body.error]).toEqual([422, 'managed_field']);
  });

  test.each([
    [{ op: 'add', path: 'members', value: 'u_1' }, 'invalidSyntax'],
    [{ op: 'add', path: 'members', value: [{ value: 5 }] }, 'invalidValue'],
    [{ op: 'remove', path: 'members[display eq "x"]' }, 'invalidPath'],
    [{ op: 'replace', path: 'displayName', value: '' }, 'invalidValue'],
    [{ op: 'replace', value: 'x' }, 'invalidSyntax'],
  ])('refuse the operation %j', async (operation, scimType) => {
    count += 1;
    const { body } = await scim('POST', '/Groups', { displayName: `Refusing ${count}` });
    expectError(await patch(`/Groups/${body.id}`, operation), 400, scimType);
  });
});

describe('who may', () => {
  test('an administrator of the organization, with every scope that is needed, and nobody else', async () => {
    const member = { token: await app.organization.memberToken() };
    expectError(await scim('GET', '/Users', undefined, member), 403);
    expectError(await scim('GET', '/Users', undefined, { token: 'nonsense' }), 401);
    const reader = await app.request('POST', '/v1/users/me/tokens', { body: { name: 'r', scopes: ['read:users'] } });
    const restricted = { token: reader.body.accessToken };
    expect((await scim('GET', '/Users', undefined, restricted)).status).toBe(200);
    expectError(await scim('GET', '/Groups', undefined, restricted), 403);
    expectError(await scim('POST', '/Users', { userName: 'n@acme.dev' }, restricted), 403);
  });

  test('what another organization has is not there', async () => {
    const { id } = await newUser();
    const theirs = await app.createOrganization();
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const body = method === 'PUT' ? { userName: 'x@acme.dev' } : undefined;
      expectError(await scim(method, `/Users/${id}`, body, theirs), 404);
    }
    expect((await scim('GET', '/Users', undefined, theirs)).body.totalResults).toBe(0);
    const foreign = await scim('POST', '/Groups', { displayName: 'Foreign', members: [{ value: id }] }, theirs);
    expectError(foreign, 400, 'invalidValue');
  });

  test('the documents are read without a token, and what is not there is said in the form of SCIM', async () => {
    const none = { token: '' };
    expect((await scim('GET', '/ServiceProviderConfig', undefined, none)).body.patch.supported).toBe(true);
    expect((await scim('GET', '/ResourceTypes', undefined, none)).body.totalResults).toBe(2);
    expect((await scim('GET', `/Schemas/${userSchema}`, undefined, none)).body.name).toBe('User');
    expectError(await scim('GET', '/Nothing'), 404);
    expectError(await scim('GET', '/Users/x%00'), 404);
    expectError(await scim('POST', '/Users', `{"userName": "${'x'.repeat(1024 * 1024)}"}`), 413);
  });
});

test.each(['legacy', 'beta'])('users and groups come in as a %s organization keeps them', async (model) => {
  const other = await app.createOrganization({ model });
  const user = (await scim('POST', '/Users', { userName: 'ida@acme.dev', displayName: 'Ida' }, other)).body;
  const made = await scim('POST', '/Groups', { displayName: 'Core', members: [{ value: user.id }] }, other);
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const read = await other.request('GET', '/v1/users/ida@acme.dev');
  expect(read.body.user).toMatchObject({ teams: ['Core'], firstName: 'Ida' });
  const Operations = [{ op: 'replace', value: { displayName: 'Kernel' } }];
  expect((await scim('PATCH', `/Groups/${made.body.id}`, { Operations }, other)).status).toBe(200);
  expect((await other.request('GET', '/v1/teams/Kernel')).status).toBe(200);
  expect((await scim('DELETE', `/Users/${user.id}`, undefined, other)).status).toBe(204);
  expect((await scim('DELETE', `/Groups/${made.body.id}`, undefined, other)).status).toBe(204);
});
