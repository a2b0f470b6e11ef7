import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/build-test-app.ts';
import { createBlueprint } from '../../../test/catalog-fixtures.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

test('writes of entities, of what they mirror and of scorecards at the same time end in results that agree', async () => {
  const { request } = app;
  const target = await createBlueprint(request, 'target', { properties: { stage: { type: 'number' } } });
  const blueprint = await createBlueprint(request, 'subject', {
    properties: { count: { type: 'number' } },
    relations: { link: { target, required: false, many: false } },
    mirrorProperties: { stage: { path: 'link.stage' } },
  });
  const entities = Array.from({ length: 20 }, (_, index) => ({ identifier: `e${index}`, relations: { link: 't' } }));
  await request('POST', `/v1/blueprints/${target}/entities`, { body: { identifier: 't', properties: { stage: 0 } } });
  await request('POST', `/v1/blueprints/${blueprint}/entities/bulk`, { body: { entities } });
  const cardOf = (bound: number) => ({
    identifier: 's',
    title: 's',
    rules: ['count', 'stage'].map((property, index) => ({
      identifier: property,
      title: property,
      level: ['Bronze', 'Silver'][index],
      query: { combinator: 'and', conditions: [{ property, operator: '>', value: bound }] },
    })),
  });
  const path = `/v1/blueprints/${blueprint}/scorecards`;
  await request('POST', path, { body: cardOf(0) });
  const statuses: number[] = [];
  const run = async (times: number, ask: (turn: number) => ReturnType<TestApp['request']>): Promise<void> => {
    for (let turn = 0; turn < times; turn += 1) statuses.push((await ask(turn)).status);
  };
  await Promise.all([
    run(12, (turn) => request('PUT', `${path}/s`, { body: cardOf(turn % 4) })),
    run(12, (turn) =>
      request('PATCH', `/v1/blueprints/${target}/entities/t`, { body: { properties: { stage: (turn * 7) % 5 } } }),
    ),
    ...['e1', 'e2', 'e3'].map((entity) =>
      run(12, (turn) =>
        request('PATCH', `/v1/blueprints/${blueprint}/entities/${entity}`, {
          body: { properties: { count: (turn * 3) % 5 } },
        }),
      ),
    ),
  ]);
  expect([...new Set(statuses)]).toEqual([200]);
  await app.app.jobs.drain();
  const card = (await request('GET', `${path}/s`)).body.scorecard;
  const bound: number = card.rules[0].query.conditions[0].value;
  const read = (await request('GET', `/v1/blueprints/${blueprint}/entities`)).body.entities;
  expect(read).toHaveLength(20);
  for (const { properties, scorecards } of read) {
    const statusOf = (value: number | null) => (value !== null && value > bound ? 'SUCCESS' : 'FAILURE');
    expect(scorecards.s.rules.map(({ status }: { status: string }) => status)).toEqual([
      statusOf(properties.count),
      statusOf(properties.stage),
    ]);
  }
});
