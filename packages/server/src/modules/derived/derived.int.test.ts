import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/build-test-app.ts';
import { createBlueprint, createEntity, entityPath, readEntity, searchIn } from '../../../test/catalog-fixtures.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const count = { calculationBy: 'entities', func: 'count' };
const patch = (blueprint: string, identifier: string, body: unknown) =>
  app.request('PATCH', entityPath(blueprint, identifier), { body });
const readProperties = async (blueprint: string, identifier: string) =>
  (await readEntity(app.request, blueprint, identifier)).properties;

describe('mirrors', () => {
  test('one and two hops, a mirror of a mirror, lists over many, and null for what leads nowhere', async () => {
    const domain = await createBlueprint(app.request, 'domain', { properties: { lead: { type: 'string' } } });
    const system = await createBlueprint(app.request, 'system', {
      relations: { domain: { target: domain } },
      mirrorProperties: { lead: { path: 'domain.lead' } },
    });
    const library = await createBlueprint(app.request, 'library', {
      properties: { tags: { type: 'array' }, version: { type: 'number' } },
    });
    const service = await createBlueprint(app.request, 'service', {
      relations: { system: { target: system }, libraries: { target: library, many: true } },
      mirrorProperties: {
        title: { path: 'system.$title' },
        lead: { path: 'system.domain.lead' },
        same: { path: 'system.lead' },
        versions: { path: 'libraries.version' },
        tags: { path: 'libraries.tags' },
        nowhere: { path: 'system.gone.x' },
        missing: { path: 'system.gone' },
      },
    });
    await createEntity(app.request, domain, { identifier: 'd1', properties: { lead: 'Jo' } });
    await createEntity(app.request, domain, { identifier: 'd2', properties: { lead: 'Al' } });
    await createEntity(app.request, system, { identifier: 's1', title: 'S1', relations: { domain: 'd1' } });
    await createEntity(app.request, system, { identifier: 's2', title: 'S2', relations: { domain: 'd2' } });
    await createEntity(app.request, library, { identifier: 'l1', properties: { version: 1, tags: ['a', 'b'] } });
    await createEntity(app.request, library, { identifier: 'l2', properties: { tags: [] } });
    await createEntity(app.request, library, { identifier: 'l3', properties: { version: 3 } });
    const made = await createEntity(app.request, service, {
      identifier: 'x',
      relations: { system: 's1', libraries: ['l3', 'l2', 'l1'] },
    });
    const expected = {
      title: 'S1',
      lead: 'Jo',
      same: 'Jo',
      versions: [3, 1],
      tags: ['a', 'b'],
      nowhere: null,
      missing: null,
    };
    expect(made.properties).toEqual(expected);
    // the far end changes
    await patch(domain, 'd1', { properties: { lead: 'Jo II' } });
    expect(await readProperties(service, 'x')).toMatchObject({ lead: 'Jo II', same: 'Jo II' });
    // a hop in between is turned
    await patch(system, 's1', { relations: { domain: 'd2' } });
    expect(await readProperties(service, 'x')).toMatchObject({ title: 'S1', lead: 'Al', same: 'Al' });
    // the first hop is turned
    await patch(service, 'x', { relations: { system: 's2', libraries: [] } });
    expect(await readProperties(service, 'x')).toMatchObject({ title: 'S2', lead: 'Al', versions: [], tags: [] });
    // the far end goes
    await app.request('DELETE', entityPath(domain, 'd2'));
    expect(await readProperties(service, 'x')).toMatchObject({ title: 'S2', lead: null, same: null });
    await app.request('DELETE', entityPath(system, 's2'));
    expect(await readProperties(service, 'x')).toMatchObject({ title: null, lead: null });
  });

  test('fire nothing on the entity that mirrors, and are found by search', async () => {
    const target = await createBlueprint(app.request, 'target');
    const source = await createBlueprint(app.request, 'source', {
      relations: { to: { target } },
      mirrorProperties: { name: { path: 'to.$title' } },
    });
    await createEntity(app.request, target, { identifier: 't', title: 'Old' });
    const before = await createEntity(app.request, source, { identifier: 's', relations: { to: 't' } });
    const journal = await app.organization.journal();
    app.clock.advance(1000);
    await patch(target, 't', { title: 'New' });
    expect(await readEntity(app.request, source, 's')).toEqual({ ...before, properties: { name: 'New' } });
    expect(await app.organization.journal()).toEqual([...journal, 'entity.updated t']);
    expect(await searchIn(app.request, source, { property: 'name', operator: '=', value: 'New' })).toEqual(['s']);
  });

  test('that pass themselves read null', async () => {
    const blueprint = await createBlueprint(app.request, 'ring');
    const answer = await app.request('PATCH', `/v1/blueprints/${blueprint}`, {
      body: { relations: { next: { target: blueprint } }, mirrorProperties: { m: { path: 'next.m' } } },
    });
    expect(answer.status).toBe(200);
    await createEntity(app.request, blueprint, { identifier: 'a', relations: { next: 'a' } });
    expect(await readProperties(blueprint, 'a')).toEqual({ m: null });
  });

  test('of each meta-property', async () => {
    const target = await createBlueprint(app.request, 'target');
    const names = [
      '$identifier',
      '$title',
      '$icon',
      '$blueprint',
      '$createdAt',
      '$updatedAt',
      '$createdBy',
      '$updatedBy',
    ];
    const source = await createBlueprint(app.request, 'source', {
      relations: { to: { target } },
      mirrorProperties: Object.fromEntries(names.map((name) => [name.slice(1), { path: `to.${name}` }])),
    });
    const { properties, relations, team, ...meta } = await createEntity(app.request, target, {
      identifier: 't',
      title: 'T',
      icon: 'I',
    });
    await createEntity(app.request, source, { identifier: 's', relations: { to: 't' } });
    const { scorecards: _apart, ...mirrored } = meta as typeof meta & { scorecards?: unknown };
    expect(await readProperties(source, 's')).toEqual(mirrored);
  });
});

