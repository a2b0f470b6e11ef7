import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/build-test-app.ts';
import { createBlueprint, createEntity, entityPath, unique } from '../../../test/catalog-fixtures.ts';
import { type HistoryRange, readEntityHistory } from './index.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const minute = 60_000;
const newBlueprint = () =>
  createBlueprint(app.request, 'told', { properties: { tier: { type: 'number' }, name: { type: 'string' } } });
const history = async (blueprint: string, entity: string, range: HistoryRange) => {
  const states = await readEntityHistory(app.database, app.organization.id, blueprint, entity, range);
  return states.map(({ at, properties }) => [at.getTime() - range.from.getTime(), properties]);
};

describe('the history of an entity', () => {
  test('begins with the state in force and follows renames and the deletion', async () => {
    const blueprint = await newBlueprint();
    const start = app.clock.now().getTime();
    const identifier = unique('thing');
    await createEntity(app.request, blueprint, { identifier, properties: { tier: 1, name: 'a' } });
    for (const tier of [2, 3]) {
      app.clock.advance(minute);
      await app.request('PATCH', entityPath(blueprint, identifier), { body: { properties: { tier } } });
    }
    app.clock.advance(minute);
    await app.request('PATCH', entityPath(blueprint, identifier), { body: { identifier: `${identifier}-b` } });
    app.clock.advance(minute);
    await app.request('DELETE', entityPath(blueprint, `${identifier}-b`));
    const range = { from: new Date(start + 1.5 * minute), to: new Date(start + 10 * minute), keys: ['tier', 'none'] };
    expect(await history(blueprint, `${identifier}-b`, range)).toEqual([
      [-0.5 * minute, { tier: 2 }],
      [0.5 * minute, { tier: 3 }],
      [1.5 * minute, { tier: 3 }],
      [2.5 * minute, null],
    ]);
    const whole = { from: new Date(start), to: new Date(start) };
    expect(await history(blueprint, identifier, whole)).toEqual([[0, { tier: 1, name: 'a' }]]);
  });

  test('is empty for what was never there, and of another organization', async () => {
    const blueprint = await newBlueprint();
    const range = { from: new Date(0), to: new Date(app.clock.now().getTime() + minute) };
    await createEntity(app.request, blueprint, { identifier: 'here' });
    expect(await history(blueprint, 'here', range)).toHaveLength(1);
    expect(await history(blueprint, 'not-here', range)).toEqual([]);
    expect(await readEntityHistory(app.database, 'org_other', blueprint, 'here', range)).toEqual([]);
  });
});

describe('old records', () => {
  test('are removed after a year, of every organization, and younger ones stay', async () => {
    const own = await createTestApp();
    try {
      const other = await own.createOrganization();
      await own.app.jobs.drain();
      own.clock.advance(364 * 24 * 60 * minute);
      await own.app.jobs.drain();
      const before = await own.count('journal');
      expect(await own.count('journal', other.id)).toBeGreaterThan(0);
      const younger = await own.createOrganization();
      own.clock.advance(2 * 24 * 60 * minute);
      await own.app.jobs.drain();
      expect(before).toBeGreaterThan(0);
      expect(await own.count('journal', own.organization.id)).toBe(0);
      expect(await own.count('journal', other.id)).toBe(0);
      expect(await own.count('journal', younger.id)).toBeGreaterThan(0);
      const left = await own.database.rows(sql`select 1 from journal where org_id = ${younger.id}`);
      expect(left.length).toBe(await own.count('journal'));
    } finally {
      await own.close();
    }
  });
});
