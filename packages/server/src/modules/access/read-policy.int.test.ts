import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestApp, type Request, type TestApp } from '../../../test/build-test-app.ts';
import { createBlueprint, createEntity, entityPath, readEntity } from '../../../test/catalog-fixtures.ts';

let app: TestApp;
let asPerson: Request;
beforeAll(async () => {
  app = await createTestApp();
  await app.request('PATCH', '/v1/blueprints/_user', {
    body: { schema: { properties: { region: { type: 'string' }, grade: { type: 'number' } } } },
  });
  await app.request('PATCH', '/v1/blueprints/_team', {
    body: { schema: { properties: { area: { type: 'string' } } } },
  });
  await createEntity(app.request, '_team', { identifier: 'crew', title: 'Crew', properties: { area: 'north' } });
  await createEntity(app.request, '_team', { identifier: 'others', title: 'Others' });
  await createEntity(app.request, '_user', {
    identifier: 'pat@example.com',
    team: 'crew',
    properties: { status: 'Active', port_role: 'Member', region: 'eu', grade: 3 },
  });
  const token = await app.organization.personToken('pat@example.com');
  asPerson = (method, path, options) => app.request(method, path, { token, ...options });
});
afterAll(() => app.close());

let name: string;
beforeEach(async () => {
  name = await createBlueprint(app.request, 'policed', {
    properties: { region: { type: 'string' }, grade: { type: 'number' }, areas: { type: 'array' } },
    relations: { of: { target: '_team' } },
    mirrorProperties: { of_name: { path: 'of.$title' }, of_team: { path: 'of.$team' } },
    ownership: { type: 'Direct' },
  });
  const make = (identifier: string, body: object) => createEntity(app.request, name, { identifier, ...body });
  await make('eu', { title: 'E', team: 'crew', properties: { region: 'eu', grade: 1 }, relations: { of: 'crew' } });
  await make('us', { title: 'U', team: 'others', properties: { region: 'us', grade: 9, areas: ['north'] } });
  await make('ghostly', { title: 'G', team: 'ghost', properties: { region: 'us', grade: 5 } });
});

const rule = (property: unknown, operator: string, value?: unknown) =>
  value === undefined ? { property, operator } : { property, operator, value };
const all = (...rules: unknown[]) => ({ combinator: 'and', rules });
const any = (...rules: unknown[]) => ({ combinator: 'or', rules });
const allow = async (rights: unknown, blueprint = name) => {
  const answer = await app.request('PATCH', `/v1/blueprints/${blueprint}/permissions`, { body: { entities: rights } });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer;
};
const policed = (policy: unknown) => allow({ read: { roles: ['Admin'], policy } });
const listed = async (request = asPerson): Promise<string[]> => {
  const { body } = await request('GET', `/v1/blueprints/${name}/entities`);
  return body.entities.map(({ identifier }: { identifier: string }) => identifier);
};
const mine = { context: 'user', property: 'region' };

