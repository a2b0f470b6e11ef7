import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/build-test-app.ts';
import { createBlueprint, createEntity, unique } from '../../../test/catalog-fixtures.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

/** A blueprint with an entity that is being deleted with it; nothing was done in the background yet. */
async function going() {
  const name = await createBlueprint(app.request, 'going', { properties: { n: { type: 'number' } } });
  await createEntity(app.request, name, { identifier: 'e' });
  const entities = `/v1/blueprints/${name}/entities`;
  const remove = async (): Promise<string> => {
    const path = `/v1/blueprints/${name}/all-entities?delete_blueprint=true`;
    return (await app.request('DELETE', path)).body.migrationId;
  };
  const cancel = (id: string) => app.request('POST', `/v1/migrations/${id}/cancel`, { body: {} });
  const status = async (id: string) => (await app.request('GET', `/v1/migrations/${id}`)).body.migration.status;
  const write = async () => (await app.request('POST', entities, { body: { identifier: unique('new') } })).status;
  return { name, entities, remove, cancel, status, write };
}

test.each([
  ['POST', '', { identifier: 'f' }],
  ['POST', '?upsert=true&merge=true', { identifier: 'e' }],
  ['POST', '/bulk?upsert=true', { entities: [{ identifier: 'f' }] }],
  ['PUT', '/e', { identifier: 'e' }],
  ['PATCH', '/e', { properties: { n: 1 } }],
])(
  '%s …/entities%s is refused from the start of the deletion, with the migration to wait for',
  async (method, path, body) => {
    const { name, entities, remove } = await going();
    const migrationId = await remove();
    const answer = await app.request(method, entities + path, { body });
    expect([answer.status, answer.body.error, answer.body.details]).toEqual([
      409,
      'migration_in_progress',
      { migrationId },
    ]);
    expect(answer.body.message).toContain(`"${name}" is being deleted`);
    expect((await app.request('GET', `${entities}/e`)).status).toBe(200);
    await app.app.jobs.drain();
    expect((await app.request('GET', `/v1/blueprints/${name}`)).status).toBe(404);
  },
);

test('entities may still be deleted one by one, and where the blueprint stays they may be written', async () => {
  const { name, entities, remove } = await going();
  await remove();
  expect((await app.request('DELETE', `${entities}/e`)).status).toBe(200);
  const staying = await createBlueprint(app.request, 'staying');
  await app.request('DELETE', `/v1/blueprints/${staying}/all-entities`);
  expect((await app.request('POST', `/v1/blueprints/${staying}/entities`, { body: { identifier: 'a' } })).status).toBe(
    201,
  );
  await app.app.jobs.drain();
  expect((await app.request('GET', `/v1/blueprints/${name}`)).status).toBe(404);
});

test('once it is cancelled, entities are written again', async () => {
  const { remove, cancel, status, write } = await going();
  const id = await remove();
  await cancel(id);
  expect(await write()).toBe(409);
  await app.app.jobs.drain();
  expect([await status(id), await write()]).toEqual(['CANCELLED', 201]);
});

test('once it has failed, entities are written again', async () => {
  const { name, remove, status, write } = await going();
  const id = await remove();
  await createBlueprint(app.request, 'needing', { relations: { to: { target: name, required: true } } });
  expect(await write()).toBe(409);
  await app.app.jobs.drain();
  expect([await status(id), await write()]).toEqual(['FAILURE', 201]);
});

test('one of two deletions that is cancelled leaves the other in force', async () => {
  const { name, remove, cancel, status, write } = await going();
  const first = await remove();
  const second = await remove();
  await cancel(first);
  await app.app.jobs.drain();
  expect([await status(first), await status(second), await write()]).toEqual(['CANCELLED', 'COMPLETED', 404]);
  expect((await app.request('GET', `/v1/blueprints/${name}`)).status).toBe(404);
});
