import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { createBlueprint, unique } from '../../../../test/catalog-fixtures.ts';
import { type Receiver, startReceiver } from '../../../../test/receiver.ts';
import {
  approval,
  approved,
  createWorkflowWorld,
  form,
  type Node,
  upsert,
  type WorkflowWorld,
} from '../../../../test/workflow-world.ts';

let app: TestApp;
let receiver: Receiver;
let workflow: WorkflowWorld['workflow'];
let start: WorkflowWorld['start'];
let get: WorkflowWorld['get'];
let person: WorkflowWorld['person'];
let waiting: WorkflowWorld['waiting'];
let respond: WorkflowWorld['respond'];
let entityStatus: WorkflowWorld['entityStatus'];
let later: WorkflowWorld['later'];
let foldsBack: WorkflowWorld['foldsBack'];
beforeAll(async () => {
  app = await createTestApp();
  receiver = await startReceiver();
  ({ workflow, start, get, person, waiting, respond, entityStatus, later, foldsBack } = createWorkflowWorld(app));
});
afterAll(async () => {
  await receiver.close();
  await app.close();
});

describe('cancelling', () => {
  test('ends a wait at once, and what comes later changes nothing', async () => {
    const blueprint = await createBlueprint(app.request, 'stopped');
    const ada = await person('ada');
    const token = await app.organization.personToken(ada);
    const flow = await workflow([form(), approval(1, { responders: { users: [ada] } }), upsert(blueprint)], approved());
    const name = unique('thing');
    const { run, nodeRun } = await waiting(flow, { name });
    const refused = await app.request('POST', `/v1/workflows/runs/${run}/cancel`, { token });
    expect(refused.status).toBe(403);
    const cancelled = await app.request('POST', `/v1/workflows/runs/${run}/cancel`);
    expect(cancelled.body.run).toMatchObject({ status: 'COMPLETED', result: 'CANCELLED' });
    expect(await respond(nodeRun, token)).toMatchObject({ status: 409, body: { error: 'node_run_ended' } });
    const again = await app.request('POST', `/v1/workflows/runs/${run}/cancel?force=true`);
    expect(again).toMatchObject({ status: 409, body: { error: 'workflow_run_ended' } });
    await app.app.jobs.drain();
    expect(await entityStatus(blueprint, name)).toBe(404);
    await foldsBack(run);
  });

  test('by force fails the open step, and a report on it is refused', async () => {
    const flow = await workflow([
      form(),
      { identifier: 'call', config: { type: 'WEBHOOK', url: `${receiver.url}/later`, synchronized: false } },
    ]);
    const run = await start(flow);
    await app.app.jobs.drain();
    const open = await get(run);
    expect(open, JSON.stringify(open.nodeRuns)).toMatchObject({ status: 'IN_PROGRESS', waitingFor: 'report' });
    const forced = await app.request('POST', `/v1/workflows/runs/${run}/cancel?force=true`);
    expect(forced.body.run).toMatchObject({ status: 'COMPLETED', result: 'FAILED' });
    const nodeRun = open.nodeRuns[0].identifier;
    const late = await app.request('PATCH', `/v1/workflows/nodes/runs/${nodeRun}`, {
      body: { status: 'COMPLETED', result: 'SUCCESS' },
    });
    expect(late).toMatchObject({ status: 409, body: { error: 'node_run_ended' } });
    await foldsBack(run);
  });
});

describe('a report', () => {
  test('ends a step that waits for it, and is accepted again if it says the same', async () => {
    const blueprint = await createBlueprint(app.request, 'reported');
    const flow = await workflow([
      form(),
      { identifier: 'call', config: { type: 'WEBHOOK', url: `${receiver.url}/async`, synchronized: false } },
      upsert(blueprint),
    ]);
    const name = unique('thing');
    const run = await start(flow, { name });
    await app.app.jobs.drain();
    const nodeRun = (await get(run)).nodeRuns[0].identifier;
    const report = (body: object) => app.request('PATCH', `/v1/workflows/nodes/runs/${nodeRun}`, { body });
    expect((await report({ status: 'IN_PROGRESS', externalRunId: 'x-1', output: { at: 'half' } })).status).toBe(200);
    const end = { status: 'COMPLETED', result: 'SUCCESS', output: { at: 'end' } };
    expect((await report(end)).status).toBe(200);
    expect((await report(end)).status).toBe(200);
    expect((await report({ ...end, result: 'FAILED' })).status).toBe(409);
    await app.app.jobs.drain();
    expect(await entityStatus(blueprint, name)).toBe(200);
    expect((await get(run)).variables.outputs.call).toEqual({ at: 'end' });
    await foldsBack(run);
  });
});

