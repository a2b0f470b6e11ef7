import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../../../test/build-test-app.ts';
import { createEntity, entityPath, readEntity, unique } from '../../../test/catalog-fixtures.ts';
import { closed, createHiddenWorld, type HiddenWorld, marker } from '../../../test/hidden-world.ts';

let world: HiddenWorld;
beforeAll(async () => {
  world = await createHiddenWorld();
  await world.allow('open', { register: { roles: ['Member'] }, update: { roles: ['Member'] } });
});
afterAll(() => world.app.close());

/** The answer with the name taken out of it. */
const told = ({ status, body }: Answer, name: string) => `${status} ${JSON.stringify(body).replaceAll(name, '*')}`;
const creating = '?upsert=true&create_missing_related_entities=true';

/** Bodies that point at an entity by its identifier, alone or beside one that is not there. */
const pointing: Record<string, (target: string) => Record<string, unknown>> = {
  'a relation': (target) => ({ own: target }),
  'one of several': (target) => ({ many: ['mine', target] }),
  'after one that is missing': (target) => ({ many: ['gone', target] }),
  'before one that is missing': (target) => ({ many: [target, 'gone'] }),
  'a relation after one that is missing': (target) => ({ own: 'gone', many: [target] }),
};

describe('pointing at what is hidden answers as pointing at what is not there', () => {
  describe.each(Object.entries(pointing))('%s', (_name, relations) => {
    test.each(['?upsert=true', creating])('in a write with %s', async (flags) => {
      const identifier = unique('p');
      const asked = async (target: string) => {
        const body = { identifier, relations: relations(target) };
        return told(await world.asPat('POST', `/v1/blueprints/open/entities${flags}`, { body }), target);
      };
      const before = [await world.app.count('entities'), await world.app.count('journal')];
      expect(await asked(`${marker}-vault`)).toBe(await asked('nobody'));
      expect([await world.app.count('entities'), await world.app.count('journal')]).toEqual(before);
      const change = async (target: string) => {
        const path = `${entityPath('open', 'y')}${flags.replace('upsert=true&', '')}`;
        return told(await world.asPat('PATCH', path, { body: { relations: relations(target) } }), target);
      };
      expect(await change(`${marker}-vault`)).toBe(await change('nobody'));
      expect([await world.app.count('entities'), await world.app.count('journal')]).toEqual(before);
    });

    test('in an item of a bulk request', async () => {
      const identifier = unique('p');
      const asked = async (target: string) => {
        const body = { entities: [{ identifier, relations: relations(target) }] };
        return told(await world.asPat('POST', `/v1/blueprints/open/entities/bulk${creating}`, { body }), target);
      };
      expect(await asked(`${marker}-vault`)).toBe(await asked('nobody'));
      expect((await world.app.request('GET', entityPath('open', identifier))).status).toBe(404);
    });
  });

  test('of a sealed blueprint', async () => {
    for (const flags of ['', creating]) {
      const asked = async (target: string) => {
        const body = { identifier: unique('p'), relations: { one: target } };
        return told(await world.asPat('POST', `/v1/blueprints/open/entities${flags}`, { body }), target);
      };
      expect(await asked(`${marker}-alone`)).toBe(await asked('nobody'));
    }
  });

  test('by a query', async () => {
    const by = (property: string, value: string) => ({
      combinator: 'and',
      rules: [{ property, operator: '=', value }],
    });
    for (const [relation, property, value] of [
      ['own', '$title', `${marker} alone`],
      ['own', 'code', `${marker} vault`],
      ['one', '$title', `${marker} title`],
    ] as const) {
      const body = { identifier: unique('p'), relations: { [relation]: by(property, value) } };
      const answer = await world.asPat('POST', '/v1/blueprints/open/entities', { body });
      expect([answer.status, answer.body.entity.relations[relation]]).toEqual([201, null]);
    }
  });
});

test('what points there already may stay, and is not shown more of', async () => {
  const body = { title: 'Again', relations: { one: 'linked', own: 'theirs', many: ['mine', 'theirs'], leaf: 'l' } };
  const answer = await world.asPat('PUT', entityPath('open', 'x'), { body });
  expect(answer.status).toBe(200);
  expect(JSON.stringify(answer.body)).not.toContain(marker);
  expect((await readEntity(world.app.request, 'open', 'x')).properties['code']).toContain(marker);
});

