import sql from 'sql-template-tag';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { blueprintBody, createEntity, entityPath, readEntity, searchIn } from '../../../../test/catalog-fixtures.ts';
import { drainAllJobs, usersAndTeams } from '../../../../test/old-organizations.ts';
import { type Answer, codes, createSmallOld, ofTeam, readTeam, to } from '../../../../test/small-old-organization.ts';
import { json } from '../../../platform/db/json.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const old = (model: 'legacy' | 'beta') => createSmallOld(app, model);
const places = (items: readonly Answer[]) => items.map(({ area, pointer }) => `${area} ${pointer}`).sort();

/** Writes a definition directly, as imported data may have it; the API refuses it. */
async function putDefinition(orgId: string, identifier: string, parts: object): Promise<void> {
  await app.database.transaction((tx) =>
    tx.execute(sql`
      update blueprints set definition = definition || ${json(parts)}
      where org_id = ${orgId} and identifier = ${identifier}`),
  );
}

test('case 13: a circle of inheritance blocks, and names who is on it', async () => {
  const { id, request, blueprint, plan } = await old('legacy');
  await blueprint('a');
  await blueprint('b', { relations: { up: to('a') }, teamInheritance: { path: 'up' } });
  await putDefinition(id, 'a', { relations: { up: to('b') }, teamInheritance: { path: 'up' } });
  const { blockers } = await plan();
  expect(blockers.map(({ code, resource }: Answer) => [code, resource.identifier])).toEqual([
    ['INHERITANCE_CYCLE', 'a'],
    ['INHERITANCE_CYCLE', 'b'],
  ]);
  expect((await request('POST', usersAndTeams)).status).toBe(422);
  expect((await request('GET', usersAndTeams)).body.model).toBe('legacy');
});

test('case 14: a path that reaches teams over several hops is no direct relation: it is kept, and gives those teams', async () => {
  const { request, blueprint, plan, run, read } = await old('beta');
  await blueprint('svc', { relations: { owners: to('_team', true) } });
  await blueprint('dep', { relations: { svc: to('svc') }, teamInheritance: { path: 'svc.owners' } });
  await createEntity(request, 'svc', { identifier: 's', relations: { owners: ['sre'] } });
  await createEntity(request, 'dep', { identifier: 'd', relations: { svc: 's' } });
  const { removedRelations, warnings } = await plan();
  expect(removedRelations.map(({ blueprint: name }: Answer) => name)).toEqual(['_user']);
  expect(codes(warnings)).toContain('MANY_IN_INHERITANCE_PATH');
  await run();
  expect((await read('dep')).ownership).toEqual({ type: 'Inherited', path: 'svc.owners' });
  expect((await read('svc')).relations.owners).toMatchObject({ target: '_team' });
  expect(await readTeam(request, 'dep', 'd')).toEqual(['sre']);
  await request('PATCH', entityPath('svc', 's'), { body: { relations: { owners: ['payments_core'] } } });
  expect(await readTeam(request, 'dep', 'd')).toEqual(['payments_core']);
});

test('case 15: teams of their own beside inheritance count as little as before, are told, and are not lost', async () => {
  const { request, blueprint, plan, run, read, send } = await old('legacy');
  await blueprint('top');
  await blueprint('low', { relations: { up: to('top') } });
  await createEntity(request, 'top', { identifier: 't', team: ['SRE'] });
  await createEntity(request, 'low', { identifier: 'l', team: ['Payments Core'], relations: { up: 't' } });
  await send('PATCH', '/v1/blueprints/low', { teamInheritance: { path: 'up' } });
  const note = (await plan()).automatic.find(({ rule, after }: Answer) => rule === 2 && after !== null).note;
  expect(note).toMatch(/^1 entities name teams of their own/);
  await run();
  expect((await read('low')).ownership).toEqual({ type: 'Inherited', path: 'up' });
  expect(await readTeam(request, 'low', 'l')).toEqual(['sre']);
  await send('PATCH', '/v1/blueprints/low', { ownership: { type: 'Direct' } });
  expect(await readTeam(request, 'low', 'l')).toEqual(['payments_core']);
});

