import sql from 'sql-template-tag';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ActionWorld, createActionWorld, runsPath } from '../../../../test/action-world.ts';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { createBlueprint, createEntity, unique } from '../../../../test/catalog-fixtures.ts';
import { createWorkflowWorld, form, type WorkflowWorld } from '../../../../test/workflow-world.ts';

let app: TestApp;
let actions: ActionWorld;
let world: WorkflowWorld;
beforeAll(async () => {
  app = await createTestApp();
  actions = await createActionWorld(app);
  world = createWorkflowWorld(app);
});
afterAll(async () => {
  await app.close();
  await actions.receiver.close();
});
beforeEach(async () => {
  await app.app.jobs.drain();
  actions.receiver.received.length = 0;
});

const open = { permissions: { roles: ['Member'] } };
const step = (actionIdentifier: string, more: object = {}) => ({
  identifier: 'act',
  config: { type: 'RUN_ACTION', actionIdentifier, properties: { n: '{{ .outputs.trigger.name }}' }, ...more },
});
const inputs = { properties: { n: { type: 'string' } } };
const waitsForReport = (more: object = {}) => actions.hook({ synchronized: false, ...more });

/** Starts a workflow of one such step and says which run of the action it waits for. */
async function begun(nodes: readonly object[], token?: string) {
  const run = await world.start(await world.workflow(nodes as never), { name: 'x' }, token ? { token } : {});
  await app.app.jobs.drain();
  const shown = await world.get(run);
  return { run, shown, action: shown.nodeRuns[0]?.externalRunId as string };
}

async function report(id: string, status: 'SUCCESS' | 'FAILURE', more: object = {}): Promise<void> {
  const answer = await app.request('PATCH', `${runsPath}/${id}`, { body: { status, ...more } });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  await app.app.jobs.drain();
}

async function isAwaited(action: string): Promise<boolean> {
  const rows = await app.database.rows(sql`
    select node_run_id from workflow_waits where org_id = ${app.organization.id} and action_run = ${action}`);
  return rows.length > 0;
}

test('a step runs an action, waits for its end, and gives its run to the steps after it', async () => {
  const name = await actions.action(waitsForReport({ body: '{{ .inputs }}' }), {}, inputs);
  const blueprint = await createBlueprint(app.request, 'thing');
  const after = {
    identifier: 'told',
    config: {
      type: 'UPSERT_ENTITY',
      blueprintIdentifier: blueprint,
      mapping: { identifier: '{{ .outputs.act.run.id }}', title: '{{ .outputs.act.run.statusLabel }}' },
    },
  };
  const { run, shown, action } = await begun([form(), step(name), after]);
  expect(shown).toMatchObject({
    status: 'IN_PROGRESS',
    waitingFor: 'action',
    nodeRuns: [
      {
        message: `Waits for the run ${action} of the action "${name}": it is in progress`,
        links: [expect.stringContaining(`/runs/${action}`)],
        effect: 'ours',
      },
    ],
  });
  expect(actions.receiver.received.map(({ body }) => JSON.parse(body))).toEqual([{ n: 'x' }]);
  await report(action, 'SUCCESS', { statusLabel: 'deployed' });
  const ended = await world.get(run);
  expect(ended).toMatchObject({
    status: 'COMPLETED',
    result: 'SUCCESS',
    nodeRuns: [{ output: { run: { id: action, status: 'SUCCESS', statusLabel: 'deployed' } } }, { result: 'SUCCESS' }],
  });
  expect(ended.nodeRuns[0].output.run).not.toHaveProperty('payload');
  expect(await world.entityStatus(blueprint, action)).toBe(200);
  await world.foldsBack(run);
  expect(await isAwaited(action)).toBe(false);
});

test('an action that ends at once ends the step too', async () => {
  const name = await actions.action(actions.hook({ synchronized: true }), {}, inputs);
  const { shown } = await begun([form(), step(name)]);
  expect(shown).toMatchObject({ status: 'COMPLETED', result: 'SUCCESS' });
});

