import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../build-test-app.ts';
import { unique } from '../catalog-fixtures.ts';
import { terraformProvider } from './terraform-provider.ts';

// The requests of the Terraform provider on users, teams and permissions, in its order (api contract §3.7 to §3.10).

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const { send, done } = terraformProvider(() => app);

describe('port_user', () => {
  const fields = ['email', 'status', 'teams', 'roles.name', 'managedByScim', 'inactivityTimeout'];
  const query = fields.map((field) => `fields=${field}`).join('&');

  test('is looked for, invited, set, read, and removed; a timeout is null or refused', async () => {
    const email = `${unique('user')}@example.com`;
    const path = `/v1/users/${encodeURIComponent(email)}`;
    expect((await send('GET', `${path}?${query}`)).status).toBe(404);
    expect(await done('POST', '/v1/users/invite?notify=false', { invitee: { email, roles: ['Member'] } })).toEqual({
      ok: true,
    });
    expect((await done('PATCH', path, { roles: ['Member'], inactivityTimeout: null })).ok).toBe(true);
    const { user } = await done('GET', `${path}?${query}`);
    expect(user).toEqual({ email, status: 'Staged', teams: [], roles: [{ name: 'Member' }] });
    const refused = await send('PATCH', path, { inactivityTimeout: 30 });
    expect([refused.status, refused.body.details[0].path]).toEqual([422, '/inactivityTimeout']);
    expect(await done('DELETE', path)).toEqual({ ok: true });
  });
});

describe('port_team', () => {
  const query =
    'fields=name&fields=provider&fields=description&fields=createdAt&fields=updatedAt&fields=users.firstName&fields=users.status&fields=users.email';

  test('members are texts where it writes and objects where it reads; what it leaves out of a PUT is cleared', async () => {
    const name = unique('team');
    const email = `${unique('member')}@example.com`;
    await done('POST', '/v1/users/invite?notify=false', { invitee: { email } });
    const created = await done('POST', '/v1/teams', { name, description: 'Test description' });
    expect(created.team).toMatchObject({ name, description: 'Test description', provider: 'port', users: [] });
    const changed = await done('PUT', `/v1/teams/${name}`, { name, description: 'Other', users: [email] });
    expect(changed.team).toMatchObject({ description: 'Other', users: [email] });
    const { team } = await done('GET', `/v1/teams/${name}?${query}`);
    expect(team).toMatchObject({ name, users: [{ email, status: 'Staged' }] });
    for (const { createdAt, updatedAt } of [created.team, changed.team, team]) {
      expect([createdAt, updatedAt]).toEqual([expect.any(String), expect.any(String)]);
    }
    await done('PUT', `/v1/teams/${name}`, { name });
    const cleared = (await done('GET', `/v1/teams/${name}?${query}`)).team;
    expect([cleared.users, 'description' in cleared]).toEqual([[], false]);
  });

  test('a name that would do as an identifier is the identifier, so permissions that name it come back so', async () => {
    const name = unique('t-platform').toLowerCase();
    await done('POST', '/v1/teams', { name, users: [] });
    const found = await done('POST', '/v1/entities/search?exclude_calculated_properties=true', {
      combinator: 'and',
      rules: [
        { property: '$blueprint', operator: '=', value: '_team' },
        { property: '$title', operator: '=', value: name },
      ],
    });
    expect(found.entities).toMatchObject([{ identifier: name, title: name }]);
    const block = { users: [], roles: ['Member'], teams: [name], ownedByTeam: null };
    const blueprint = unique('permitted');
    await done('POST', '/v1/blueprints', { identifier: blueprint, title: 'P', schema: { properties: {} } });
    const { permissions } = await done('PATCH', `/v1/blueprints/${blueprint}/permissions`, {
      entities: { register: block, update: block, unregister: block },
    });
    expect(permissions.entities.register).toEqual({ ...block, ownedByTeam: false });
  });
});

test('port_scorecard: a list without rules is left out of the body', async () => {
  const blueprint = unique('scored');
  await done('POST', '/v1/blueprints', { identifier: blueprint, title: 'S', schema: { properties: {} } });
  const path = `/v1/blueprints/${blueprint}/scorecards`;
  expect((await done('POST', path, { identifier: 'empty', title: 'E' })).scorecard).toMatchObject({ rules: [] });
  expect((await done('PUT', `${path}/empty`, { identifier: 'empty', title: 'F' })).scorecard).toMatchObject({
    title: 'F',
    rules: [],
  });
});
