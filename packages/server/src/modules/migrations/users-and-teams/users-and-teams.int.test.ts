import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestOrganization } from '../../../../test/build-test-app.ts';
import { readEntity, searchIn } from '../../../../test/catalog-fixtures.ts';
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

const named = (blueprints: { identifier: string }[], name: string) =>
  blueprints.find(({ identifier }) => identifier === name) as Record<string, unknown> | undefined;

describe('a legacy organization', () => {
  let organization: TestOrganization;
  let before: Awaited<ReturnType<typeof readWhole>>;
  let after: Awaited<ReturnType<typeof readWhole>>;
  beforeAll(async () => {
    organization = await createLegacyOrganization(app);
    before = await readWhole(organization);
    const status = await migrate(app, organization);
    expect(status).toMatchObject({
      status: 'COMPLETED',
      stage: 'DONE',
      model: 'blueprints',
      counts: { teams: 3, users: 3 },
    });
    after = await readWhole(organization);
  });

  test('has the flag, the blueprints, an entity for each user and team, and their pages', () => {
    expect([before.featureFlags, after.featureFlags]).toEqual([[], ['USERS_AND_TEAMS_OWNERSHIP_V2']]);
    expect(named(before.blueprints, '_user')).toBeUndefined();
    expect(named(after.blueprints, '_user')).toMatchObject({ ownership: { type: 'Direct', title: 'Teams' } });
    expect(after.entities['_team']).toMatchObject([
      {
        identifier: 'payments_core',
        title: 'Payments Core',
        icon: 'Team',
        team: [],
        properties: { description: 'Cards and ledgers', size: 2 },
      },
      { identifier: 'sre', title: 'SRE', properties: { description: null, size: 1 } },
      { identifier: 'growth_ads', title: 'Growth & Ads', properties: { size: 0 } },
    ]);
    expect(after.entities['_user']).toMatchObject([
      {
        identifier: 'ana@acme.dev',
        team: ['payments_core', 'sre'],
        properties: { port_role: 'Member', port_type: 'Standard' },
      },
      { identifier: 'li@acme.dev', team: ['payments_core'] },
      { identifier: "o'neil@acme.dev", title: "o'neil@acme.dev", team: [] },
    ]);
    const pages = after.pages.map(({ identifier }: { identifier: string }) => identifier);
    expect(pages).toEqual(expect.arrayContaining(['_users', '_teams']));
    expect(named(after.blueprints, '_ai_invocations')).toMatchObject({ relations: { asked_by: { target: '_user' } } });
  });

  test('R1: entities that named teams, also unknown ones, are owned directly and show identifiers', () => {
    expect(named(after.blueprints, 'checkout')).toEqual({
      ...named(before.blueprints, 'checkout'),
      ownership: { type: 'Direct' },
    });
    const entity = (whole: typeof after, name: string) =>
      (whole.entities['checkout'] as { identifier: string }[]).find(({ identifier }) => identifier === name);
    expect(entity(after, 'cart-api')).toEqual({
      ...entity(before, 'cart-api'),
      team: ['payments_core', 'sre'],
      properties: { tier: null, first_owner: 'payments_core' },
    });
    expect(entity(after, 'lost')).toMatchObject({ team: ['Nobody', 'sre'] });
    expect(entity(after, 'nobody')).toMatchObject({ team: [] });
  });

  test('a blueprint without teams is what it was', () => {
    expect(named(after.blueprints, 'bare')).toEqual(named(before.blueprints, 'bare'));
    expect(after.entities['bare']).toEqual(before.entities['bare']);
  });

  test('R2: teamInheritance becomes inherited ownership along the same path, broken or not', () => {
    const { teamInheritance, ...rest } = named(before.blueprints, 'pod') ?? {};
    expect(teamInheritance).toEqual({ path: 'runs.part_of' });
    expect(named(after.blueprints, 'pod')).toEqual({ ...rest, ownership: { type: 'Inherited', path: 'runs.part_of' } });
    expect(named(after.blueprints, 'stray')).toMatchObject({ ownership: { type: 'Inherited', path: 'nowhere' } });
    expect(after.entities['pod']).toMatchObject([{ team: ['payments_core', 'sre'] }]);
  });

  test('implied: who is inherited from owns directly, also without teams yet', () => {
    expect(named(after.blueprints, 'system')).toMatchObject({ ownership: { type: 'Direct' } });
    expect(named(after.blueprints, 'workload')).not.toHaveProperty('ownership');
  });

  test('R4: titles in permissions of blueprints, actions and pages are identifiers; unknown ones grant nothing', () => {
    expect(after.permissions['checkout']).toMatchObject({
      entities: {
        read: { teams: ['payments_core', 'sre'] },
        register: { teams: ['payments_core'], ownedByTeam: true },
        update: { teams: ['Nobody'] },
        updateProperties: { tier: { teams: ['sre'] } },
      },
    });
    expect(after.actionPermissions).toMatchObject({
      execute: { teams: ['payments_core'] },
      approve: { teams: ['sre'] },
    });
    expect(after.pagePermissions).toMatchObject({ read: { teams: ['growth_ads'] }, update: { teams: ['sre'] } });
    expect(JSON.stringify(after.permissions)).not.toContain('Payments Core');
  });

  test('rules name teams by identifiers, and /v1/teams stays keyed by name', async () => {
    const rule = (value: string) => ({ property: '$team', operator: 'containsAny', value: [value] });
    expect(await searchIn(organization.request, 'checkout', rule('sre'))).toEqual(['cart-api', 'lost']);
    expect(await searchIn(organization.request, 'checkout', rule('SRE'))).toEqual([]);
    const { team } = (await organization.request('GET', '/v1/teams/Payments%20Core')).body;
    expect(team).toMatchObject({ name: 'Payments Core', identifier: 'payments_core' });
  });

  test('the Terraform provider finds a team by its title at once', async () => {
    const found = await searchIn(organization.request, '_team', { property: '$title', operator: '=', value: 'SRE' });
    expect(found).toEqual(['sre']);
    const base = await organization.request('GET', '/v1/blueprints/system/_user/structure');
    expect((await organization.request('PUT', '/v1/blueprints/_user', { body: base.body.blueprint })).status).toBe(200);
  });

  test('people are the same on both sides afterwards', async () => {
    const { request } = organization;
    const body = { name: 'SRE', users: ['li@acme.dev'] };
    expect((await request('PUT', '/v1/teams/SRE', { body })).status).toBe(200);
    expect((await readEntity(request, '_user', 'li@acme.dev')).team).toEqual(['payments_core', 'sre']);
    expect((await readEntity(request, '_user', 'ana@acme.dev')).team).toEqual(['payments_core']);
  });

  test('a second trigger tells that it is complete', async () => {
    const again = await organization.request('POST', usersAndTeams, { body: {} });
    expect([again.status, again.body.status]).toEqual([200, 'COMPLETED']);
  });
});