test.each([
  ['terminate', 'FAILED'],
  ['continue', 'SUCCESS'],
])('an action that fails, fails its step; with onFailure %s the run is %s', async (onFailure, result) => {
  const name = await actions.action(waitsForReport(), {}, inputs);
  const { run, action } = await begun([form(), step(name, { onFailure })]);
  await report(action, 'FAILURE', { statusLabel: 'no quota' });
  expect(await world.get(run)).toMatchObject({
    result,
    nodeRuns: [{ result: 'FAILED', message: `The run ${action} of the action "${name}" failed: no quota` }],
  });
});

test('the approval of the action stays: the step says so, and nothing is called before; declined is failed', async () => {
  const person = await app.organization.personToken(await world.person('ada'));
  const guarded = await actions.action(waitsForReport(), { requiredApproval: true }, inputs);
  for (const status of ['APPROVE', 'DECLINE'] as const) {
    const { run, shown, action } = await begun([form(open), step(guarded)], person);
    expect(shown.nodeRuns[0].message).toBe(
      `Waits for the run ${action} of the action "${guarded}": it waits for approval`,
    );
    expect(actions.receiver.received).toEqual([]);
    const own = await app.request('PATCH', `${runsPath}/${action}/approval`, { token: person, body: { status } });
    expect(own.status).toBe(403);
    const decided = await app.request('PATCH', `${runsPath}/${action}/approval`, { body: { status } });
    expect(decided.status, JSON.stringify(decided.body)).toBe(201);
    await app.app.jobs.drain();
    if (status === 'APPROVE') {
      expect(actions.receiver.received).toHaveLength(1);
      await report(action, 'SUCCESS');
      expect(await world.get(run)).toMatchObject({ result: 'SUCCESS' });
    } else {
      expect(await world.get(run)).toMatchObject({
        result: 'FAILED',
        nodeRuns: [{ message: expect.stringContaining('was declined') }],
      });
    }
    actions.receiver.received.length = 0;
  }
});

test('whoever saved a workflow that an event starts approves nothing that it asks for', async () => {
  const saver = await world.person('eve', 'Admin');
  const token = await app.organization.personToken(saver);
  const name = await actions.action(waitsForReport(), { requiredApproval: true }, inputs);
  const blueprint = await createBlueprint(app.request, 'thing');
  const identifier = unique('flow');
  const event = { type: 'ENTITY_CREATED', blueprintIdentifier: blueprint };
  const nodes = [{ identifier: 'made', config: { type: 'EVENT_TRIGGER', event } }, step(name, { properties: {} })];
  const connections = [{ sourceIdentifier: 'made', targetIdentifier: 'act' }];
  const saved = await app.request('POST', '/v1/workflows', { token, body: { identifier, nodes, connections } });
  expect(saved.status, JSON.stringify(saved.body)).toBe(200);
  const maker = await app.organization.personToken(await world.person('mia', 'Admin'));
  await createEntity((method, path, options) => app.request(method, path, { ...options, token: maker }), blueprint, {
    identifier: 'x',
  });
  await app.app.jobs.drain();
  const [summary] = (await app.request('GET', `/v1/workflows/runs?workflow=${identifier}`)).body.runs;
  const [{ externalRunId: action }] = (await world.get(summary.identifier)).nodeRuns;
  const approve = (as: string) =>
    app.request('PATCH', `${runsPath}/${action}/approval`, { token: as, body: { status: 'APPROVE' } });
  expect([(await approve(token)).status, (await approve(maker)).status]).toEqual([403, 403]);
  const other = await app.organization.personToken(await world.person('bo', 'Admin'));
  const decided = await approve(other);
  expect(decided.status, JSON.stringify(decided.body)).toBe(201);
  await app.app.jobs.drain();
  expect(actions.receiver.received).toHaveLength(1);
});

test('the action is run as far as whoever saved the workflow may run it', async () => {
  const name = await actions.action(waitsForReport(), {}, inputs);
  const execute = { roles: [], users: ['nobody@example.com'] };
  expect((await app.request('PATCH', `/v1/actions/${name}/permissions`, { body: { execute } })).status).toBe(200);
  const flow = await world.workflow([form(open), step(name)] as never);
  const narrowed = JSON.stringify({
    by: { kind: 'machine', id: app.organization.clientId },
    roles: ['Member'],
    teamKeys: [],
  });
  await app.database.transaction((tx) =>
    tx.execute(sql`
      update workflow_versions set authority = ${narrowed}::jsonb where org_id = ${app.organization.id}
        and workflow_key = (select key from workflows where org_id = ${app.organization.id} and identifier = ${flow})`),
  );
  const run = await world.start(flow, { name: 'x' });
  await app.app.jobs.drain();
  expect(await world.get(run)).toMatchObject({
    result: 'FAILED',
    nodeRuns: [{ message: expect.stringContaining('was not found') }],
  });
  expect(actions.receiver.received).toEqual([]);
});

