import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/build-test-app.ts';
import { createBlueprint, createEntity, issuePaths, readEntity } from '../../../test/catalog-fixtures.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const count = async (name: string) => (await app.request('GET', `/v1/blueprints/${name}/entities-count`)).body.count;
const migration = async (id: string) => (await app.request('GET', `/v1/migrations/${id}`)).body.migration;
const wipe = (name: string, query = '') => app.request('DELETE', `/v1/blueprints/${name}/all-entities${query}`);
const start = (sourceBlueprint: string, mapping: unknown) =>
  app.request('POST', '/v1/migrations', { body: { sourceBlueprint, mapping } });

async function fill(name: string, entities: number): Promise<void> {
  for (let from = 0; from < entities; from += 20) {
    const items = Array.from({ length: Math.min(20, entities - from) }, (_, n) => ({
      identifier: `e${from + n}`,
      properties: { n: from + n },
    }));
    const path = `/v1/blueprints/${name}/entities/bulk`;
    expect((await app.request('POST', path, { body: { entities: items } })).status).toBe(200);
  }
}

const numbered = { properties: { n: { type: 'number' } } };

describe('DELETE all-entities', () => {
  test('deletes everything in the background, with a record of each entity', async () => {
    const name = await createBlueprint(app.request, 'wiped', numbered);
    await fill(name, 230);
    const answer = await wipe(name);
    expect([answer.status, Object.keys(answer.body).sort()]).toEqual([200, ['migrationId', 'ok']]);
    const { migrationId } = answer.body;
    expect(await migration(migrationId)).toMatchObject({
      id: migrationId,
      actor: app.organization.clientId,
      sourceBlueprint: name,
      mapping: {},
      status: 'PENDING',
      deleteEntities: true,
      deleteBlueprint: false,
    });
    expect(await count(name)).toBe(230);
    await app.app.jobs.drain();
    expect(await migration(migrationId)).toMatchObject({ status: 'COMPLETED', successCount: 230, failureCount: 0 });
    expect(await count(name)).toBe(0);
    const deleted = (await app.organization.journal()).filter((line) => line.startsWith('entity.deleted e'));
    expect(deleted).toHaveLength(230);
  });

  test('takes the blueprint too, and the migration outlives it', async () => {
    const name = await createBlueprint(app.request, 'wiped', { relations: {} });
    await app.request('PATCH', `/v1/blueprints/${name}`, {
      body: { relations: { parent: { target: name, required: false } } },
    });
    await createEntity(app.request, name, { identifier: 'a' });
    await createEntity(app.request, name, { identifier: 'b', relations: { parent: 'a' } });
    const { migrationId } = (await wipe(name, '?delete_blueprint=true&run_id=')).body;
    await app.app.jobs.drain();
    expect(await migration(migrationId)).toMatchObject({ status: 'COMPLETED', deleteBlueprint: true, successCount: 2 });
    expect((await app.request('GET', `/v1/blueprints/${name}`)).status).toBe(404);
  });

  test('entities that require each other go together', async () => {
    const name = await createBlueprint(app.request, 'chain');
    await createEntity(app.request, name, { identifier: 'a' });
    await app.request('PATCH', `/v1/blueprints/${name}`, {
      body: { relations: { parent: { target: name, required: true } } },
    });
    await createEntity(app.request, name, { identifier: 'b', relations: { parent: 'a' } });
    await wipe(name);
    await app.app.jobs.drain();
    expect(await count(name)).toBe(0);
  });

  test('is refused while another blueprint requires these entities, or, with the blueprint, points at it', async () => {
    const name = await createBlueprint(app.request, 'needed');
    const other = await createBlueprint(app.request, 'needing', { relations: { to: { target: name } } });
    const answer = await wipe(name, '?delete_blueprint=true');
    expect([answer.status, answer.body.error]).toEqual([409, 'has_dependents']);
    await app.request('PATCH', `/v1/blueprints/${other}`, {
      body: { relations: { to: { target: name, required: true } } },
    });
    expect((await wipe(name)).status).toBe(409);
  });

  test('fails, and says why, if that comes to be meanwhile', async () => {
    const name = await createBlueprint(app.request, 'needed');
    await createEntity(app.request, name, { identifier: 'a' });
    const { migrationId } = (await wipe(name)).body;
    await createBlueprint(app.request, 'needing', { relations: { to: { target: name, required: true } } });
    await app.app.jobs.drain();
    expect(await migration(migrationId)).toMatchObject({
      status: 'FAILURE',
      message: expect.stringContaining('required'),
    });
    expect(await count(name)).toBe(1);
  });

  test.each([
    ['none', '', 404],
    ['_ai_invocations', '', 422],
    ['_team', '?delete_blueprint=true', 422],
    ['_team', '?delete_blueprint=maybe', 422],
  ])('%s%s: %i', async (name, query, status) => {
    expect((await wipe(name, query)).status).toBe(status);
  });

  test('is for administrators', async () => {
    const name = await createBlueprint(app.request, 'wiped');
    const token = await app.organization.memberToken();
    expect((await app.request('DELETE', `/v1/blueprints/${name}/all-entities`, { token })).status).toBe(403);
  });
});