describe('counts', () => {
  test('follow creation, turning, renaming and deletion, and start at nothing', async () => {
    const agent = await createBlueprint(app.request, 'agent');
    const invocation = await createBlueprint(app.request, 'invocation', { relations: { agent: { target: agent } } });
    await createEntity(app.request, agent, { identifier: 'early' });
    await app.request('PATCH', `/v1/blueprints/${agent}`, {
      body: { aggregationProperties: { total: { title: 'Total', target: invocation, calculationSpec: count } } },
    });
    const total = async (identifier: string) => (await readProperties(agent, identifier))['total'];
    expect(await total('early')).toBe(0);
    expect((await createEntity(app.request, agent, { identifier: 'other' })).properties).toEqual({ total: 0 });
    for (const identifier of ['i1', 'i2', 'i3']) {
      await createEntity(app.request, invocation, { identifier, relations: { agent: 'early' } });
    }
    expect([await total('early'), await total('other')]).toEqual([3, 0]);
    await patch(invocation, 'i1', { relations: { agent: 'other' } });
    expect([await total('early'), await total('other')]).toEqual([2, 1]);
    await patch(invocation, 'i2', { relations: { agent: null } });
    await patch(agent, 'other', { identifier: 'renamed' });
    expect([await total('early'), await total('renamed')]).toEqual([1, 1]);
    await app.request('DELETE', entityPath(invocation, 'i3'));
    expect(await total('early')).toBe(0);
    const bulk = Array.from({ length: 20 }, (_, index) => ({ identifier: `b${index}`, relations: { agent: 'early' } }));
    await app.request('POST', `/v1/blueprints/${invocation}/entities/bulk`, { body: { entities: bulk } });
    expect(await total('early')).toBe(20);
    expect(await searchIn(app.request, agent, { property: 'total', operator: '>', value: 1 })).toEqual(['early']);
  });

  test('are mirrored', async () => {
    const part = await createBlueprint(app.request, 'part');
    const whole = await createBlueprint(app.request, 'whole');
    const owner = await createBlueprint(app.request, 'owner', { relations: { whole: { target: whole } } });
    await app.request('PATCH', `/v1/blueprints/${part}`, { body: { relations: { whole: { target: whole } } } });
    await app.request('PATCH', `/v1/blueprints/${whole}`, {
      body: { aggregationProperties: { parts: { title: 'Parts', target: part, calculationSpec: count } } },
    });
    await app.request('PATCH', `/v1/blueprints/${owner}`, {
      body: { mirrorProperties: { parts: { path: 'whole.parts' } } },
    });
    await createEntity(app.request, whole, { identifier: 'w' });
    await createEntity(app.request, owner, { identifier: 'o', relations: { whole: 'w' } });
    expect(await readProperties(owner, 'o')).toEqual({ parts: 0 });
    await createEntity(app.request, part, { identifier: 'p', relations: { whole: 'w' } });
    expect(await readProperties(owner, 'o')).toEqual({ parts: 1 });
  });

  test('start at nothing on entities that a relation made', async () => {
    const target = await createBlueprint(app.request, 'target');
    const counted = await createBlueprint(app.request, 'counted', { relations: { to: { target } } });
    const source = await createBlueprint(app.request, 'source', { relations: { to: { target } } });
    await app.request('PATCH', `/v1/blueprints/${target}`, {
      body: { aggregationProperties: { n: { title: 'N', target: counted, calculationSpec: count } } },
    });
    await createEntity(
      app.request,
      source,
      { identifier: 's', relations: { to: 't' } },
      '?create_missing_related_entities=true',
    );
    expect(await readProperties(target, 't')).toEqual({ n: 0 });
  });
});