test('a blank written as + tells nothing of what is hidden', async () => {
  await world.allow(closed.owned, { unregister: { ownedByTeam: true } });
  for (const [identifier, team] of Object.entries({ 'a b': 'others', 'c d': 'crew' })) {
    await createEntity(world.app.request, 'vault', { identifier: 'blank', team });
    // no longer a legal identifier, and kept where it is
    await world.app.database.transaction((tx) =>
      tx.execute(sql`
        update entities set identifier = ${identifier}
        where org_id = ${world.app.organization.id} and identifier = 'blank'`),
    );
  }
  const remove = (name: string) => world.asPat('DELETE', `/v1/blueprints/vault/entities/${name}`);
  expect(told(await remove('a+b'), 'a+b')).toBe(told(await remove('n+n'), 'n+n'));
  expect((await world.app.request('GET', entityPath('vault', 'a b'))).status).toBe(200);
  expect((await remove('c+d')).status).toBe(200);
});

test('dependents that are hidden are counted by nobody and named to nobody', async () => {
  await world.app.request('PATCH', '/v1/blueprints/sealed', {
    body: { relations: { needs: { target: 'open', required: false } } },
  });
  await world.allow('open', { unregister: { roles: ['Member'] } });
  await createEntity(world.app.request, 'open', { identifier: 'wanted' });
  await createEntity(world.app.request, 'sealed', { identifier: `${marker}-1`, relations: { needs: 'wanted' } });
  const answer = await world.asPat('DELETE', `${entityPath('open', 'wanted')}?delete_dependents=true`);
  expect([answer.status, JSON.stringify(answer.body)]).toEqual([200, expect.not.stringContaining(marker)]);
  expect((await readEntity(world.app.request, 'sealed', `${marker}-1`)).relations['needs']).toBeNull();
});

describe('the audit log', () => {
  const audits = async (query: string) => (await world.asPat('GET', `/v1/audit-log?${query}`)).body.audits;

  test('tells nothing of what had an identifier before it was taken by a rename', async () => {
    await createEntity(world.app.request, 'vault', { identifier: 'own', team: 'crew', title: 'Mine' });
    world.app.clock.advance(5);
    await createEntity(world.app.request, 'vault', { identifier: 'name', team: 'others', title: `${marker} name` });
    world.app.clock.advance(5);
    const rename = (from: string, identifier: string) =>
      world.app.request('PATCH', entityPath('vault', from), { body: { identifier } });
    expect((await rename('name', 'else')).status).toBe(200);
    world.app.clock.advance(5);
    expect((await rename('own', 'name')).status).toBe(200);
    const found = await audits('entity=name');
    expect(found).toMatchObject([{ action: 'UPDATE', context: { renamedFrom: 'own' } }]);
    expect(JSON.stringify(found)).not.toContain(marker);
    expect(await audits('identifier=else')).toEqual([]);
  });

  test('nor of a blueprint that was there before under the same identifier', async () => {
    const path = '/v1/blueprints/again';
    const make = (title: string) =>
      world.app.request('POST', '/v1/blueprints', {
        body: { identifier: 'again', title, schema: { properties: {} } },
      });
    await make(`${marker} blueprint`);
    await world.allow('again', { read: { roles: ['Admin'] } });
    world.app.clock.advance(5);
    await world.app.request('DELETE', path);
    world.app.clock.advance(5);
    expect((await make('Open')).status).toBe(201);
    expect(await audits('identifier=again')).toMatchObject([{ action: 'CREATE' }]);
    // the other way: the name of one that is sealed, taken by one that is open
    await world.app.request('POST', '/v1/blueprints', {
      body: { identifier: 'shut', title: `${marker} shut`, schema: { properties: {} } },
    });
    await world.allow('shut', { read: { roles: ['Admin'] } });
    world.app.clock.advance(5);
    const moved = await world.app.request('PATCH', '/v1/blueprints/shut', { body: { identifier: 'moved' } });
    expect(moved.status, JSON.stringify(moved.body)).toBe(200);
    world.app.clock.advance(5);
    expect((await world.app.request('PATCH', path, { body: { identifier: 'shut' } })).status).toBe(200);
    const found = await audits('identifier=shut');
    expect(found.map(({ action }: { action: string }) => action)).toEqual(['UPDATE']);
    expect(JSON.stringify(found)).not.toContain(marker);
  });
});