describe('cancel', () => {
  test('stops before the next entities, and what is done stays done', async () => {
    const name = await createBlueprint(app.request, 'kept', numbered);
    await fill(name, 3);
    const { migrationId } = (await wipe(name)).body;
    const path = `/v1/migrations/${migrationId}/cancel`;
    const answer = await app.request('POST', path, { body: { reason: 'a mistake' } });
    expect([answer.status, answer.body.migration.status]).toEqual([200, 'PENDING_CANCELLATION']);
    await app.app.jobs.drain();
    expect(await migration(migrationId)).toMatchObject({ status: 'CANCELLED', message: 'a mistake', successCount: 0 });
    expect(await count(name)).toBe(3);
    expect((await app.request('POST', path)).status).toBe(422);
  });

  test('404 for none, 422 for fields it does not know', async () => {
    expect((await app.request('POST', '/v1/migrations/none/cancel')).status).toBe(404);
    const answer = await app.request('POST', '/v1/migrations/none/cancel', { body: { why: 'x' } });
    expect([answer.status, issuePaths(answer.body)]).toEqual([422, ['/why']]);
  });
});

test('GET lists by status, actor and blueprint, newest first', async () => {
  const [one, two] = [await createBlueprint(app.request, 'one'), await createBlueprint(app.request, 'two')];
  const ids: string[] = [];
  for (const name of [one, two, one]) ids.push((await wipe(name)).body.migrationId);
  const list = async (query: string) => {
    const { migrations } = (await app.request('GET', `/v1/migrations?${query}`)).body;
    return migrations.map(({ id }: { id: string }) => id);
  };
  expect(await list(`blueprint=${one}`)).toEqual([ids[2], ids[0]]);
  expect(await list(`blueprint=${one}&status=PENDING&status=RUNNING`)).toEqual([ids[2], ids[0]]);
  expect(await list(`blueprint=${one}&status=COMPLETED,FAILURE`)).toEqual([]);
  expect(await list(`blueprint=${one}&actor=nobody`)).toEqual([]);
  expect((await list(`actor=${app.organization.clientId}`)).slice(0, 3)).toEqual([ids[2], ids[1], ids[0]]);
  expect((await app.request('GET', '/v1/migrations/none')).status).toBe(404);
});

