import sql from 'sql-template-tag';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/build-test-app.ts';
import { createBlueprint, createEntity, entityPath, issuePaths, unique } from '../../../test/catalog-fixtures.ts';

let app: TestApp;
let token: string;
beforeAll(async () => {
  app = await createTestApp();
  await renewToken();
});
afterAll(() => app.close());

/** Tokens end after some hours; the tests go through days. */
async function renewToken(): Promise<void> {
  const { clientId, clientSecret } = app.organization;
  const { body } = await app.request('POST', '/v1/auth/access_token', { body: { clientId, clientSecret } });
  token = body.accessToken;
}

const hourMs = 60 * 60 * 1000;
async function pass(hours: number): Promise<void> {
  app.clock.advance(hours * hourMs);
  await renewToken();
}

const ask: TestApp['request'] = (method, path, options) => app.request(method, path, { token, ...options });
let blueprint: string;
let thing: string;
beforeEach(async () => {
  blueprint = await createBlueprint(ask, 'measured', {
    properties: { tier: { type: 'number' }, name: { type: 'string' } },
    calculationProperties: { double: { type: 'number', calculation: '.properties.tier * 2' } },
  });
  thing = unique('thing');
});

const create = (tier: number | null, identifier = thing) =>
  createEntity(ask, blueprint, { identifier, properties: { tier } });
const set = async (tier: unknown, identifier = thing) => {
  const answer = await ask('PATCH', entityPath(blueprint, identifier), { body: { properties: { tier } } });
  expect(answer.status).toBe(200);
};
const readHistory = (body: object, options = {}) =>
  ask('POST', '/v1/entities/properties-history', {
    body: {
      blueprintIdentifier: blueprint,
      entityIdentifier: thing,
      propertyNames: ['tier'],
      timeInterval: 'hour',
      timeRange: { preset: 'lastDay', timeZone: 'UTC' },
      ...body,
    },
    ...options,
  });
/** The last values of the first property. */
async function latest(count: number, body: object = {}): Promise<(number | null)[]> {
  const { status, body: answer } = await readHistory(body);
  expect([status, answer.message]).toEqual([200, undefined]);
  expect(answer.result.data).toHaveLength(answer.result.dates.length * answer.result.series.length);
  return answer.result.series[0].values.slice(-count);
}

