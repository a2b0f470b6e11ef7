import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/build-test-app.ts';
import { createBlueprint, createEntity, issuePaths, readEntity, unique } from '../../../test/catalog-fixtures.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const path = (name: string) => `/v1/blueprints/${name}/permissions`;
const read = async (name: string) => (await app.request('GET', path(name))).body.permissions;
const patch = (name: string, entities: unknown) => app.request('PATCH', path(name), { body: { entities } });

const make = () =>
  createBlueprint(app.request, 'guarded', {
    properties: { a: { type: 'string' } },
    relations: { to: { target: '_team' } },
    mirrorProperties: { m: { path: 'to.$title' } },
  });

test('a new blueprint has the defaults, every property, meta-property and relation written out', async () => {
  const name = await make();
  const block = { users: [], teams: [], roles: ['Admin', `${name}-moderator`].sort(), ownedByTeam: false };
  expect(await read(name)).toEqual({
    entities: {
      read: { ...block, roles: [...block.roles, 'Member'].sort() },
      register: block,
      update: block,
      unregister: block,
      updateProperties: { a: block, $title: block, $icon: block, $team: block, $identifier: block },
      updateRelations: { to: block },
    },
  });
});

describe('PATCH', () => {
  test('what Terraform sends is what it reads back, and a second apply finds no change', async () => {
    const name = await make();
    const team = unique('crew');
    await createEntity(app.request, '_team', { identifier: team });
    const block = { users: ['b@x.io', 'a@x.io'], teams: [team], roles: ['Admin', 'Member'], ownedByTeam: true };
    const entities = {
      register: block,
      update: { ...block, ownedByTeam: null, policy: null },
      unregister: { users: null, teams: null, roles: null },
      updateProperties: { $team: block, a: block },
      updateRelations: { to: block },
    };
    const answer = await patch(name, entities);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    const sorted = { ...block, users: ['a@x.io', 'b@x.io'] };
    const { permissions } = answer.body;
    expect(permissions.entities.register).toEqual(sorted);
    expect(permissions.entities.update).toEqual({ ...sorted, ownedByTeam: false });
    expect(permissions.entities.unregister.roles).toContain('Admin');
    expect(permissions.entities.updateProperties.a).toEqual(sorted);
    expect(permissions.entities.updateProperties.$title.ownedByTeam).toBe(false);
    expect(await read(name)).toEqual(permissions);
    expect((await patch(name, entities)).body.permissions).toEqual(permissions);
  });

  test('blocks that are left out stay, and so do members of a block', async () => {
    const name = await make();
    await patch(name, { register: { roles: ['Member'] }, updateProperties: { a: { users: ['a@x.io'] } } });
    await patch(name, { register: { ownedByTeam: true } });
    const { entities } = await read(name);
    expect(entities.register).toMatchObject({ roles: ['Member'], ownedByTeam: true });
    expect(entities.updateProperties.a.users).toEqual(['a@x.io']);
    expect(entities.update.roles).toContain('Admin');
  });

  test('a policy is removed by a grant that leaves it out, as Terraform does, and its author is told', async () => {
    const name = await make();
    const policy = { combinator: 'and', rules: [{ property: 'a', operator: '=', value: 'x' }] };
    const parts = { updateProperties: { a: { policy } }, updateRelations: { to: { policy } } };
    await patch(name, { read: { policy }, register: { policy }, update: { policy }, unregister: { policy }, ...parts });
    const block = { users: [], roles: ['Admin'], teams: [], ownedByTeam: false };
    // what the provider writes: no `read` where it manages none, and no policy where it has none
    const answer = await patch(name, {
      register: block,
      unregister: { ...block, policy },
      update: { ...block, policy: null },
      updateProperties: { a: block },
      updateRelations: { to: { users: null, roles: null, teams: null, ownedByTeam: null } },
    });
    const { entities } = await read(name);
    expect([entities.register, entities.update, entities.updateProperties.a]).toEqual([block, block, block]);
    expect([entities.read, entities.unregister, entities.updateRelations.to].map((grant) => grant.policy)).toEqual([
      policy,
      policy,
      policy,
    ]);
    const warnings = String(answer.headers['warning']);
    expect(warnings.match(/policy was removed/g)).toHaveLength(2);
    expect(warnings).toContain('register.policy was removed');
    expect(warnings).toContain('updateProperties.a.policy was removed');
  });

  test('a team that is not there is echoed, warned of, and grants nothing when it comes', async () => {
    const name = await make();
    const team = unique('ghost');
    const answer = await patch(name, { update: { teams: [team] } });
    expect(answer.body.permissions.entities.update.teams).toEqual([team]);
    expect(answer.headers['warning']).toContain(team);
    await createEntity(app.request, '_team', { identifier: team });
    expect((await read(name)).entities.update.teams).toEqual([team]);
    expect((await patch(name, { update: { teams: [team] } })).headers['warning']).toBeUndefined();
  });

  test('keys follow a rename, and a renamed blueprint keeps its moderators', async () => {
    const name = await make();
    await patch(name, {
      updateProperties: { a: { roles: ['Member'] } },
      updateRelations: { to: { roles: ['Member'] } },
      register: { roles: [`${name}-moderator`] },
    });
    await app.request('PATCH', `/v1/blueprints/${name}/properties/a/rename`, { body: { newPropertyName: 'b' } });
    await app.request('PATCH', `/v1/blueprints/${name}/relations/to/rename`, { body: { newRelationIdentifier: 'of' } });
    const renamed = unique('renamed');
    const mail = `${renamed}@example.com`;
    const properties = { status: 'Active', port_role: 'Moderator', moderated_blueprints: ['x', name] };
    await createEntity(app.request, '_user', { identifier: mail, properties });
    await app.request('PATCH', `/v1/blueprints/${name}`, { body: { identifier: renamed } });
    const { entities } = await read(renamed);
    expect(entities.updateProperties.b.roles).toEqual(['Member']);
    expect(entities.updateRelations.of.roles).toEqual(['Member']);
    expect(entities.register.roles).toEqual([`${renamed}-moderator`]);
    const user = await readEntity(app.request, '_user', mail);
    expect(user.properties['moderated_blueprints']).toEqual(['x', renamed]);
    const token = await app.organization.personToken(mail);
    const answer = await app.request('POST', `/v1/blueprints/${renamed}/entities`, {
      body: { identifier: 'a' },
      token,
    });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  });

  test('policies follow renames of keys, of what they lead over, and of blueprints', async () => {
    const other = await createBlueprint(app.request, 'other');
    const name = await make();
    const rule = (property: unknown, operator: string, value: unknown) => ({ property, operator, value });
    const policy = (key: string, relation: string, region: string, related: string) => ({
      combinator: 'and',
      rules: [
        rule(key, '=', { context: 'user', property: region }),
        { combinator: 'or', rules: [rule({ path: [relation] }, 'matchAny', 'x'), rule(relation, '=', 'x')] },
        { operator: 'relatedTo', blueprint: related, value: 'x' },
      ],
    });
    const region = unique('region');
    await app.request('PATCH', '/v1/blueprints/_user', {
      body: { schema: { properties: { [region]: { type: 'string' } } } },
    });
    const before = await patch(name, { read: { policy: policy('a', 'to', region, other) } });
    expect(before.headers['warning']).toBeUndefined();
    const rename = (path: string, body: object) => app.request('PATCH', `/v1/blueprints/${path}/rename`, { body });
    await rename(`${name}/properties/a`, { newPropertyName: 'b' });
    await rename(`${name}/relations/to`, { newRelationIdentifier: 'of' });
    await rename(`_user/properties/${region}`, { newPropertyName: `${region}b` });
    const renamed = unique('renamed');
    await app.request('PATCH', `/v1/blueprints/${other}`, { body: { identifier: renamed } });
    expect((await read(name)).entities.read.policy).toEqual(policy('b', 'of', `${region}b`, renamed));
    const kept = await patch(name, { read: { users: [], policy: policy('b', 'of', `${region}b`, renamed) } });
    expect(kept.headers['warning']).toBeUndefined();
  });

  test.each([
    [{ updateProperties: { none: { roles: [] } } }, '/entities/updateProperties/none'],
    [{ updateRelations: { a: { roles: [] } } }, '/entities/updateRelations/a'],
    [{ register: { groups: [] } }, '/entities/register/groups'],
    [{ register: { roles: 'Admin' } }, '/entities/register/roles'],
    [{ update: { policy: { combinator: 'and' } } }, '/entities/update/policy/rules'],
    [{ update: { policy: 'all' } }, '/entities/update/policy'],
    [{ delete: {} }, '/entities/delete'],
  ])('422 %j', async (entities, issue) => {
    const name = await make();
    const before = await read(name);
    const answer = await patch(name, entities);
    expect([answer.status, issuePaths(answer.body)]).toEqual([422, [issue]]);
    expect(await read(name)).toEqual(before);
  });

  test('404 for no blueprint, 403 for members', async () => {
    expect((await patch('none', {})).status).toBe(404);
    const name = await make();
    const token = await app.organization.memberToken();
    expect((await app.request('PATCH', path(name), { body: { entities: {} }, token })).status).toBe(403);
    expect((await app.request('GET', path(name), { token })).status).toBe(200);
    await patch(name, { read: { roles: ['Admin'] } });
    expect((await app.request('GET', path(name), { token })).status).toBe(404);
  });

  test('is in the journal', async () => {
    const name = await make();
    await patch(name, { register: { roles: ['Member'] } });
    expect((await app.organization.journal()).at(-1)).toBe(`blueprint-permissions.updated ${name}`);
  });
});

test('teams show by title where the organization is legacy', async () => {
  const legacy = await app.createOrganization({ model: 'beta' });
  const name = await createBlueprint(legacy.request, 'guarded');
  await createEntity(legacy.request, '_team', { identifier: 'crew-1', title: 'The Crew' });
  const answer = await legacy.request('PATCH', path(name), { body: { entities: { update: { teams: ['The Crew'] } } } });
  expect(answer.body.permissions.entities.update.teams).toEqual(['The Crew']);
  expect(answer.headers['warning']).toContain("'The Crew' is the title of a team");
});
