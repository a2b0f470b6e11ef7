import sql from 'sql-template-tag';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { until } from '../../../test/assistant-harness.ts';
import { createTestApp, type TestApp } from '../../../test/build-test-app.ts';
import { createBlueprint, entityPath } from '../../../test/catalog-fixtures.ts';
import { testEngine } from '../../../test/database.ts';
import { jobContext } from '../../../test/job-context.ts';
import { systemActor } from '../../platform/actor.ts';
import type { UnitOfWork } from '../../platform/unit-of-work.ts';
import type { AutomationsDeps } from './automations.deps.ts';
import { takeEventsJob } from './take-events.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const upsert = (blueprint: string) => ({
  type: 'UPSERT_ENTITY',
  blueprintIdentifier: blueprint,
  mapping: { identifier: '{{ .event.context.entityIdentifier }}' },
});

async function automation(identifier: string, blueprint: string, invocationMethod: object, expressions: string[] = []) {
  const event = { type: 'ANY_ENTITY_CHANGE', blueprintIdentifier: blueprint };
  const trigger = { type: 'automation', event, condition: { type: 'JQ', expressions } };
  const created = await app.request('POST', '/v1/actions', { body: { identifier, trigger, invocationMethod } });
  expect(created.status, JSON.stringify(created.body)).toBe(201);
}

/** Takes events like a separate replica, which may die after writing and before the commit. */
function taker(dies: (count: number) => boolean = () => false): () => Promise<void> {
  let count = 0;
  const unitOfWork: UnitOfWork = (actor, body) =>
    app.app.unitOfWork(actor, async (work) => {
      const value = await body(work);
      count += 1;
      if (dies(count)) throw new Error('the process dies here');
      return value;
    });
  const dispatch = { name: 'actions.dispatch-run', input: z.object({ runId: z.string() }), attempts: 4 };
  const deps = { database: app.database, clock: app.clock, unitOfWork, dispatch };
  const job = takeEventsJob(deps as unknown as AutomationsDeps);
  return () => job.run({}, jobContext(app.organization.id));
}

/** Number of runs and of distinct events per automation. */
const runs = () =>
  app.database.rows<{ action: string; runs: number; events: number }>(sql`
    select action_identifier as action, count(*)::int as runs, count(distinct event_id)::int as events
    from action_runs where org_id = ${app.organization.id} group by 1 order by 1`);

test('each event gives each automation one run, whoever writes and whoever works at the same time', async () => {
  const [source, mirror] = [await createBlueprint(app.request, 'source'), await createBlueprint(app.request, 'mirror')];
  await automation('all', source, upsert(mirror));
  await automation('some', source, upsert(mirror), ['.context.entityIdentifier | endswith("7")']);
  const writing = Array.from({ length: 10 }, async (_none, writer) => {
    for (let turn = 0; turn < 10; turn += 1) {
      const body = { identifier: `e-${writer}-${turn}` };
      const answer = await app.request('POST', `/v1/blueprints/${source}/entities`, { body });
      expect(answer.status).toBe(201);
    }
  });
  // two replicas, and one that dies before every other commit
  let isWriting = true;
  let killed = 0;
  const takers = [taker(), taker(), taker((count) => count % 2 === 0)];
  const working = takers.map(async (take) => {
    while (isWriting || (await app.count('event_deliveries')) > 0) {
      await take().catch(() => {
        killed += 1;
      });
      await new Promise((resolve) => setImmediate(resolve));
    }
  });
  await Promise.all(writing);
  isWriting = false;
  await Promise.all(working);
  expect(killed).toBeGreaterThan(0);
  await app.app.jobs.drain();
  const found = await runs();
  expect(found.filter(({ action }) => ['all', 'some'].includes(action))).toEqual([
    { action: 'all', runs: 100, events: 100 },
    { action: 'some', runs: 10, events: 10 },
  ]);
  expect(await app.count('event_deliveries')).toBe(0);
}, 60_000);

