import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/build-test-app.ts';
import { createBlueprint, createEntity, readEntity } from '../../../test/catalog-fixtures.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
  for (const identifier of ['crew', 'sre']) await createEntity(app.request, '_team', { identifier });
});
afterAll(() => app.close());

const get = async (path: string) => (await app.request('GET', `/v1/migrations/${path}`)).body;
const post = (path: string) => app.request('POST', `/v1/migrations/${path}`);

/** Sends what begins a migration, runs it to its end and answers it. */
async function finished(begun: ReturnType<TestApp['request']>) {
  const answer = await begun;
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  await app.app.jobs.drain();
  return (await get(answer.body.migrationId)).migration;
}
const migrate = (sourceBlueprint: string, mapping: unknown) =>
  finished(app.request('POST', '/v1/migrations', { body: { sourceBlueprint, mapping } }));

const parts = {
  ownership: { type: 'Direct' },
  properties: { n: { type: 'number' }, note: { type: 'string' } },
  relations: { squad: { target: '_team' } },
};
const mapping = {
  entity: {
    title: '"Mapped " + .identifier',
    team: '.relations.squad',
    properties: { note: '"by migration"', n: 'null' },
  },
};
const shown = async (blueprint: string, identifier: string) => {
  const { title, icon, team, properties, relations } = await readEntity(app.request, blueprint, identifier);
  return { title, icon, team, properties, relations };
};

