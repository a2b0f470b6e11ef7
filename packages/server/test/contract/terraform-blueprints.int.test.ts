import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../build-test-app.ts';
import { emptyMaps, unique } from '../catalog-fixtures.ts';
import { compared, everything, terraformProvider } from './terraform-provider.ts';

// The requests of the Terraform provider on blueprints, in its order (api contract §4.1).

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const { send, done, bare } = terraformProvider(() => app);

describe('port_blueprint', () => {
  test('create, read, plan, update, read, delete: nothing is added, lost or changed', async () => {
    const target = await bare('target', { ownership: { type: 'Direct' } });
    const name = unique('everything');
    const first = everything(name, target);
    expect(compared((await done('POST', '/v1/blueprints', first)).blueprint)).toEqual(first);
    const read = () => done('GET', `/v1/blueprints/${name}?exclude_calculated_properties=true`);
    expect(compared((await read()).blueprint)).toEqual(first);

    const { labelled: _gone, ...kept } = first.schema.properties;
    const second = {
      ...first,
      title: 'Everything else',
      schema: { properties: { ...kept, added: { type: 'string' } }, required: [] },
      mirrorProperties: {},
      calculationProperties: {},
    };
    app.clock.advance(1000);
    const before = (await read()).blueprint;
    const updated = (await done('PUT', `/v1/blueprints/${name}`, second)).blueprint;
    expect(compared(updated)).toEqual(second);
    expect(updated.createdAt).toBe(before.createdAt);
    expect(updated.updatedAt > before.updatedAt).toBe(true);
    expect(compared((await read()).blueprint)).toEqual(second);
    expect(await done('DELETE', `/v1/blueprints/${name}`)).toEqual({ ok: true });
    const gone = await send('GET', `/v1/blueprints/${name}`);
    expect([gone.status, gone.body]).toMatchObject([404, { ok: false, error: 'not_found' }]);
    expect((await send('DELETE', `/v1/blueprints/${name}`)).status).toBe(404);
  });

  test('what was never sent does not appear', async () => {
    const name = await bare('least');
    const expected = { ...emptyMaps, identifier: name, title: 'T', schema: { properties: {} } };
    expect(compared((await done('GET', `/v1/blueprints/${name}`)).blueprint)).toEqual(expected);
  });

  test('a section that the provider does not have may be null, on create and on update', async () => {
    const name = unique('nulls');
    const nulls = Object.fromEntries(Object.keys(emptyMaps).map((key) => [key, null]));
    const body = { identifier: name, title: 'T', schema: { properties: null, required: null }, ...nulls };
    const expected = { ...emptyMaps, identifier: name, title: 'T', schema: { properties: {} } };
    expect(compared((await done('POST', '/v1/blueprints', body)).blueprint)).toEqual(expected);
    expect(compared((await done('PUT', `/v1/blueprints/${name}`, body)).blueprint)).toEqual(expected);
  });

  test('another type comes by way of a blueprint without the property; values are lost, nothing else is', async () => {
    const name = await bare('retyped', {
      schema: { properties: { size: { type: 'string' }, kept: { type: 'string' } } },
    });
    await done('POST', `/v1/blueprints/${name}/entities?upsert=true&run_id=`, {
      identifier: 'e',
      properties: { size: 'L', kept: 'k' },
    });
    const body = (properties: object) => ({ ...emptyMaps, identifier: name, title: 'T', schema: { properties } });
    const number = body({ size: { type: 'number' }, kept: { type: 'string' } });
    expect((await send('PUT', `/v1/blueprints/${name}`, number)).status).toBe(422);
    await done('PUT', `/v1/blueprints/${name}`, body({ kept: { type: 'string' } }));
    await done('PUT', `/v1/blueprints/${name}`, number);
    const { entity } = await done('GET', `/v1/blueprints/${name}/entities/e?exclude_calculated_properties=true`);
    expect(entity.properties).toEqual({ size: null, kept: 'k' });
  });

  test('a new identifier is put to the old one, with relations and counts of itself', async () => {
    const name = await bare('old');
    const body = (identifier: string) => ({
      ...emptyMaps,
      identifier,
      title: 'T',
      schema: { properties: {} },
      relations: { up: { target: identifier, required: false, many: false } },
      aggregationProperties: {
        below: {
          title: 'Below',
          target: identifier,
          calculationSpec: { calculationBy: 'entities', func: 'count' },
          pathFilter: [{ path: ['up'], fromBlueprint: identifier }],
        },
      },
    });
    await done('PUT', `/v1/blueprints/${name}`, body(name));
    await done('POST', `/v1/blueprints/${name}/entities?upsert=true`, { identifier: 'top' });
    await done('POST', `/v1/blueprints/${name}/entities?upsert=true`, { identifier: 'sub', relations: { up: 'top' } });
    const renamed = unique('new');
    expect(compared((await done('PUT', `/v1/blueprints/${name}`, body(renamed))).blueprint)).toEqual(body(renamed));
    expect((await send('GET', `/v1/blueprints/${name}`)).status).toBe(404);
    const path = `/v1/blueprints/${renamed}/entities`;
    expect((await done('GET', `${path}/top`)).entity).toMatchObject({ blueprint: renamed, properties: { below: 1 } });
    await done('POST', `${path}?upsert=true`, { identifier: 'third', relations: { up: 'top' } });
    expect((await done('GET', `${path}/top`)).entity.properties).toEqual({ below: 2 });
  });
});

