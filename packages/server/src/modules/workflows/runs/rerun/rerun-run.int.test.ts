import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../../test/build-test-app.ts';
import { createBlueprint, unique } from '../../../../../test/catalog-fixtures.ts';
import { type Receiver, startReceiver } from '../../../../../test/receiver.ts';
import {
  approval,
  createWorkflowWorld,
  form,
  type Node,
  upsert,
  type WorkflowWorld,
} from '../../../../../test/workflow-world.ts';

let app: TestApp;
let receiver: Receiver;
let world: WorkflowWorld;
beforeAll(async () => {
  app = await createTestApp();
  receiver = await startReceiver();
  world = createWorkflowWorld(app);
});
afterAll(async () => {
  await receiver.close();
  await app.close();
});

const call = (identifier: string, more: object = {}): Node => ({
  identifier,
  config: {
    type: 'WEBHOOK',
    url: `${receiver.url}/${identifier}`,
    body: { name: '{{ .outputs.trigger.name }}' },
    retry: { attempts: 1 },
    ...more,
  },
});
const after = (source: string, target: string, outlet?: string) => ({
  sourceIdentifier: source,
  targetIdentifier: target,
  ...(outlet ? { sourceOutletIdentifier: outlet } : {}),
});
const rerun = (run: string, body: object = {}, options: object = {}) =>
  app.request('POST', `/v1/workflows/runs/${run}/rerun`, { body, ...options });
const planOf = (run: string, query = '', token?: string) =>
  app.request('GET', `/v1/workflows/runs/${run}/rerun-plan${query}`, token ? { token } : {});
const calls = (path: string) => receiver.received.filter((each) => each.path === `/${path}`).length;

/** form → first (WEBHOOK) → ask (INPUT) → deploy (WEBHOOK) → entity; the deploy fails as often as is said. */
async function deployment(more: { ask?: object; form?: object } = {}) {
  const blueprint = await createBlueprint(app.request, 'deployed');
  const name = unique('deploy');
  const flow = await world.workflow(
    [form(more.form), call('first'), approval(1, more.ask), call(name), upsert(blueprint)],
    [after('form', 'first'), after('first', 'ask'), after('ask', name, 'yes'), after(name, 'entity')],
  );
  return { flow, blueprint, deploy: name };
}

async function failedDeployment(more: Parameters<typeof deployment>[0] = {}, by?: string) {
  const made = await deployment(more);
  const bo = await world.person('bo');
  const token = await app.organization.personToken(by ?? bo);
  receiver.answer = ({ path }) => ({ status: path === `/${made.deploy}` ? 400 : 200 });
  const name = unique('thing');
  const { run, nodeRun } = await world.waiting(made.flow, { name });
  expect((await world.respond(nodeRun, token)).status).toBe(200);
  await app.app.jobs.drain();
  expect(await world.get(run)).toMatchObject({ status: 'COMPLETED', result: 'FAILED' });
  receiver.answer = () => ({ status: 200 });
  return { ...made, run, name, bo, token };
}

const admins = { ask: { responders: { roles: ['Admin', 'Member'] } } };

