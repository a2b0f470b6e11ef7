import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { createEntity, entityPath } from '../../../../test/catalog-fixtures.ts';
import { drainAllJobs, usersAndTeams } from '../../../../test/old-organizations.ts';
import {
  type Answer,
  codes,
  createSmallOld,
  type Old,
  ofTeam,
  readTeam,
} from '../../../../test/small-old-organization.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

/** A write by a program that does not know of the migration. */
const write = ({ request }: Pick<Old, 'request'>, method: string, path: string, body: unknown) =>
  request(method, path, { body, headers: { 'user-agent': 'nightly-sync/3' } });

const entities = '/v1/blueprints/svc/entities';
const permissions = '/v1/blueprints/svc/permissions';
const upsert = `${entities}?upsert=true`;

test('who goes on to write a title keeps owner and rights, is told so, and is listed with a count', async () => {
  const old = await createSmallOld(app, 'legacy', ['Payments Core', 'payments_core']);
  const { request, send } = old;
  await old.blueprint('svc');
  const ledger = { identifier: 'ledger', team: 'payments_core' };
  const grant = { entities: { read: { roles: ['Admin'], users: [], teams: ['payments_core'] } } };
  const told = async (answer: Promise<Answer>) => {
    const { status, headers, body } = await answer;
    expect(status, JSON.stringify(body)).toBeLessThan(300);
    return headers['warning'];
  };
  expect(await told(write(old, 'POST', entities, ledger))).toMatch(/'payments_core' is the title of a team; once/);
  expect((await send('GET', usersAndTeams)).oldWriters).toMatchObject([
    { datasource: 'nightly-sync/3', resource: { kind: 'entity', identifier: 'svc' }, title: 'payments_core', count: 1 },
  ]);
  const { teams, warnings, collisions } = await old.plan();
  expect(collisions).toEqual([{ title: 'payments_core', identifiers: ['payments_core', 'payments_core_2'] }]);
  expect(teams).toEqual([
    { title: 'Payments Core', identifier: 'payments_core_3', source: 'derived' },
    { title: 'payments_core', identifier: 'payments_core_2', source: 'kept' },
  ]);
  expect(codes(warnings)).toContain('IDENTIFIER_CHANGES');
  await old.run();
  expect((await send('GET', usersAndTeams)).oldWriters).toEqual([]);

  const sentence = /'payments_core' is the title of a team; write its identifier 'payments_core_2'/;
  for (const body of [ledger, { ...ledger, team: ['payments_core', 'Payments Core'] }, ledger]) {
    expect(await told(write(old, 'POST', upsert, body))).toMatch(sentence);
  }
  const many = { entities: [{ ...ledger, identifier: 'bulk' }] };
  expect(await told(write(old, 'POST', `${entities}/bulk`, many))).toMatch(sentence);
  expect(await readTeam(request, 'svc', 'ledger')).toEqual(['payments_core_2']);
  expect(await told(write(old, 'PATCH', permissions, grant))).toMatch(sentence);
  expect((await send('GET', permissions)).permissions.entities.read.teams).toEqual(['payments_core_2']);
  // writers that use identifiers get no warning and are not listed
  expect(await told(write(old, 'POST', upsert, { identifier: 'ledger', team: 'payments_core_2' }))).toBeUndefined();
  const { oldWriters } = await send('GET', usersAndTeams);
  expect(
    oldWriters.map(({ resource, blueprint, title, count, relation }: Answer) => ({
      kind: resource.kind,
      blueprint,
      title,
      count,
      relation,
    })),
  ).toEqual(
    expect.arrayContaining([
      { kind: 'entity', blueprint: 'svc', title: 'payments_core', count: 4, relation: null },
      { kind: 'blueprint-permissions', blueprint: 'svc', title: 'payments_core', count: 1, relation: null },
    ]),
  );
  expect(oldWriters).toHaveLength(2);
  // after the undo, titles come first again with their old meaning
  await send('POST', `${usersAndTeams}/rollback`);
  await drainAllJobs(app);
  await told(write(old, 'POST', upsert, ledger));
  expect(await readTeam(request, 'svc', 'ledger')).toEqual(['payments_core']);
});

