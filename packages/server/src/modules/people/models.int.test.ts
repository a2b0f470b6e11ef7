import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestOrganization } from '../../../test/build-test-app.ts';
import { createBlueprint, createEntity, entityPath, readEntity } from '../../../test/catalog-fixtures.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const title = 'Payments Core';
const identifier = 'payments_core';

/** What each place shows and understands (users-and-teams §1.2; compatibility choices, People and teams). */
describe.each([
  { model: 'legacy', value: title, rule: title },
  { model: 'beta', value: title, rule: identifier },
  { model: 'blueprints', value: identifier, rule: identifier },
] as const)('in model $model a team', ({ model, value, rule }) => {
  let organization: TestOrganization;
  let owned: string;
  let token: string;
  const other = rule === title ? identifier : title;
  /** Whoever writes a title is told what to write instead. */
  const told = (name: string) => (name === title ? expect.stringContaining("'Payments Core' is the title") : undefined);
  const search = (query: object) =>
    organization.request('POST', `/v1/blueprints/${owned}/entities/search`, { body: { query }, token });
  const found = async (property: unknown, operator: string, sought: unknown) => {
    const answer = await search({ combinator: 'and', rules: [{ property, operator, value: sought }] });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.body.entities.map((entity: { identifier: string }) => entity.identifier);
  };
  beforeAll(async () => {
    organization = await app.createOrganization({ model });
    const { request } = organization;
    const invitee = { email: 'ana@acme.dev' };
    await request('POST', '/v1/users/invite', { body: { invitee } });
    await request('POST', '/v1/teams', { body: { name: title, users: ['ana@acme.dev'] } });
    await request('POST', '/v1/teams', { body: { name: 'Others' } });
    owned = await createBlueprint(request, 'owned', {
      ...(model === 'blueprints' ? { ownership: { type: 'Direct' } } : {}),
      calculationProperties: {
        first: { type: 'string', calculation: '.team[0]' },
      },
    });
    await createEntity(request, owned, { identifier: 'mine', team: value });
    await createEntity(request, owned, { identifier: 'theirs', team: ['Others'] });
    token = await organization.personToken('ana@acme.dev');
  });

  test('on an entity is shown by one form, and both are understood', async () => {
    const { request } = organization;
    for (const team of [title, identifier]) {
      const answer = await request('PATCH', entityPath(owned, 'mine'), { body: { team } });
      expect([answer.headers['warning'], answer.body.entity.team]).toEqual([told(team), [value]]);
    }
    const list = await request('GET', `/v1/blueprints/${owned}/entities`);
    expect(list.body.entities[0].team).toEqual([value]);
  });

  test.each([
    ['=', 1],
    ['contains', 1],
    ['in', 2],
    ['containsAny', 2],
  ])('in a search rule %s is named by the form of rules alone', async (operator, kind) => {
    const of = (name: string) => (kind === 2 ? [name] : name);
    expect(await found('$team', operator, of(rule))).toEqual(['mine']);
    expect(await found('$team', operator, of(other))).toEqual([]);
  });

  test.each([
    ['the user', { context: 'user', property: '$team' }],
    ['the teams', { context: 'userTeams', property: rule === title ? '$title' : '$identifier' }],
    ['getUserTeams', ['{{getUserTeams()}}']],
    ['My Teams', ['My Teams']],
  ])("that is the caller's is found by %s", async (_name, sought) => {
    expect(await found('$team', 'containsAny', sought)).toEqual(['mine']);
  });

  test('in permissions is shown by the form of values, and both are understood', async () => {
    const { request } = organization;
    for (const name of [title, identifier]) {
      const entities = { update: { teams: [name], roles: [] } };
      const answer = await request('PATCH', `/v1/blueprints/${owned}/permissions`, { body: { entities } });
      const { teams } = answer.body.permissions.entities.update;
      expect([answer.headers['warning'], teams]).toEqual([told(name), [value]]);
    }
    const body = { icon: 'Star' };
    expect((await request('PATCH', entityPath(owned, 'mine'), { body, token })).status).toBe(200);
  });

  test('in JQ is what the entity shows', async () => {
    expect((await readEntity(organization.request, owned, 'mine')).properties['first']).toBe(value);
  });

  test('in the query of an aggregation is named as in a rule', async () => {
    const { request } = organization;
    const count = (name: string) => ({
      target: owned,
      calculationSpec: { calculationBy: 'entities', func: 'count' },
      query: { combinator: 'and', rules: [{ property: '$team', operator: 'containsAny', value: [name] }] },
    });
    const counting = await createBlueprint(request, 'counting', {
      relations: { to: { target: owned, many: true } },
      aggregationProperties: { named: count(rule), other: count(other) },
    });
    const body = { identifier: 'all', relations: { to: ['mine', 'theirs'] } };
    const { properties } = await createEntity(request, counting, body);
    expect(properties).toMatchObject({ named: 1, other: 0 });
  });

  test('in the condition of a scorecard is named as in a rule', async () => {
    const { request } = organization;
    const condition = (name: string) => ({
      combinator: 'and',
      conditions: [{ property: '$team', operator: 'containsAny', value: [name] }],
    });
    const rules = [rule, other].map((name, index) => ({
      identifier: `r${index}`,
      title: name,
      level: 'Gold',
      query: condition(name),
    }));
    const levels = [
      { title: 'Basic', color: 'paleBlue' },
      { title: 'Gold', color: 'gold' },
    ];
    const body = { identifier: 'owners', title: 'Owners', levels, rules };
    const scored = await createBlueprint(request, 'scored', { ownership: { type: 'Direct' } });
    expect((await request('POST', `/v1/blueprints/${scored}/scorecards`, { body })).status).toBeLessThan(300);
    const entity = await createEntity(request, scored, { identifier: 'a', team: value });
    const { scorecards } = entity as unknown as {
      scorecards: { owners: { rules: { identifier: string; status: string }[] } };
    };
    expect(scorecards.owners.rules.map(({ status }) => status)).toEqual(['SUCCESS', 'FAILURE']);
  });

  test('of a user is shown by name and by identifier', async () => {
    const { body } = await organization.request('GET', '/v1/users/ana@acme.dev');
    expect(body.user).toMatchObject({ teams: [title], teamsIdentifiers: [identifier] });
    if (model === 'legacy') return;
    const entity = await readEntity(organization.request, '_user', 'ana@acme.dev');
    expect([entity.team, entity.relations['teams']]).toEqual([[value], model === 'beta' ? [identifier] : undefined]);
  });
});

