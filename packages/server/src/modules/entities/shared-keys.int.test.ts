import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/build-test-app.ts';
import { createBlueprint, createEntity, issuePaths, searchIn } from '../../../test/catalog-fixtures.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

describe('a relation whose key is used among the properties too', () => {
  let target: string;
  beforeAll(async () => {
    target = await createBlueprint(app.request, 'environment');
    for (const identifier of ['prod', 'dev'])
      await createEntity(app.request, target, { identifier, title: identifier.toUpperCase() });
  });
  const listed = async (blueprint: string, body: object) =>
    (await app.request('POST', `/v1/blueprints/${blueprint}/entities/search`, { body })).body.entities;

  test('holds its own values beside those of the property, and a bare key means the property', async () => {
    const blueprint = await createBlueprint(app.request, 'service', {
      properties: { environment: { type: 'string' } },
      relations: { environment: { target } },
    });
    await createEntity(app.request, blueprint, {
      identifier: 'a',
      properties: { environment: 'dev' },
      relations: { environment: 'prod' },
    });
    await createEntity(app.request, blueprint, {
      identifier: 'b',
      properties: { environment: 'prod' },
      relations: { environment: 'dev' },
    });
    const rule = (property: string) => ({ property, operator: '=', value: 'dev' });
    expect(await searchIn(app.request, blueprint, rule('environment'))).toEqual(['a']);
    expect(await searchIn(app.request, blueprint, rule('relations.environment'))).toEqual(['b']);
    const [shown] = await listed(blueprint, { include: ['environment'], limit: 1 });
    expect(shown).toEqual({ properties: { environment: 'dev' }, relations: { environment: 'prod' } });
  });

  test('stands beside a mirror of that name, as guides write it', async () => {
    const blueprint = await createBlueprint(app.request, 'service', {
      relations: { environment: { target } },
      mirrorProperties: { environment: { path: 'environment.$title' } },
    });
    const entity = await createEntity(app.request, blueprint, { identifier: 'a', relations: { environment: 'prod' } });
    expect([entity.properties, entity.relations]).toEqual([{ environment: 'PROD' }, { environment: 'prod' }]);
    expect(await searchIn(app.request, blueprint, { property: 'environment', operator: '=', value: 'PROD' })).toEqual([
      'a',
    ]);
  });

  test('is renamed after the property, so that conditions keep their meaning', async () => {
    const blueprint = await createBlueprint(app.request, 'service', {
      properties: { environment: { type: 'string' } },
      relations: { environment: { target } },
    });
    const at = `/v1/blueprints/${blueprint}`;
    const renameRelation = () =>
      app.request('PATCH', `${at}/relations/environment/rename`, { body: { newRelationIdentifier: 'runsIn' } });
    const early = await renameRelation();
    expect([early.status, early.body.error]).toEqual([409, 'identifier_taken']);
    const body = { newPropertyName: 'stage' };
    expect((await app.request('PATCH', `${at}/properties/environment/rename`, { body })).status).toBe(200);
    const { blueprint: renamed } = (await renameRelation()).body;
    expect([Object.keys(renamed.schema.properties), Object.keys(renamed.relations)]).toEqual([['stage'], ['runsIn']]);
  });
});

test('two kinds of property cannot share a key', async () => {
  const answer = await app.request('POST', '/v1/blueprints', {
    body: {
      identifier: 'clash',
      title: 'Clash',
      schema: { properties: { a: { type: 'string' } } },
      calculationProperties: { a: { calculation: '.title', type: 'string' } },
    },
  });
  expect([answer.status, issuePaths(answer.body)]).toEqual([422, ['/calculationProperties/a']]);
});
