import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestOrganization } from '../../../test/build-test-app.ts';
import { createBlueprint, createEntity, entityPath, issuePaths, readEntity } from '../../../test/catalog-fixtures.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const models = ['legacy', 'beta', 'blueprints'] as const;
const invite = (organization: TestOrganization, email: string) =>
  organization.request('POST', '/v1/users/invite', { body: { invitee: { email } } });
const teamPath = (name: string) => `/v1/teams/${encodeURIComponent(name)}`;
const byTitle = async ({ request }: TestOrganization, title: string) => {
  const query = {
    combinator: 'and',
    rules: [
      { property: '$blueprint', operator: '=', value: '_team' },
      { property: '$title', operator: '=', value: title },
    ],
  };
  return (await request('POST', '/v1/entities/search', { body: query })).body.entities;
};

describe.each(models)('in model %s', (model) => {
  let organization: TestOrganization;
  beforeAll(async () => {
    organization = await app.createOrganization({ model });
    for (const name of ['ana', 'li', 'bo']) await invite(organization, `${name}@acme.dev`);
  });

  test('Terraform creates, finds, renames, reads and deletes a team', async () => {
    const { request } = organization;
    const body = { name: 'Payments Core', description: 'Cards', users: ['li@acme.dev', 'ana@acme.dev'] };
    const created = await request('POST', '/v1/teams', { body });
    expect([created.status, created.body]).toEqual([
      200,
      {
        ok: true,
        team: {
          id: expect.stringMatching(/^t_/),
          identifier: 'payments_core',
          provider: 'port',
          createdAt: expect.stringMatching(/Z$/),
          updatedAt: expect.stringMatching(/Z$/),
          ...body,
        },
      },
    ]);
    if (model !== 'legacy') {
      expect(await byTitle(organization, 'Payments Core')).toMatchObject([{ identifier: 'payments_core' }]);
    }
    const fields = ['name', 'provider', 'description', 'createdAt', 'updatedAt', 'users.firstName', 'users.email'];
    const query = fields.map((field) => `fields=${field}`).join('&');
    const read = await request('GET', `${teamPath('Payments Core')}?${query}`);
    const { id: _id, identifier: _identifier, users: _users, ...rest } = created.body.team;
    expect(read.body.team).toEqual({
      ...rest,
      users: [
        { email: 'li@acme.dev', firstName: '' },
        { email: 'ana@acme.dev', firstName: '' },
      ],
    });
    const renamed = await request('PUT', teamPath('Payments Core'), {
      body: { name: 'Payments', users: ['bo@acme.dev'] },
    });
    expect([renamed.status, renamed.body.team.users, renamed.body.team.description]).toEqual([
      200,
      ['bo@acme.dev'],
      undefined,
    ]);
    expect(renamed.body.team.id).toBe(created.body.team.id);
    expect((await request('GET', teamPath('Payments Core'))).status).toBe(404);
    if (model !== 'legacy') {
      expect(await byTitle(organization, 'Payments')).toMatchObject([{ identifier: 'payments_core' }]);
    }
    expect((await request('GET', '/v1/users/bo@acme.dev')).body.user).toMatchObject({
      teams: ['Payments'],
      teamsIdentifiers: ['payments_core'],
    });
    expect((await request('GET', '/v1/users/li@acme.dev')).body.user.teams).toEqual([]);
    expect((await request('DELETE', teamPath('Payments'))).status).toBe(200);
    expect((await request('GET', teamPath('Payments'))).status).toBe(404);
    expect((await request('GET', '/v1/users/bo@acme.dev')).body.user.teams).toEqual([]);
    expect((await request('DELETE', teamPath('Payments'))).status).toBe(404);
  });

  test('names that differ in case, width, composition or blanks are one name', async () => {
    const { request, journal } = organization;
    await request('POST', '/v1/teams', { body: { name: 'Café Ops' } });
    const before = await journal();
    for (const name of ['Café Ops', 'CAFE\u0301 ops', 'Café  Ops', '\uff23afé Ops']) {
      const answer = await request('POST', '/v1/teams', { body: { name } });
      expect([answer.status, answer.body.error, issuePaths(answer.body)]).toEqual([409, 'identifier_taken', ['/name']]);
    }
    await request('POST', '/v1/teams', { body: { name: 'Other' } });
    const renamed = await request('PATCH', teamPath('Other'), { body: { name: 'CAFÉ OPS' } });
    expect([renamed.status, issuePaths(renamed.body)]).toEqual([409, ['/name']]);
    // its own name in another case is no clash
    expect((await request('PATCH', teamPath('Café Ops'), { body: { name: 'CAFÉ Ops' } })).status).toBe(200);
    expect((await journal()).length - before.length).toBe(model === 'legacy' ? 2 : 4);
  });

  test('two creations of one name at a time make one team', async () => {
    const { request } = organization;
    const answers = await Promise.all(
      ['Night Shift', 'NIGHT shift', 'night shift'].map((name) => request('POST', '/v1/teams', { body: { name } })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    const teams = (await request('GET', '/v1/teams?fields=name')).body.teams;
    expect(teams.filter(({ name }: { name: string }) => name.toLowerCase() === 'night shift')).toHaveLength(1);
  });

  test('names that give one identifier get different ones', async () => {
    const { request } = organization;
    // often enough for two of them to choose at the same moment
    for (let round = 0; round < 40; round += 1) {
      const names = [`A${round}-B`, `A${round} B`, `A${round}.B`];
      const answers = await Promise.all(names.map((name) => request('POST', '/v1/teams', { body: { name } })));
      const stem = `a${round}_b`;
      expect(answers.map(({ body }) => body.team?.identifier ?? body).sort()).toEqual([stem, `${stem}_2`, `${stem}_3`]);
    }
  });

  test('a deleted team owns nothing, has no rights and no members, and the answer counts them', async () => {
    const { request } = organization;
    await request('POST', '/v1/teams', { body: { name: 'Doomed', users: ['ana@acme.dev'] } });
    await request('POST', '/v1/teams', { body: { name: 'Kept' } });
    const owned = await createBlueprint(request, 'owned', { ownership: { type: 'Direct' } });
    for (const identifier of ['a', 'b']) await createEntity(request, owned, { identifier, team: ['Kept', 'Doomed'] });
    const permissions = `/v1/blueprints/${owned}/permissions`;
    await request('PATCH', permissions, { body: { entities: { update: { teams: ['Doomed', 'Kept'] } } } });
    const answer = await request('DELETE', teamPath('Doomed'));
    expect(answer.body.removedReferences).toEqual({ ownedEntities: 2, blueprintPermissions: 1, members: 1 });
    const kept = model === 'blueprints' ? 'kept' : 'Kept';
    expect((await readEntity(request, owned, 'a')).team).toEqual([kept]);
    expect((await request('GET', permissions)).body.permissions.entities.update.teams).toEqual([kept]);
    expect((await request('GET', '/v1/users/ana@acme.dev')).body.user.teams).not.toContain('Doomed');
    // a team of that name that comes later has nothing of the old one
    await request('POST', '/v1/teams', { body: { name: 'Doomed' } });
    expect((await readEntity(request, owned, 'a')).team).toEqual([kept]);
    expect((await request('GET', teamPath('Doomed'))).body.team.users).toEqual([]);
  });

  test('a change of a team is in the audit log', async () => {
    const { request } = organization;
    await request('POST', '/v1/teams', { body: { name: 'Seen' } });
    await request('PATCH', teamPath('Seen'), { body: { description: 'More' } });
    await request('DELETE', teamPath('Seen'));
    const audits = (await request('GET', '/v1/audit-log?resources=team&identifier=seen')).body.audits;
    expect(audits.map(({ action }: { action: string }) => action)).toEqual(['DELETE', 'UPDATE', 'CREATE']);
    expect(audits[1].diff).toEqual({
      before: { identifier: 'seen', title: 'Seen', description: null },
      after: { identifier: 'seen', title: 'Seen', description: 'More' },
    });
  });

  test('renaming while entities are written loses no ownership', async () => {
    const { request } = organization;
    await request('POST', '/v1/teams', { body: { name: 'Moving 0' } });
    const owned = await createBlueprint(request, 'owned', { ownership: { type: 'Direct' } });
    const renames = async () => {
      for (let index = 0; index < 8; index += 1) {
        const answer = await request('PUT', teamPath(`Moving ${index}`), { body: { name: `Moving ${index + 1}` } });
        expect(answer.status).toBe(200);
      }
    };
    const writes = async () => {
      for (let index = 0; index < 8; index += 1) {
        const body = { identifier: `e${index}`, team: 'moving_0' };
        expect(
          (await request('POST', `/v1/blueprints/${owned}/entities`, { body })).headers['warning'],
        ).toBeUndefined();
      }
    };
    await Promise.all([renames(), writes()]);
    const shown = model === 'blueprints' ? 'moving_0' : 'Moving 8';
    for (let index = 0; index < 8; index += 1) {
      expect((await readEntity(request, owned, `e${index}`)).team).toEqual([shown]);
    }
  });
});

test.each([
  [{}, ['/name']],
  [{ name: 'x' }, ['/name']],
  [{ name: ' ab' }, ['/name']],
  [{ name: 'a/b' }, ['/name']],
  [{ name: 'a?b' }, ['/name']],
  [{ name: 7 }, ['/name']],
  [{ name: 'x'.repeat(300) }, ['/name']],
  [{ name: 'Fine', users: 'ana@acme.dev' }, ['/users']],
  [{ name: 'Fine', users: ['nobody@acme.dev', 'ghost@acme.dev'] }, ['/users/0', '/users/1']],
  [{ name: 'Fine', description: {} }, ['/description']],
])('422 for %j', async (body, paths) => {
  const before = await app.count('teams');
  const answer = await app.request('POST', '/v1/teams', { body });
  expect([answer.status, issuePaths(answer.body)]).toEqual([422, paths]);
  expect(await app.count('teams')).toBe(before);
});

test('a team that an entity must have cannot be deleted', async () => {
  const { request } = app;
  await request('POST', '/v1/teams', { body: { name: 'Required' } });
  const blueprint = await createBlueprint(request, 'needs', { relations: { by: { target: '_team', required: true } } });
  await createEntity(request, blueprint, { identifier: 'a', relations: { by: 'required' } });
  const answer = await request('DELETE', teamPath('Required'));
  expect([answer.status, answer.body.error]).toEqual([409, 'has_dependents']);
  expect((await request('GET', teamPath('Required'))).status).toBe(200);
});

test('the exporter deletes a team that was born an entity by its title', async () => {
  const { request } = app;
  await createEntity(request, '_team', { identifier: 'born-1', title: 'Born As Entity' });
  expect((await request('GET', teamPath('Born As Entity'))).body.team.identifier).toBe('born-1');
  // one client writes a blank of a path as a plus
  expect((await request('DELETE', '/v1/teams/Born+As+Entity')).status).toBe(200);
  expect((await request('GET', entityPath('_team', 'born-1'))).status).toBe(404);
});

test('a name wins over an identifier, and an identifier is understood', async () => {
  const { request } = app;
  await createEntity(request, '_team', { identifier: 'one', title: 'two' });
  await createEntity(request, '_team', { identifier: 'two', title: 'three' });
  expect((await request('GET', teamPath('two'))).body.team.identifier).toBe('one');
  expect((await request('GET', teamPath('one'))).body.team.name).toBe('two');
});

test('entities of _team of one name: of a bulk request the second fails, alone', async () => {
  const entities = [
    { identifier: 'b1', title: 'Bulk' },
    { identifier: 'b2', title: 'BULK' },
    { identifier: 'b3', title: 'Bulky' },
  ];
  const answer = await app.request('POST', '/v1/blueprints/_team/entities/bulk', { body: { entities } });
  expect([answer.status, answer.body.errors]).toMatchObject([207, [{ index: 1, error: 'identifier_taken' }]]);
  expect((await app.request('GET', entityPath('_team', 'b2'))).status).toBe(404);
});

test('members read and administrators write; the teams of others are not there', async () => {
  const other = await app.createOrganization();
  await app.request('POST', '/v1/teams', { body: { name: 'Ours' } });
  expect((await other.request('GET', teamPath('Ours'))).status).toBe(404);
  expect((await other.request('PUT', teamPath('Ours'), { body: { name: 'Ours' } })).status).toBe(404);
  expect((await other.request('DELETE', teamPath('Ours'))).status).toBe(404);
  const token = await app.organization.memberToken();
  expect((await app.request('GET', teamPath('Ours'), { token })).status).toBe(200);
  for (const [method, path] of [
    ['POST', '/v1/teams'],
    ['PUT', teamPath('Ours')],
    ['PATCH', teamPath('Ours')],
    ['DELETE', teamPath('Ours')],
  ] as const) {
    const answer = await app.request(method, path, {
      token,
      ...(method === 'DELETE' ? {} : { body: { name: 'Mine' } }),
    });
    expect([method, answer.status, answer.body.error]).toEqual([method, 403, 'missing_permissions']);
  }
  await app.request('PATCH', '/v1/blueprints/_team/permissions', { body: { entities: { read: { roles: [] } } } });
  expect((await app.request('GET', teamPath('Ours'), { token })).status).toBe(404);
  expect((await app.request('GET', '/v1/teams', { token })).body.teams).toEqual([]);
  await app.request('PATCH', '/v1/blueprints/_team/permissions', {
    body: { entities: { read: { roles: ['Member'] } } },
  });
});
