import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { createBlueprint, unique } from '../../../../test/catalog-fixtures.ts';
import { createWorkflowWorld, form, type Node, upsert, type WorkflowWorld } from '../../../../test/workflow-world.ts';
import { systemActor } from '../../../platform/actor.ts';
import { newWorkflowRun } from '../runs/new-run.ts';
import { insertWorkflowRun } from '../runs/run.store.ts';
import { limits } from './limits.ts';
import { pauseTriggerWithin } from './pause-triggers.ts';
import { findCurrent } from './workflow.store.ts';

let app: TestApp;
let world: WorkflowWorld;
beforeAll(async () => {
  app = await createTestApp();
  world = createWorkflowWorld(app);
});
afterAll(() => app.close());

const ask = (method: string, path: string, body?: object, token?: string) =>
  app.request(method as 'POST', `/v1/workflows${path}`, { body, ...(token ? { token } : {}) });
const runsOf = async (flow: string) => (await ask('GET', `/runs?workflow=${flow}`)).body.runs.length as number;
const stateOf = async (flow: string, node: string) =>
  (await ask('GET', `/${flow}`)).body.triggers.find((each: Node) => each['nodeIdentifier'] === node);

/** A workflow that a form, an event and a schedule start. */
async function threeWays() {
  const source = await createBlueprint(app.request, 'watched');
  const nodes: Node[] = [
    form({ published: true }),
    {
      identifier: 'event',
      config: { type: 'EVENT_TRIGGER', event: { type: 'ENTITY_CREATED', blueprintIdentifier: source } },
    },
    { identifier: 'tick', config: { type: 'SCHEDULE_TRIGGER', cron: '0 * * * *' } },
    { identifier: 'end', config: { type: 'STOP', result: 'SUCCESS' } },
  ];
  const connections = ['form', 'event', 'tick'].map((sourceIdentifier) => ({
    sourceIdentifier,
    targetIdentifier: 'end',
  }));
  const flow = await world.workflow(nodes, connections);
  const happens = async () => {
    const body = { identifier: unique('thing') };
    expect((await app.request('POST', `/v1/blueprints/${source}/entities`, { body })).status).toBe(201);
    await app.app.jobs.drain();
  };
  return { flow, nodes, connections, happens };
}