describe('triggers', () => {
  test('an event starts one run of each workflow that listens and whose condition holds', async () => {
    const [source, mirror] = [
      await createBlueprint(app.request, 'source'),
      await createBlueprint(app.request, 'mirror'),
    ];
    const listening = (expressions: string[]): Node => ({
      identifier: 'event',
      config: {
        type: 'EVENT_TRIGGER',
        event: { type: 'ENTITY_CREATED', blueprintIdentifier: source },
        condition: { type: 'JQ', expressions, combinator: 'and' },
      },
    });
    const copy: Node = {
      identifier: 'copy',
      config: {
        type: 'UPSERT_ENTITY',
        blueprintIdentifier: mirror,
        mapping: { identifier: '{{ .outputs.trigger.context.entityIdentifier }}' },
      },
    };
    const all = await workflow([listening([]), copy]);
    const some = await workflow([listening(['.context.entityIdentifier | endswith("7")']), copy]);
    for (const identifier of ['a7', 'b8']) {
      await app.request('POST', `/v1/blueprints/${source}/entities`, { body: { identifier } });
    }
    await app.app.jobs.drain();
    const count = async (flow: string) =>
      (await app.request('GET', `/v1/workflows/runs?workflow=${flow}&result=SUCCESS`)).body.runs.length;
    expect([await count(all), await count(some)]).toEqual([2, 1]);
    expect([await entityStatus(mirror, 'a7'), await entityStatus(mirror, 'b8')]).toEqual([200, 200]);
  });

  test('a workflow whose entity starts it again is stopped after a chain of runs', async () => {
    const blueprint = await createBlueprint(app.request, 'loop');
    const flow = await workflow([
      {
        identifier: 'event',
        config: { type: 'EVENT_TRIGGER', event: { type: 'ANY_ENTITY_CHANGE', blueprintIdentifier: blueprint } },
      },
      {
        identifier: 'again',
        config: {
          type: 'UPSERT_ENTITY',
          blueprintIdentifier: blueprint,
          mapping: {
            title: '{{ .workflowRun.identifier }}',
            identifier: '{{ .outputs.trigger.context.entityIdentifier }}',
          },
        },
      },
    ]);
    await app.request('POST', `/v1/blueprints/${blueprint}/entities`, { body: { identifier: 'a' } });
    await app.app.jobs.drain();
    const { runs } = (await app.request('GET', `/v1/workflows/runs?workflow=${flow}`)).body;
    expect(runs).toHaveLength(21);
    expect(runs[0]).toMatchObject({ result: 'FAILED', message: expect.stringContaining('looks like a loop') });
  });

  test('a workflow and an automation that start each other are stopped too', async () => {
    const [one, other] = [await createBlueprint(app.request, 'there'), await createBlueprint(app.request, 'back')];
    const write = (blueprint: string, run: string, event: string) => ({
      type: 'UPSERT_ENTITY',
      blueprintIdentifier: blueprint,
      mapping: { identifier: `{{ ${event}.context.entityIdentifier }}`, title: `{{ ${run} }}` },
    });
    const listening = (blueprint: string) => ({ type: 'ANY_ENTITY_CHANGE', blueprintIdentifier: blueprint });
    const flow = await workflow([
      { identifier: 'event', config: { type: 'EVENT_TRIGGER', event: listening(one) } },
      { identifier: 'write', config: write(other, '.workflowRun.identifier', '.outputs.trigger') },
    ]);
    const body = {
      identifier: unique('back'),
      trigger: { type: 'automation', event: listening(other) },
      invocationMethod: write(one, '.event.diff.after.title', '.event'),
    };
    const automation = await app.request('POST', '/v1/actions', { body });
    expect(automation.status, JSON.stringify(automation.body)).toBe(201);
    await app.request('POST', `/v1/blueprints/${one}/entities`, { body: { identifier: 'a' } });
    for (let turn = 0; turn < 50; turn += 1) {
      app.clock.advance(10);
      await app.app.jobs.drain();
    }
    const { runs } = (await app.request('GET', `/v1/workflows/runs?workflow=${flow}`)).body;
    expect(runs.length).toBeGreaterThan(3);
    expect(runs.length).toBeLessThanOrEqual(11);
  });

  test('a schedule starts one run for each tick, and one for all that were missed', async () => {
    const blueprint = await createBlueprint(app.request, 'ticked');
    const flow = await workflow([
      { identifier: 'tick', config: { type: 'SCHEDULE_TRIGGER', cron: '0 * * * *' } },
      {
        identifier: 'entity',
        config: { type: 'UPSERT_ENTITY', blueprintIdentifier: blueprint, mapping: { identifier: 'ticked' } },
      },
    ]);
    const runs = async () => (await app.request('GET', `/v1/workflows/runs?workflow=${flow}`)).body.runs;
    await app.app.jobs.drain();
    expect(await runs()).toEqual([]);
    await later(3_600_000);
    expect(await runs()).toHaveLength(1);
    await later(5 * 3_600_000);
    const all = await runs();
    expect(all).toHaveLength(2);
    expect((await get(all[0].identifier)).variables.outputs.trigger).toMatchObject({ missed: expect.any(Number) });
    await app.request('DELETE', `/v1/workflows/${flow}`);
  });

  test('schedules of an organization that takes no changes hold up those of no other', async () => {
    const moving = await app.createOrganization();
    await app.database.executeAlone(sql`
      insert into workflow_triggers (org_id, workflow_key, node, kind, published, cron, next_run_at)
      select ${moving.id}, 1, 'tick-' || i, 'SCHEDULE_TRIGGER', true, '0 * * * *', ${app.clock.now()}::timestamptz - interval '1 day'
      from generate_series(1, 150) i`);
    await app.database.executeAlone(sql`update organizations set frozen_at = now() where id = ${moving.id}`);
    const flow = await workflow([
      { identifier: 'tick', config: { type: 'SCHEDULE_TRIGGER', cron: '0 * * * *' } },
      { identifier: 'wait', config: { type: 'DELAY', seconds: 60 } },
    ]);
    await later(3_600_000);
    expect((await app.request('GET', `/v1/workflows/runs?workflow=${flow}`)).body.runs).toHaveLength(1);
    await app.request('DELETE', `/v1/workflows/${flow}`);
  });
});