describe('port_aggregation_properties', () => {
  test('are put with the blueprint as it was read, null where it had no map, and taken away again', async () => {
    const name = await bare('counted');
    const read = async () => (await done('GET', `/v1/blueprints/${name}`)).blueprint;
    const { relations, mirrorProperties, calculationProperties, ...rest } = await read();
    expect([relations, mirrorProperties, calculationProperties]).toEqual([{}, {}, {}]);
    const calculationSpec = {
      calculationBy: 'property',
      func: 'average',
      averageOf: 'total',
      measureTimeBy: '$createdAt',
      property: 'size',
    };
    const aggregationProperties = { mean: { title: 'Mean', target: name, calculationSpec } };
    const nulls = { relations: null, mirrorProperties: null, calculationProperties: null };
    await done('PUT', `/v1/blueprints/${name}`, { ...rest, ...nulls, aggregationProperties });
    expect((await read()).aggregationProperties).toEqual(aggregationProperties);
    const { aggregationProperties: _all, ...without } = await read();
    await done('PUT', `/v1/blueprints/${name}`, without);
    expect((await read()).aggregationProperties).toEqual({});
  });

  test('values of a calculation that are no text are refused: the provider could not read them', async () => {
    const name = await bare('texts');
    const calculationSpec = { calculationBy: 'entities', func: 'average', averageOf: 'day', measureTimeBy: 5 };
    const answer = await send('PATCH', `/v1/blueprints/${name}`, {
      aggregationProperties: { n: { title: 'N', target: name, calculationSpec } },
    });
    expect([answer.status, answer.body.details[0].path]).toEqual([
      422,
      '/aggregationProperties/n/calculationSpec/measureTimeBy',
    ]);
  });
});

describe('port_system_blueprint', () => {
  test('what people add is told from the structure, put with it, and taken away again', async () => {
    const structure = (await done('GET', '/v1/blueprints/system/_user/structure')).blueprint;
    const read = async () => (await done('GET', '/v1/blueprints/_user')).blueprint;
    const before = await read();
    const extended = {
      ...before,
      schema: { ...before.schema, properties: { ...before.schema.properties, age: { type: 'number', title: 'Age' } } },
      relations: { ...before.relations, manager: { target: '_user', required: false, many: false } },
      mirrorProperties: { ...before.mirrorProperties, boss: { path: 'manager.$title' } },
      calculationProperties: { ...before.calculationProperties, mail: { calculation: '.identifier', type: 'string' } },
    };
    await done('PUT', '/v1/blueprints/_user', extended);
    const added = await read();
    const isAdded = (key: string) => !Object.hasOwn(structure.schema.properties, key);
    expect(Object.keys(added.schema.properties).filter(isAdded)).toEqual(['age']);
    expect(compared(added)).toEqual(compared(extended));
    expect((await done('GET', '/v1/blueprints/system/_user/structure')).blueprint).toEqual(structure);
    await done('PUT', '/v1/blueprints/_user', before);
    expect(compared(await read())).toEqual(compared(before));
    expect((await send('GET', '/v1/blueprints/system/nothing/structure')).status).toBe(404);
  });
});