describe('POST', () => {
  test('maps every entity of a blueprint to another, in the background', async () => {
    const source = await createBlueprint(app.request, 'source', numbered);
    const target = await createBlueprint(app.request, 'target', {
      properties: { twice: { type: 'number' }, kept: { type: 'string' } },
      relations: { of: { target: source } },
    });
    await fill(source, 120);
    await createEntity(app.request, target, { identifier: 'from-e1', properties: { kept: 'k', twice: 0 } });
    const answer = await start(source, {
      blueprint: target,
      filter: '.properties.n % 2 == 1',
      entity: {
        identifier: '"from-" + .identifier',
        title: "'Number' + (.properties.n | tostring)",
        properties: { twice: '.properties.n * 2' },
        relations: { of: '.identifier' },
      },
    });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    await app.app.jobs.drain();
    expect(await migration(answer.body.migrationId)).toMatchObject({
      status: 'COMPLETED',
      successCount: 120,
      failureCount: 0,
    });
    expect(await count(target)).toBe(60);
    const mapped = await readEntity(app.request, target, 'from-e1');
    expect([mapped.properties, mapped.relations]).toEqual([{ twice: 2, kept: 'k' }, { of: 'e1' }]);
  });

  test('counts entities that cannot be mapped, and says why', async () => {
    const source = await createBlueprint(app.request, 'source', numbered);
    const target = await createBlueprint(app.request, 'target', {
      properties: { small: { type: 'number', maximum: 1 } },
    });
    await fill(source, 4);
    const { migrationId } = (
      await start(source, { blueprint: target, entity: { properties: { small: '.properties.n' } } })
    ).body;
    await app.app.jobs.drain();
    expect(await migration(migrationId)).toMatchObject({
      status: 'COMPLETED',
      successCount: 2,
      failureCount: 2,
      message: expect.stringContaining('e3'),
    });
    expect(await count(target)).toBe(2);
  });

  test('may write the source itself, as when ownership takes over from a relation', async () => {
    const name = await createBlueprint(app.request, 'owned', {
      relations: { squad: { target: '_team' } },
      ownership: { type: 'Direct' },
    });
    await createEntity(app.request, '_team', { identifier: `${name}-crew` });
    await createEntity(app.request, name, { identifier: 'a', relations: { squad: `${name}-crew` } });
    await createEntity(app.request, name, { identifier: 'b' });
    await start(name, { entity: { team: '.relations.squad' } });
    await app.app.jobs.drain();
    expect((await readEntity(app.request, name, 'a')).team).toEqual([`${name}-crew`]);
    expect((await readEntity(app.request, name, 'b')).team).toEqual([]);
  });

  test('itemsToParse makes several entities of one', async () => {
    const source = await createBlueprint(app.request, 'source', {
      properties: { parts: { type: 'array' } },
    });
    const target = await createBlueprint(app.request, 'part');
    await createEntity(app.request, source, { identifier: 's', properties: { parts: ['x', 'y', 'z'] } });
    await start(source, {
      blueprint: target,
      itemsToParse: '.properties.parts',
      filter: '.item != "y"',
      entity: { identifier: '.identifier + "-" + .item' },
    });
    await app.app.jobs.drain();
    expect(await count(target)).toBe(2);
    expect((await readEntity(app.request, target, 's-z')).identifier).toBe('s-z');
  });

  test.each([
    [{ filter: '.x ==', entity: {} }, 422, ['/mapping/filter']],
    [
      { entity: { title: '(', properties: { a: '|' } } },
      422,
      ['/mapping/entity/properties/a', '/mapping/entity/title'],
    ],
    [{ entity: { name: '.x' } }, 422, ['/mapping/entity/name']],
    [{}, 422, ['/mapping/entity']],
    [{ blueprint: 'none', entity: {} }, 404, undefined],
  ])('%j: %i', async (mapping, status, issues) => {
    const name = await createBlueprint(app.request, 'source');
    const before = await app.count('data_migrations');
    const answer = await start(name, mapping);
    expect(answer.status).toBe(status);
    if (issues) expect(issuePaths(answer.body).sort()).toEqual(issues);
    expect(await app.count('data_migrations')).toBe(before);
  });
});
