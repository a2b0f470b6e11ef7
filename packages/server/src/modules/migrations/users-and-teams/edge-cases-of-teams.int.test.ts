import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { blueprintBody, createEntity, entityPath, searchIn } from '../../../../test/catalog-fixtures.ts';
import { type Answer, codes, createSmallOld, ofTeam, readTeam, to } from '../../../../test/small-old-organization.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const old = (model: 'legacy' | 'beta', teams?: readonly string[]) => createSmallOld(app, model, teams);

test('case 2: titles that read alike get numbers, in the order of their age, and the plan warns', async () => {
  const { plan, run, send } = await old('legacy', ['Data Ops', 'data-ops!', 'Data & Ops']);
  const { teams, warnings } = await plan();
  const expected = ['data_ops', 'data_ops_2', 'data_ops_3'];
  expect(teams.map(({ identifier }: Answer) => identifier)).toEqual(expected);
  expect(codes(warnings)).toEqual(['SIMILAR_TEAM_TITLES', 'SIMILAR_TEAM_TITLES']);
  await run();
  const { entities } = await send('GET', '/v1/blueprints/_team/entities');
  expect(entities.map(({ identifier }: Answer) => identifier)).toEqual(expected);
});

test("case 3: a title that is another team's identifier blocks, and once renamed is read by what its field means", async () => {
  const { request, blueprint, run, plan, send } = await old('beta', ['Payments Core', 'payments_core']);
  await blueprint('svc');
  await createEntity(request, 'svc', { identifier: 'of-second', team: ['payments_core'] });
  await createEntity(request, 'svc', { identifier: 'of-first', team: ['Payments Core'] });
  const found = (name: string) => searchIn(request, 'svc', ofTeam(name));
  const before = [await found('payments_core'), await found('payments_core_2')];
  expect(before).toEqual([['of-first'], ['of-second']]);
  expect(codes((await plan()).blockers)).toEqual(['TITLE_IS_IDENTIFIER']);
  await send('PUT', '/v1/teams/payments_core', { name: 'Payments Kernel' });
  await run();
  expect(await readTeam(request, 'svc', 'of-second')).toEqual(['payments_core_2']);
  expect(await readTeam(request, 'svc', 'of-first')).toEqual(['payments_core']);
  expect([await found('payments_core'), await found('payments_core_2')]).toEqual(before);
});

test('case 4: an unknown title of an entity stays, counts for rule 1, and comes alive for no later team', async () => {
  const { request, blueprint, plan, run, read, send } = await old('legacy');
  await blueprint('svc');
  await createEntity(request, 'svc', { identifier: 'a', team: ['Ghosts'] });
  expect((await plan()).unresolved).toEqual([{ name: 'Ghosts', places: ['entities of svc (1)'] }]);
  await run();
  expect((await read('svc')).ownership).toEqual({ type: 'Direct' });
  await send('POST', '/v1/teams', { name: 'Ghosts' });
  expect(await readTeam(request, 'svc', 'a')).toEqual(['Ghosts']);
  expect(await searchIn(request, 'svc', ofTeam('ghosts'))).toEqual([]);
});

test('case 5: an unknown title in rights grants nothing, before and after, and to no later team', async () => {
  const { request, blueprint, run, send, personToken } = await old('legacy');
  await blueprint('svc');
  await createEntity(request, 'svc', { identifier: 'a' });
  const read = { roles: ['Admin'], users: [], teams: ['Ghosts'], ownedByTeam: false };
  await send('PATCH', '/v1/blueprints/svc/permissions', { entities: { read } });
  await run();
  await send('POST', '/v1/teams', { name: 'Ghosts', users: ['li@acme.dev'] });
  const token = await personToken('li@acme.dev');
  expect((await request('GET', entityPath('svc', 'a'), { token })).status).toBe(404);
  const { permissions } = await send('GET', '/v1/blueprints/svc/permissions');
  expect(permissions.entities.read.teams).toEqual(['Ghosts']);
});