test('an action that is not there, a form that is not met and a template that fails are told in words', async () => {
  const gone = (await begun([form(), step(unique('gone'))])).shown;
  expect(gone.nodeRuns[0].message).toContain('The action was not run: ');
  const strict = await actions.action(waitsForReport(), {}, { properties: { n: { type: 'number' } } });
  const wrong = (await begun([form(), step(strict)])).shown;
  expect(wrong.nodeRuns[0].message).toContain('/properties/n');
  const none = (await begun([form(), step('{{ .outputs.none }}')])).shown;
  expect(none.nodeRuns[0].message).toBe('The action came to nothing');
});

test('nobody ends the step by a report on it, and the end of an action that comes after a cancel changes nothing', async () => {
  const name = await actions.action(waitsForReport(), {}, inputs);
  const { run, shown, action } = await begun([form(), step(name)]);
  const path = `/v1/workflows/nodes/runs/${shown.nodeRuns[0].identifier}`;
  const forced = await app.request('PATCH', path, { body: { status: 'COMPLETED', result: 'SUCCESS' } });
  expect([forced.status, forced.body.error]).toEqual([409, 'node_run_ended']);
  expect((await app.request('POST', `/v1/workflows/runs/${run}/cancel`)).status).toBe(200);
  await report(action, 'SUCCESS');
  expect(await world.get(run)).toMatchObject({ result: 'CANCELLED', nodeRuns: [{ result: 'CANCELLED' }] });
  expect(await isAwaited(action)).toBe(false);
});

test('a cancelled workflow withdraws the run of an action that waits for approval, and leaves one in progress', async () => {
  const asked = await actions.action(waitsForReport(), { requiredApproval: true }, inputs);
  const { run, action } = await begun([form(), step(asked)]);
  const statusOf = async (id: string) => (await app.request('GET', `${runsPath}/${id}?version=v2`)).body.run;
  expect(await statusOf(action)).toMatchObject({ status: 'WAITING_FOR_APPROVAL' });
  expect((await app.request('POST', `/v1/workflows/runs/${run}/cancel`)).status).toBe(200);
  await app.app.jobs.drain();
  expect(await statusOf(action)).toMatchObject({ status: 'FAILURE', statusLabel: expect.stringContaining(run) });
  expect(actions.receiver.received).toEqual([]);
  const open = await begun([form(), step(await actions.action(waitsForReport(), {}, inputs))]);
  await app.request('POST', `/v1/workflows/runs/${open.run}/cancel?force=true`);
  await app.app.jobs.drain();
  expect(await statusOf(open.action)).toMatchObject({ status: 'IN_PROGRESS' });
});

test('a step of which the action does not end in time fails', async () => {
  const name = await actions.action(waitsForReport(), {}, inputs);
  const { run, action } = await begun([form(), step(name, { timeoutSeconds: 60 })]);
  await world.later(61_000);
  expect(await world.get(run)).toMatchObject({
    result: 'FAILED',
    nodeRuns: [{ message: expect.stringContaining('had not ended') }],
  });
  await report(action, 'SUCCESS');
  expect(await world.get(run)).toMatchObject({ result: 'FAILED' });
});

test('a start that loses its run to another leaves no run of the action', async () => {
  const name = await actions.action(waitsForReport(), {}, inputs);
  const flow = await world.workflow([form(), step(name)] as never);
  const run = await world.start(flow, { name: 'x' });
  await Promise.all([app.app.jobs.drain(), app.app.jobs.drain(), app.app.jobs.drain()]);
  const { runs } = (await app.request('GET', `${runsPath}?version=v2&action=${name}`)).body;
  expect(runs).toHaveLength(1);
  expect((await world.get(run)).nodeRuns).toHaveLength(1);
});
