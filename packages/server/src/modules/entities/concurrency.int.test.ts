import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/build-test-app.ts';
import { createBlueprint, createEntity, entityPath, readEntity } from '../../../test/catalog-fixtures.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const post = (blueprint: string, body: unknown, query = '') =>
  app.request('POST', `/v1/blueprints/${blueprint}/entities${query}`, { body });
const times = <T>(count: number, run: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => run(index)));
const statuses = (answers: readonly { status: number }[]) => answers.map(({ status }) => status).sort();

test('of creates of one identifier one wins', async () => {
  const blueprint = await createBlueprint(app.request, 'race');
  const answers = await times(8, () => post(blueprint, { identifier: 'only' }));
  expect(statuses(answers)).toEqual([201, 409, 409, 409, 409, 409, 409, 409]);
  expect((await app.organization.journal()).filter((line) => line === 'entity.created only')).toHaveLength(1);
});

test('upserts of one identifier all succeed, and one creates', async () => {
  const blueprint = await createBlueprint(app.request, 'race');
  const answers = await times(8, (index) =>
    post(blueprint, { identifier: 'upserted', title: `${index}` }, '?upsert=true'),
  );
  expect(statuses(answers)).toEqual(Array(8).fill(201));
  const lines = (await app.organization.journal()).filter((line) => line.endsWith(' upserted'));
  expect(lines.filter((line) => line === 'entity.created upserted')).toHaveLength(1);
});

test('merges of different keys lose nothing', async () => {
  const keys = Array.from({ length: 10 }, (_, index) => `p${index}`);
  const blueprint = await createBlueprint(app.request, 'merge', {
    properties: Object.fromEntries(keys.map((key) => [key, { type: 'number' }])),
  });
  await createEntity(app.request, blueprint, { identifier: 'a' });
  await times(10, (index) =>
    index % 2
      ? post(blueprint, { identifier: 'a', properties: { [`p${index}`]: index } }, '?upsert=true&merge=true')
      : app.request('PATCH', entityPath(blueprint, 'a'), { body: { properties: { [`p${index}`]: index } } }),
  );
  const expected = Object.fromEntries(keys.map((key, index) => [key, index]));
  expect((await readEntity(app.request, blueprint, 'a')).properties).toEqual(expected);
});

test('counts are right however many come and go at once', async () => {
  const whole = await createBlueprint(app.request, 'whole');
  const part = await createBlueprint(app.request, 'part', { relations: { whole: { target: whole } } });
  await app.request('PATCH', `/v1/blueprints/${whole}`, {
    body: {
      aggregationProperties: {
        n: { title: 'N', target: part, calculationSpec: { calculationBy: 'entities', func: 'count' } },
      },
    },
  });
  await createEntity(app.request, whole, { identifier: 'w' });
  for (let round = 0; round < 4; round += 1) {
    const answers = await times(6, (index) =>
      post(part, { identifier: `${round}-${index}`, relations: { whole: 'w' } }, '?upsert=true'),
    );
    expect(statuses(answers)).toEqual(Array(6).fill(201));
    const gone = await times(2, (index) => app.request('DELETE', entityPath(part, `${round}-${index}`)));
    expect(statuses(gone)).toEqual([200, 200]);
  }
  expect((await readEntity(app.request, whole, 'w')).properties['n']).toBe(16);
});

describe('entities that relate to each other', () => {
  test('written and deleted at once: every answer is a plain one, and no relation leads nowhere', async () => {
    const blueprint = await createBlueprint(app.request, 'web');
    await app.request('PATCH', `/v1/blueprints/${blueprint}`, {
      body: { relations: { to: { target: blueprint, many: true } }, mirrorProperties: { m: { path: 'to.$title' } } },
    });
    const names = ['a', 'b', 'c', 'd'];
    for (const identifier of names) await createEntity(app.request, blueprint, { identifier });
    const seen = new Set<number>();
    for (let round = 0; round < 4; round += 1) {
      const answers = await times(8, (index) => {
        const identifier = names[(index + round) % 4] as string;
        const to = names.filter((_, other) => (other + index) % 2);
        if (index % 4 === 3) return app.request('DELETE', entityPath(blueprint, identifier));
        if (index % 4 === 2) {
          const entities = [
            { identifier, relations: { to } },
            { identifier: to[0], title: `${round}` },
          ];
          return app.request('POST', `/v1/blueprints/${blueprint}/entities/bulk?upsert=true&merge=true`, {
            body: { entities },
          });
        }
        const query = '?upsert=true&create_missing_related_entities=true';
        return post(blueprint, { identifier, title: `${round}`, relations: { to } }, query);
      });
      for (const { status, body } of answers) {
        expect([200, 201, 207, 404], JSON.stringify(body)).toContain(status);
        seen.add(status);
      }
    }
    expect(seen.has(201)).toBe(true);
    const { body } = await app.request('GET', `/v1/blueprints/${blueprint}/entities`);
    const alive = new Set(body.entities.map(({ identifier }: { identifier: string }) => identifier));
    for (const entity of body.entities) {
      for (const target of entity.relations.to) expect(alive).toContain(target);
    }
  });

  test('an upsert that won against a delete is answered as one', async () => {
    const blueprint = await createBlueprint(app.request, 'fleeting');
    for (let round = 0; round < 10; round += 1) {
      const [made] = await Promise.all([
        post(blueprint, { identifier: 'a' }, '?upsert=true'),
        app.request('DELETE', entityPath(blueprint, 'a')),
      ]);
      expect(made.status).toBe(201);
    }
  });

  test('a blueprint that changes while its entities are written', async () => {
    const blueprint = await createBlueprint(app.request, 'moving', { properties: { a: { type: 'string' } } });
    const answers = await times(12, (index) =>
      index % 3
        ? post(blueprint, { identifier: `e${index}`, properties: { a: 'x' } })
        : app.request('PATCH', `/v1/blueprints/${blueprint}`, {
            body: { title: `T${index}`, schema: { properties: { [`p${index}`]: { type: 'string' } } } },
          }),
    );
    expect(statuses(answers)).toEqual([...Array(4).fill(200), ...Array(8).fill(201)]);
  });
});