describe('a read policy', () => {
  test.each([
    ['a property of the entity', all(rule('region', '=', 'us')), ['us', 'ghostly']],
    ['a property of the caller', all(rule('region', '=', mine)), ['eu']],
    ['a gate on the caller that is open', all(rule(mine, '=', 'eu')), ['eu', 'us', 'ghostly']],
    ['a gate that is shut', all(rule(mine, '=', 'us')), []],
    [
      'properties of the caller’s teams',
      all(rule('areas', 'containsAny', { context: 'userTeams', property: 'area' })),
      ['us'],
    ],
    [
      'the caller’s teams',
      all(rule('$team', 'containsAny', { context: 'userTeams', property: '$identifier' })),
      ['eu'],
    ],
    ['the caller’s own teams', all(rule('$team', 'containsAny', { context: 'user', property: '$team' })), ['eu']],
    ['My Teams', all(rule('$team', 'in', ['My Teams'])), ['eu']],
    ['a path', all(rule({ path: ['of'] }, 'matchAny', { context: 'userTeams', property: '$identifier' })), ['eu']],
    ['a path over owners', all(rule({ path: ['$team'] }, 'matchAny', 'others')), ['us']],
    ['alternatives', any(rule('grade', '>', 8), rule('region', '=', mine)), ['eu', 'us']],
    ['a mirror', all(rule('of_name', '=', 'Crew')), ['eu']],
  ])('grants by %s', async (_what, policy, expected) => {
    const answer = await policed(policy);
    expect(answer.headers['warning']).toBeUndefined();
    expect(answer.body.permissions.entities.read.policy).toEqual(policy);
    expect(await listed()).toEqual(expected);
    expect(await listed(app.request)).toEqual(['eu', 'us', 'ghostly']);
  });

  test('is in force in every way to read', async () => {
    await policed(all(rule('region', '=', mine)));
    const narrowed = all(rule('$blueprint', '=', name));
    const ids = (answer: { body: { entities: { identifier: string }[] } }) =>
      answer.body.entities.map(({ identifier }) => identifier);
    expect(ids(await asPerson('POST', '/v1/entities/search', { body: narrowed }))).toEqual(['eu']);
    const within = `/v1/blueprints/${name}/entities`;
    const sort = [{ property: 'grade', order: 'desc' }];
    expect(ids(await asPerson('POST', `${within}/search`, { body: { query: all(), sort } }))).toEqual(['eu']);
    expect((await asPerson('GET', `/v1/blueprints/${name}/entities-count`)).body.count).toBe(1);
    const groups = await asPerson('POST', `${within}/group`, { body: { groupBy: 'region' } });
    expect([groups.body.total, groups.body.groups]).toEqual([1, [{ value: 'eu', count: 1 }]]);
    const words = await asPerson('POST', '/v1/entities/top-search', { body: { text: 'us', blueprints: [name] } });
    expect(words.body.entities).toEqual([]);
    expect((await asPerson('GET', entityPath(name, 'us'))).status).toBe(404);
    expect((await asPerson('GET', entityPath(name, 'eu'))).status).toBe(200);
    const history = async (identifier: string) => {
      const path = `/v1/audit-log?resources=entity&identifier=${identifier}`;
      const { status, body } = await asPerson('GET', path);
      expect(status, JSON.stringify(body)).toBe(200);
      const records: { context: { blueprint: string } }[] = body.audits;
      return records.filter(({ context }) => context.blueprint === name).length;
    };
    expect([await history('eu'), await history('us')]).toEqual([1, 0]);
  });

  test('is not asked where another rule grants, and is ignored beside ownedByTeam', async () => {
    await allow({ read: { roles: ['Admin'], teams: ['crew'], policy: all(rule('region', '=', 'none')) } });
    expect(await listed()).toEqual(['eu', 'us', 'ghostly']);
    const policy = all(rule('region', '=', 'us'));
    const answer = await allow({ read: { roles: ['Admin'], teams: [], ownedByTeam: true, policy } });
    expect(answer.headers['warning']).toContain('ignored');
    expect(await listed()).toEqual(['eu']);
  });

  test('is taken away by null', async () => {
    await policed(all(rule('region', '=', 'us')));
    const answer = await policed(null);
    expect(answer.body.permissions.entities.read).not.toHaveProperty('policy');
    expect((await asPerson('GET', entityPath(name, 'us'))).status).toBe(404);
  });

  test('speaks of nobody where a machine asks, and still of the entity', async () => {
    const token = await app.organization.memberToken();
    const asMachine: Request = (method, path, options) => app.request(method, path, { token, ...options });
    await policed(any(rule('region', '=', mine), rule('grade', '=', 9)));
    expect(await listed(asMachine)).toEqual(['us']);
  });

  test.each([
    ['a property that is gone', any(rule('nothing', '=', 'x'), rule('region', '=', 'us')), '/rules/0/property'],
    ['its absence', all(rule('nothing', 'isEmpty')), '/rules/0/property'],
    [
      'a property the caller has not',
      any(rule('region', '=', { context: 'user', property: 'nothing' }), rule('grade', '>', 0)),
      '/rules/0/value/property',
    ],
    [
      'a gate on it',
      any(rule({ context: 'userTeams', property: 'nothing' }, '!=', 'x'), rule('grade', '>', 0)),
      '/rules/0/property/property',
    ],
    [
      'a relation that is gone',
      any(rule({ path: ['nothing'] }, 'matchAny', 'x'), rule('grade', '>', 0)),
      '/rules/0/property/path/0',
    ],
    ['no rules', all(), '/rules'],
    ['a group of none', any(all(), rule('grade', '>', 100)), '/rules/0/rules'],
    ['names of teams', all(rule('of_team', 'isEmpty')), '/rules/0/property'],
    [
      'a blueprint that is gone',
      any({ operator: 'relatedTo', blueprint: 'nothing', value: 'x' }, rule('grade', '>', 0)),
      '/rules/0/blueprint',
    ],
  ])('that names %s grants nothing, and says so', async (_what, policy, path) => {
    const answer = await policed(policy);
    expect(answer.headers['warning']).toContain(`read.policy grants nothing: ${path}`);
    expect(await listed()).toEqual([]);
    const body = { user: 'pat@example.com', operation: 'read', entity: 'us' };
    const told = await app.request('POST', `/v1/blueprints/${name}/permissions/explain`, { body });
    expect(told.body.allowed).toBe(false);
    const broken = told.body.checks.find((check: { rule: string }) => check.rule === 'policy');
    expect(broken).toMatchObject({ grant: 'read', outcome: 'broken' });
    expect(broken.why).toContain(path);
    expect(told.body.why).toContain(path);
    expect(told.body.warnings[0]).toContain(path);
  });

  test('becomes shut when its property leaves the blueprint', async () => {
    await policed(any(rule('grade', '=', 9), rule('region', '=', 'eu')));
    expect(await listed()).toEqual(['eu', 'us']);
    await app.request('PATCH', `/v1/blueprints/${name}`, { body: { schema: { properties: { grade: null } } } });
    expect(await listed()).toEqual([]);
  });

  test.each([
    ['in', all(rule('$team', 'in', ['ghost']))],
    ['the caller’s teams', all(rule('$team', 'containsAny', { context: 'userTeams', property: '$identifier' }))],
    ['=', all(rule('$team', '=', 'ghost'))],
    ['!=', all(rule('$team', '!=', 'crew'), rule('grade', '=', 5))],
    ['notIn', all(rule('$team', 'notIn', ['crew']), rule('grade', '=', 5))],
    ['isEmpty', all(rule('$team', 'isEmpty'))],
    ['isNotEmpty', all(rule('$team', 'isNotEmpty'), rule('grade', '=', 5))],
  ])('a team that resolved to nothing never grants by %s', async (_what, policy) => {
    await policed(policy);
    expect(await listed()).not.toContain('ghostly');
    const ghost = await createEntity(app.request, '_team', { identifier: 'ghost' });
    await app.request('PATCH', entityPath('_user', 'pat@example.com'), { body: { team: ['crew', 'ghost'] } });
    app.clock.advance(2_000);
    const seen = await listed();
    await app.request('DELETE', entityPath('_team', ghost.identifier));
    await app.request('PATCH', entityPath('_user', 'pat@example.com'), { body: { team: ['crew'] } });
    app.clock.advance(2_000);
    expect(seen).not.toContain('ghostly');
  });

  test('hides what mirrors show of entities it may hide', async () => {
    const pointing = await createBlueprint(app.request, 'pointing', {
      relations: { to: { target: name } },
      mirrorProperties: { title: { path: 'to.$title' } },
    });
    await createEntity(app.request, pointing, { identifier: 'p', relations: { to: 'us' } });
    await policed(all(rule('region', '=', mine)));
    const { body } = await asPerson('GET', `${entityPath(pointing, 'p')}?attach_title_to_relation=true`);
    expect(body.entity.properties.title).toBeNull();
    expect(body.entity.relations.to).toEqual({ identifier: 'us', title: null });
    expect((await readEntity(app.request, pointing, 'p')).properties['title']).toBe('U');
  });
});
