import sql from 'sql-template-tag';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { type Receiver, startReceiver } from '../../../../test/receiver.ts';
import { createWorkflowWorld, form, type WorkflowWorld } from '../../../../test/workflow-world.ts';
import { dispatchNode } from './run-jobs.ts';

let app: TestApp;
let world: WorkflowWorld;
let receiver: Receiver;
beforeAll(async () => {
  app = await createTestApp();
  world = createWorkflowWorld(app);
  receiver = await startReceiver();
});
afterAll(async () => {
  await receiver.close();
  await app.close();
});
beforeEach(() => {
  receiver.received.length = 0;
});

/** A run whose call never comes back, and the job of which another process takes up, as after a kill. */
async function cutOff(retry: object) {
  receiver.answer = () => 'hang';
  const call = {
    identifier: 'call',
    config: { type: 'WEBHOOK', url: `${receiver.url}/x`, timeoutSeconds: 600, retry },
  };
  const run = await world.start(await world.workflow([form(), call] as never));
  const lost = app.app.jobs.drain();
  lost.catch(() => undefined);
  await expect.poll(() => receiver.received.length, { timeout: 10_000 }).toBe(1);
  receiver.answer = () => ({ status: 200 });
  const [{ id }] = (await app.database.rows(sql`
    select id from workflow_node_runs where org_id = ${app.organization.id} and run_id = ${run}`)) as [{ id: string }];
  await app.database.transaction((tx) =>
    app.app.jobs.enqueue(tx, app.organization.id, dispatchNode, { nodeRunId: id }),
  );
  await app.app.jobs.drain();
  return world.get(run);
}

test('a call that was cut off is not repeated where its author says so, and the step says why', async () => {
  expect(await cutOff({ onUnknown: 'fail' })).toMatchObject({
    result: 'FAILED',
    nodeRuns: [
      { result: 'FAILED', message: expect.stringContaining('whether the receiver got the call is not known') },
    ],
  });
  expect(receiver.received).toHaveLength(1);
});

test('otherwise it is repeated with the same key', async () => {
  expect(await cutOff({})).toMatchObject({ result: 'SUCCESS' });
  const [first, second] = receiver.received.map(({ headers }) => headers['idempotency-key']);
  expect(first).toBeDefined();
  expect(second).toBe(first);
});

test('a call that waits for a place of its receiver has not begun, and one that is tried again begins anew', async () => {
  let answers = 0;
  receiver.answer = () => {
    answers += 1;
    return { status: answers === 1 ? 503 : 200 };
  };
  const retry = { onUnknown: 'fail', backoffSeconds: 0 };
  const call = { identifier: 'call', config: { type: 'WEBHOOK', url: `${receiver.url}/x`, retry } };
  const run = await world.start(await world.workflow([form(), call] as never));
  await app.app.jobs.drain();
  await world.later(10_000);
  expect(await world.get(run)).toMatchObject({ result: 'SUCCESS', nodeRuns: [{ tries: 2 }] });
});