test('before teams are entities, whose authors are kept, an integration gives them no names', async () => {
  const { request } = await app.createOrganization({ model: 'legacy' });
  const headers = { 'user-agent': 'port-ocean/tracker/1.0.0' };
  expect((await request('POST', '/v1/teams', { body: { name: title } })).status).toBe(200);
  const made = await request('POST', '/v1/teams', { body: { name: 'Wipe billing' }, headers });
  const renamed = await request('PATCH', `/v1/teams/${title}`, { body: { name: 'Wipe billing' }, headers });
  expect([made, renamed].map(({ status, body }) => [status, body.error])).toEqual([
    [403, 'missing_permissions'],
    [403, 'missing_permissions'],
  ]);
  const described = await request('PATCH', `/v1/teams/${title}`, { body: { description: 'Paid' }, headers });
  expect(described.body.team).toMatchObject({ name: title, description: 'Paid' });
});

/** What infrastructure-as-code does with the blueprints of users and teams (api contract §3.1.8). */
describe.each(['_user', '_team'])('Terraform on %s', (name) => {
  const path = `/v1/blueprints/${name}`;
  const structure = async () => (await app.request('GET', `/v1/blueprints/system/${name}/structure`)).body.blueprint;

  test('imports it and adds to it, verbatim, twice', async () => {
    const imported = await app.request('GET', path);
    expect(imported.status).toBe(200);
    const base = await structure();
    const body = {
      ...imported.body.blueprint,
      schema: {
        ...base.schema,
        properties: { ...base.schema.properties, cost_centre: { type: 'string', title: 'Cost centre' } },
      },
      relations: { ...base.relations, manager: { target: '_user', required: false, many: false } },
      mirrorProperties: { ...base.mirrorProperties, manager_name: { path: 'manager.$title' } },
    };
    for (let round = 0; round < 2; round += 1) {
      const answer = await app.request('PUT', path, { body });
      expect([answer.status, answer.body.error]).toEqual([200, undefined]);
      expect(answer.body.blueprint.schema.properties).toEqual(body.schema.properties);
    }
    // what was added is not part of the base, and may go again
    expect(await structure()).toEqual(base);
    expect((await app.request('PUT', path, { body: base })).status).toBe(200);
  });

  test("cannot change, remove, create, delete or rename what is the platform's", async () => {
    const base = await structure();
    const [key = ''] = Object.keys(base.schema.properties);
    const { [key]: _gone, ...others } = base.schema.properties;
    const changed = { ...base.schema.properties[key], title: 'Mine' };
    for (const body of [
      { ...base, title: 'Mine' },
      { ...base, identifier: 'mine' },
      { ...base, schema: { ...base.schema, properties: others, required: [] } },
      { ...base, schema: { ...base.schema, properties: { ...others, [key]: changed } } },
    ]) {
      const answer = await app.request('PUT', path, { body });
      expect([answer.status, answer.body.error]).toEqual([422, 'managed_field']);
    }
    expect((await app.request('POST', '/v1/blueprints', { body: base })).status).toBe(409);
    expect((await app.request('DELETE', path)).status).toBe(422);
    expect((await app.request('GET', '/v1/blueprints/system/service/structure')).status).toBe(404);
    expect(await structure()).toEqual(base);
  });
});
