import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/build-test-app.ts';
import { createBlueprint, createEntity, readEntity, searchIn } from '../../../test/catalog-fixtures.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const read = async (name: string) => (await app.request('GET', `/v1/blueprints/${name}`)).body.blueprint;
const rename = (path: string, body: unknown) => app.request('PATCH', `/v1/blueprints/${path}/rename`, { body });

/** A blueprint in the middle of everything that can refer to its keys. */
async function graph() {
  const owner = await createBlueprint(app.request, 'owner', { ownership: { type: 'Direct' } });
  const source = await createBlueprint(app.request, 'source', {
    properties: { size: { type: 'number' }, kind: { type: 'string' } },
    required: ['size'],
    relations: { up: { target: owner } },
    mirrorProperties: { owner: { path: 'up.$title' } },
    calculationProperties: {
      twice: { type: 'number', calculation: '.properties.size * 2' },
      says: { type: 'string', calculation: '.properties.owner + ":" + .relations.up' },
    },
    ownership: { type: 'Inherited', path: 'up' },
  });
  const reader = await createBlueprint(app.request, 'reader', {
    relations: { to: { target: source } },
    mirrorProperties: {
      size: { path: 'to.size' },
      far: { path: 'to.up.$title' },
      named: { path: 'to.owner' },
    },
    ownership: { type: 'Inherited', path: 'to.up' },
  });
  const counting = { title: 'N', target: source, type: 'number' };
  await app.request('PATCH', `/v1/blueprints/${owner}`, {
    body: {
      aggregationProperties: {
        total: {
          ...counting,
          calculationSpec: { calculationBy: 'property', func: 'sum', property: 'size' },
          query: { combinator: 'and', rules: [{ property: 'size', operator: '>', value: 0 }] },
          pathFilter: [{ path: ['up'], fromBlueprint: source }],
        },
      },
    },
  });
  await createEntity(app.request, '_team', { identifier: `${owner}-crew` });
  await createEntity(app.request, owner, { identifier: 'o', title: 'O', team: `${owner}-crew` });
  await createEntity(app.request, source, {
    identifier: 's',
    properties: { size: 3, kind: 'k' },
    relations: { up: 'o' },
  });
  await createEntity(app.request, reader, { identifier: 'r', relations: { to: 's' } });
  return { owner, source, reader };
}

describe('a property', () => {
  test('keeps its values and everything that refers to it', async () => {
    const { owner, source, reader } = await graph();
    const before = await app.count('journal', app.organization.id);
    const answer = await rename(`${source}/properties/size`, { newPropertyName: 'weight' });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    const { schema, calculationProperties } = answer.body.blueprint;
    expect(Object.keys(schema.properties).sort()).toEqual(['kind', 'weight']);
    expect(schema.required).toEqual(['weight']);
    expect(calculationProperties.twice.calculation).toBe('.properties.weight * 2');
    expect((await read(reader)).mirrorProperties.size.path).toBe('to.weight');
    const { total } = (await read(owner)).aggregationProperties;
    expect([total.calculationSpec.property, total.query.rules[0].property]).toEqual(['weight', 'weight']);
    expect((await readEntity(app.request, source, 's')).properties).toMatchObject({ weight: 3, kind: 'k', twice: 6 });
    expect((await readEntity(app.request, reader, 'r')).properties['size']).toBe(3);
    expect((await readEntity(app.request, owner, 'o')).properties['total']).toBe(3);
    expect(await searchIn(app.request, source, { property: 'weight', operator: '=', value: 3 })).toEqual(['s']);
    // one record of the change, and none for entities: nothing of them changed
    expect(await app.count('journal', app.organization.id)).toBe(before + 1);
  });

  test('goes on being computed from under its new name', async () => {
    const { owner, source, reader } = await graph();
    await rename(`${source}/properties/size`, { newPropertyName: 'weight' });
    await app.request('PATCH', `/v1/blueprints/${source}/entities/s`, { body: { properties: { weight: 5 } } });
    await app.app.jobs.drain();
    expect((await readEntity(app.request, source, 's')).properties['twice']).toBe(10);
    expect((await readEntity(app.request, reader, 'r')).properties['size']).toBe(5);
    expect((await readEntity(app.request, owner, 'o')).properties['total']).toBe(5);
  });
});

describe('a mirror', () => {
  test('is followed by mirrors of it and calculations', async () => {
    const { source, reader } = await graph();
    const answer = await rename(`${source}/mirror/owner`, { newMirrorName: 'warden' });
    expect(answer.status).toBe(200);
    expect(answer.body.blueprint.mirrorProperties).toEqual({ warden: { path: 'up.$title' } });
    expect(answer.body.blueprint.calculationProperties.says.calculation).toContain('.properties.warden');
    expect((await read(reader)).mirrorProperties.named.path).toBe('to.warden');
    const { properties } = await readEntity(app.request, source, 's');
    expect([properties['warden'], properties['says']]).toEqual(['O', 'O:o']);
    expect((await readEntity(app.request, reader, 'r')).properties['named']).toBe('O');
  });
});