test('case 16: a relation to teams that decides nothing stays, is told, and becomes the ownership when asked', async () => {
  const { request, blueprint, plan, run, read, send } = await old('beta');
  await blueprint('svc', { relations: { owners: to('_team', true) } });
  await createEntity(request, 'svc', { identifier: 's', relations: { owners: ['sre'] } });
  const { warnings } = await plan();
  expect(warnings.filter(({ code }: Answer) => code === 'RELATION_TO_TEAMS_STAYS')).toMatchObject([
    { resource: { identifier: 'svc' }, fix: expect.stringContaining('.relations.owners') },
  ]);
  await run();
  expect(await read('svc')).not.toHaveProperty('ownership');
  expect(await readEntity(request, 'svc', 's')).toMatchObject({ team: [], relations: { owners: ['sre'] } });
  await send('PATCH', '/v1/blueprints/svc', { ownership: { type: 'Direct' } });
  const mapping = { entity: { team: '.relations.owners' } };
  await send('POST', '/v1/migrations', { sourceBlueprint: 'svc', mapping });
  await drainAllJobs(app);
  expect(await readEntity(request, 'svc', 's')).toMatchObject({ team: ['sre'], relations: { owners: ['sre'] } });
});

test('case 19: what names a relation that goes follows where it is structure, and is found where it is not', async () => {
  const { request, blueprint, plan, run, read, send } = await old('beta');
  await blueprint('svc', {
    relations: { owners: to('_team', true) },
    teamInheritance: { path: 'owners' },
    mirrorProperties: { titles: { path: 'owners.$title' } },
    calculationProperties: { count: { type: 'number', calculation: '.relations.owners | length' } },
  });
  await createEntity(request, 'svc', { identifier: 's', relations: { owners: ['sre'] } });
  const hasOwners = { property: 'owners', operator: 'isNotEmpty' };
  await send('POST', '/v1/blueprints/svc/scorecards', {
    identifier: 'care',
    title: 'Care',
    rules: [{ identifier: 'r', title: 'R', level: 'Gold', query: { combinator: 'and', conditions: [hasOwners] } }],
  });
  const table = {
    id: 'w',
    type: 'table-entities-explorer',
    blueprint: 'svc',
    excludedFields: ['relations.owners'],
    dataset: { combinator: 'and', rules: [hasOwners] },
    blueprintConfig: {
      svc: {
        propertiesSettings: { order: ['$title', 'owners'] },
        sortSettings: { sortBy: [{ property: 'owners', order: 'asc' }] },
      },
    },
  };
  await send('POST', '/v1/pages', { identifier: 'p', title: 'P', type: 'dashboard', widgets: [table] });
  const { implied, manual } = await plan();
  expect(implied).toMatchObject([{ pointer: '/mirrorProperties/titles/path', after: '$team.$title' }]);
  const found = places(manual.filter(({ verdict }: Answer) => verdict === 'breaks'));
  for (const place of [
    'calculation /calculationProperties/count/calculation',
    'scorecard /rules/0/query/conditions/0',
    'widget /widgets/0/excludedFields',
    'widget /widgets/0/blueprintConfig/svc/propertiesSettings/order',
  ]) {
    expect(
      found.some((each) => each.startsWith(place)),
      `${place} in ${found.join(', ')}`,
    ).toBe(true);
  }
  await run();
  expect((await read('svc')).mirrorProperties).toEqual({ titles: { path: '$team.$title' } });
  for (const { item } of (await send('GET', `${usersAndTeams}/verify`)).verification.items) {
    if (item.suggestion) await send('POST', `${usersAndTeams}/items/${item.id}/apply`);
  }
  await drainAllJobs(app);
  const { properties, scorecards } = (await send('GET', '/v1/blueprints/svc/entities/s')).entity;
  expect(properties).toMatchObject({ titles: ['SRE'], count: 1 });
  expect(scorecards.care.level).toBe('Gold');
  const { widgets } = (await send('GET', '/v1/pages/p')).page;
  expect(JSON.stringify(widgets)).not.toContain('owners');
});