describe('a re-run', () => {
  test('takes over the steps before, asks for what may count twice, and repeats only the rest', async () => {
    const { run, deploy, blueprint, name } = await failedDeployment(admins);
    const firsts = calls('first');
    const plan = await planOf(run, `?from=${deploy}`);
    expect(plan.status, JSON.stringify(plan.body)).toBe(200);
    expect(plan.body.plan).toMatchObject({ startsAt: deploy, problem: null, mayRerun: true, acknowledge: [deploy] });
    expect(plan.body.plan.steps.map((each: Node) => [each['nodeIdentifier'], each['becomes']])).toEqual([
      ['first', 'reused'],
      ['ask', 'reused'],
      [deploy, 'again'],
      ['entity', 'ahead'],
    ]);
    const refused = await rerun(run, { fromNodeIdentifier: deploy });
    expect(refused).toMatchObject({
      status: 409,
      body: { error: 'acknowledgement_needed', details: { nodes: [deploy] } },
    });
    expect(calls(deploy)).toBe(1);

    const started = await rerun(run, { fromNodeIdentifier: deploy, acknowledge: [deploy] });
    expect(started.status, JSON.stringify(started.body)).toBe(200);
    expect(started.body.run).toMatchObject({ rerunOf: run, status: 'IN_PROGRESS' });
    await app.app.jobs.drain();
    const done = await world.get(started.body.run.identifier);
    expect(done, JSON.stringify(done)).toMatchObject({ status: 'COMPLETED', result: 'SUCCESS' });
    expect(done.nodeRuns.map((each: Node) => [(each['node'] as Node)['identifier'], each['reused']])).toEqual([
      ['first', true],
      ['ask', true],
      [deploy, false],
      ['entity', false],
    ]);
    expect(done.nodeRuns[1].responses).toHaveLength(1);
    expect(done.nodeRuns[0].copiedFrom).toMatch(/^wfnr_/);
    expect([calls('first'), calls(deploy)]).toEqual([firsts, 2]);
    expect(await world.entityStatus(blueprint, name)).toBe(200);
    await world.foldsBack(done.identifier);
  });

  test('with other inputs asks the people again, and nothing behind them happens before', async () => {
    const { run, deploy } = await failedDeployment(admins);
    const inputs = { name: unique('other') };
    const plan = await planOf(run, `?from=${deploy}&inputs_change=true`);
    expect(plan.body.plan.startsAt).toBe('first');
    const started = await rerun(run, { fromNodeIdentifier: deploy, inputs, acknowledge: [deploy, 'first'] });
    expect(started.status, JSON.stringify(started.body)).toBe(200);
    await app.app.jobs.drain();
    expect(await world.get(started.body.run.identifier)).toMatchObject({ currentNode: 'ask', waitingFor: 'response' });
    expect(calls(deploy)).toBe(1);
  });

  test('in another version asks the people again', async () => {
    const { flow, run, deploy } = await failedDeployment(admins);
    const { id, createdAt, createdBy, updatedAt, updatedBy, version, versionIdentifier, ...body } = (
      await app.request('GET', `/v1/workflows/${flow}`)
    ).body.workflow;
    await app.request('PUT', `/v1/workflows/${flow}`, { body: { ...body, description: 'another' } });
    const started = await rerun(run, { fromNodeIdentifier: deploy, version: 'current', acknowledge: [deploy] });
    expect(started.status, JSON.stringify(started.body)).toBe(200);
    await app.app.jobs.drain();
    const shown = await world.get(started.body.run.identifier);
    expect(shown).toMatchObject({ currentNode: 'ask', waitingFor: 'response', workflow: { version: 2 } });
    expect(calls(deploy)).toBe(1);
    // the version of the run is still there, and its approval is for it
    expect((await planOf(run, `?from=${deploy}`)).body.plan).toMatchObject({ startsAt: deploy, version: 1 });
  });

  test('by whoever approved asks anew where requesters may not approve', async () => {
    const ask = { responders: { roles: ['Member', 'Admin'] }, excludeRequester: true };
    const permissions = { roles: ['Member'] };
    const { run, deploy, token } = await failedDeployment({ ask, form: { permissions } });
    const plan = await planOf(run, `?from=${deploy}`, token);
    expect(plan.body.plan).toMatchObject({ startsAt: 'ask', mayRerun: true });
    expect(plan.body.plan.steps[1]).toMatchObject({ nodeIdentifier: 'ask', reason: 'own-approval' });
    const started = await rerun(run, { fromNodeIdentifier: deploy, acknowledge: [deploy] }, { token });
    expect(started.status, JSON.stringify(started.body)).toBe(200);
    await app.app.jobs.drain();
    const waits = await world.get(started.body.run.identifier);
    const nodeRun = waits.nodeRuns.at(-1).identifier;
    expect((await world.respond(nodeRun, token)).status).toBe(403);
    expect(calls(deploy)).toBe(1);
    // of somebody else the approval still counts
    expect((await planOf(run, `?from=${deploy}`)).body.plan.startsAt).toBe(deploy);
  });

  test('of a form that ran out asks again', async () => {
    const blueprint = await createBlueprint(app.request, 'expired');
    const flow = await world.workflow(
      [
        form(),
        approval(1, { expiresAfterSeconds: 60, onExpire: { outletIdentifier: 'yes' } }),
        upsert(blueprint),
        call('end', { onFailure: 'terminate' }),
      ],
      [after('form', 'ask'), after('ask', 'entity', 'yes'), after('entity', 'end')],
    );
    const { run } = await world.waiting(flow, { name: unique('thing') });
    await world.later(120_000);
    expect(await world.get(run)).toMatchObject({ status: 'COMPLETED' });
    const { plan } = (await planOf(run, '?from=end')).body;
    expect(plan).toMatchObject({ startsAt: 'ask' });
    expect(plan.steps[0]).toMatchObject({ reason: 'not-pressed' });
  });

  test('can be run again itself, and keeps who approved', async () => {
    const { run, deploy, bo } = await failedDeployment(admins);
    receiver.answer = ({ path }) => ({ status: path === `/${deploy}` ? 400 : 200 });
    const second = (await rerun(run, { fromNodeIdentifier: deploy, acknowledge: [deploy] })).body.run.identifier;
    await app.app.jobs.drain();
    receiver.answer = () => ({ status: 200 });
    const third = await rerun(second, { fromNodeIdentifier: deploy, acknowledge: [deploy] });
    expect(third.status, JSON.stringify(third.body)).toBe(200);
    await app.app.jobs.drain();
    const done = await world.get(third.body.run.identifier);
    expect(done).toMatchObject({ result: 'SUCCESS', rerunOf: second });
    expect(done.nodeRuns[1].responses[0].submitterInfo.submittedBy).toBe(bo);
    const first = await world.get(run);
    expect(done.nodeRuns[0].copiedFrom).toBe(first.nodeRuns[0].identifier);
  });

  test('from the beginning runs everything again', async () => {
    const { run, deploy } = await failedDeployment(admins);
    const started = await rerun(run, { acknowledge: ['first', deploy] });
    expect(started.status, JSON.stringify(started.body)).toBe(200);
    await app.app.jobs.drain();
    expect(await world.get(started.body.run.identifier)).toMatchObject({ currentNode: 'ask', steps: 2 });
  });

  test('asked for twice with one key is one run', async () => {
    const { run, deploy } = await failedDeployment(admins);
    const headers = { 'idempotency-key': unique('key') };
    const body = { fromNodeIdentifier: deploy, acknowledge: [deploy] };
    const [one, two] = [await rerun(run, body, { headers }), await rerun(run, body, { headers })];
    expect(two.body.run.identifier).toBe(one.body.run.identifier);
    const other = await rerun(run, { acknowledge: ['first', deploy] }, { headers });
    expect(other).toMatchObject({ status: 409, body: { error: 'idempotency_key_reused' } });
    const kept = await app.database.rows<{ id: string }>(sql`
      select id from workflow_runs where org_id = ${app.organization.id} and rerun_of = ${run}`);
    expect(kept).toHaveLength(1);
  });
});

