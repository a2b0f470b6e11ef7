import sql, { type Sql } from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestOrganization } from '../../../../test/build-test-app.ts';
import { createBlueprint, createEntity, entityPath } from '../../../../test/catalog-fixtures.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const rule = (identifier: string, property = 'tier') => ({
  identifier,
  title: identifier,
  level: 'Gold',
  query: { combinator: 'and', conditions: [{ property, operator: 'isNotEmpty' }] },
});
const card = (identifier: string, ...rules: object[]) => ({ identifier, title: identifier, rules });
const properties = { tier: { type: 'number' } };
const drain = async () => expect((await app.app.jobs.drain()).dead).toBe(0);

const execute = (statement: Sql) => app.database.transaction((tx) => tx.execute(statement));

async function addCard(organization: TestOrganization, blueprint: string, body: object): Promise<void> {
  const answer = await organization.request('POST', `/v1/blueprints/${blueprint}/scorecards`, { body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
}

async function differencesIn({ id }: TestOrganization) {
  const { body } = await app.operator('POST', `/v1/operator/organizations/${id}/doctor/derived`);
  return body as { pending: number; differing: number; differences: { entity: string; property: string }[] };
}

describe('who may not see what a scorecard is about', () => {
  /** Two blueprints with scorecards: of the first a member reads what the team owns, of the second nothing. */
  async function world() {
    const organization = await app.createOrganization();
    const { request } = organization;
    await createEntity(request, '_team', { identifier: 'core', title: 'Core' });
    const own = await createBlueprint(request, 'own', { properties, ownership: { type: 'Direct' } });
    const secret = await createBlueprint(request, 'secret', { properties });
    await addCard(organization, own, card('owned', rule('ruled')));
    await addCard(organization, secret, card('hidden', rule('veiled')));
    await createEntity(request, own, { identifier: 'mine', team: 'core', properties: { tier: 1 } });
    await createEntity(request, own, { identifier: 'theirs', properties: {} });
    await createEntity(request, secret, { identifier: 'vault', properties: {} });
    const admins = { roles: ['Admin'] };
    const rights = (read: object) => ({ entities: { read } });
    const set = async (blueprint: string, body: object) => {
      const answer = await request('PATCH', `/v1/blueprints/${blueprint}/permissions`, { body });
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    };
    await set(own, rights({ ...admins, ownedByTeam: true }));
    await set(secret, rights(admins));
    await createEntity(request, '_user', {
      identifier: 'ann@example.com',
      team: 'core',
      properties: { status: 'Active', port_role: 'Member' },
    });
    await drain();
    const token = await organization.personToken('ann@example.com', 'Member');
    return { organization, own, secret, token };
  }

  test('does not see it in results, rules or scorecards, by any way of asking', async () => {
    const { organization, own, secret, token } = await world();
    const { request } = organization;
    const ask = async (method: string, path: string, body?: unknown) => {
      const answer = await request(method, path, { token, body });
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      return answer.body;
    };
    const names = (entities: { properties: Record<string, unknown>; identifier: string }[]) =>
      entities.map((each) => each.properties['entity'] ?? each.identifier).sort();
    expect(names((await ask('GET', '/v1/blueprints/_rule_result/entities')).entities)).toEqual(['mine']);
    expect(names((await ask('GET', '/v1/blueprints/_rule/entities')).entities)).toEqual(['ruled']);
    expect(names((await ask('GET', '/v1/blueprints/_scorecard/entities')).entities)).toEqual(['owned']);
    const search = await ask('POST', '/v1/blueprints/_rule_result/entities/search', {});
    expect(names(search.entities)).toEqual(['mine']);
    const everywhere = await ask('POST', '/v1/entities/search', {
      combinator: 'and',
      rules: [{ property: '$blueprint', operator: '=', value: '_rule_result' }],
    });
    expect(names(everywhere.entities)).toEqual(['mine']);
    const count = await ask('GET', '/v1/blueprints/_rule_result/entities-count');
    expect(count.count).toBe(1);
    const all = (await request('GET', '/v1/blueprints/_rule_result/entities')).body.entities as {
      identifier: string;
      properties: { entity: string };
    }[];
    expect(names(all as never)).toEqual(['mine', 'theirs', 'vault']);
    for (const { identifier, properties: values } of all) {
      const path = entityPath('_rule_result', identifier);
      const { status } = await request('GET', path, { token });
      expect([values.entity, status]).toEqual([values.entity, values.entity === 'mine' ? 200 : 404]);
      const audit = await ask('GET', `/v1/audit-log?identifier=${identifier}&limit=10`);
      expect([values.entity, audit.audits.length > 0]).toEqual([values.entity, values.entity === 'mine']);
    }
    // what the caller sees of a result is told whole, and counts over what is kept from the caller are not
    const [result] = (await ask('GET', '/v1/blueprints/_rule_result/entities')).entities;
    expect(result.properties).toMatchObject({ scorecard: 'owned', blueprint: own, level: 'Gold' });
    const ruled = await ask('GET', entityPath('_rule', 'ruled'));
    expect(ruled.entity.properties.entities_tested).toBeNull();
    expect((await request('GET', entityPath('_scorecard', 'hidden'), { token })).status).toBe(404);
    expect(JSON.stringify(await ask('GET', '/v1/scorecards'))).not.toContain(secret);
  });

  test('cannot change or delete it either, and makes no scorecard of it', async () => {
    const { organization, own, secret, token } = await world();
    const { request } = organization;
    const everybody = { roles: ['Admin', 'Member'] };
    const body = { entities: { register: everybody, update: everybody, unregister: everybody } };
    for (const name of ['_scorecard', '_rule', '_rule_result']) {
      expect((await request('PATCH', `/v1/blueprints/${name}/permissions`, { body })).status).toBe(200);
    }
    const statusOf = async (method: string, path: string, body?: unknown) =>
      (await request(method, path, { token, body })).status;
    expect(await statusOf('PATCH', entityPath('_scorecard', 'hidden'), { title: 'x' })).toBe(404);
    expect(await statusOf('PATCH', entityPath('_rule', 'veiled'), { title: 'x' })).toBe(404);
    // what is wrong with the body is told of nothing that is hidden
    expect(await statusOf('PATCH', entityPath('_rule', 'veiled'), { properties: { nonsense: 1 } })).toBe(404);
    expect(await statusOf('DELETE', entityPath('_scorecard', 'hidden'))).toBe(404);
    expect(await statusOf('DELETE', entityPath('_rule', 'veiled'))).toBe(404);
    const create = (blueprint: string) =>
      statusOf('POST', '/v1/blueprints/_scorecard/entities', { identifier: 'new', properties: { blueprint } });
    expect(await create(secret)).toBe(404);
    expect(await statusOf('POST', `/v1/blueprints/${secret}/scorecards`, card('new'))).toBe(404);
    expect(await create(own)).toBe(201);
    expect(await statusOf('POST', `/v1/blueprints/${own}/scorecards`, card('newer', rule('more')))).toBe(201);
    const kept = (await request('GET', `/v1/blueprints/${secret}/scorecards`)).body.scorecards;
    expect(kept).toMatchObject([{ identifier: 'hidden', title: 'hidden', rules: [{ identifier: 'veiled' }] }]);
  });

  test('may not make scorecards without the right to register them', async () => {
    const { organization, own, token } = await world();
    const path = `/v1/blueprints/${own}/scorecards`;
    const answer = await organization.request('POST', path, { token, body: card('new') });
    expect([answer.status, answer.body.error]).toEqual([403, 'missing_permissions']);
    expect((await organization.request('GET', path)).body.scorecards).toHaveLength(1);
  });
});

describe('results stay true', () => {
  test('while entities and scorecards are written at once', async () => {
    const organization = await app.createOrganization();
    const { request } = organization;
    const blueprint = await createBlueprint(request, 'busy', { properties, ownership: { type: 'Direct' } });
    await createEntity(request, '_team', { identifier: 'core', title: 'Core' });
    await addCard(organization, blueprint, card('one', rule('a')));
    const writes = Array.from({ length: 60 }, async (_, number) => {
      const identifier = `e${number % 12}`;
      const values = number % 3 === 0 ? { tier: number } : {};
      const body = { identifier, title: `t${number}`, properties: values, team: number % 2 ? 'core' : null };
      const path = `/v1/blueprints/${blueprint}/entities`;
      if (number % 10 === 9) return (await request('DELETE', entityPath(blueprint, identifier))).status;
      if (number % 15 === 7) {
        const rules = [rule('a'), rule(`r${number}`)];
        return (await request('PUT', `/v1/blueprints/${blueprint}/scorecards/one`, { body: card('one', ...rules) }))
          .status;
      }
      return (await request('POST', `${path}?upsert=true`, { body })).status;
    });
    const statuses = new Set(await Promise.all([...writes, drain().then(() => 200)]));
    expect([...statuses].filter((status) => status >= 500)).toEqual([]);
    await drain();
    expect(await differencesIn(organization)).toMatchObject({ pending: 0, differing: 0 });
    const rules = (await request('GET', `/v1/blueprints/${blueprint}/scorecards/one`)).body.scorecard.rules.length;
    const { count } = (await request('GET', `/v1/blueprints/${blueprint}/entities-count`)).body;
    expect((await request('GET', '/v1/blueprints/_rule_result/entities-count')).body.count).toBe(count * rules);
  });

  test('and what is not true is found by the doctor', async () => {
    const organization = await app.createOrganization();
    const blueprint = await createBlueprint(organization.request, 'sick', { properties });
    await addCard(organization, blueprint, card('one', rule('a'), rule('b'), rule('c')));
    await createEntity(organization.request, blueprint, { identifier: 'x', properties: {} });
    await drain();
    const { entities } = (await organization.request('GET', '/v1/blueprints/_rule_result/entities')).body;
    const [first, second] = entities as { identifier: string }[];
    await execute(sql`
      update entities set properties = properties || '{"result":"Passed"}'
      where org_id = ${organization.id} and identifier = ${first?.identifier}`);
    await execute(sql`
      delete from entity_relations r using entities e where r.org_id = ${organization.id} and e.org_id = r.org_id
        and e.key = r.source_key and e.identifier = ${second?.identifier} and r.relation = ${blueprint}`);
    const { differing, differences } = await differencesIn(organization);
    expect(differing).toBeGreaterThanOrEqual(2);
    const found = differences.map(({ entity, property }) => `${entity} ${property}`);
    expect(found).toEqual(expect.arrayContaining([`${first?.identifier} properties`, `${second?.identifier} result`]));
  });
});

test('entities that do not say what their scorecard or rule says are found by the doctor', async () => {
  const organization = await app.createOrganization();
  const { id, request } = organization;
  const blueprint = await createBlueprint(request, 'ill', { properties });
  await addCard(organization, blueprint, card('one', rule('a'), rule('b')));
  await addCard(organization, blueprint, card('two', rule('c')));
  await drain();
  expect(await differencesIn(organization)).toMatchObject({ pending: 0, differing: 0 });
  await execute(sql`
    update entities set title = 'Another' where org_id = ${id} and identifier = 'one'`);
  await execute(sql`
    update entities set properties = properties || '{"level":"Silver"}' where org_id = ${id} and identifier = 'a'`);
  await execute(sql`delete from scorecard_entities where org_id = ${id} and scorecard = 'one' and rule = 'b'`);
  await execute(sql`update scorecards set identifier = 'three' where org_id = ${id} and identifier = 'two'`);
  const { differences } = await differencesIn(organization);
  const found = differences.map(({ entity, property }) => `${entity} ${property}`);
  expect(found.sort()).toEqual(['a properties', 'b entity', 'c entity', 'one title', 'three entity', 'two entity']);
});

test('an organization from before is given the blueprints, with what its scorecards found', async () => {
  const organization = await app.createOrganization({ model: 'legacy' });
  const { request, id } = organization;
  const blueprint = await createBlueprint(request, 'old', { properties });
  await addCard(organization, blueprint, card('one', rule('a')));
  await createEntity(request, blueprint, { identifier: 'x', properties: { tier: 1 } });
  await drain();
  // as a database of an older version has it
  await execute(
    sql`delete from blueprints where org_id = ${id} and identifier in ('_scorecard', '_rule', '_rule_result')`,
  );
  await execute(sql`
    delete from entities e where e.org_id = ${id}
      and not exists (select 1 from blueprints b where b.org_id = e.org_id and b.key = e.blueprint_key)`);
  await execute(sql`delete from entity_relations where org_id = ${id}`);
  await execute(sql`delete from scorecard_entities where org_id = ${id}`);
  expect((await request('GET', '/v1/blueprints/_rule')).status).toBe(404);
  app.clock.advance(61_000);
  await drain();
  const { entities } = (await request('GET', '/v1/blueprints/_rule_result/entities')).body;
  expect(entities).toMatchObject([{ properties: { entity: 'x', result: 'Passed', scorecard: 'one' } }]);
  expect(await differencesIn(organization)).toMatchObject({ pending: 0, differing: 0 });
});