test('case 20: what integrations still write under a relation that went are teams for 30 days, and told; nobody else may', async () => {
  const { blueprint, personToken, request, run, send } = await old('beta');
  await blueprint('svc', { relations: { owners: to('_team', true) }, teamInheritance: { path: 'owners' } });
  await createEntity(request, 'svc', { identifier: 's', relations: { owners: ['sre'] } });
  await run();
  const headers = { 'user-agent': 'port-ocean/jira/1.0/main/exporter' };
  const path = '/v1/blueprints/svc/entities?upsert=true&merge=true';
  const write = (parts: object, as = headers) =>
    request('POST', path, { body: { identifier: 's', ...parts }, headers: as });
  const first = await write({ relations: { owners: ['payments_core'] } });
  expect([first.status, first.body.entity.team]).toEqual([201, ['payments_core']]);
  expect(first.headers['warning']).toContain('is no relation any more');
  // one value has the form of one, titles resolve as in `team`, and null means none
  for (const [owners, team] of [
    ['SRE', ['sre']],
    [null, []],
    [
      ['sre', 'payments_core'],
      ['sre', 'payments_core'],
    ],
  ] as const) {
    expect((await write({ relations: { owners } })).body.entity.team).toEqual(team);
  }
  expect((await write({ team: ['sre'], relations: { owners: ['payments_core'] } })).body.entity.team).toEqual(['sre']);
  const search = { combinator: 'and', rules: [{ property: '$title', operator: '=', value: 'Payments Core' }] };
  expect((await write({ relations: { owners: search } })).body.entity.team).toEqual(['payments_core']);
  const bulk = { entities: [{ identifier: 'b', relations: { owners: ['sre'] } }, { identifier: 'c' }] };
  const many = await request('POST', '/v1/blueprints/svc/entities/bulk', { body: bulk, headers });
  expect(many.status, JSON.stringify(many.body)).toBeLessThan(300);
  expect(await readTeam(request, 'svc', 'b')).toEqual(['sre']);
  expect((await write({ relations: { other: ['sre'] } })).status).toBe(404);
  expect((await write({ relations: { owners: ['sre'] } }, { 'user-agent': 'curl/8' })).status).toBe(404);
  const { oldWriters } = await send('GET', usersAndTeams);
  const written = { blueprint: 'svc', datasource: headers['user-agent'], count: expect.any(Number) };
  expect(oldWriters).toHaveLength(2);
  expect(oldWriters).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ ...written, relation: 'owners', title: null }),
      expect.objectContaining({ ...written, relation: null, title: 'SRE' }),
    ]),
  );
  app.clock.advance(31 * 24 * 3_600_000);
  const token = await personToken('ana@acme.dev', 'Admin');
  const late = await request('POST', path, {
    body: { identifier: 's', relations: { owners: ['sre'] } },
    headers,
    token,
  });
  expect(late.status).toBe(404);
});

test('case 22: properties that hold names of teams are left as they are, and told', async () => {
  const { request, blueprint, plan, run } = await old('legacy');
  await blueprint('svc', { properties: { squad: { type: 'string', format: 'team', default: 'SRE' } } });
  await createEntity(request, 'svc', { identifier: 's', properties: { squad: 'Payments Core' } });
  expect(places((await plan()).manual)).toEqual([
    'team-format /schema/properties/squad',
    'team-format /schema/properties/squad/default',
  ]);
  await run();
  expect((await readEntity(request, 'svc', 's')).properties).toEqual({ squad: 'Payments Core' });
  for (const squad of ['SRE', 'sre']) {
    const answer = await request('PATCH', entityPath('svc', 's'), { body: { properties: { squad } } });
    expect([squad, answer.status]).toEqual([squad, 200]);
  }
});

test('case 23: a blueprint of the platform’s name that people made blocks, until it is renamed', async () => {
  const { id, blueprint, plan, run, send } = await old('legacy');
  await blueprint('crew');
  await app.database.transaction((tx) =>
    tx.execute(sql`update blueprints set identifier = '_team' where org_id = ${id} and identifier = 'crew'`),
  );
  expect((await plan()).blockers).toMatchObject([{ code: 'RESERVED_BLUEPRINT', resource: { identifier: '_team' } }]);
  await send('PUT', '/v1/blueprints/_team', blueprintBody('crew'));
  expect((await plan()).blockers).toEqual([]);
  await run();
});

test('case 25: addresses that differ by case are one person, before and after', async () => {
  const { request, run, send } = await old('legacy');
  const invitee = { email: 'ANA@acme.dev' };
  expect((await request('POST', '/v1/users/invite?notify=false', { body: { invitee } })).status).toBe(409);
  await run();
  const { entities } = await send('GET', '/v1/blueprints/_user/entities');
  expect(entities.map(({ identifier }: Answer) => identifier)).toEqual(['ana@acme.dev', 'li@acme.dev']);
  expect((await send('GET', '/v1/users/ANA@acme.dev')).user.teams).toEqual(['SRE']);
});

test('case 27: whoever is told of changes outside is listed, since the teams in what they get are identifiers', async () => {
  const { request, blueprint, plan, send } = await old('legacy');
  const changelogDestination = { type: 'WEBHOOK', url: 'http://127.0.0.1:9/changelog' };
  await blueprint('svc', { changelogDestination });
  await blueprint('plain', { changelogDestination });
  await createEntity(request, 'svc', { identifier: 's', team: ['SRE'] });
  await send('POST', '/v1/integration', { installationId: 'outside', changelogDestination });
  const destination = { type: 'WEBHOOK', url: 'http://example.com/all', enabled: false };
  const all = (await send('POST', '/v1/organization/changelog-destinations', destination)).destination.id;
  const ofRuns = { ...destination, url: 'http://example.com/runs', resources: ['run'] };
  await send('POST', '/v1/organization/changelog-destinations', ofRuns);
  const consumers = (await plan()).manual.filter(({ area }: Answer) => area === 'consumer');
  expect(consumers.map(({ resource }: Answer) => `${resource.kind} ${resource.identifier}`)).toEqual([
    'blueprint svc',
    `destination ${all}`,
  ]);
});

