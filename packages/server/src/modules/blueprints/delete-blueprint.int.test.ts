import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/build-test-app.ts';
import { createBlueprint, createEntity } from '../../../test/catalog-fixtures.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const path = '/v1/blueprints';

test('a blueprint without entities goes, and another of the name may come', async () => {
  const name = await createBlueprint(app.request, 'short');
  const answer = await app.request('DELETE', `${path}/${name}`, { headers: { 'content-type': 'application/json' } });
  expect([answer.status, answer.body]).toEqual([200, { ok: true }]);
  expect((await app.request('GET', `${path}/${name}`)).status).toBe(404);
  expect((await app.organization.journal()).at(-1)).toBe(`blueprint.deleted ${name}`);
  const again = await app.request('POST', path, { body: { identifier: name, title: 'x', schema: { properties: {} } } });
  expect(again.status).toBe(201);
});

test('one that points at itself goes', async () => {
  const name = await createBlueprint(app.request, 'self');
  await app.request('PATCH', `${path}/${name}`, { body: { relations: { parent: { target: name } } } });
  expect((await app.request('DELETE', `${path}/${name}`)).status).toBe(200);
});

describe('409 has_dependents', () => {
  test('while it has entities', async () => {
    const name = await createBlueprint(app.request, 'full');
    await createEntity(app.request, name, { identifier: 'a' });
    const before = await app.organization.journal();
    const answer = await app.request('DELETE', `${path}/${name}`);
    expect([answer.status, answer.body.error]).toEqual([409, 'has_dependents']);
    expect((await app.request('GET', `${path}/${name}`)).status).toBe(200);
    expect(await app.organization.journal()).toEqual(before);
    await app.request('DELETE', `${path}/${name}/entities/a`);
    expect((await app.request('DELETE', `${path}/${name}`)).status).toBe(200);
  });

  test('while another points at it', async () => {
    const name = await createBlueprint(app.request, 'target');
    const other = await createBlueprint(app.request, 'source', { relations: { to: { target: name } } });
    const answer = await app.request('DELETE', `${path}/${name}`);
    expect([answer.status, answer.body.error]).toEqual([409, 'has_dependents']);
    expect(answer.body.details).toEqual({ blueprints: [other] });
  });

  test('or a relation made at the same moment finds it gone: never a relation that leads nowhere', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [target, source] = [await createBlueprint(app.request, 'to'), await createBlueprint(app.request, 'from')];
      const [made, deleted] = await Promise.all([
        app.request('PATCH', `${path}/${source}`, { body: { relations: { to: { target } } } }),
        app.request('DELETE', `${path}/${target}`),
      ]);
      expect([
        [200, 409],
        [404, 200],
      ]).toContainEqual([made.status, deleted.status]);
    }
  });
});

test('404 for one that is not there', async () => {
  const answer = await app.request('DELETE', `${path}/none`);
  expect([answer.status, answer.body.ok, answer.body.error]).toEqual([404, false, 'not_found']);
});

test.each(['_user', '_team', '_ai_agent', '_ai_invocations'])('422 for the system blueprint %s', async (name) => {
  const answer = await app.request('DELETE', `${path}/${name}`);
  expect([answer.status, answer.body.error]).toEqual([422, 'managed_field']);
  expect((await app.request('GET', `${path}/${name}`)).status).toBe(200);
});