describe('undo', () => {
  test('brings back title, icon, team, properties and relations, with a record of each', async () => {
    const name = await createBlueprint(app.request, 'undone', parts);
    await createEntity(app.request, name, {
      identifier: 'full',
      title: 'Old',
      icon: 'Box',
      team: ['sre'],
      properties: { n: 1 },
    });
    await createEntity(app.request, name, { identifier: 'bare', relations: { squad: 'crew' } });
    const before = [await shown(name, 'full'), await shown(name, 'bare')];
    const whole = { entity: { ...mapping.entity, icon: '"Git"', relations: { squad: '"sre"' } } };
    const migration = await migrate(name, whole);
    expect((await shown(name, 'bare')).team).toEqual(['crew']);
    const events = (await app.organization.journal()).length;
    const undoing = await finished(post(`${migration.id}/undo`));
    expect(undoing).toMatchObject({
      status: 'COMPLETED',
      undoOf: migration.id,
      totalCount: 2,
      successCount: 2,
      failureCount: 0,
    });
    expect([await shown(name, 'full'), await shown(name, 'bare')]).toEqual(before);
    expect((await app.organization.journal()).slice(events).sort()).toEqual([
      `data-migration.changed ${undoing.id}`,
      `data-migration.started ${undoing.id}`,
      'entity.updated bare',
      'entity.updated full',
    ]);
    const twice = await post(`${migration.id}/undo`);
    expect([twice.status, twice.body.error]).toEqual([409, 'not_undoable']);
  });

  test('deletes what the migration made, also where one of it needs another', async () => {
    const source = await createBlueprint(app.request, 'source', { relations: {} });
    const target = await createBlueprint(app.request, 'made');
    await app.request('PATCH', `/v1/blueprints/${target}`, {
      body: { relations: { up: { target, required: true } } },
    });
    for (const identifier of ['a', 'b', 'c']) await createEntity(app.request, source, { identifier });
    const migration = await migrate(source, { blueprint: target, entity: { relations: { up: '"a"' } } });
    expect(migration).toMatchObject({ successCount: 3, failureCount: 0 });
    await finished(post(`${migration.id}/undo`));
    expect((await app.request('GET', `/v1/blueprints/${target}/entities-count`)).body.count).toBe(0);
    expect((await app.request('GET', `/v1/blueprints/${source}/entities-count`)).body.count).toBe(3);
  });

  test('leaves what was changed, deleted or is needed since, and lists it', async () => {
    const name = await createBlueprint(app.request, 'undone', parts);
    const target = await createBlueprint(app.request, 'made');
    const needing = await createBlueprint(app.request, 'needing', { relations: { to: { target, required: true } } });
    for (const identifier of ['touched', 'gone', 'plain']) {
      await createEntity(app.request, name, { identifier, properties: { n: 1 } });
    }
    const own = await migrate(name, mapping);
    await app.request('PATCH', `/v1/blueprints/${name}/entities/touched`, { body: { properties: { note: 'mine' } } });
    await app.request('DELETE', `/v1/blueprints/${name}/entities/gone`);
    const undoing = await finished(post(`${own.id}/undo`));
    expect(undoing).toMatchObject({ status: 'COMPLETED', successCount: 1, failureCount: 2 });
    const errors = (await get(`${undoing.id}/errors`)).errors;
    expect(errors.map((each: { identifier: string; error: string }) => [each.identifier, each.error]).sort()).toEqual([
      ['gone', 'not_found'],
      ['touched', 'stale_version'],
    ]);
    expect((await shown(name, 'touched')).properties).toEqual({ n: null, note: 'mine' });
    expect((await shown(name, 'plain')).properties).toEqual({ n: 1, note: null });

    const made = await migrate(name, { blueprint: target, entity: {} });
    await createEntity(app.request, needing, { identifier: 'x', relations: { to: 'plain' } });
    const second = await finished(post(`${made.id}/undo`));
    expect(second).toMatchObject({ successCount: 1, failureCount: 1 });
    expect((await get(`${second.id}/errors`)).errors).toMatchObject([{ identifier: 'plain', error: 'has_dependents' }]);
    // once nobody needs it, undoing again takes the rest
    await app.request('DELETE', `/v1/blueprints/${needing}/entities/x`);
    expect(await finished(post(`${second.id}/rerun`))).toMatchObject({ undoOf: made.id, successCount: 1 });
  });

  test('two writes of one migration to one entity are undone together', async () => {
    const source = await createBlueprint(app.request, 'source', { properties: { n: { type: 'number' } } });
    const target = await createBlueprint(app.request, 'sum', {
      properties: { n: { type: 'number' }, note: { type: 'string' } },
    });
    for (let from = 0; from < 240; from += 20) {
      const entities = Array.from({ length: 20 }, (_, at) => ({
        identifier: `e${from + at}`,
        properties: { n: from + at },
      }));
      await app.request('POST', `/v1/blueprints/${source}/entities/bulk`, { body: { entities } });
    }
    // all entities are mapped to one, the first 200 in a part of their own
    const migration = await migrate(source, {
      blueprint: target,
      entity: { identifier: '"all"', properties: { n: '.properties.n' } },
    });
    expect((await shown(target, 'all')).properties['n']).toBe(239);
    expect(migration).toMatchObject({ totalCount: 240, successCount: 240 });
    expect(await finished(post(`${migration.id}/undo`))).toMatchObject({ successCount: 1 });
    expect((await app.request('GET', `/v1/blueprints/${target}/entities-count`)).body.count).toBe(0);
  });

  test('of an undoing maps again what it had brought back, and that can be undone too', async () => {
    const name = await createBlueprint(app.request, 'undone', parts);
    for (const identifier of ['a', 'b']) await createEntity(app.request, name, { identifier, properties: { n: 1 } });
    const migration = await migrate(name, { filter: '.identifier == "a"', ...mapping });
    const undoing = await finished(post(`${migration.id}/undo`));
    await createEntity(app.request, name, { identifier: 'later' });
    const again = await finished(post(`${undoing.id}/undo`));
    expect(again).toMatchObject({ status: 'COMPLETED', rerunOf: undoing.id, totalCount: 1, successCount: 1 });
    expect([(await shown(name, 'a')).title, (await shown(name, 'later')).title]).toEqual(['Mapped a', null]);
    expect(await finished(post(`${again.id}/undo`))).toMatchObject({ successCount: 1, failureCount: 0 });
    expect((await shown(name, 'a')).title).toBeNull();
  });

  test('does not bring back a team that was deleted meanwhile', async () => {
    await createEntity(app.request, '_team', { identifier: 'short-lived' });
    const name = await createBlueprint(app.request, 'undone', parts);
    await createEntity(app.request, name, { identifier: 'a', team: ['short-lived', 'crew'] });
    const migration = await migrate(name, { entity: { team: '"sre"' } });
    await app.request('DELETE', '/v1/blueprints/_team/entities/short-lived');
    expect(await finished(post(`${migration.id}/undo`))).toMatchObject({ successCount: 1, failureCount: 0 });
    expect((await shown(name, 'a')).team).toEqual(['crew']);
  });

  test('is refused while it runs, of a deletion, and for nothing', async () => {
    const name = await createBlueprint(app.request, 'undone', parts);
    await createEntity(app.request, name, { identifier: 'a' });
    const begun = (await app.request('POST', '/v1/migrations', { body: { sourceBlueprint: name, mapping } })).body;
    for (const verb of ['undo', 'rerun']) expect((await post(`${begun.migrationId}/${verb}`)).status).toBe(422);
    await app.app.jobs.drain();
    const nothing = await migrate(name, { filter: 'false', entity: {} });
    expect((await post(`${nothing.id}/undo`)).body.error).toBe('not_undoable');
    const wiped = await createBlueprint(app.request, 'wiped');
    const wipe = await finished(app.request('DELETE', `/v1/blueprints/${wiped}/all-entities`));
    expect((await post(`${wipe.id}/undo`)).body.error).toBe('not_undoable');
    expect((await post(`${wipe.id}/rerun`)).status).toBe(422);
    for (const verb of ['undo', 'rerun', 'cancel']) expect((await post(`none/${verb}`)).status).toBe(404);
  });
});

test('after a week it is refused, and what entities were is forgotten', async () => {
  // an application of its own: its clock moves on
  const own = await createTestApp();
  try {
    const { organization, clock } = own;
    const name = await createBlueprint(own.request, 'old', parts);
    await createEntity(own.request, name, { identifier: 'a' });
    const body = { sourceBlueprint: name, mapping };
    const { migrationId } = (await own.request('POST', '/v1/migrations', { body })).body;
    await own.app.jobs.drain();
    clock.advance(6 * 86_400_000);
    await own.app.jobs.drain();
    expect(await own.count('data_migration_images', organization.id)).toBe(1);
    clock.advance(2 * 86_400_000);
    const { clientId, clientSecret } = organization;
    const signedIn = await own.request('POST', '/v1/auth/access_token', {
      token: null,
      body: { clientId, clientSecret },
    });
    const { accessToken: token } = signedIn.body;
    const late = await own.request('POST', `/v1/migrations/${migrationId}/undo`, { token });
    expect([late.status, late.body.error]).toEqual([409, 'not_undoable']);
    await own.app.jobs.drain();
    expect(await own.count('data_migration_images', organization.id)).toBe(0);
  } finally {
    await own.close();
  }
});