test('case 28: a run that waits for approval is decided by the team’s people, whatever the team is called', async () => {
  const { request, personToken, run, send } = await old('legacy');
  await send('POST', '/v1/actions', {
    identifier: 'deploy',
    title: 'Deploy',
    trigger: { type: 'self-service', operation: 'CREATE', userInputs: { properties: {} } },
    invocationMethod: { type: 'WEBHOOK', url: 'http://127.0.0.1:9/hook' },
    requiredApproval: true,
  });
  await send('PATCH', '/v1/actions/deploy/permissions', { approve: { roles: ['Admin'], teams: ['SRE'] } });
  const token = await personToken('li@acme.dev');
  const started = await request('POST', '/v1/actions/deploy/runs', { token, body: { properties: {} } });
  expect(started.body.run.status).toBe('WAITING_FOR_APPROVAL');
  await run();
  const approval = `/v1/actions/runs/${started.body.run.id}/approval`;
  const body = { status: 'APPROVE' };
  const outsider = await personToken('li@acme.dev');
  expect((await request('PATCH', approval, { token: outsider, body })).status).toBe(403);
  const answer = await request('PATCH', approval, { token: await personToken('ana@acme.dev'), body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
});

test('case 40: states are those of the job; the organization has its model alone', async () => {
  const { request, run, send } = await old('legacy');
  const before = (await send('GET', '/v1/organization')).organization;
  expect((await request('POST', usersAndTeams)).body.status).toBe('PENDING');
  expect((await send('GET', '/v1/organization')).organization).toEqual(before);
  await drainAllJobs(app);
  const { featureFlags, ...rest } = (await send('GET', '/v1/organization')).organization;
  expect({ ...rest, featureFlags: [] }).toEqual(before);
  expect(featureFlags).toEqual(['USERS_AND_TEAMS_OWNERSHIP_V2']);
  expect(run).toBeDefined();
});

test('case 41: titles in defaults and choices of forms are found, as values', async () => {
  const { plan, send } = await old('legacy');
  await send('POST', '/v1/actions', {
    identifier: 'ask',
    title: 'Ask',
    trigger: {
      type: 'self-service',
      operation: 'CREATE',
      userInputs: {
        properties: {
          squad: { type: 'string', default: 'SRE', enum: ['SRE', 'Payments Core', 'Other'] },
          free: { type: 'string', default: 'something' },
        },
      },
    },
    invocationMethod: { type: 'WEBHOOK', url: 'http://127.0.0.1:9/hook' },
  });
  const inputs = '/trigger/userInputs/properties';
  const { manual } = await plan();
  expect(places(manual)).toEqual([`action-input ${inputs}/squad/default`, `action-input ${inputs}/squad/enum`]);
  expect(manual.map(({ suggestion }: Answer) => suggestion.value)).toEqual(
    expect.arrayContaining(['sre', ['sre', 'payments_core', 'Other']]),
  );
});

test('case 43: a list of a list of teams, as forms give it, is read as the list', async () => {
  const { request, blueprint, personToken, run, send } = await old('legacy');
  await blueprint('svc');
  await createEntity(request, 'svc', { identifier: 's', team: ['SRE'] });
  const mine = (value: unknown) => ({
    type: 'string',
    format: 'entity',
    blueprint: 'svc',
    dataset: { combinator: 'and', rules: [{ ...ofTeam(), value }] },
  });
  const properties = { whole: mine({ jqQuery: '[.user.team]' }), part: mine([{ jqQuery: '.user.team' }]) };
  await send('POST', '/v1/actions', {
    identifier: 'ask',
    title: 'Ask',
    trigger: { type: 'self-service', operation: 'CREATE', userInputs: { properties } },
    invocationMethod: { type: 'WEBHOOK', url: 'http://127.0.0.1:9/hook' },
  });
  const values = async () => {
    const token = await personToken('ana@acme.dev');
    const { body } = await request('POST', '/v1/actions/ask/form', { token, body: { properties: {} } });
    return ['whole', 'part'].map((key) => body.form.inputs[key].dataset.rules[0].value);
  };
  expect(await values()).toEqual([['SRE'], ['SRE']]);
  expect(await searchIn(request, 'svc', ofTeam('SRE'))).toEqual(['s']);
  await run();
  expect(await values()).toEqual([['sre'], ['sre']]);
  expect(await searchIn(request, 'svc', ofTeam('sre'))).toEqual(['s']);
});
