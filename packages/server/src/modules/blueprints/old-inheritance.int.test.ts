import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/build-test-app.ts';
import { blueprintBody, createBlueprint, createEntity, readEntity } from '../../../test/catalog-fixtures.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

test('PUT of a writer that knows teamInheritance alone leaves the ownership, and is told', async () => {
  const { request } = app;
  const target = await createBlueprint(request, 'target', { ownership: { type: 'Direct' } });
  const relations = { of: { target, required: false, many: false } };
  const ownership = { type: 'Inherited', path: 'of' };
  const name = await createBlueprint(request, 'inheriting', { relations, ownership });
  await request('POST', '/v1/teams', { body: { name: 'Keepers' } });
  await createEntity(request, target, { identifier: 't', team: ['keepers'] });
  await createEntity(request, name, { identifier: 'i', relations: { of: 't' } });
  for (const path of ['of', 'of.else']) {
    const body = blueprintBody(name, { relations, teamInheritance: { path } });
    const answer = await request('PUT', `/v1/blueprints/${name}`, { body });
    expect([answer.status, answer.body.blueprint.ownership]).toEqual([200, ownership]);
    expect(answer.body.blueprint).not.toHaveProperty('teamInheritance');
    expect(answer.headers['warning']).toContain('teamInheritance has no effect');
  }
  expect((await readEntity(request, name, 'i')).team).toEqual(['keepers']);
  // who leaves both out, or names ownership, means it
  const without = await request('PUT', `/v1/blueprints/${name}`, { body: blueprintBody(name, { relations }) });
  expect(without.body.blueprint).not.toHaveProperty('ownership');
  expect(without.headers['warning']).toBeUndefined();
});

test('before the migration teamInheritance means what it says', async () => {
  const { request } = await app.createOrganization({ model: 'legacy' });
  const name = await createBlueprint(request, 'inheriting');
  const body = blueprintBody(name, { teamInheritance: { path: 'of' } });
  const answer = await request('PUT', `/v1/blueprints/${name}`, { body });
  expect(answer.body.blueprint.teamInheritance).toEqual({ path: 'of' });
  expect(answer.headers['warning']).toBeUndefined();
});
