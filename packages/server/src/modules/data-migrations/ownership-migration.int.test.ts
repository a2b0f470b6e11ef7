import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/build-test-app.ts';
import { createBlueprint, createEntity, issuePaths, readEntity } from '../../../test/catalog-fixtures.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
  for (const identifier of ['crew', 'sre']) await createEntity(app.request, '_team', { identifier });
});
afterAll(() => app.close());

const start = (sourceBlueprint: string, mapping: unknown) =>
  app.request('POST', '/v1/migrations', { body: { sourceBlueprint, mapping } });
const get = async (path: string) => (await app.request('GET', `/v1/migrations/${path}`)).body;

/** Runs a mapping to its end and answers the migration. */
async function migrate(sourceBlueprint: string, mapping: unknown) {
  const answer = await start(sourceBlueprint, mapping);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  await app.app.jobs.drain();
  return (await get(answer.body.migrationId)).migration;
}

const direct = { ownership: { type: 'Direct' } };
const owned = { ...direct, relations: { squads: { target: '_team', many: true }, squad: { target: '_team' } } };
const readTeam = async (blueprint: string, identifier: string) =>
  (await readEntity(app.request, blueprint, identifier)).team;

describe('a relation that becomes the ownership', () => {
  test('fills the team, keeps the relation, and clears the team where it is empty', async () => {
    const name = await createBlueprint(app.request, 'owned', owned);
    await createEntity(app.request, name, { identifier: 'many', relations: { squads: ['crew', 'sre'] } });
    await createEntity(app.request, name, { identifier: 'none', team: ['crew'] });
    expect(await migrate(name, { entity: { team: '.relations.squads' } })).toMatchObject({
      status: 'COMPLETED',
      totalCount: 2,
      successCount: 2,
      failureCount: 0,
    });
    const many = await readEntity(app.request, name, 'many');
    expect([many.team, many.relations['squads']]).toEqual([
      ['crew', 'sre'],
      ['crew', 'sre'],
    ]);
    expect(await readTeam(name, 'none')).toEqual([]);
  });

  test('a text is wrapped, null clears, and nothing at all leaves the team', async () => {
    const name = await createBlueprint(app.request, 'owned', owned);
    await createEntity(app.request, name, { identifier: 'one', relations: { squad: 'crew' } });
    await createEntity(app.request, name, { identifier: 'null', team: ['sre'] });
    await createEntity(app.request, name, { identifier: 'kept', team: ['sre'] });
    const team = 'if .identifier == "kept" then empty else .relations.squad end';
    await migrate(name, { entity: { team } });
    expect([await readTeam(name, 'one'), await readTeam(name, 'null'), await readTeam(name, 'kept')]).toEqual([
      ['crew'],
      [],
      ['sre'],
    ]);
  });

  test('needs ownership of type Direct, also when that changes before it runs', async () => {
    const relations = { squad: { target: '_team' }, up: { target: '_team' } };
    const none = await createBlueprint(app.request, 'unowned', { relations });
    const inherited = await createBlueprint(app.request, 'inheriting', {
      relations,
      ownership: { type: 'Inherited', path: 'up' },
    });
    for (const name of [none, inherited]) {
      const before = await app.count('data_migrations');
      const answer = await start(name, { entity: { team: '.relations.squad' } });
      expect([answer.status, answer.body.error]).toEqual([422, 'ownership_not_direct']);
      expect(issuePaths(answer.body)).toEqual(['/mapping/entity/team']);
      expect(await app.count('data_migrations')).toBe(before);
      expect((await start(name, { entity: { title: '.identifier' } })).status).toBe(200);
      await app.app.jobs.drain();
    }
    const name = await createBlueprint(app.request, 'owned', owned);
    await createEntity(app.request, name, { identifier: 'a', relations: { squad: 'crew' } });
    const { migrationId } = (await start(name, { entity: { team: '.relations.squad' } })).body;
    const ownership = { type: 'Inherited', path: 'squad' };
    expect((await app.request('PATCH', `/v1/blueprints/${name}`, { body: { ownership } })).status).toBe(200);
    await app.app.jobs.drain();
    expect((await get(migrationId)).migration).toMatchObject({
      status: 'FAILURE',
      successCount: 0,
      message: expect.stringContaining('Direct'),
    });
  });

  test('of users changes who belongs to the team', async () => {
    const email = 'pat@example.com';
    await createEntity(app.request, '_user', { identifier: email, team: ['crew'] });
    const migration = await migrate('_user', {
      filter: `.identifier == "${email}"`,
      entity: { team: '.team + ["sre"] | unique' },
    });
    expect([migration.status, migration.failureCount]).toEqual(['COMPLETED', 0]);
    expect(await readTeam('_user', email)).toEqual(['crew', 'sre']);
    const users = (await app.request('GET', '/v1/teams/sre?fields=users.email')).body.team.users;
    expect(users.map((user: { email: string }) => user.email)).toContain(email);
  });

  test('of an organization from before names teams by title, and needs no ownership', async () => {
    const old = await app.createOrganization({ model: 'legacy' });
    await old.request('POST', '/v1/teams', { body: { name: 'Site Reliability' } });
    const name = await createBlueprint(old.request, 'service', { properties: { squad: { type: 'string' } } });
    await createEntity(old.request, name, { identifier: 'a', properties: { squad: 'Site Reliability' } });
    const answer = await old.request('POST', '/v1/migrations', {
      body: { sourceBlueprint: name, mapping: { entity: { team: '.properties.squad' } } },
    });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    await app.app.jobs.drain();
    expect((await readEntity(old.request, name, 'a')).team).toEqual(['Site Reliability']);
  });
});

