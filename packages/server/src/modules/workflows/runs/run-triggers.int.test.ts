import sql from 'sql-template-tag';
import { afterAll, beforeAll, expect, test } from 'vitest';
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

const after = (event: object, more: object = {}) => ({
  identifier: 'after',
  config: { type: 'RUN_TRIGGER', event, ...more },
});
const keep = { identifier: 'keep', config: { type: 'TRANSFORM', value: '{{ .outputs.trigger }}' } };
const runsOf = async (flow: string) => (await app.request('GET', `/v1/workflows/runs?workflow=${flow}`)).body.runs;

test('the end of a run of an action starts a run, of that action alone and once', async () => {
  const name = await actions.action(actions.hook({ synchronized: false }));
  const flow = await world.workflow([after({ type: 'ACTION_RUN_ENDED', actionIdentifier: name }), keep] as never);
  const other = await world.workflow([
    after({ type: 'ACTION_RUN_ENDED', actionIdentifier: unique('no') }),
    keep,
  ] as never);
  const { id } = (await actions.start(name)).body.run;
  await app.app.jobs.drain();
  expect(await runsOf(flow)).toEqual([]);
  await app.request('PATCH', `${runsPath}/${id}`, { body: { status: 'FAILURE', statusLabel: 'no quota' } });
  await app.request('POST', `${runsPath}/${id}/response`, { body: { response: { late: true } } });
  await app.app.jobs.drain();
  const [started, ...more] = await runsOf(flow);
  expect(more).toEqual([]);
  const shown = await world.get(started.identifier);
  expect(shown.nodeRuns[0].output).toMatchObject({
    type: 'ACTION_RUN_ENDED',
    run: { id, status: 'FAILURE', statusLabel: 'no quota' },
  });
  expect(shown.nodeRuns[0].output.run).not.toHaveProperty('payload');
  expect(await runsOf(other)).toEqual([]);
});

test('the end of a run of a workflow does too, as far as the condition holds', async () => {
  const stop = (result: string) => [form(), { identifier: 'stop', config: { type: 'STOP', result } }];
  const good = await world.workflow(stop('SUCCESS') as never);
  const bad = await world.workflow(stop('FAILED') as never);
  const condition = { type: 'JQ', expressions: ['.run.result == "FAILED"', `.run.workflow | IN("${good}", "${bad}")`] };
  const flow = await world.workflow([after({ type: 'WORKFLOW_RUN_ENDED' }, { condition }), keep] as never);
  await world.start(good);
  const failed = await world.start(bad);
  await app.app.jobs.drain();
  const started = await runsOf(flow);
  expect(started).toHaveLength(1);
  expect((await world.get(started[0].identifier)).nodeRuns[0].output.run).toMatchObject({
    identifier: failed,
    result: 'FAILED',
  });
  await app.request('DELETE', `/v1/workflows/${flow}`);
});

test('a condition that costs too much starts a run that says so and does nothing', async () => {
  const flow = await world.workflow([form(), keep] as never);
  const conditioned = (...expressions: string[]) =>
    world.workflow([after({ type: 'WORKFLOW_RUN_ENDED' }, { condition: { type: 'JQ', expressions } }), keep] as never);
  const listening = [await conditioned(`.run.workflow == "${flow}"`, 'until(false; .)'), await conditioned('false')];
  await world.start(flow);
  await app.app.jobs.drain();
  const [stopped, none] = await Promise.all(listening.map(runsOf));
  const message = expect.stringContaining('Stopped: the condition was not decided');
  expect([stopped, none]).toMatchObject([[{ result: 'FAILED', message }], []]);
  for (const name of listening) await app.request('DELETE', `/v1/workflows/${name}`);
});

test('a workflow that is started by its own end is stopped by the length of the chain', async () => {
  const first = await world.workflow([form(), keep] as never);
  const loop = unique('loop');
  const nodes = [
    after(
      { type: 'WORKFLOW_RUN_ENDED' },
      {
        condition: {
          type: 'JQ',
          combinator: 'or',
          expressions: [`.run.workflow == "${first}"`, `.run.workflow == "${loop}"`],
        },
      },
    ),
    keep,
  ];
  const connections = [{ sourceIdentifier: 'after', targetIdentifier: 'keep' }];
  expect((await app.request('POST', '/v1/workflows', { body: { identifier: loop, nodes, connections } })).status).toBe(
    200,
  );
  await world.start(first);
  await app.app.jobs.drain();
  const runs = await runsOf(loop);
  expect(runs.length).toBeGreaterThan(5);
  expect(runs.length).toBeLessThan(25);
  expect(runs[0]).toMatchObject({ result: 'FAILED', message: expect.stringContaining('looks like a loop') });
  await app.request('DELETE', `/v1/workflows/${loop}`);
});

test('a trigger that starts too much within a minute is paused until somebody resumes it', async () => {
  const blueprint = await createBlueprint(app.request, 'thing');
  const event = { type: 'ENTITY_CREATED', blueprintIdentifier: blueprint };
  const flow = await world.workflow([{ identifier: 'made', config: { type: 'EVENT_TRIGGER', event } }, keep] as never);
  const make = async () => {
    await createEntity(app.request, blueprint, { identifier: unique('e') });
    await app.app.jobs.drain();
  };
  await make();
  expect(await runsOf(flow)).toHaveLength(1);
  // as if it had started all that it may
  await app.database.transaction((tx) =>
    tx.execute(sql`
      insert into workflow_runs (org_id, id, workflow_key, workflow_identifier, version, status, result, rev, trigger_node,
        trigger, depth, root_id, steps, bytes, authority, text_authors, created_by, created_by_kind, deadline_at,
        created_at, updated_at, completed_at)
      select r.org_id, r.id || n, r.workflow_key, r.workflow_identifier, r.version, 'COMPLETED', 'SUCCESS', 1,
        r.trigger_node, '{}', 0, r.id || n, 1, 0, r.authority, r.text_authors, r.created_by, r.created_by_kind,
        r.deadline_at, r.created_at, r.updated_at, r.created_at
      from workflow_runs r cross join generate_series(1, 599) n
      where r.org_id = ${app.organization.id} and r.workflow_identifier = ${flow}`),
  );
  await make();
  const [stopped] = await runsOf(flow);
  expect(stopped).toMatchObject({
    result: 'FAILED',
    message: expect.stringContaining('paused until somebody resumes it'),
  });
  const pauses = await app.database.rows(sql`
    select p.node, p.reason from workflow_pauses p join workflows w on w.org_id = p.org_id and w.key = p.workflow_key
    where p.org_id = ${app.organization.id} and w.identifier = ${flow}`);
  expect(pauses).toEqual([{ node: 'made', reason: expect.stringContaining('within a minute') }]);
  app.clock.advance(120_000);
  const before = (await runsOf(flow)).length;
  await make();
  expect(await runsOf(flow)).toHaveLength(before);
});
