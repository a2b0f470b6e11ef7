import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/build-test-app.ts';
import { createBlueprint, createEntity, readEntity } from '../../../test/catalog-fixtures.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

describe('a list of all entities', () => {
  test('is one JSON object over any number of parts, in the order of creation', async () => {
    const name = await createBlueprint(app.request, 'long', { properties: { n: { type: 'number' } } });
    expect((await app.request('GET', `/v1/blueprints/${name}/entities`)).body).toEqual({ ok: true, entities: [] });
    for (let from = 0; from < 520; from += 20) {
      const entities = Array.from({ length: 20 }, (_, n) => ({
        identifier: `e${from + n}`,
        properties: { n: from + n },
      }));
      await app.request('POST', `/v1/blueprints/${name}/entities/bulk`, { body: { entities } });
    }
    const answer = await app.request('GET', `/v1/blueprints/${name}/entities?include=identifier`);
    expect(answer.status).toBe(200);
    expect(String(answer.headers['content-type'])).toContain('application/json');
    expect(answer.body).toEqual({
      ok: true,
      entities: Array.from({ length: 520 }, (_, n) => ({ identifier: `e${n}` })),
    });
  });

  test('404 for no blueprint', async () => {
    const answer = await app.request('GET', '/v1/blueprints/none/entities');
    expect([answer.status, answer.body.error]).toEqual([404, 'not_found']);
  });
});

describe('attach_identifier_to_title_mirror_properties', () => {
  test('shows mirrored titles with the identifier they belong to', async () => {
    const top = await createBlueprint(app.request, 'top');
    const middle = await createBlueprint(app.request, 'middle', { relations: { up: { target: top } } });
    const name = await createBlueprint(app.request, 'low', {
      relations: { one: { target: middle }, many: { target: middle, many: true } },
      mirrorProperties: {
        title: { path: 'one.$title' },
        far: { path: 'one.up.$title' },
        all: { path: 'many.$title' },
        id: { path: 'one.$identifier' },
      },
    });
    await createEntity(app.request, top, { identifier: 't', title: 'T' });
    await createEntity(app.request, middle, { identifier: 'm1', title: 'M1', relations: { up: 't' } });
    await createEntity(app.request, middle, { identifier: 'm2', title: 'M2' });
    await createEntity(app.request, name, { identifier: 'a', relations: { one: 'm1', many: ['m2', 'm1'] } });
    await createEntity(app.request, name, { identifier: 'b' });
    const query = '?attach_identifier_to_title_mirror_properties=true';
    const { entities } = (await app.request('GET', `/v1/blueprints/${name}/entities${query}`)).body;
    expect(entities.map(({ properties }: { properties: unknown }) => properties)).toEqual([
      {
        title: { identifier: 'm1', title: 'M1' },
        far: { identifier: 't', title: 'T' },
        all: [
          { identifier: 'm2', title: 'M2' },
          { identifier: 'm1', title: 'M1' },
        ],
        id: 'm1',
      },
      { title: null, far: null, all: [], id: null },
    ]);
  });
});

describe('DELETE', () => {
  test('a plus of the path is a blank only where no identifier holds it', async () => {
    const name = await createBlueprint(app.request, 'plus');
    await createEntity(app.request, name, { identifier: 'a+b' });
    expect((await app.request('DELETE', `/v1/blueprints/${name}/entities/a+b`)).status).toBe(200);
    const missing = await app.request('DELETE', `/v1/blueprints/${name}/entities/a+b`);
    expect([missing.status, missing.body.details.withValue]).toEqual([404, 'a+b']);
  });
});

describe('a blueprint that became stricter', () => {
  test('keeps what is there until that key is written', async () => {
    const name = await createBlueprint(app.request, 'strict', {
      properties: { level: { type: 'string' }, note: { type: 'string' } },
    });
    await createEntity(app.request, name, { identifier: 'a', properties: { level: 'odd' } });
    const patch = (properties: unknown) =>
      app.request('PATCH', `/v1/blueprints/${name}/entities/a`, { body: { properties } });
    await app.request('PATCH', `/v1/blueprints/${name}`, {
      body: { schema: { properties: { level: { type: 'string', enum: ['low', 'high'] } } } },
    });
    expect((await patch({ note: 'n' })).status).toBe(200);
    expect((await patch({ level: 'odd' })).status).toBe(422);
    expect((await patch({ level: 'low' })).status).toBe(200);
    await app.request('PATCH', `/v1/blueprints/${name}`, {
      body: { schema: { properties: { must: { type: 'string' } }, required: ['must'] } },
    });
    expect((await readEntity(app.request, name, 'a')).properties['must']).toBeNull();
    expect((await patch({ note: 'm' })).status).toBe(422);
    expect((await patch({ must: 'x' })).status).toBe(200);
    expect((await patch({ must: null })).status).toBe(422);
  });
});

describe('a change of ownership', () => {
  test('is a change of the teams of every entity', async () => {
    await createEntity(app.request, '_team', { identifier: 'up-crew' });
    await createEntity(app.request, '_team', { identifier: 'own-crew' });
    const up = await createBlueprint(app.request, 'up', { ownership: { type: 'Direct' } });
    const name = await createBlueprint(app.request, 'owned', {
      relations: { to: { target: up } },
      ownership: { type: 'Direct' },
    });
    await createEntity(app.request, up, { identifier: 'u', team: 'up-crew' });
    await createEntity(app.request, name, { identifier: 'a', team: 'own-crew', relations: { to: 'u' } });
    const team = async () => (await readEntity(app.request, name, 'a')).team;
    const own = async (ownership: unknown) => {
      const answer = await app.request('PATCH', `/v1/blueprints/${name}`, { body: { ownership } });
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      await app.app.jobs.drain();
    };
    await own({ type: 'Inherited', path: 'to' });
    expect(await team()).toEqual(['up-crew']);
    await own({ type: 'Direct' });
    expect(await team()).toEqual(['own-crew']);
    await own({ type: 'Inherited', path: 'to.$team' });
    expect(await team()).toEqual(['up-crew']);
  });
});