describe('failures', () => {
  const grades = {
    ...direct,
    properties: { squad: { type: 'string' }, grade: { type: 'number' }, low: { type: 'number', maximum: 2 } },
  };

  test('teams that are not there are failures, listed with the entity, and nothing of it is written', async () => {
    const name = await createBlueprint(app.request, 'owned', grades);
    await createEntity(app.request, name, { identifier: 'good', properties: { squad: 'crew' } });
    await createEntity(app.request, name, { identifier: 'bad', properties: { squad: 'ghosts' } });
    const migration = await migrate(name, { entity: { title: '"New"', team: '.properties.squad' } });
    expect(migration).toMatchObject({ status: 'COMPLETED', successCount: 1, failureCount: 1 });
    const bad = await readEntity(app.request, name, 'bad');
    expect([bad.title, bad.team]).toEqual([null, []]);
    expect(await get(`${migration.id}/errors`)).toMatchObject({
      failureCount: 1,
      errors: [
        {
          identifier: 'bad',
          error: 'invalid_request',
          details: [{ path: '/team', message: '"ghosts" is not a team' }],
        },
      ],
    });
  });

  test('a name that the entity already had without a team is no failure', async () => {
    const name = await createBlueprint(app.request, 'owned', grades);
    await createEntity(app.request, name, { identifier: 'a', team: ['phantoms'] });
    expect(await migrate(name, { entity: { team: '.team + ["crew"]' } })).toMatchObject({ failureCount: 0 });
    expect(await readTeam(name, 'a')).toEqual(['phantoms', 'crew']);
  });

  test('if every entity failed, the migration failed', async () => {
    const name = await createBlueprint(app.request, 'owned', grades);
    for (const identifier of ['a', 'b']) await createEntity(app.request, name, { identifier });
    const migration = await migrate(name, { entity: { team: '"ghosts"' } });
    expect(migration).toMatchObject({ status: 'FAILURE', successCount: 0, failureCount: 2 });
  });

  test.each([
    ['identifier', { identifier: 'empty' }, '/identifier'],
    ['identifier', { identifier: 'null' }, '/identifier'],
    ['team', { team: '5' }, '/team'],
    ['team', { team: '[["crew"]]' }, '/team'],
    ['title', { title: '{}' }, '/title'],
    ['property', { properties: { grade: '"high"' } }, '/properties/grade'],
  ])('a value of a wrong type as %s: %j', async (_part, entity, path) => {
    const name = await createBlueprint(app.request, 'owned', grades);
    await createEntity(app.request, name, { identifier: 'a' });
    const migration = await migrate(name, { entity });
    expect(migration).toMatchObject({ status: 'FAILURE', failureCount: 1 });
    const [error] = (await get(`${migration.id}/errors`)).errors;
    expect(error.details.map((issue: { path: string }) => issue.path)).toContain(path);
    expect((await app.request('GET', `/v1/blueprints/${name}/entities-count`)).body.count).toBe(1);
  });

  test('an expression that fails on an entity fails that entity', async () => {
    const name = await createBlueprint(app.request, 'owned', grades);
    await createEntity(app.request, name, { identifier: 'a', properties: { grade: 1 } });
    await createEntity(app.request, name, { identifier: 'b' });
    const migration = await migrate(name, {
      entity: { title: '.properties.grade | if . then "x" else error("no") end' },
    });
    expect(migration).toMatchObject({ status: 'COMPLETED', successCount: 1, failureCount: 1 });
  });

  test('run again, they are mapped by the mapping of before, and nothing else is', async () => {
    const name = await createBlueprint(app.request, 'owned', grades);
    const all = { a: 1, b: 5, c: 7 };
    for (const [identifier, grade] of Object.entries(all)) {
      await createEntity(app.request, name, { identifier, properties: { grade } });
    }
    const first = await migrate(name, { entity: { properties: { low: '.properties.grade' } } });
    expect(first).toMatchObject({ successCount: 1, failureCount: 2 });
    const patch = (identifier: string, properties: object) =>
      app.request('PATCH', `/v1/blueprints/${name}/entities/${identifier}`, { body: { properties } });
    await patch('a', { grade: 0 });
    await patch('b', { grade: 2 });
    const again = await app.request('POST', `/v1/migrations/${first.id}/rerun`);
    expect(again.status, JSON.stringify(again.body)).toBe(200);
    expect(again.body.migration).toMatchObject({ rerunOf: first.id, totalCount: 2 });
    await app.app.jobs.drain();
    const second = (await get(again.body.migrationId)).migration;
    expect(second).toMatchObject({ status: 'COMPLETED', successCount: 1, failureCount: 1 });
    const low = async (identifier: string) => (await readEntity(app.request, name, identifier)).properties['low'];
    expect([await low('a'), await low('b'), await low('c')]).toEqual([1, 2, null]);
    await patch('c', { grade: 1 });
    const third = (await app.request('POST', `/v1/migrations/${second.id}/rerun`)).body.migrationId;
    await app.app.jobs.drain();
    expect((await get(third)).migration).toMatchObject({ successCount: 1, failureCount: 0 });
    const done = await app.request('POST', `/v1/migrations/${third}/rerun`);
    expect([done.status, issuePaths(done.body)]).toEqual([422, ['{path}/migration_id']]);
  });
});

