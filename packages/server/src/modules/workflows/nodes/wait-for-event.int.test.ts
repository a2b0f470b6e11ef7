import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { createBlueprint, createEntity, entityPath, unique } from '../../../../test/catalog-fixtures.ts';
import { createWorkflowWorld, form, type WorkflowWorld } from '../../../../test/workflow-world.ts';

let app: TestApp;
let world: WorkflowWorld;
let blueprint: string;
beforeAll(async () => {
  app = await createTestApp();
  world = createWorkflowWorld(app);
  blueprint = await createBlueprint(app.request, 'build', { schema: { properties: { state: { type: 'string' } } } });
});
afterAll(() => app.close());

const wait = (more: object = {}) => ({
  identifier: 'wait',
  config: { type: 'WAIT_FOR_EVENT', event: { type: 'ENTITY_UPDATED', blueprintIdentifier: blueprint }, ...more },
});
const same = { type: 'JQ', expressions: ['.diff.after.identifier == $outputs.trigger.name # of this run'] };
const create = (identifier: string) =>
  createEntity(app.request, blueprint, { identifier, properties: { state: 'new' } });
const change = (identifier: string, state: string) =>
  app.request('PATCH', entityPath(blueprint, identifier), { body: { properties: { state } } });

async function begun(nodes: readonly object[], name = unique('e')) {
  const run = await world.start(await world.workflow(nodes as never), { name });
  await app.app.jobs.drain();
  return { run, name };
}

test('a step waits for its event, of others of the same kind none, and gives it once', async () => {
  const { run, name } = await begun([form(), wait({ condition: same })]);
  expect(await world.get(run)).toMatchObject({ status: 'IN_PROGRESS', waitingFor: 'event' });
  const other = unique('e');
  for (const each of [name, other]) await create(each);
  await change(other, 'done');
  await app.app.jobs.drain();
  expect(await world.get(run)).toMatchObject({ status: 'IN_PROGRESS' });
  await change(name, 'first');
  await change(name, 'second');
  await app.app.jobs.drain();
  const ended = await world.get(run);
  expect(ended).toMatchObject({
    result: 'SUCCESS',
    nodeRuns: [{ output: { timeout: false, event: { diff: { after: { identifier: name } } } } }],
  });
  expect(ended.nodeRuns[0].output.event.diff.after.properties.state).toBe('first');
  await world.foldsBack(run);
});

test('what happened before the wait counts only where the step looks back, and the oldest that fits wins', async () => {
  const name = unique('e');
  await create(name);
  const pause = { identifier: 'pause', config: { type: 'DELAY', seconds: 60 } };
  const back = await begun([form(), pause, wait({ condition: same, since: 'run-start' })], name);
  const not = await begun([form(), pause, wait({ condition: same })], name);
  await change(name, 'early');
  await change(name, 'later');
  await world.later(61_000);
  const found = await world.get(back.run);
  expect(found).toMatchObject({ result: 'SUCCESS' });
  expect(found.nodeRuns[1].output.event.diff.after.properties.state).toBe('early');
  expect(await world.get(not.run)).toMatchObject({ status: 'IN_PROGRESS', waitingFor: 'event' });
});

test.each([
  [undefined, 'FAILED'],
  ['continue', 'SUCCESS'],
])('an event that does not come in time: with onTimeout %s the run is %s', async (onTimeout, result) => {
  const { run } = await begun([
    form(),
    wait({ condition: same, timeoutSeconds: 60, ...(onTimeout ? { onTimeout } : {}) }),
  ]);
  await world.later(61_000);
  const ended = await world.get(run);
  expect(ended).toMatchObject({ status: 'COMPLETED', result });
  if (onTimeout) expect(ended.nodeRuns[0].output).toEqual({ timeout: true, event: null });
  else expect(ended.nodeRuns[0].message).toContain('The event had not come');
  await world.foldsBack(run);
});

test('no event is lost between the wait and those who write at the same time', async () => {
  const runs = await Promise.all(
    Array.from({ length: 6 }, async () => {
      const name = unique('e');
      await create(name);
      const run = await world.start(
        await world.workflow([form(), wait({ condition: same, since: 'run-start' })] as never),
        { name },
      );
      const written = change(name, 'done');
      await Promise.all([written, app.app.jobs.drain()]);
      return run;
    }),
  );
  await app.app.jobs.drain();
  for (const run of runs) expect(await world.get(run)).toMatchObject({ result: 'SUCCESS' });
});

test('nobody ends it by a report, and a blueprint that is not there fails it', async () => {
  const { run } = await begun([form(), wait()]);
  const [{ identifier }] = (await world.get(run)).nodeRuns;
  const body = { status: 'COMPLETED', result: 'SUCCESS' };
  expect((await app.request('PATCH', `/v1/workflows/nodes/runs/${identifier}`, { body })).status).toBe(409);
  const event = { type: 'ENTITY_CREATED', blueprintIdentifier: unique('gone') };
  const gone = await begun([form(), wait({ event })]);
  expect(await world.get(gone.run)).toMatchObject({ result: 'FAILED' });
});

test('its rules: a timer needs its property, and a condition that cannot be read is told with its place', async () => {
  const nodes = [
    form(),
    { ...wait({ event: { type: 'TIMER_EXPIRED', blueprintIdentifier: blueprint } }), identifier: 'a' },
    {
      ...wait({ condition: { type: 'JQ', expressions: ['.diff |', '$outputs.trigger.name == "x"'] } }),
      identifier: 'b',
    },
    { ...wait({ onTimeout: 'never' }), identifier: 'c' },
  ];
  const { body } = await app.request('POST', '/v1/workflows/validate', {
    body: { identifier: unique('flow'), nodes, connections: [] },
  });
  const places = body.issues.map(({ path, code }: { path: string; code: string }) => `${code} ${path}`);
  expect(places).toEqual([
    'shape /nodes/3/config/onTimeout',
    'timer_without_property /nodes/1/config/event/propertyIdentifier',
    'jq /nodes/2/config/condition/expressions/0',
  ]);
});