test('a transaction that fails leaves neither event nor run, and one that is late is not passed over', async () => {
  const source = await createBlueprint(app.request, 'late');
  await automation('late', source, upsert(await createBlueprint(app.request, 'effect')));
  const noted = (identifier: string) => ({
    event: 'entity.updated',
    action: 'UPDATE' as const,
    resourceType: 'entity' as const,
    identifier,
    context: { blueprint: source, entity: identifier },
    after: { identifier, properties: {} },
  });
  const actor = systemActor(app.organization.id);
  await expect(
    app.app.unitOfWork(actor, async (work) => {
      work.record(noted('failed'));
      await work.tx.execute(sql`select 1/0`);
    }),
  ).rejects.toThrow();
  if (testEngine === 'postgres') {
    // a record gets its key early and commits last; the embedded engine has only one open transaction at a time
    let commit: () => void = () => undefined;
    const mayCommit = new Promise<void>((resolve) => {
      commit = resolve;
    });
    const slow = app.database.transaction(async (tx) => {
      await tx.execute(sql`
        with w as (
          insert into journal (org_id, id, at, event, action, resource_type, identifier, context, actor_id, actor_kind,
            origin, datasource, after)
          values (${app.organization.id}, 'event_slow', now(), 'entity.updated', 'UPDATE', 'entity', 'slow',
            ${JSON.stringify({ blueprint: source, entity: 'slow' })}, 'x', 'system', 'SYSTEM', 'x',
            '{"identifier": "slow", "properties": {}}')
          returning org_id, key)
        insert into event_deliveries (org_id, consumer, target, event_key)
        select w.org_id, 'automations', a.key::text, w.key from w
        join actions a on a.org_id = w.org_id and a.identifier = 'late'`);
      await mayCommit;
    });
    await app.app.unitOfWork(actor, async (work) => work.record(noted('quick')));
    await app.app.jobs.drain();
    expect((await runs()).find(({ action }) => action === 'late')).toMatchObject({ runs: 1 });
    commit();
    await slow;
  }
  await app.app.unitOfWork(actor, async (work) => work.record(noted('last')));
  await app.app.jobs.drain();
  const expected = testEngine === 'postgres' ? 3 : 1;
  expect((await runs()).find(({ action }) => action === 'late')).toMatchObject({ runs: expected, events: expected });
});

test('an automation that is changed or deleted before its event is taken acts as it is then', async () => {
  const source = await createBlueprint(app.request, 'edited');
  const mirror = await createBlueprint(app.request, 'edits');
  await automation('gone', source, upsert(mirror));
  await automation('paused', source, upsert(mirror));
  await app.request('POST', `/v1/blueprints/${source}/entities`, { body: { identifier: 'a' } });
  await app.request('DELETE', '/v1/actions/gone');
  const { action } = (await app.request('GET', '/v1/actions/paused')).body;
  const { id: _id, createdAt: _a, createdBy: _b, updatedAt: _c, updatedBy: _d, ...body } = action;
  const changed = await app.request('PUT', '/v1/actions/paused', { body: { ...body, publish: false } });
  expect(changed.status, JSON.stringify(changed.body)).toBe(200);
  await app.app.jobs.drain();
  expect((await runs()).filter((each) => ['gone', 'paused'].includes(each.action))).toEqual([]);
  expect(await app.count('event_deliveries')).toBe(0);
  expect((await app.request('GET', entityPath(mirror, 'a'))).status).toBe(404);
});

test('an effect follows its event within a second', async () => {
  const working = await createTestApp();
  try {
    const { request } = working;
    const [source, mirror] = [await createBlueprint(request, 'quick'), await createBlueprint(request, 'shown')];
    const event = { type: 'ENTITY_CREATED', blueprintIdentifier: source };
    const body = { identifier: 'quick', trigger: { type: 'automation', event }, invocationMethod: upsert(mirror) };
    expect((await request('POST', '/v1/actions', { body })).status).toBe(201);
    await working.app.jobs.start();
    const delays: number[] = [];
    for (let turn = 0; turn < 20; turn += 1) {
      const startedAt = performance.now();
      await request('POST', `/v1/blueprints/${source}/entities`, { body: { identifier: `e${turn}` } });
      await until('the effect', async () => (await request('GET', entityPath(mirror, `e${turn}`))).status === 200);
      delays.push(performance.now() - startedAt);
    }
    delays.sort((a, b) => a - b);
    expect(delays[18]).toBeLessThan(1000);
  } finally {
    await working.close();
  }
}, 60_000);