test('case 6: of a mixed list the known ones are translated, whatever the order', async () => {
  const { request, blueprint, run } = await old('legacy');
  await blueprint('svc');
  await createEntity(request, 'svc', { identifier: 'a', team: ['SRE', 'Ghosts', 'Payments Core'] });
  await createEntity(request, 'svc', { identifier: 'b', team: ['Ghosts', 'Payments Core', 'SRE'] });
  await run();
  expect(await readTeam(request, 'svc', 'a')).toEqual(['sre', 'Ghosts', 'payments_core']);
  expect(await searchIn(request, 'svc', ofTeam('payments_core'))).toEqual(['a', 'b']);
});

test('case 7: nothing in a list of teams is no team: null is refused, and an empty text owns nothing', async () => {
  const { request, blueprint, run } = await old('legacy');
  await blueprint('svc');
  const body = { identifier: 'a', team: ['SRE', null] };
  expect((await request('POST', '/v1/blueprints/svc/entities', { body })).status).toBe(422);
  await createEntity(request, 'svc', { identifier: 'a', team: ['SRE', ''] });
  await run();
  expect(await searchIn(request, 'svc', ofTeam(''))).toEqual([]);
  expect(await searchIn(request, 'svc', ofTeam('sre'))).toEqual(['a']);
});

test('case 8: a path over several relations is kept word for word, and leads to the same teams', async () => {
  const { request, blueprint, run, read } = await old('legacy');
  await blueprint('top');
  await blueprint('mid', { relations: { up: to('top') } });
  await blueprint('low', { relations: { up: to('mid') }, teamInheritance: { path: 'up.up' } });
  await createEntity(request, 'top', { identifier: 't', team: ['SRE'] });
  await createEntity(request, 'mid', { identifier: 'm', relations: { up: 't' } });
  await createEntity(request, 'low', { identifier: 'l', relations: { up: 'm' } });
  await run();
  expect((await read('low')).ownership).toEqual({ type: 'Inherited', path: 'up.up' });
  expect(await readTeam(request, 'low', 'l')).toEqual(['sre']);
});

test('case 9: a chain of inheritance is kept, works, and is told', async () => {
  const { request, blueprint, plan, run, read } = await old('legacy');
  await blueprint('top');
  await blueprint('mid', { relations: { up: to('top') }, teamInheritance: { path: 'up' } });
  await blueprint('low', { relations: { up: to('mid') }, teamInheritance: { path: 'up' } });
  await createEntity(request, 'top', { identifier: 't', team: ['SRE'] });
  await createEntity(request, 'mid', { identifier: 'm', relations: { up: 't' } });
  await createEntity(request, 'low', { identifier: 'l', relations: { up: 'm' } });
  expect(codes((await plan()).warnings)).toEqual(['INHERITANCE_TARGET_NOT_DIRECT']);
  await run();
  expect((await read('low')).ownership).toEqual({ type: 'Inherited', path: 'up' });
  await request('PATCH', entityPath('top', 't'), { body: { team: ['payments_core'] } });
  expect(await readTeam(request, 'low', 'l')).toEqual(['payments_core']);
});

test('case 11: a path over a relation to many is kept, joins the teams, and is refused to newcomers alone', async () => {
  const { request, blueprint, plan, run, read } = await old('legacy');
  await blueprint('top');
  await blueprint('low', { relations: { ups: to('top', true) }, teamInheritance: { path: 'ups' } });
  await createEntity(request, 'top', { identifier: 'a', team: ['SRE'] });
  await createEntity(request, 'top', { identifier: 'b', team: ['Payments Core'] });
  await createEntity(request, 'low', { identifier: 'l', relations: { ups: ['a', 'b'] } });
  expect(codes((await plan()).warnings)).toEqual(['MANY_IN_INHERITANCE_PATH']);
  await run();
  expect(new Set(await readTeam(request, 'low', 'l'))).toEqual(new Set(['sre', 'payments_core']));
  const ownership = { type: 'Inherited', path: 'ups' };
  // the existing path stays writable, by PATCH and by PUT
  const patched = await request('PATCH', '/v1/blueprints/low', { body: { icon: 'Star' } });
  expect([patched.status, patched.body.blueprint?.ownership]).toEqual([200, ownership]);
  expect((await request('PUT', '/v1/blueprints/low', { body: await read('low') })).status).toBe(200);
  const body = blueprintBody('new', { relations: { ups: to('top', true) }, ownership });
  expect((await request('POST', '/v1/blueprints', { body })).status).toBe(422);
});