describe('a pause', () => {
  test('stops forms, events and schedules of a workflow, says why, and outlives a new version', async () => {
    const { flow, nodes, connections, happens } = await threeWays();
    const paused = await ask('POST', `/${flow}/pause`, { reason: 'The receiver is down' });
    expect(paused.status, JSON.stringify(paused.body)).toBe(200);
    expect(paused.body.triggers).toHaveLength(3);
    await happens();
    await world.later(3_600_000);
    const refused = await ask('POST', `/${flow}/runs`, { inputs: {}, nodeIdentifier: 'form' });
    expect(refused).toMatchObject({ status: 409, body: { error: 'trigger_paused' } });
    expect(refused.body.message).toContain('The receiver is down');
    expect(await runsOf(flow)).toBe(0);

    const body = { identifier: flow, nodes, connections, description: 'another version' };
    expect((await ask('PUT', `/${flow}`, body)).body.workflow.version).toBe(2);
    await happens();
    expect(await runsOf(flow)).toBe(0);
    expect(await stateOf(flow, 'tick')).toMatchObject({
      published: true,
      paused: { scope: 'workflow', reason: 'The receiver is down' },
      nextRunAt: null,
    });
    const listed = await ask('GET', '');
    expect(listed.body.triggers).toContainEqual(await stateOf(flow, 'event'));
    expect(listed.body.paused).toBeNull();
  });

  test('makes up for nothing when it ends, and a schedule goes on with the tick that comes next', async () => {
    const { flow, happens } = await threeWays();
    await ask('POST', `/${flow}/pause`, {});
    await happens();
    await world.later(5 * 3_600_000);
    const resumed = await ask('POST', `/${flow}/resume`, {});
    expect(resumed.status, JSON.stringify(resumed.body)).toBe(200);
    await world.later(0);
    expect(await runsOf(flow)).toBe(0);
    const state = await stateOf(flow, 'tick');
    expect(state.paused).toBeNull();
    expect(Date.parse(state.nextRunAt)).toBeGreaterThan(app.clock.now().getTime());
    await happens();
    expect(await runsOf(flow)).toBe(1);
    await ask('DELETE', `/${flow}`);
  });

  test('comes by itself to a schedule whose trigger has started too much', async () => {
    const { flow } = await threeWays();
    const workflow = await findCurrent(app.database, app.organization.id, flow);
    if (!workflow) throw new Error('there is no workflow');
    await app.database.transaction(async (tx) => {
      for (let index = 0; index < limits.startsPerTriggerAndMinute; index += 1) {
        const run = newWorkflowRun(workflow, {
          triggerNode: 'tick',
          trigger: {},
          now: new Date(app.clock.now().getTime() + 1_000),
          createdBy: 'portolan',
          createdByKind: 'system',
          depth: 0,
          causedBy: null,
          textAuthors: [],
          stoppedBecause: 'It is one of many',
        });
        await insertWorkflowRun(tx, app.organization.id, run, null, {});
      }
    });
    await world.later(3_600_000);
    expect(await stateOf(flow, 'tick')).toMatchObject({ paused: { scope: 'trigger' }, nextRunAt: null });
    expect(await stateOf(flow, 'event')).toMatchObject({ paused: null });
    const { runs } = (await ask('GET', `/runs?workflow=${flow}&limit=1`)).body;
    expect(runs[0]).toMatchObject({ result: 'FAILED', message: expect.stringContaining('looks like a loop') });
  });

  test('of one trigger leaves the others alone', async () => {
    const { flow, happens } = await threeWays();
    await ask('POST', `/${flow}/pause`, { nodeIdentifier: 'event' });
    await happens();
    expect(await runsOf(flow)).toBe(0);
    const started = await ask('POST', `/${flow}/runs`, { inputs: {}, nodeIdentifier: 'form' });
    expect(started.status).toBe(200);
    expect((await stateOf(flow, 'event')).paused).toMatchObject({ scope: 'trigger', reason: null });
    expect((await stateOf(flow, 'tick')).paused).toBeNull();
    await ask('POST', `/${flow}/resume`, {});
    expect((await stateOf(flow, 'event')).paused).toBeNull();
    await ask('DELETE', `/${flow}`);
  });

  test('of the organization holds for workflows made later, and keeps those of single workflows', async () => {
    const { flow } = await threeWays();
    await ask('POST', `/${flow}/pause`, { reason: 'mine' });
    expect((await ask('POST', '/pause', { reason: 'moving' })).body.paused).toMatchObject({ reason: 'moving' });
    const blueprint = await createBlueprint(app.request, 'late');
    const late = await world.workflow([form(), upsert(blueprint)]);
    const refused = await ask('POST', `/${late}/runs`, { inputs: { name: 'a' } });
    expect(refused).toMatchObject({ status: 409, body: { error: 'trigger_paused' } });
    expect((await ask('POST', '/resume', {})).body.paused).toBeNull();
    expect((await ask('POST', `/${late}/runs`, { inputs: { name: 'a' } })).status).toBe(200);
    expect((await stateOf(flow, 'form')).paused).toMatchObject({ scope: 'workflow', reason: 'mine' });
  });

  test('keeps what came before it, and was not taken yet, from starting a run', async () => {
    const { flow, happens } = await threeWays();
    // the event is stored and nobody has taken it
    const source = (await ask('GET', `/${flow}`)).body.workflow.nodes[1].config.event.blueprintIdentifier;
    const body = { identifier: unique('thing') };
    await app.request('POST', `/v1/blueprints/${source}/entities`, { body });
    await ask('POST', `/${flow}/pause`, {});
    await app.app.jobs.drain();
    expect(await runsOf(flow)).toBe(0);
    await ask('POST', `/${flow}/resume`, {});
    await happens();
    expect(await runsOf(flow)).toBe(1);
    await ask('DELETE', `/${flow}`);
  });

  test('is for administrators, of triggers alone, and of a workflow that is there', async () => {
    const { flow } = await threeWays();
    const token = await app.organization.personToken(await world.person('ada'));
    expect((await ask('POST', `/${flow}/pause`, {}, token)).status).toBe(403);
    expect((await ask('POST', '/pause', {}, token)).status).toBe(403);
    expect(await ask('POST', `/${flow}/pause`, { nodeIdentifier: 'end' })).toMatchObject({ status: 404 });
    expect(await ask('POST', `/${flow}/pause`, { nodeIdentifier: 'nobody' })).toMatchObject({ status: 404 });
    expect(await ask('POST', '/nowhere/pause', {})).toMatchObject({ status: 404 });
    const long = await ask('POST', `/${flow}/pause`, { reason: 'x'.repeat(501), other: 1 });
    expect(long.status).toBe(422);
    expect(long.body.details.map(({ path }: { path: string }) => path)).toContain('/reason');
    expect((await stateOf(flow, 'form')).paused).toBeNull();
    await ask('DELETE', `/${flow}`);
  });

  test('ends with its workflow, and a workflow made later under its name starts', async () => {
    const { flow, nodes, connections } = await threeWays();
    await ask('POST', `/${flow}/pause`, {});
    await ask('DELETE', `/${flow}`);
    await ask('POST', '', { identifier: flow, nodes, connections });
    expect((await stateOf(flow, 'form')).paused).toBeNull();
    const left = await app.database.rows<{ node: string }>(sql`
      select p.node from workflow_pauses p join workflows w on w.org_id = p.org_id and w.key = p.workflow_key
      where p.org_id = ${app.organization.id} and w.deleted_at is not null`);
    expect(left).toEqual([]);
    await ask('DELETE', `/${flow}`);
  });

  test('can be made by the platform within another change, once', async () => {
    const { flow } = await threeWays();
    const key = await app.database.first<{ key: number }>(sql`
      select key::int as key from workflows where org_id = ${app.organization.id} and identifier = ${flow}`);
    const trigger = { workflowKey: Number(key?.key), identifier: flow, node: 'event', reason: 'too many starts' };
    const made = await app.app.unitOfWork(systemActor(app.organization.id), async (work) => [
      await pauseTriggerWithin(work, trigger),
      await pauseTriggerWithin(work, trigger),
    ]);
    expect(made).toEqual([true, false]);
    expect((await stateOf(flow, 'event')).paused).toMatchObject({ scope: 'trigger', reason: 'too many starts' });
    await ask('DELETE', `/${flow}`);
  });
});
