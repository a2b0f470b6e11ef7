import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/build-test-app.ts';
import { createBlueprint, createEntity, type Entity, issuePaths, readEntity } from '../../../test/catalog-fixtures.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const bulk = (blueprint: string, entities: unknown, query = '') =>
  app.request('POST', `/v1/blueprints/${blueprint}/entities/bulk${query}`, { body: { entities } });
const listIdentifiers = async (blueprint: string) =>
  (await app.request('GET', `/v1/blueprints/${blueprint}/entities`)).body.entities.map(
    (each: Entity) => each.identifier,
  );

/** Items that relate to others of their kind. */
async function chained() {
  const blueprint = await createBlueprint(app.request, 'chain', { properties: { n: { type: 'number' } } });
  await app.request('PATCH', `/v1/blueprints/${blueprint}`, {
    body: {
      relations: { next: { target: blueprint }, many: { target: blueprint, many: true } },
      mirrorProperties: { nextTitle: { path: 'next.$title' } },
    },
  });
  return blueprint;
}

describe('200', () => {
  test('every item is answered under its index', async () => {
    const blueprint = await createBlueprint(app.request, 'good');
    await createEntity(app.request, blueprint, { identifier: 'old' });
    const answer = await bulk(blueprint, [{ identifier: 'a' }, { identifier: 'old', title: 'O' }, {}], '?upsert=true');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      ok: true,
      entities: [
        { identifier: 'a', index: 0, created: true },
        { identifier: 'old', index: 1, created: false },
        { identifier: expect.stringMatching(/^e_/), index: 2, created: true },
      ],
      errors: [],
    });
  });

  test('items may relate to each other, forwards, backwards and in a ring', async () => {
    const blueprint = await chained();
    const answer = await bulk(blueprint, [
      { identifier: 'a', title: 'A', relations: { next: 'b', many: ['c', 'a'] } },
      { identifier: 'b', title: 'B', relations: { next: 'c' } },
      { identifier: 'c', title: 'C', relations: { next: 'a' } },
    ]);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(await readEntity(app.request, blueprint, 'a')).toMatchObject({
      relations: { next: 'b', many: ['c', 'a'] },
      properties: { nextTitle: 'B' },
    });
    expect((await readEntity(app.request, blueprint, 'c')).properties['nextTitle']).toBe('A');
  });

  test('of items with one identifier the last wins, and each is answered', async () => {
    const blueprint = await createBlueprint(app.request, 'twice');
    const items = ['first', 'second', 'third'].map((title) => ({ identifier: 'a', title }));
    const answer = await bulk(blueprint, [...items, { identifier: 'b' }], '?upsert=true&merge=true');
    expect(answer.body.entities.map(({ index }: { index: number }) => index)).toEqual([0, 1, 2, 3]);
    expect((await readEntity(app.request, blueprint, 'a')).title).toBe('third');
    expect(await listIdentifiers(blueprint)).toHaveLength(2);
  });
});

describe('207', () => {
  test('an item that fails is told with its status and code, and the others are written', async () => {
    const blueprint = await chained();
    await createEntity(app.request, blueprint, { identifier: 'taken' });
    const answer = await bulk(blueprint, [
      { identifier: 'a' },
      { identifier: 'taken' },
      { identifier: 'b', properties: { n: 'x', unknown: 1 } },
      { identifier: 'c', relations: { next: 'ghost' } },
      { identifier: 'd e' },
      'text',
      null,
      { identifier: { combinator: 'and', rules: [] } },
      { identifier: 'f', titel: 'ignored' },
    ]);
    expect(answer.status).toBe(207);
    expect(answer.body.ok).toBe(false);
    expect(answer.body.entities.map(({ index }: { index: number }) => index)).toEqual([0, 8]);
    const told = answer.body.errors.map(({ message, ...rest }: { message: string }) => rest);
    expect(told).toEqual([
      { identifier: 'taken', index: 1, statusCode: 409, error: 'identifier_taken' },
      { identifier: 'b', index: 2, statusCode: 422, error: 'invalid_request' },
      { identifier: 'c', index: 3, statusCode: 404, error: 'not_found' },
      { identifier: 'd e', index: 4, statusCode: 422, error: 'invalid_request' },
      { identifier: 'unknown', index: 5, statusCode: 422, error: 'invalid_request' },
      { identifier: 'unknown', index: 6, statusCode: 422, error: 'invalid_request' },
      { identifier: 'unknown', index: 7, statusCode: 422, error: 'invalid_request' },
    ]);
    expect((await listIdentifiers(blueprint)).sort()).toEqual(['a', 'f', 'taken']);
  });

  test('an item that points at one that fails fails too, and so on', async () => {
    const blueprint = await chained();
    const answer = await bulk(blueprint, [
      { identifier: 'a', relations: { next: 'b' } },
      { identifier: 'b', relations: { many: ['good', 'c'] } },
      { identifier: 'c', properties: { n: 'x' } },
      { identifier: 'good' },
    ]);
    expect(answer.status).toBe(207);
    expect(answer.body.errors.map(({ index, error }: { index: number; error: string }) => [index, error])).toEqual([
      [0, 'not_found'],
      [1, 'not_found'],
      [2, 'invalid_request'],
    ]);
    expect(await listIdentifiers(blueprint)).toEqual(['good']);
  });
});

describe('422', () => {
  test.each([[[]], [Array.from({ length: 21 }, (_, index) => ({ identifier: `e${index}` }))], [{}], [undefined]])(
    'a list that is none, empty or longer than 20',
    async (entities) => {
      const blueprint = await createBlueprint(app.request, 'many');
      const answer = await bulk(blueprint, entities);
      expect([answer.status, issuePaths(answer.body)]).toEqual([422, ['/entities']]);
      expect(await listIdentifiers(blueprint)).toEqual([]);
    },
  );

  test('a field beside the list', async () => {
    const blueprint = await createBlueprint(app.request, 'many');
    const body = { entities: [{}], upsert: true };
    const answer = await app.request('POST', `/v1/blueprints/${blueprint}/entities/bulk`, { body });
    expect([answer.status, issuePaths(answer.body)]).toEqual([422, ['/upsert']]);
  });

  test('20 are allowed', async () => {
    const blueprint = await createBlueprint(app.request, 'many');
    const answer = await bulk(
      blueprint,
      Array.from({ length: 20 }, () => ({})),
    );
    expect([answer.status, answer.body.entities.length]).toEqual([200, 20]);
  });
});

test('404 for a blueprint that is not there', async () => {
  const answer = await bulk('none', [{}]);
  expect([answer.status, answer.body.error]).toEqual([404, 'not_found']);
});

test('the number of statements does not grow with the number of items', async () => {
  const target = await createBlueprint(app.request, 'target');
  const blueprint = await createBlueprint(app.request, 'source', {
    relations: { to: { target } },
    ownership: { type: 'Direct' },
  });
  const items = (count: number, stem: string) =>
    Array.from({ length: count }, (_, index) => ({
      identifier: `${stem}${index}`,
      team: [`team${index}`],
      relations: { to: `t${index}` },
    }));
  for (let index = 0; index < 20; index += 1) await createEntity(app.request, target, { identifier: `t${index}` });
  await bulk(blueprint, items(1, 'warm'));
  const one = await app.countStatements((round) => bulk(blueprint, items(1, `a${round}`)));
  const twenty = await app.countStatements((round) => bulk(blueprint, items(20, `b${round}`)));
  expect(twenty).toBe(one);
});