describe('the history of a property', () => {
  test('is the last value of each bucket, from the creation on', async () => {
    await create(1);
    await set(2);
    await pass(1);
    await set(3);
    await pass(2);
    await set(4);
    expect(await latest(6)).toEqual([null, null, 2, 3, 3, 4]);
    await set(null);
    expect(await latest(3)).toEqual([3, 3, null]);
    await set(5);
    await pass(1);
    expect(await latest(4)).toEqual([3, 3, 5, 5]);
  });

  test('shows several properties, computed ones too, in the order asked', async () => {
    await create(1);
    await pass(1);
    await set(4);
    const { body } = await readHistory({ propertyNames: ['double', 'properties.tier'] });
    const { series, data, dates, minDate, maxDate } = body.result;
    expect(series.map(({ property }: { property: string }) => property)).toEqual(['double', 'properties.tier']);
    expect(series.map(({ values }: { values: unknown[] }) => values.slice(-2))).toEqual([
      [2, 8],
      [1, 4],
    ]);
    expect(data).toEqual([...series[0].values, ...series[1].values]);
    expect([maxDate, maxDate - minDate]).toEqual([app.clock.now().getTime(), 24 * hourMs]);
    expect(dates.at(-1)).toBeLessThanOrEqual(maxDate);
  });

  test('follows new names, and leaves out who had the name before', async () => {
    await create(100);
    await ask('DELETE', entityPath(blueprint, thing));
    await pass(1);
    const other = unique('other');
    await create(1, other);
    await pass(1);
    await set(2, other);
    await pass(1);
    const answer = await ask('PATCH', entityPath(blueprint, other), { body: { identifier: thing } });
    expect(answer.status).toBe(200);
    await create(200, other);
    await pass(1);
    expect(await latest(6)).toEqual([null, null, 1, 2, 2, 2]);
    expect(await latest(3, { entityIdentifier: other })).toEqual([null, 200, 200]);
  });

  test('knows what was before the first record that is kept', async () => {
    await create(1);
    await pass(1);
    await set(2);
    await pass(1);
    await set(3);
    const forget = (before: Date) =>
      app.database.executeAlone(
        sql`delete from journal where org_id = ${app.organization.id} and identifier = ${thing} and at < ${before}`,
      );
    await forget(app.clock.now());
    expect(await latest(4)).toEqual([null, 2, 2, 3]);
    await forget(new Date(app.clock.now().getTime() + 1));
    expect(await latest(4)).toEqual([null, 3, 3, 3]);
  });

  test('ends today: hours to come have no value', async () => {
    await create(7);
    const { body } = await readHistory({ timeRange: { preset: 'today', timeZone: 'UTC' } });
    const { dates, series } = body.result;
    const now = app.clock.now().getTime();
    expect(dates).toHaveLength(24);
    expect(series[0].values).toEqual(dates.map((start: number) => (start <= now && start > now - hourMs ? 7 : null)));
  });

  test('is by day unless told, and by quarter over years', async () => {
    await create(1);
    const byDay = await readHistory({ timeInterval: undefined, timeRange: { preset: 'lastWeek', timeZone: 'UTC' } });
    expect(byDay.body.result.dates).toHaveLength(8);
    const years = await readHistory({ timeInterval: undefined, timeRange: { preset: 'last3Years', timeZone: 'UTC' } });
    expect(years.body.result.dates.length).toBeGreaterThanOrEqual(12);
    expect(years.body.result.data.at(-1)).toBe(1);
  });

  test('sends no more statements for more buckets or changes', async () => {
    await create(1);
    for (const tier of [2, 3, 4, 5]) await set(tier);
    const count = (body: object) => app.countStatements(() => latest(1, body));
    const few = await count({ timeInterval: 'day' });
    expect(await count({ timeRange: { preset: 'last3Months', timeZone: 'Asia/Tokyo' } })).toBe(few);
  });
});

describe('a history that cannot be asked for', () => {
  test.each([
    [
      { propertyNames: ['tier', 'name', 'nothing', '$createdAt'] },
      ['/propertyNames/1', '/propertyNames/2', '/propertyNames/3'],
    ],
    [{ propertyNames: [] }, ['/propertyNames']],
    [{ timeRange: { preset: 'lastDay' } }, ['/timeRange/timeZone']],
    [{ timeRange: { preset: 'lastDay', timeZone: 'Mars/Base' } }, ['/timeRange/timeZone']],
    [{ timeRange: { preset: 'lastDay', timeZone: '+02:00' } }, ['/timeRange/timeZone']],
    [{ timeRange: { preset: 'nextDay', timeZone: 'UTC' } }, ['/timeRange/preset']],
    [{ timeRange: { preset: 'last2Years', timeZone: 'UTC' } }, ['/timeInterval']],
    [{ timeRange: { preset: 'last12Months', timeZone: 'UTC' } }, ['/timeInterval']],
    [{ timeInterval: 'week', more: 1 }, ['/timeInterval', '/more']],
  ])('%j is refused with every issue', async (body, paths) => {
    await create(1);
    const { status, body: answer } = await readHistory(body);
    expect([status, answer.error, issuePaths(answer)]).toEqual([422, 'invalid_request', paths]);
  });

  test('is missing for an entity, a blueprint and an organization that do not have it', async () => {
    await create(1);
    const theirs = await app.createOrganization();
    const foreign = await readHistory({}, { token: theirs.token });
    expect([foreign.status, foreign.body.error]).toEqual([404, 'not_found']);
    expect((await readHistory({ entityIdentifier: 'nobody' })).status).toBe(404);
    expect((await readHistory({ blueprintIdentifier: 'nothing' })).status).toBe(404);
  });
});