describe('a beta organization', () => {
  let organization: TestOrganization;
  let before: Awaited<ReturnType<typeof readWhole>>;
  let after: Awaited<ReturnType<typeof readWhole>>;
  beforeAll(async () => {
    organization = await createBetaOrganization(app);
    before = await readWhole(organization);
    await migrate(app, organization);
    after = await readWhole(organization);
  });

  test('R3: the relation that decided goes, and the teams it led to are owners', () => {
    const { teamInheritance, relations, ...rest } = named(before.blueprints, 'ledger') as {
      teamInheritance: unknown;
      relations: Record<string, unknown>;
      mirrorProperties: unknown;
    };
    expect(teamInheritance).toEqual({ path: 'owners' });
    expect(named(after.blueprints, 'ledger')).toEqual({
      ...rest,
      relations: { advised: relations['advised'] },
      mirrorProperties: { owner_titles: { path: '$team.$title' } },
      ownership: { type: 'Direct' },
    });
    expect(before.entities['ledger']).toMatchObject([{ team: ['Payments Core'] }, {}, {}]);
    expect(after.entities['ledger']).toMatchObject([
      {
        identifier: 'gl-1',
        team: ['payments_core'],
        relations: { advised: ['sre'] },
        properties: { owner_titles: ['Payments Core'], owner_count: 1 },
      },
      { identifier: 'gl-2', team: ['sre', 'growth_ads'], relations: { advised: [] } },
      { identifier: 'gl-3', team: [] },
    ]);
    expect(Object.keys((after.entities['ledger'] as { relations: object }[])[0]?.relations ?? {})).toEqual(['advised']);
  });

  test('R3: a relation to one gives a list of one; users keep their memberships', () => {
    expect(after.entities['single']).toMatchObject([{ team: ['sre'], relations: {} }]);
    expect(named(after.blueprints, '_user')).toMatchObject({
      ownership: { type: 'Direct', title: 'Teams' },
      relations: {},
    });
    expect(named(after.blueprints, '_user')).not.toHaveProperty('teamInheritance');
    expect(after.entities['_user']).toMatchObject([
      { identifier: 'ana@acme.dev', team: ['payments_core', 'sre'] },
      { identifier: 'li@acme.dev', team: ['payments_core'] },
      { team: [] },
    ]);
    expect(after.users).toEqual(before.users);
  });

  test('paths that passed a relation that goes lead to the same teams', () => {
    expect(named(after.blueprints, 'entry')).toMatchObject({ ownership: { type: 'Inherited', path: 'book' } });
    expect(named(after.blueprints, 'line')).toMatchObject({
      ownership: { type: 'Inherited', path: 'book' },
      mirrorProperties: { owner: { path: 'book.$team.$identifier' } },
    });
    expect(after.entities['entry']).toMatchObject([{ team: ['payments_core'] }]);
    expect(after.entities['line']).toMatchObject([
      { team: ['sre', 'growth_ads'], properties: { owner: ['sre', 'growth_ads'] } },
    ]);
  });

  test('R4: the right to write a relation that goes is that to write the teams, and never widens one', () => {
    const { updateProperties, updateRelations } = after.permissions['ledger'].entities;
    expect(updateProperties).toMatchObject({ tier: { teams: ['sre'] }, $team: { teams: ['sre'] } });
    expect(Object.keys(updateRelations)).toEqual(['advised']);
    expect(after.permissions['single'].entities.updateProperties.$team).toMatchObject({ teams: ['payments_core'] });
    expect(after.permissions['single'].entities.updateRelations).toEqual({});
  });

  test('nothing of an entity but its teams and what reads them differs', () => {
    const plain = (whole: typeof after) =>
      Object.entries(whole.entities).flatMap(([, entities]) =>
        (entities as Record<string, unknown>[]).map(({ team, properties, relations, scorecards, ...rest }) => rest),
      );
    expect(plain(after)).toEqual(plain(before));
  });
});

