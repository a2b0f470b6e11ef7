import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { createBlueprint, unique } from '../../../../test/catalog-fixtures.ts';
import { type Receiver, startReceiver } from '../../../../test/receiver.ts';
import { createWorkflowWorld, form, type Node, upsert } from '../../../../test/workflow-world.ts';

let app: TestApp;
let receiver: Receiver;
beforeAll(async () => {
  app = await createTestApp();
  receiver = await startReceiver();
});
afterAll(async () => {
  await app.close();
  await receiver.close();
});

const step = (identifier: string, config: object, more: object = {}): Node => ({ identifier, config, ...more });
const hook = (identifier: string, more: object = {}) =>
  step(identifier, { type: 'WEBHOOK', url: `${receiver.url}/${identifier}`, retry: { attempts: 1 } }, more);
const leads = (sourceIdentifier: string, targetIdentifier: string) => ({ sourceIdentifier, targetIdentifier });

// all else of it runs on PostgreSQL, from the same statements
test('over its one connection a run takes back calls, entities and runs inside it, and what failed again', async () => {
  const world = createWorkflowWorld(app);
  const blueprint = await createBlueprint(app.request, 'made');
  const removes = step('remove', {
    type: 'DELETE_ENTITY',
    blueprintIdentifier: blueprint,
    identifier: '{{ .outputs.trigger.name }}',
  });
  const body = {
    nodes: [step('item', { type: 'ITEM_TRIGGER' }), hook('part', { compensatedBy: 'unpart' }), hook('unpart')],
    connections: [leads('item', 'part')],
  };
  const flow = await world.workflow(
    [
      form(),
      hook('reserve', { compensatedBy: 'release' }),
      { ...upsert(blueprint), compensatedBy: 'remove' },
      step('each', { type: 'MAP', items: ['a', 'b'], body }),
      step('stop', { type: 'STOP', result: 'FAILED' }),
      hook('release'),
      removes,
    ],
    [leads('form', 'reserve'), leads('reserve', 'entity'), leads('entity', 'each'), leads('each', 'stop')],
  );
  receiver.answer = ({ path }) => ({ status: path === '/release' ? 400 : 200, body: '{}' });
  const thing = unique('thing');
  const run = await world.start(flow, { name: thing });
  await app.app.jobs.drain();
  const calls = ['/reserve', '/part', '/part', '/unpart', '/unpart', '/release'];
  expect(receiver.received.map(({ path }) => path)).toEqual(calls);
  expect(await world.entityStatus(blueprint, thing)).toBe(404);
  const failed = await world.get(run);
  expect(failed).toMatchObject({ status: 'COMPLETED', result: 'FAILED', endsAs: 'FAILED' });
  expect(failed.failedCompensations).toHaveLength(1);

  receiver.answer = () => ({ status: 200, body: '{}' });
  const again = await app.request('POST', `/v1/workflows/runs/${run}/repeat-compensations`, { body: {} });
  expect(again.status, JSON.stringify(again.body)).toBe(200);
  await app.app.jobs.drain();
  expect(receiver.received.map(({ path }) => path)).toEqual([...calls, '/release']);
  expect(await world.get(run)).toMatchObject({ status: 'COMPLETED', result: 'FAILED', failedCompensations: [] });
  await world.foldsBack(run);
});