test('where identifiers are in use already such a pair blocks, until one of the teams is renamed', async () => {
  const old = await createSmallOld(app, 'beta', ['Payments Core', 'payments_core']);
  expect((await old.plan()).blockers).toMatchObject([
    { code: 'TITLE_IS_IDENTIFIER', fix: expect.stringContaining('/v1/blueprints/_team/entities/payments_core') },
  ]);
  const blocked = await old.request('POST', usersAndTeams);
  expect([blocked.status, blocked.body.error]).toEqual([422, 'migration_blocked']);
  await old.send('PUT', '/v1/teams/payments_core', { name: 'Payments kernel' });
  expect((await old.plan()).blockers).toEqual([]);
  await old.run();
});

test('a name that means two teams is refused wherever a team is written, and moves nothing', async () => {
  const { request } = await app.createOrganization();
  await createEntity(request, '_team', { identifier: 'core', title: 'Payments Core' });
  await createEntity(request, '_team', { identifier: 'pay2', title: 'core' });
  await request('POST', '/v1/blueprints', {
    body: { identifier: 'svc', title: 'Service', schema: { properties: {} }, ownership: { type: 'Direct' } },
  });
  await createEntity(request, 'svc', { identifier: 'a', team: ['pay2'] });
  await request('POST', '/v1/users/invite?notify=false', {
    body: { invitee: { email: 'ana@acme.dev', teams: ['pay2'] } },
  });
  await request('POST', '/v1/actions', {
    body: {
      identifier: 'deploy',
      trigger: { type: 'self-service', operation: 'CREATE', userInputs: { properties: {} } },
      invocationMethod: { type: 'WEBHOOK', url: 'http://127.0.0.1:9/hook' },
    },
  });
  await request('POST', '/v1/pages', { body: { identifier: 'p', title: 'P', type: 'dashboard', widgets: [] } });
  const teams = ['core'];
  const refused: [string, string, unknown][] = [
    ['POST', entities, { identifier: 'b', team: 'core' }],
    ['POST', upsert, { identifier: 'a', team: teams }],
    ['PUT', entityPath('svc', 'a'), { identifier: 'a', team: teams }],
    ['PATCH', entityPath('svc', 'a'), { team: teams }],
    ['PATCH', permissions, { entities: { read: { teams } } }],
    ['PATCH', permissions, { entities: { read: { policy: { combinator: 'and', rules: [ofTeam('core')] } } } }],
    ['PATCH', '/v1/actions/deploy/permissions', { approve: { teams } }],
    ['PATCH', '/v1/pages/p/permissions', { read: { teams } }],
    ['PATCH', '/v1/users/ana@acme.dev', { teams }],
    ['POST', '/v1/users/invite?notify=false', { invitee: { email: 'li@acme.dev', teams } }],
    ['PATCH', '/v1/blueprints/_user/entities/ana@acme.dev', { team: teams }],
    ['PATCH', '/v1/teams/core', { description: 'x' }],
    ['PUT', '/v1/teams/core', { name: 'Other' }],
    ['DELETE', '/v1/teams/core', undefined],
  ];
  const whole = async () =>
    Promise.all(
      [entities, permissions, '/v1/actions/deploy/permissions', '/v1/teams', '/v1/blueprints/_user/entities'].map(
        async (path) => (await request('GET', path)).body,
      ),
    );
  const before = await whole();
  for (const [method, path, body] of refused) {
    const answer = await request(method, path, body === undefined ? {} : { body });
    expect([answer.status, answer.body.error], `${method} ${path}`).toEqual([422, 'invalid_request']);
    expect(answer.body.message).toMatch(/"core" means 2 teams: .*"Payments Core" and .*"pay2"/);
  }
  const bulk = await request('POST', '/v1/blueprints/svc/entities/bulk?upsert=true', {
    body: { entities: [{ identifier: 'a', team: teams }] },
  });
  expect(bulk.body.errors).toMatchObject([{ identifier: 'a', statusCode: 422 }]);
  expect(await whole()).toEqual(before);

  // a query that says which of the two it means is accepted
  const query = (property: string) => ({
    combinator: 'and',
    rules: [{ property, operator: '=', value: 'core' }],
  });
  for (const [property, team] of [
    ['$identifier', 'core'],
    ['$title', 'pay2'],
  ] as const) {
    const answer = await request('PATCH', entityPath('svc', 'a'), { body: { team: query(property) } });
    expect([answer.status, answer.body.entity.team]).toEqual([200, [team]]);
    expect(answer.headers['warning']).toBeUndefined();
  }
  await request('PATCH', '/v1/blueprints/_team/entities/pay2', { body: { title: 'Payments Two' } });
  expect((await request('PATCH', entityPath('svc', 'a'), { body: { team: 'core' } })).status).toBe(200);
});
