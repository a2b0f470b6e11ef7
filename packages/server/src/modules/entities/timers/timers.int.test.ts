import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { createBlueprint, createEntity, entityPath, searchIn } from '../../../../test/catalog-fixtures.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const timers = { until: { type: 'string', format: 'timer' }, other: { type: 'string', format: 'timer' } };
const minuteMs = 60_000;
const inMinutes = (count: number) => new Date(app.clock.now().getTime() + count * minuteMs).toISOString();

/** The clock goes on, and whatever is due runs. */
async function pass(minutes: number) {
  app.clock.advance(minutes * minuteMs);
  expect((await app.app.jobs.drain()).dead).toBe(0);
}

/** The expiries of a blueprint's entities that the audit log tells, oldest first. */
async function expiries(blueprint: string): Promise<Record<string, unknown>[]> {
  const answer = await app.request('GET', `/v1/audit-log?action=TIMER_EXPIRED&blueprint=${blueprint}`);
  expect(answer.status).toBe(200);
  return answer.body.audits.toReversed();
}

const listNames = (audits: Record<string, unknown>[]) =>
  audits.map(({ context }) => {
    const { entity, property } = context as Record<string, string>;
    return `${entity}.${property}`;
  });

test('a timer that passes is told once, by the platform, with the entity as it is', async () => {
  const blueprint = await createBlueprint(app.request, 'timed', { properties: timers });
  const until = inMinutes(3);
  await createEntity(app.request, blueprint, { identifier: 'a', title: 'A', properties: { until } });
  await createEntity(app.request, blueprint, { identifier: 'b', properties: { other: inMinutes(10) } });
  await pass(2);
  expect(await expiries(blueprint)).toEqual([]);
  await pass(1);
  const [audit, ...more] = await expiries(blueprint);
  expect(more).toEqual([]);
  expect(audit).toMatchObject({
    action: 'TIMER_EXPIRED',
    resourceType: 'entity',
    status: 'SUCCESS',
    trigger: { by: { byPort: true, orgId: app.organization.id } },
    context: { blueprint, entity: 'a', property: 'until' },
    diff: { before: null, after: { identifier: 'a', title: 'A', properties: { until } } },
  });
  for (const minutes of [1, 3, 10, 90]) await pass(minutes);
  expect(listNames(await expiries(blueprint))).toEqual(['a.until', 'b.other']);
  expect(await searchIn(app.request, blueprint, { property: 'until', operator: 'isExpired' })).toEqual(['a']);
});

test('another value arms it again; the same value does not', async () => {
  const blueprint = await createBlueprint(app.request, 'armed', { properties: timers });
  const write = (until: string | null) =>
    app.request('PATCH', entityPath(blueprint, 'a'), { body: { title: String(until), properties: { until } } });
  const first = inMinutes(1);
  await createEntity(app.request, blueprint, { identifier: 'a', properties: { until: first } });
  await pass(2);
  await write(null);
  await write(first);
  await pass(2);
  expect(await expiries(blueprint)).toHaveLength(1);
  await write(inMinutes(4));
  await write(inMinutes(5).replace('Z', '+00:00'));
  await pass(4);
  expect(await expiries(blueprint)).toHaveLength(1);
  await pass(2);
  expect(await expiries(blueprint)).toHaveLength(2);
});

test('what had passed long before it was written, is no moment, or is gone does not pass', async () => {
  const blueprint = await createBlueprint(app.request, 'past', { properties: timers });
  await createEntity(app.request, blueprint, { identifier: 'before' });
  // the first drain only begins to count the minutes
  await pass(1);
  await pass(10);
  const written = { body: { properties: { until: inMinutes(-9) } } };
  await app.request('PATCH', entityPath(blueprint, 'before'), written);
  await createEntity(app.request, blueprint, { identifier: 'past', properties: { until: inMinutes(-9) } });
  await createEntity(app.request, blueprint, {
    identifier: 'odd',
    properties: { until: '0000-01-01T00:00:00Z', other: '2016-12-31T23:59:60Z' },
  });
  await createEntity(app.request, blueprint, { identifier: 'gone', properties: { until: inMinutes(1) } });
  await app.request('DELETE', entityPath(blueprint, 'gone'));
  await pass(2);
  expect(await expiries(blueprint)).toEqual([]);
});

test('more than one batch, and another organization’s, are each told once', async () => {
  const blueprint = await createBlueprint(app.request, 'many', { properties: timers });
  const other = await app.createOrganization();
  const otherBlueprint = await createBlueprint(other.request, 'many', { properties: timers });
  const until = inMinutes(1);
  for (let start = 0; start < 220; start += 20) {
    const entities = Array.from({ length: 20 }, (_, index) => ({
      identifier: `e${start + index}`,
      properties: { until, other: until },
    }));
    await app.request('POST', `/v1/blueprints/${blueprint}/entities/bulk`, { body: { entities } });
  }
  await createEntity(other.request, otherBlueprint, { identifier: 'x', properties: { until } });
  await pass(1);
  await pass(1);
  const query = `action=TIMER_EXPIRED&limit=1000&includes=context`;
  const own = (await app.request('GET', `/v1/audit-log?${query}&blueprint=${blueprint}`)).body.audits;
  expect(own).toHaveLength(440);
  expect(new Set(listNames(own)).size).toBe(440);
  const theirs = (await other.request('GET', `/v1/audit-log?${query}`)).body.audits;
  expect(listNames(theirs)).toEqual(['x.until']);
});
