import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type Request, type TestApp } from '../../../../test/build-test-app.ts';
import { createBlueprint, createEntity, entityPath, issuePaths, unique } from '../../../../test/catalog-fixtures.ts';

let app: TestApp;
let asMember: Request;
beforeAll(async () => {
  app = await createTestApp();
  await createEntity(app.request, '_team', { identifier: 'crew', title: 'Crew' });
  const user = { team: 'crew', properties: { status: 'Active', port_role: 'Member' } };
  await createEntity(app.request, '_user', { identifier: 'pat@example.com', ...user });
  const token = await app.organization.personToken('pat@example.com');
  asMember = (method, path, options) => app.request(method, path, { token, ...options });
});
afterAll(() => app.close());

/** The moment after what was written so far; the next write is later. */
function tick(): string {
  app.clock.advance(1000);
  const at = app.clock.now().toISOString();
  app.clock.advance(1000);
  return at;
}

async function patch(blueprint: string, identifier: string, body: object): Promise<void> {
  const answer = await app.request('PATCH', entityPath(blueprint, identifier), { body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
}

const past = (blueprint: string, identifier: string, at: string, request = app.request) =>
  request('GET', `${entityPath(blueprint, identifier)}?as_of=${at}`);

async function setUp() {
  const library = await createBlueprint(app.request, 'library');
  const service = await createBlueprint(app.request, 'service', {
    properties: { tier: { type: 'number' }, note: { type: 'string' } },
    relations: { uses: { target: library, many: true }, main: { target: library } },
    calculationProperties: { twice: { title: 'Twice', type: 'number', calculation: '.properties.tier * 2' } },
    ownership: { type: 'Direct' },
  });
  return { library, service, name: unique('thing') };
}

describe('an entity as of a moment', () => {
  test('has the properties, relations, team, title and icon of then, and says what is not known', async () => {
    const { library, service, name } = await setUp();
    await createEntity(app.request, library, { identifier: 'left' });
    await createEntity(app.request, library, { identifier: 'right' });
    const first = {
      title: 'First',
      icon: 'Star',
      team: ['crew'],
      properties: { tier: 1, note: 'a' },
      relations: { uses: ['left', 'right'], main: 'left' },
    };
    await createEntity(app.request, service, { identifier: name, ...first });
    const then = tick();
    await patch(service, name, { title: 'Second', icon: null, team: [], properties: { tier: 2, note: null } });
    await patch(service, name, { relations: { uses: ['right'], main: null } });
    const changed = tick();
    const answer = await past(service, name, then);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(answer.body.entity).toMatchObject({ identifier: name, blueprint: service, ...first });
    expect(answer.body.entity.properties).toEqual(first.properties);
    expect(answer.body.entity).not.toHaveProperty('scorecards');
    expect(answer.body.asOf).toMatchObject({ at: then, deletedAt: null });
    expect(answer.body.asOf.unknown.map(({ path }: { path: string }) => path)).toEqual([
      'properties.twice',
      'scorecards',
    ]);
    expect(answer.headers).not.toHaveProperty('etag');
    const now = await past(service, name, changed);
    expect(now.body.entity).toMatchObject({
      title: 'Second',
      icon: null,
      team: [],
      properties: { tier: 2, note: null },
    });
    expect(now.body.entity.relations).toEqual({ uses: ['right'], main: null });
    expect(now.body.asOf).toMatchObject({ nextChangeAt: null });
  });

  test('tells when it was created or deleted if it was not there', async () => {
    const { service, name } = await setUp();
    const before = tick();
    const { createdAt } = await createEntity(app.request, service, { identifier: name, properties: { tier: 1 } });
    const alive = tick();
    const early = await past(service, name, before);
    expect([early.status, early.body.message]).toEqual([
      404,
      expect.stringContaining(`it was created at ${createdAt}`),
    ]);
    await app.request('DELETE', entityPath(service, name));
    const gone = tick();
    const late = await past(service, name, gone);
    expect([late.status, late.body.message]).toEqual([404, expect.stringContaining('it was deleted at')]);
    const found = await past(service, name, alive);
    expect(found.body).toMatchObject({ entity: { properties: { tier: 1 } }, asOf: { deletedAt: expect.any(String) } });
    // who is no administrator learns nothing of what is gone
    const unknown = await past(service, unique('never'), alive, asMember);
    const hidden = await past(service, name, alive, asMember);
    expect(hidden.status).toBe(404);
    expect(hidden.body.message.replace(name, '')).toBe(unknown.body.message.replace(/never\d+/, ''));
    // and a new one of the name is another
    await createEntity(app.request, service, { identifier: name, properties: { tier: 9 } });
    tick();
    expect((await past(service, name, alive)).body.entity.properties.tier).toBe(1);
    const again = await past(service, name, gone);
    expect(again.body.message).toMatch(/it was deleted at .* and it was created again at/);
    const member = await past(service, name, alive, asMember);
    expect([member.status, member.body.message]).toEqual([404, expect.not.stringContaining('deleted')]);
  });

  test('is found under its name of today, and has the one of then', async () => {
    const { library, service, name } = await setUp();
    await createEntity(app.request, library, { identifier: 'one' });
    await createEntity(app.request, service, { identifier: name, relations: { main: 'one', uses: ['one'] } });
    const then = tick();
    await patch(library, 'one', { identifier: 'two' });
    await patch(service, name, { identifier: `${name}-b` });
    tick();
    await patch(service, `${name}-b`, { identifier: `${name}-c` });
    const answer = await past(service, `${name}-c`, then);
    expect(answer.body.entity).toMatchObject({ identifier: name, relations: { main: 'one', uses: ['one'] } });
    // for administrators also under the one of then
    expect((await past(service, name, then)).body.entity).toMatchObject({ identifier: name });
    await app.request('DELETE', entityPath(library, 'two'));
    expect((await past(service, `${name}-c`, then)).body.entity.relations).toEqual({ main: 'one', uses: ['one'] });
  });

  test('has the properties that the blueprint had', async () => {
    const { service, name } = await setUp();
    await createEntity(app.request, service, { identifier: name, properties: { tier: 3, note: 'kept' } });
    const then = tick();
    const renamed = await app.request('PATCH', `/v1/blueprints/${service}/properties/tier/rename`, {
      body: { newPropertyName: 'rank' },
    });
    expect(renamed.status, JSON.stringify(renamed.body)).toBe(200);
    const middle = tick();
    const { schema, ...rest } = (await app.request('GET', `/v1/blueprints/${service}`)).body.blueprint;
    const { note: _note, ...properties } = schema.properties;
    const body = {
      identifier: rest.identifier,
      title: rest.title,
      relations: rest.relations,
      ownership: rest.ownership,
      schema: { ...schema, properties },
      calculationProperties: {},
    };
    const dropped = await app.request('PUT', `/v1/blueprints/${service}`, { body });
    expect(dropped.status, JSON.stringify(dropped.body)).toBe(200);
    const late = tick();
    expect((await past(service, name, then)).body.entity.properties).toEqual({ tier: 3, note: 'kept' });
    expect((await past(service, name, middle)).body.entity.properties).toEqual({ rank: 3, note: 'kept' });
    expect((await past(service, name, late)).body.entity.properties).toEqual({ rank: 3 });
  });

  test('is what was committed last, though that began earlier', async () => {
    const { service, name } = await setUp();
    await createEntity(app.request, service, { identifier: name, properties: { tier: 1 } });
    const before = tick();
    await patch(service, name, { properties: { tier: 2 } });
    const between = tick();
    await patch(service, name, { properties: { tier: 3 } });
    const after = tick();
    await patch(service, name, { properties: { tier: 4 } });
    // the second change waited for the first, before which it had begun
    await app.database.transaction((tx) =>
      tx.execute(sql`update journal set at = ${new Date(new Date(before).getTime() + 1)}
        where org_id = ${app.organization.id} and context ->> 'entity' = ${name} and at between ${between} and ${after}`),
    );
    for (const [at, tier] of [
      [before, 1],
      [after, 3],
    ] as const) {
      const { body } = await past(service, name, at);
      expect(body.entity.properties).toEqual({ tier, note: null });
    }
  });

  test('is refused for moments that are not kept, to come, or no moments', async () => {
    const { service, name } = await setUp();
    await createEntity(app.request, service, { identifier: name });
    const day = 24 * 60 * 60 * 1000;
    const now = app.clock.now().getTime();
    const old = await past(service, name, new Date(now - 366 * day).toISOString());
    expect([old.status, old.body.error]).toEqual([422, 'history_not_kept']);
    const coming = await past(service, name, new Date(now + day).toISOString());
    expect([coming.status, issuePaths(coming.body)]).toEqual([422, ['{query}/as_of']]);
    const word = await past(service, name, 'yesterday');
    expect([word.status, issuePaths(word.body)]).toEqual([422, ['{query}/as_of']]);
    const attached = await app.request(
      'GET',
      `${entityPath(service, name)}?as_of=${tick()}&attach_title_to_relation=true`,
    );
    expect([attached.status, issuePaths(attached.body)]).toEqual([422, ['{query}/attach_title_to_relation']]);
  });
});

describe('an entity whose earlier records are gone', () => {
  const forget = (blueprint: string, before: string) =>
    app.database.transaction((tx) =>
      tx.execute(sql`delete from journal where org_id = ${app.organization.id} and at <= ${before}
        and context ->> 'blueprint' = ${blueprint} and resource_type = 'entity'`),
    );

  test('is what the next record found, and parts that changed without one are unknown', async () => {
    const { library, service, name } = await setUp();
    for (const identifier of ['one', 'two']) await createEntity(app.request, library, { identifier });
    const relations = { main: 'one', uses: ['one', 'two'] };
    await createEntity(app.request, service, { identifier: name, properties: { tier: 1 }, relations });
    const quiet = unique('quiet');
    await createEntity(app.request, service, { identifier: quiet, properties: { tier: 7 }, relations });
    const then = tick();
    await patch(library, 'one', { identifier: 'first' });
    await patch(service, name, { properties: { tier: 2 } });
    await forget(service, then);
    for (const [identifier, tier] of [
      [name, 1],
      [quiet, 7],
    ] as const) {
      const { body } = await past(service, identifier, then);
      expect(body.entity).toMatchObject({ properties: { tier }, relations: { main: 'one', uses: ['one', 'two'] } });
      expect(body.asOf.changedAt).toBeNull();
    }
    await app.request('DELETE', entityPath(library, 'two'));
    const { body } = await past(service, quiet, then);
    expect(body.entity.relations).toEqual({ main: 'one' });
    expect(body.asOf.unknown.map(({ path }: { path: string }) => path)).toContain('relations.uses');
  });

  test('is unknown where it was written since and the journal does not say so', async () => {
    const { service, name } = await setUp();
    await createEntity(app.request, service, { identifier: name, properties: { tier: 1 } });
    const then = tick();
    await patch(service, name, { properties: { tier: 2 } });
    const after = tick();
    await forget(service, after);
    const { body } = await past(service, name, then);
    expect(body.entity).not.toHaveProperty('properties');
    expect(body.asOf.unknown.map(({ path }: { path: string }) => path)).toContain('properties');
    const query = { combinator: 'and', rules: [{ property: 'tier', operator: '=', value: 2 }] };
    const page = await app.request('POST', `/v1/blueprints/${service}/entities/search`, {
      body: { as_of: then, query },
    });
    expect(page.body).toMatchObject({ entities: [], asOf: { undecided: [name] } });
    expect((await past(service, name, after)).body.entity.properties).toMatchObject({ tier: 2 });
  });

  test('has no team where one of it was deleted since', async () => {
    const { service, name } = await setUp();
    await createEntity(app.request, '_team', { identifier: 'brief', title: 'Brief' });
    await createEntity(app.request, service, { identifier: name, team: ['brief'] });
    const then = tick();
    await app.request('DELETE', entityPath('_team', 'brief'));
    const known = await past(service, name, then);
    expect(known.body.entity).not.toHaveProperty('team');
    await forget(service, then);
    const { body } = await past(service, name, then);
    expect(body.entity).not.toHaveProperty('team');
    expect(body.asOf.unknown.map(({ path }: { path: string }) => path)).toContain('team');
  });
});