describe('a relation', () => {
  test('is followed by values, edges, paths, ownership and counts', async () => {
    const { owner, source, reader } = await graph();
    const answer = await rename(`${source}/relations/up`, { newRelationIdentifier: 'parent' });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    const { blueprint } = answer.body;
    expect(Object.keys(blueprint.relations)).toEqual(['parent']);
    expect([blueprint.mirrorProperties.owner.path, blueprint.ownership.path]).toEqual(['parent.$title', 'parent']);
    expect(blueprint.calculationProperties.says.calculation).toContain('.relations.parent');
    const other = await read(reader);
    expect([other.mirrorProperties.far.path, other.ownership.path]).toEqual(['to.parent.$title', 'to.parent']);
    expect((await read(owner)).aggregationProperties.total.pathFilter[0].path).toEqual(['parent']);
    expect((await readEntity(app.request, source, 's')).relations).toEqual({ parent: 'o' });
    await app.request('PATCH', `/v1/blueprints/${owner}/entities/o`, { body: { title: 'P' } });
    await app.app.jobs.drain();
    expect((await readEntity(app.request, source, 's')).properties['owner']).toBe('P');
    expect((await readEntity(app.request, reader, 'r')).properties['far']).toBe('P');
    expect((await readEntity(app.request, reader, 'r')).team).toEqual([`${owner}-crew`]);
    expect((await app.request('DELETE', `/v1/blueprints/${owner}/entities/o`)).status).toBe(200);
    expect((await readEntity(app.request, source, 's')).relations).toEqual({ parent: null });
  });
});

describe('refusals', () => {
  test.each([
    ['properties/none', { newPropertyName: 'x' }, 404, 'not_found'],
    ['mirror/size', { newMirrorName: 'x' }, 404, 'not_found'],
    ['relations/size', { newRelationIdentifier: 'x' }, 404, 'not_found'],
    ['properties/size', { newPropertyName: 'owner' }, 409, 'identifier_taken'],
    ['properties/size', { newPropertyName: 'a b' }, 422, 'invalid_request'],
    ['properties/size', {}, 422, 'invalid_request'],
    ['relations/up', { newRelationIdentifier: 'x', other: 1 }, 422, 'invalid_request'],
  ])('%s', async (path, body, status, code) => {
    const { source } = await graph();
    const before = await read(source);
    const answer = await rename(`${source}/${path}`, body);
    expect([answer.status, answer.body.error]).toEqual([status, code]);
    expect(await read(source)).toEqual(before);
  });

  test('keys of system blueprints stay, others of them may be renamed', async () => {
    const answer = await rename('_user/properties/status', { newPropertyName: 'state' });
    expect([answer.status, answer.body.error]).toEqual([422, 'managed_field']);
    await app.request('PATCH', '/v1/blueprints/_user', {
      body: { schema: { properties: { room: { type: 'string' } } } },
    });
    expect((await rename('_user/properties/room', { newPropertyName: 'desk' })).status).toBe(200);
  });

  test('is for administrators', async () => {
    const { source } = await graph();
    const token = await app.organization.memberToken();
    const answer = await app.request('PATCH', `/v1/blueprints/${source}/properties/size/rename`, {
      body: { newPropertyName: 'x' },
      token,
    });
    expect(answer.status).toBe(403);
  });
});

describe('while entities are written', () => {
  test('no write is lost, nothing fails inside, and what is computed is right in the end', async () => {
    const { owner, source, reader } = await graph();
    const statuses: number[] = [];
    const write = async (n: number) => {
      const entity = { identifier: `w${n % 5}`, properties: { kind: `k${n}` }, relations: { up: 'o' } };
      const sized = { ...entity, properties: { ...entity.properties, size: n } };
      const answer = await app.request('POST', `/v1/blueprints/${source}/entities?upsert=true`, { body: sized });
      statuses.push(answer.status);
      const to = { identifier: `r${n % 5}`, relations: { to: 's' } };
      await app.request('POST', `/v1/blueprints/${reader}/entities?upsert=true`, { body: to });
      await app.request('PATCH', `/v1/blueprints/${owner}/entities/o`, { body: { title: `O${n}` } });
    };
    const renames = async () => {
      await rename(`${source}/mirror/owner`, { newMirrorName: 'warden' });
      await rename(`${source}/relations/up`, { newRelationIdentifier: 'parent' });
      await rename(`${source}/properties/size`, { newPropertyName: 'weight' });
    };
    await Promise.all([renames(), ...Array.from({ length: 20 }, (_, n) => write(n))]);
    // before the renames they fit, after them they name what is gone
    expect(statuses.filter((status) => ![201, 404, 422].includes(status))).toEqual([]);
    await app.app.jobs.drain();
    const report = await app.operator('POST', `/v1/operator/organizations/${app.organization.id}/doctor/derived`);
    expect([report.status, report.body.differing, report.body.differences]).toEqual([200, 0, []]);
  });
});
