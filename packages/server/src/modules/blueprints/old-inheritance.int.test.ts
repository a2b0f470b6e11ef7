import { readFileSync } from 'node:fs';
import sql, { raw } from 'sql-template-tag';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/build-test-app.ts';
import { blueprintBody, createBlueprint, createEntity, readEntity } from '../../../test/catalog-fixtures.ts';
import { json } from '../../platform/db/json.ts';

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
    // echoed to whoever sent it, and kept nowhere
    expect(answer.body.blueprint.teamInheritance).toEqual({ path });
    const read = (await request('GET', `/v1/blueprints/${name}`)).body.blueprint;
    expect(read).not.toHaveProperty('teamInheritance');
    expect(answer.headers['warning']).toContain('teamInheritance has no effect');
  }
  expect((await readEntity(request, name, 'i')).team).toEqual(['keepers']);
  // who leaves both out may mean it, and is told; who names it, means it
  const without = await request('PUT', `/v1/blueprints/${name}`, { body: blueprintBody(name, { relations }) });
  expect(without.body.blueprint).not.toHaveProperty('ownership');
  expect(without.headers['warning']).toContain('has no ownership any more');
  expect((await readEntity(request, name, 'i')).team).toEqual([]);
  const again = await request('PUT', `/v1/blueprints/${name}`, { body: blueprintBody(name, { relations, ownership }) });
  expect(again.headers['warning']).toBeUndefined();
  expect((await readEntity(request, name, 'i')).team).toEqual(['keepers']);
  const removed = await request('PATCH', `/v1/blueprints/${name}`, { body: { ownership: null } });
  expect(removed.body.blueprint).not.toHaveProperty('ownership');
  expect(removed.headers['warning']).toBeUndefined();
});

test('a file of before the migration that is applied to a blueprint with teams of its own loses none of them', async () => {
  const { request } = app;
  const name = await createBlueprint(request, 'owning', { ownership: { type: 'Direct' } });
  await request('POST', '/v1/teams', { body: { name: 'Holders' } });
  await createEntity(request, name, { identifier: 'o', team: ['holders'] });
  const put = (parts: Record<string, unknown>) =>
    request('PUT', `/v1/blueprints/${name}`, { body: blueprintBody(name, parts) });
  const dropped = await put({});
  expect(dropped.headers['warning']).toContain('Write ownership to give it back');
  expect((await readEntity(request, name, 'o')).team).toEqual(['holders']);
  await put({ ownership: { type: 'Direct' } });
  expect((await readEntity(request, name, 'o')).team).toEqual(['holders']);
});

test('POST and PATCH with teamInheritance have no effect on teams either, and tell so', async () => {
  const { request } = app;
  const target = await createBlueprint(request, 'above', { ownership: { type: 'Direct' } });
  await request('POST', '/v1/teams', { body: { name: 'Uppers' } });
  await createEntity(request, target, { identifier: 't', team: ['uppers'] });
  const relations = { of: { target, required: false, many: false } };
  const name = `${target}-late`;
  const created = await request('POST', '/v1/blueprints', {
    body: blueprintBody(name, { relations, teamInheritance: { path: 'of' } }),
  });
  expect([created.status, created.headers['warning']]).toEqual([201, expect.stringContaining('has no effect')]);
  await createEntity(request, name, { identifier: 'i', relations: { of: 't' } });
  const patch = (body: object) => request('PATCH', `/v1/blueprints/${name}`, { body });
  const patched = await patch({ teamInheritance: { path: 'of' } });
  expect([patched.status, patched.headers['warning']]).toEqual([200, expect.stringContaining('has no effect')]);
  for (const { body } of [created, patched]) {
    expect(body.blueprint.teamInheritance).toEqual({ path: 'of' });
    expect(body.blueprint).not.toHaveProperty('ownership');
  }
  expect((await readEntity(request, name, 'i')).team).toEqual([]);
  const ownership = { type: 'Inherited', path: 'of' };
  expect((await patch({ ownership })).headers['warning']).toBeUndefined();
  const kept = await patch({ teamInheritance: { path: 'nowhere' } });
  expect(kept.body.blueprint.ownership).toEqual(ownership);
  expect(kept.headers['warning']).toContain('stays as it was');
  expect((await readEntity(request, name, 'i')).team).toEqual(['uppers']);
});

test('what was written before POST ignored it goes on inheriting, as ownership', async () => {
  const legacy = await app.createOrganization({ model: 'legacy' });
  const definition = { title: 'Old', schema: { properties: {} }, teamInheritance: { path: 'a.b' } };
  const owning = { ...definition, ownership: { type: 'Direct' } };
  const names: string[] = [];
  for (const [organization, content] of [
    [app.organization, definition],
    [app.organization, owning],
    [legacy, definition],
  ] as const) {
    const name = await createBlueprint(organization.request, 'leftover');
    names.push(name);
    await app.database.transaction((tx) =>
      tx.execute(sql`
        update blueprints set definition = ${json(content)} where org_id = ${organization.id} and identifier = ${name}`),
    );
  }
  const file = new URL('../../../migrations/0040-no-inheritance-of-before.sql', import.meta.url);
  await app.database.transaction((tx) => tx.execute(raw(readFileSync(file, 'utf8'))));
  const read = async (organization: Pick<TestApp, 'request'>, at: number) =>
    (await organization.request('GET', `/v1/blueprints/${names[at]}`)).body.blueprint;
  expect(await read(app.organization, 0)).toMatchObject({ ownership: { type: 'Inherited', path: 'a.b' } });
  expect(await read(app.organization, 0)).not.toHaveProperty('teamInheritance');
  expect(await read(app.organization, 1)).toMatchObject({ ownership: { type: 'Direct' } });
  expect(await read(app.organization, 1)).not.toHaveProperty('teamInheritance');
  expect(await read(legacy, 2)).toMatchObject({ teamInheritance: { path: 'a.b' } });
});

test('before the migration teamInheritance means what it says', async () => {
  const { request } = await app.createOrganization({ model: 'legacy' });
  const name = await createBlueprint(request, 'inheriting');
  const body = blueprintBody(name, { teamInheritance: { path: 'of' } });
  const answer = await request('PUT', `/v1/blueprints/${name}`, { body });
  expect(answer.body.blueprint.teamInheritance).toEqual({ path: 'of' });
  expect(answer.headers['warning']).toBeUndefined();
});
