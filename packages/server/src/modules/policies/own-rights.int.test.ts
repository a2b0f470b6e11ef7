import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/build-test-app.ts';
import { createBlueprint, createEntity, entityPath } from '../../../test/catalog-fixtures.ts';

let app: TestApp;
let token: string;
const pat = 'pat@example.com';
beforeAll(async () => {
  app = await createTestApp();
  await createEntity(app.request, '_team', { identifier: 'crew', title: 'The Crew' });
  await createEntity(app.request, '_user', {
    identifier: pat,
    team: 'crew',
    properties: { status: 'Active', port_role: 'Member' },
  });
  token = await app.organization.personToken(pat);
});
afterAll(() => app.close());

let name: string;
const staged = { combinator: 'and', rules: [{ property: 'stage', operator: '=', value: 'open' }] };
beforeEach(async () => {
  name = await createBlueprint(app.request, 'mine', {
    properties: { stage: { type: 'string' }, note: { type: 'string' } },
    relations: { of: { target: '_team' } },
    ownership: { type: 'Direct' },
  });
  await createEntity(app.request, name, { identifier: 'owned', team: 'crew', properties: { stage: 'shut' } });
  await createEntity(app.request, name, { identifier: 'open', properties: { stage: 'open' } });
});

const allow = (entities: object) => app.request('PATCH', `/v1/blueprints/${name}/permissions`, { body: { entities } });
const ask = (entity = '', as: string | undefined = token) =>
  app.request('GET', `/v1/blueprints/${name}/permissions/own${entity && `?entity=${entity}`}`, as ? { token: as } : {});
const rights = async (entity?: string, as?: string) => {
  const { status, body } = await ask(entity, as);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.rights;
};
const allowed = ({ register, edit, update, unregister }: Record<string, { allowed: string }>) =>
  [register, edit, update, unregister].map((each) => each?.allowed);

describe('the rights of the caller', () => {
  test('are those of the role, and name what is needed', async () => {
    const own = await rights();
    expect(allowed(own)).toEqual(['never', 'never', 'never', 'never']);
    expect(own.unregister.needs).toEqual({
      roles: ['Admin', `${name}-moderator`],
      teams: [],
      people: false,
      ownedByTeam: false,
      policy: false,
    });
    const everything = (await app.request('GET', `/v1/blueprints/${name}/permissions/own`)).body.rights;
    expect(allowed(everything)).toEqual(['always', 'always', 'always', 'always']);
  });

  test('to map entities anew are those of moderators, as the migration decides', async () => {
    const properties = { status: 'Active', port_role: 'Moderator', moderated_blueprints: [name] };
    await createEntity(app.request, '_user', { identifier: `mo-${name}@example.com`.toLowerCase(), properties });
    const moderator = await app.organization.personToken(`mo-${name}@example.com`.toLowerCase());
    const body = { sourceBlueprint: name, mapping: { entity: { properties: { note: '.properties.stage' } } } };
    for (const as of [token, moderator]) {
      const { migrate } = await rights('', as);
      const tried = await app.request('POST', '/v1/migrations?dry_run=true', { body, token: as });
      expect([migrate.allowed, tried.status]).toEqual(as === token ? ['never', 403] : ['always', 200]);
      expect(migrate.needs.roles).toEqual(['Admin', `${name}-moderator`]);
    }
  });

  test('depend on the entity until one is named, and are then what a write does', async () => {
    await allow({ update: { ownedByTeam: true }, unregister: { policy: staged, teams: ['crew-to-be'] } });
    expect(allowed(await rights())).toEqual(['never', 'depends', 'depends', 'depends']);
    for (const entity of ['owned', 'open']) {
      const told = await rights(entity);
      const at = entityPath(name, entity);
      const body = { properties: { note: 'x' } };
      const changed = await app.request('PATCH', at, { body, token });
      expect([changed.status, told.update.allowed, told.updateProperties.note.allowed]).toEqual(
        entity === 'owned' ? [200, 'always', 'always'] : [403, 'never', 'never'],
      );
      const deleted = await app.request('DELETE', at, { token });
      expect([deleted.status, told.unregister.allowed]).toEqual(entity === 'open' ? [200, 'always'] : [403, 'never']);
    }
  });

  test('to change one property are told for it alone, and make something to edit', async () => {
    await allow({ updateProperties: { note: { users: [pat], teams: ['crew'] } } });
    const own = await rights();
    expect([own.edit.allowed, own.update.allowed]).toEqual(['always', 'never']);
    expect([own.updateProperties.note.allowed, own.updateProperties.stage.allowed]).toEqual(['always', 'never']);
    expect(own.updateProperties.note.needs).toMatchObject({ teams: ['The Crew'], people: true });
    expect(JSON.stringify(own)).not.toContain(pat);
    expect((await rights('open')).updateRelations.of.allowed).toBe('never');
  });

  test('of a blueprint or an entity that may not be read are told to nobody', async () => {
    await allow({ read: { roles: ['Admin'], ownedByTeam: true } });
    expect([(await ask('owned')).status, (await ask('open')).status, (await ask('nothing')).status]).toEqual([
      200, 404, 404,
    ]);
    await allow({ read: { roles: ['Admin'], ownedByTeam: false } });
    expect((await ask()).status).toBe(404);
    const other = await app.createOrganization();
    expect((await other.request('GET', `/v1/blueprints/${name}/permissions/own`)).status).toBe(404);
  });

  test('end where the scopes of a token do', async () => {
    const made = await app.request('POST', '/v1/users/me/tokens', {
      token,
      body: { name: 'reader', scopes: ['read:blueprints', 'read:entities'] },
    });
    await allow({ update: { roles: ['Member'] } });
    expect((await rights()).update.allowed).toBe('always');
    const reader = made.body.accessToken;
    expect(allowed(await rights('', reader))).toEqual(['never', 'never', 'never', 'never']);
  });
});