describe('one at a time', () => {
  test('a second migration of the blueprint is refused while one is at work, and names it', async () => {
    const name = await createBlueprint(app.request, 'busy', direct);
    const other = await createBlueprint(app.request, 'other', direct);
    await createEntity(app.request, name, { identifier: 'a' });
    const first = await start(name, { entity: { title: '"x"' } });
    const second = await start(name, { entity: { title: '"y"' } });
    expect([second.status, second.body.error, second.body.details]).toEqual([
      409,
      'migration_in_progress',
      { migrationId: first.body.migrationId },
    ]);
    expect((await start(other, { blueprint: name, entity: { title: '"y"' } })).status).toBe(409);
    expect((await app.request('DELETE', `/v1/blueprints/${name}/all-entities`)).status).toBe(409);
    expect((await start(other, { entity: { title: '"y"' } })).status).toBe(200);
    await app.app.jobs.drain();
    expect((await start(name, { entity: { title: '"y"' } })).status).toBe(200);
    await app.app.jobs.drain();
  });

  test('of many that are asked for at once, one begins', async () => {
    const name = await createBlueprint(app.request, 'busy', direct);
    const answers = await Promise.all(Array.from({ length: 5 }, () => start(name, { entity: { title: '"x"' } })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
    await app.app.jobs.drain();
  });
});

test.each([
  [{ entity: { properties: { none: '1' } } }, ['/mapping/entity/properties/none']],
  [{ entity: { relations: { none: '1' } } }, ['/mapping/entity/relations/none']],
  [{ entity: { team: '.a | (' } }, ['/mapping/entity/team']],
  [{ entity: { team: ['crew'] } }, ['/mapping/entity/team']],
  [{ entity: {}, itemsToParse: '[' }, ['/mapping/itemsToParse']],
])('422 for %j', async (mapping, paths) => {
  const name = await createBlueprint(app.request, 'source', direct);
  const answer = await start(name, mapping);
  expect([answer.status, issuePaths(answer.body)]).toEqual([422, paths]);
});
