import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/build-test-app.ts';
import { createBlueprint, readEntity } from '../../../test/catalog-fixtures.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const entities = 1_000;
const numbered = {
  properties: { n: { type: 'number' }, copy: { type: 'number' }, note: { type: 'string' } },
};

async function fill(name: string): Promise<void> {
  for (let from = 0; from < entities; from += 20) {
    const items = Array.from({ length: 20 }, (_, at) => ({
      identifier: `e${from + at}`,
      properties: { n: from + at },
    }));
    const answer = await app.request('POST', `/v1/blueprints/${name}/entities/bulk`, { body: { entities: items } });
    expect(answer.status).toBe(200);
  }
}

async function begin(sourceBlueprint: string, mapping: unknown): Promise<string> {
  const answer = await app.request('POST', '/v1/migrations', { body: { sourceBlueprint, mapping } });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.migrationId;
}

/** Does something again and again while the background works, and answers when both are over. */
async function whileRunning(act: (turn: number) => Promise<unknown>): Promise<void> {
  let isOver = false;
  const running = app.app.jobs.drain().finally(() => {
    isOver = true;
  });
  for (let turn = 0; !isOver; turn += 1) {
    await act(turn);
    // the background gets its turn also where there was nothing to wait for
    await setImmediate();
  }
  await running;
}

const patch = (name: string, identifier: string, properties: object) =>
  app.request('PATCH', `/v1/blueprints/${name}/entities/${identifier}`, { body: { properties } });
const migration = async (id: string) => (await app.request('GET', `/v1/migrations/${id}`)).body.migration;

test('what others write meanwhile is not lost, progress can be read, and undoing leaves theirs alone', async () => {
  const name = await createBlueprint(app.request, 'busy', numbered);
  await fill(name);
  const id = await begin(name, { entity: { properties: { copy: '.properties.n' } } });
  const written = new Map<string, number>();
  const seen = new Set<number>();
  await whileRunning(async (turn) => {
    const identifier = `e${(turn * 37) % entities}`;
    const answer = await patch(name, identifier, { n: 10_000 + turn, note: `turn ${turn}` });
    expect(answer.status).toBe(200);
    written.set(identifier, turn);
    seen.add((await migration(id)).successCount);
  });
  expect(await migration(id)).toMatchObject({
    status: 'COMPLETED',
    totalCount: entities,
    successCount: entities,
    failureCount: 0,
  });
  expect(written.size).toBeGreaterThan(0);
  expect([...seen].some((count) => count > 0 && count < entities)).toBe(true);
  for (const [identifier, turn] of written) {
    const { properties } = await readEntity(app.request, name, identifier);
    expect(properties).toMatchObject({ n: 10_000 + turn, note: `turn ${turn}` });
  }
  await app.request('POST', `/v1/migrations/${id}/undo`);
  await app.app.jobs.drain();
  for (const [identifier, turn] of written) {
    const { properties } = await readEntity(app.request, name, identifier);
    expect(properties).toMatchObject({ n: 10_000 + turn, note: `turn ${turn}` });
  }
}, 60_000);

test('no write is accepted after a deletion with the blueprint began, and all of before go', async () => {
  const name = await createBlueprint(app.request, 'going', numbered);
  const write = (identifier: string) =>
    app.request('POST', `/v1/blueprints/${name}/entities`, { body: { identifier, properties: { n: 1 } } });
  const before = Array.from({ length: 10 }, (_none, at) => write(`before${at}`));
  const begun = await app.request('DELETE', `/v1/blueprints/${name}/all-entities?delete_blueprint=true`);
  expect(begun.status).toBe(200);
  const after: number[] = [];
  await whileRunning(async (turn) => void after.push((await write(`after${turn}`)).status));
  expect((await Promise.all(before)).every(({ status }) => [201, 404, 409].includes(status))).toBe(true);
  // refused while it goes on, and not there once it is done
  expect(after.length).toBeGreaterThan(0);
  expect(after.filter((status) => status !== 409 && status !== 404)).toEqual([]);
  expect(await migration(begun.body.migrationId)).toMatchObject({ status: 'COMPLETED' });
});

test('a write of somebody else between two of one migration to the same entity stays when that is undone', async () => {
  const source = await createBlueprint(app.request, 'source', numbered);
  const target = await createBlueprint(app.request, 'target', numbered);
  await fill(source);
  const id = await begin(source, {
    blueprint: target,
    entity: { identifier: '"all"', properties: { n: '.properties.n' } },
  });
  let notes = 0;
  await whileRunning(async (turn) => {
    if ((await patch(target, 'all', { note: `turn ${turn}` })).status === 200) notes += 1;
  });
  expect(notes).toBeGreaterThan(0);
  expect((await readEntity(app.request, target, 'all')).properties).toMatchObject({
    n: entities - 1,
    note: expect.any(String),
  });
  const undoing = (await app.request('POST', `/v1/migrations/${id}/undo`)).body.migrationId;
  await app.app.jobs.drain();
  expect(await migration(undoing)).toMatchObject({ status: 'FAILURE', successCount: 0, failureCount: 1 });
  expect((await readEntity(app.request, target, 'all')).properties['note']).toEqual(expect.any(String));
}, 60_000);

test('cancelled in the middle, what is done stays done, and running it again does the rest', async () => {
  const name = await createBlueprint(app.request, 'cancelled', numbered);
  await fill(name);
  const id = await begin(name, { entity: { properties: { copy: '.properties.n' } } });
  let isAsked = false;
  await whileRunning(async () => {
    if (isAsked || (await migration(id)).successCount === 0) return;
    isAsked = true;
    expect((await app.request('POST', `/v1/migrations/${id}/cancel`, { body: {} })).status).toBe(200);
  });
  const stopped = await migration(id);
  expect(stopped.status).toBe('CANCELLED');
  expect(stopped.successCount).toBeGreaterThan(0);
  expect(stopped.successCount).toBeLessThan(entities);
  const copied = async () =>
    (
      await app.request('POST', `/v1/blueprints/${name}/entities/search`, {
        body: { query: { combinator: 'and', rules: [{ property: 'copy', operator: 'isNotEmpty' }] }, limit: 1000 },
      })
    ).body.entities.length;
  expect(await copied()).toBe(stopped.successCount);
  const again = await app.request('POST', `/v1/migrations/${id}/rerun`);
  expect(again.body.migration.totalCount).toBe(entities - stopped.successCount);
  await app.app.jobs.drain();
  expect(await migration(again.body.migrationId)).toMatchObject({ status: 'COMPLETED', failureCount: 0 });
  expect(await copied()).toBe(entities);
}, 60_000);
