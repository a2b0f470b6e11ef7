import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { blueprintBody, createEntity, entityPath, readEntity } from '../../../../test/catalog-fixtures.ts';
import {
  createBetaOrganization,
  createLegacyOrganization,
  drainAllJobs,
  migrate,
  readWhole,
  usersAndTeams,
} from '../../../../test/old-organizations.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const undo = `${usersAndTeams}/rollback`;

describe.each([
  ['legacy', createLegacyOrganization],
  ['beta', createBetaOrganization],
] as const)('undoing in %s', (model, create) => {
  test('brings everything back byte for byte, and it can be migrated again to the same', async () => {
    const organization = await create(app);
    const { request } = organization;
    const before = await readWhole(organization);
    await migrate(app, organization);
    const migrated = await readWhole(organization);
    const answer = await request('POST', undo);
    expect([answer.status, answer.body.status], JSON.stringify(answer.body)).toEqual([202, 'RUNNING']);
    await drainAllJobs(app);
    expect((await request('GET', usersAndTeams)).body).toMatchObject({ status: 'ROLLED_BACK', model });
    expect(JSON.stringify(await readWhole(organization))).toBe(JSON.stringify(before));
    expect((await request('POST', undo)).body.status).toBe('ROLLED_BACK');
    await migrate(app, organization);
    const again = await readWhole(organization);
    // pages and blueprints that were created twice differ in their times
    const timeless = (whole: unknown) =>
      JSON.parse(JSON.stringify(whole).replaceAll(/"(created|updated)At":"[^"]*"/g, '"at":""'));
    expect(timeless(again)).toEqual(timeless(migrated));
  });

  test('keeps what was written since', async () => {
    const organization = await create(app);
    const { request } = organization;
    await migrate(app, organization);
    await request('POST', '/v1/teams', { body: { name: 'New Team', users: ['li@acme.dev'] } });
    await request('PATCH', entityPath('checkout', 'nobody'), { body: { team: ['new_team'], title: 'Changed' } });
    await request('PATCH', '/v1/blueprints/checkout', { body: { icon: 'Star' } });
    await request('PATCH', '/v1/blueprints/checkout/permissions', {
      body: { entities: { update: { teams: ['new_team'] } } },
    });
    await request('POST', undo);
    await drainAllJobs(app);
    expect(await readEntity(request, 'checkout', 'nobody')).toMatchObject({ team: ['New Team'], title: 'Changed' });
    const { blueprint } = (await request('GET', '/v1/blueprints/checkout')).body;
    expect(blueprint.icon).toBe('Star');
    expect(blueprint).not.toHaveProperty('ownership');
    const { permissions } = (await request('GET', '/v1/blueprints/checkout/permissions')).body;
    expect(permissions.entities.update.teams).toEqual(['New Team']);
    expect((await request('GET', '/v1/users/li@acme.dev')).body.user.teams).toContain('New Team');
  });
});

test('teams written since are what the relation leads to', async () => {
  const organization = await createBetaOrganization(app);
  const { request } = organization;
  await migrate(app, organization);
  await request('PATCH', entityPath('ledger', 'gl-1'), { body: { team: ['growth_ads', 'sre'] } });
  await createEntity(request, 'ledger', { identifier: 'gl-9', team: ['sre'] });
  await request('PATCH', '/v1/blueprints/ledger', { body: { title: 'Ledgers' } });
  await request('POST', undo);
  await drainAllJobs(app);
  expect(await readEntity(request, 'ledger', 'gl-1')).toMatchObject({
    team: ['Growth & Ads', 'SRE'],
    relations: { owners: ['growth_ads', 'sre'], advised: ['sre'] },
    properties: { owner_titles: ['Growth & Ads', 'SRE'] },
  });
  expect(await readEntity(request, 'ledger', 'gl-9')).toMatchObject({ team: ['SRE'], relations: { owners: ['sre'] } });
  const { blueprint } = (await request('GET', '/v1/blueprints/ledger')).body;
  expect(blueprint).toMatchObject({ title: 'Ledgers', teamInheritance: { path: 'owners' } });
  expect(blueprint.relations.owners).toEqual({ title: 'Owners', target: '_team', many: true, required: false });
  const back = { property: 'owners', operator: 'containsAny', value: ['growth_ads'] };
  const body = { query: { combinator: 'and', rules: [back] } };
  const found = await request('POST', '/v1/blueprints/ledger/entities/search', { body });
  expect(found.body.entities.map(({ identifier }: { identifier: string }) => identifier)).toEqual(['gl-1', 'gl-2']);
});

describe('is refused', () => {
  test('with a list of what the old model cannot hold', async () => {
    const beta = await createBetaOrganization(app);
    await migrate(app, beta);
    await beta.request('PATCH', entityPath('single', 's-1'), { body: { team: ['sre', 'growth_ads'] } });
    const answer = await beta.request('POST', undo);
    expect([answer.status, answer.body.error]).toEqual([409, 'not_undoable']);
    expect(answer.body.details).toMatchObject([{ path: '/blueprint/single/entity/s-1' }]);
    const legacy = await createLegacyOrganization(app);
    await migrate(app, legacy);
    const points = blueprintBody('points', { relations: { who: { target: '_user', required: false, many: false } } });
    await legacy.request('POST', '/v1/blueprints', { body: points });
    const refused = await legacy.request('POST', undo);
    expect(refused.body.details).toMatchObject([{ path: '/blueprint/points' }]);
    expect((await legacy.request('GET', usersAndTeams)).body).toMatchObject({
      status: 'COMPLETED',
      model: 'blueprints',
    });
  });

  test('where an ownership, or the place of a relation, was given to something else since', async () => {
    const organization = await createBetaOrganization(app);
    const { request } = organization;
    await migrate(app, organization);
    const { ownership } = (await request('GET', '/v1/blueprints/ledger')).body.blueprint;
    const reown = (value: unknown) => request('PATCH', '/v1/blueprints/ledger', { body: { ownership: value } });
    expect((await reown({ ...ownership, title: 'Held by' })).status).toBe(200);
    const migrated = await readWhole(organization);
    const refused = await request('POST', undo);
    expect([refused.status, refused.body.error]).toEqual([409, 'not_undoable']);
    expect(refused.body.details).toEqual([
      { path: '/blueprint/ledger', message: 'the ownership of "ledger" was changed since' },
    ]);
    await drainAllJobs(app);
    expect(await readWhole(organization)).toEqual(migrated);
    await reown(ownership);
    const schema = { properties: { tier: { type: 'string' }, owners: { type: 'string' } } };
    expect((await request('PATCH', '/v1/blueprints/ledger', { body: { schema } })).status).toBe(200);
    expect((await request('POST', undo)).body.details).toEqual([
      { path: '/blueprint/ledger', message: '"owners" of "ledger" is something else now' },
    ]);
  });

  test('after the window, where there was none, and while it runs', async () => {
    expect((await app.request('POST', undo)).status).toBe(404);
    const organization = await app.createOrganization({ model: 'legacy' });
    const { request } = organization;
    await request('POST', usersAndTeams);
    expect((await request('POST', undo)).body.error).toBe('migration_in_progress');
    await drainAllJobs(app);
    app.clock.advance(7 * 24 * 3_600_000);
    const token = (
      await request('POST', '/v1/auth/access_token', {
        body: { clientId: organization.clientId, clientSecret: organization.clientSecret },
        token: null,
      })
    ).body.accessToken;
    const late = await request('POST', undo, { token });
    expect([late.status, late.body.error]).toEqual([409, 'not_undoable']);
  });
});