describe('the trigger', () => {
  test('is refused where the model is the new one from the start, and is for administrators', async () => {
    const refused = await app.request('POST', usersAndTeams);
    expect([refused.status, refused.body.error]).toEqual([409, 'already_on_new_model']);
    expect((await app.request('GET', usersAndTeams)).body).toMatchObject({ migrationId: null, status: 'NOT_STARTED' });
    const organization = await app.createOrganization({ model: 'legacy' });
    const token = await organization.memberToken();
    for (const [method, path] of [
      ['POST', ''],
      ['GET', ''],
      ['GET', '/plan'],
      ['POST', '/rehearse'],
      ['POST', '/rollback'],
    ] as const) {
      const answer = await organization.request(method, usersAndTeams + path, { token });
      expect([path, answer.status, answer.body.error]).toEqual([path, 403, 'missing_permissions']);
    }
  });

  test('takes a bare token, and a second call joins', async () => {
    const organization = await app.createOrganization({ model: 'beta' });
    const headers = { authorization: organization.token };
    const first = await organization.request('POST', usersAndTeams, { headers });
    const second = await organization.request('POST', usersAndTeams, { body: {} });
    expect([first.status, second.status]).toEqual([202, 202]);
    expect(first.body).toEqual({ ok: true, migrationId: expect.any(String), status: 'PENDING' });
    expect(second.body.migrationId).toBe(first.body.migrationId);
    await drainAllJobs(app);
    const done = await organization.request('POST', usersAndTeams);
    expect([done.status, done.body.migrationId, done.body.status]).toEqual([200, first.body.migrationId, 'COMPLETED']);
  });

  test('many at once start one', async () => {
    const organization = await app.createOrganization({ model: 'legacy' });
    const answers = await Promise.all(Array.from({ length: 8 }, () => organization.request('POST', usersAndTeams)));
    expect(new Set(answers.map(({ body }) => body.migrationId)).size).toBe(1);
    expect(await app.count('people_migrations', organization.id)).toBe(1);
    await drainAllJobs(app);
  });
});

describe('noise', () => {
  test('nobody reacts, nothing was updated, and everything is in the audit log', async () => {
    const organization = await createBetaOrganization(app);
    const deliveries = await app.count('event_deliveries', organization.id);
    const { request } = organization;
    const body = {
      identifier: 'on-change',
      trigger: {
        type: 'automation',
        event: { type: 'ENTITY_UPDATED', blueprintIdentifier: 'ledger' },
      },
      invocationMethod: { type: 'WEBHOOK', url: 'http://127.0.0.1:9/x' },
      publish: true,
    };
    expect((await request('POST', '/v1/actions', { body })).status).toBe(201);
    const destination = { type: 'WEBHOOK', url: 'http://127.0.0.1:9/changelog' };
    await request('PATCH', '/v1/blueprints/ledger', { body: { changelogDestination: destination } });
    await drainAllJobs(app);
    const runs = await app.count('action_runs', organization.id);
    const written = async () => (await organization.journal()).filter((line) => line.startsWith('entity.'));
    const lines = await written();
    await migrate(app, organization);
    expect(await app.count('event_deliveries', organization.id)).toBe(deliveries);
    expect(await app.count('action_runs', organization.id)).toBe(runs);
    const log = (await request('GET', '/v1/audit-log?limit=1000&origin=MIGRATION')).body.audits;
    const { migrationId } = (await request('GET', usersAndTeams)).body;
    const about = log.map(({ context }: { context: Record<string, unknown> }) => {
      expect(context).toMatchObject({ migrationId });
      return context['blueprint'] ?? context['action'] ?? context['page'];
    });
    expect(about).toEqual(expect.arrayContaining(['ledger', 'checkout', '_user', 'deploy', 'growth']));
    // the migration wrote no entity of people
    expect(await written()).toEqual(lines);
  });
});