describe('a re-run is refused', () => {
  test('while the run has not ended', async () => {
    const { flow } = await deployment(admins);
    const { run } = await world.waiting(flow);
    expect(await rerun(run, { acknowledge: ['first'] })).toMatchObject({
      status: 409,
      body: { error: 'workflow_run_open' },
    });
  });

  test('to whoever may not start the workflow, and to whoever may not see the run', async () => {
    const { run, deploy, token } = await failedDeployment(admins);
    const body = { fromNodeIdentifier: deploy, acknowledge: [deploy] };
    // who has approved sees it
    expect(await rerun(run, body, { token })).toMatchObject({ status: 403, body: { error: 'missing_permissions' } });
    expect((await planOf(run, '', token)).body.plan.mayRerun).toBe(false);
    const stranger = await app.organization.personToken(await world.person('cy'));
    expect((await rerun(run, body, { token: stranger })).status).toBe(404);
    expect((await planOf(run, '', stranger)).status).toBe(404);
    expect(calls(deploy)).toBe(1);
  });

  test('by a trigger that is paused or not published, and of a workflow that is deleted', async () => {
    const { flow, run, deploy } = await failedDeployment(admins);
    const body = { fromNodeIdentifier: deploy, acknowledge: [deploy] };
    await app.request('POST', `/v1/workflows/${flow}/pause`, { body: {} });
    expect(await rerun(run, body)).toMatchObject({ status: 409, body: { error: 'trigger_paused' } });
    await app.request('DELETE', `/v1/workflows/${flow}`);
    expect((await rerun(run, body)).status).toBe(404);
    expect(calls(deploy)).toBe(1);
  });

  test('from a step that it did not reach, with every fault of other inputs', async () => {
    const { run } = await failedDeployment(admins);
    expect(await rerun(run, { fromNodeIdentifier: 'entity' })).toMatchObject({
      status: 422,
      body: { details: [{ path: '/fromNodeIdentifier', message: expect.stringContaining('did not reach') }] },
    });
    const wrong = await rerun(run, { inputs: { name: 7 }, version: 'other', more: 1 });
    expect(wrong.status).toBe(422);
    const inputs = await rerun(run, { inputs: { name: 7 } });
    expect(inputs).toMatchObject({ status: 422, body: { details: [{ path: '/inputs/name' }] } });
    expect((await planOf(run, '?version=other')).status).toBe(422);
  });

  test('of a part of another run, which says whose part it is', async () => {
    const body = {
      nodes: [
        { identifier: 'item', config: { type: 'ITEM_TRIGGER' } },
        { identifier: 'value', config: { type: 'TRANSFORM', expression: '1' } },
      ],
      connections: [after('item', 'value')],
    };
    const flow = await world.workflow([form(), { identifier: 'each', config: { type: 'MAP', items: [1], body } }]);
    const parent = await world.start(flow);
    await app.app.jobs.drain();
    const [child] = (await app.request('GET', `/v1/workflows/runs?parent=${parent}`)).body.runs;
    expect((await planOf(child.identifier)).body.plan.problem).toContain(parent);
    const refused = await rerun(child.identifier);
    expect(refused.status, JSON.stringify(refused.body)).toBeGreaterThanOrEqual(400);
    const kept = await app.database.rows<{ id: string }>(sql`
      select id from workflow_runs where org_id = ${app.organization.id} and rerun_of = ${child.identifier}`);
    expect(kept).toEqual([]);
    // the whole run may be, with what its step gave
    expect((await planOf(parent, '?from=each')).body.plan).toMatchObject({ problem: null, startsAt: 'each' });
  });

  test('to everybody but administrators where an event started it', async () => {
    const source = await createBlueprint(app.request, 'source');
    const flow = await world.workflow(
      [
        {
          identifier: 'event',
          config: { type: 'EVENT_TRIGGER', event: { type: 'ENTITY_CREATED', blueprintIdentifier: source } },
        },
        { identifier: 'end', config: { type: 'STOP', result: 'SUCCESS' } },
      ],
      undefined,
      { allowAnyoneToViewRuns: true },
    );
    await app.request('POST', `/v1/blueprints/${source}/entities`, { body: { identifier: 'a' } });
    await app.app.jobs.drain();
    const [{ identifier: run }] = (await app.request('GET', `/v1/workflows/runs?workflow=${flow}`)).body.runs;
    const token = await app.organization.personToken(await world.person('ada'));
    expect((await rerun(run, {}, { token })).status).toBe(403);
    expect(await rerun(run, { inputs: {} })).toMatchObject({ status: 422, body: { details: [{ path: '/inputs' }] } });
    const again = await rerun(run);
    expect(again.status, JSON.stringify(again.body)).toBe(200);
    await app.app.jobs.drain();
    const done = await world.get(again.body.run.identifier);
    expect(done).toMatchObject({ result: 'SUCCESS', trigger: { type: 'EVENT_TRIGGER', by: { kind: 'machine' } } });
    expect(done.variables.outputs.trigger).toEqual((await world.get(run)).variables.outputs.trigger);
  });
});
