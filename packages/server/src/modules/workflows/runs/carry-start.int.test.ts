import sql from 'sql-template-tag';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { createBlueprint, unique } from '../../../../test/catalog-fixtures.ts';
import { createNodeWorld } from '../../../../test/node-world.ts';
import { createWorkflowWorld, form, type Node, upsert, type WorkflowWorld } from '../../../../test/workflow-world.ts';
import type { NodeKind } from '../nodes/node-kind.ts';
import { createNodeKinds } from '../nodes/node-kinds.ts';
import type { RunsDeps } from './runs.deps.ts';
import { startRun } from './start-run.ts';

let app: TestApp;
let nodes: ReturnType<typeof createNodeWorld>;
let world: WorkflowWorld;
/** What starts with a kind of the test warn of. */
const warned: Readonly<Record<string, unknown>>[] = [];
beforeAll(async () => {
  app = await createTestApp();
  nodes = createNodeWorld(app);
  world = createWorkflowWorld(app);
});
afterAll(async () => {
  await nodes.close();
  await app.close();
});

const computing = (identifier: string): Node => ({ identifier, config: { type: 'TRANSFORM', expression: '{n: 1}' } });
const chain = (length: number) => Array.from({ length }, (_none, index) => computing(`step-${index}`));

async function started(flow: string, options: object = {}) {
  const answer = await app.request('POST', `/v1/workflows/${flow}/runs`, { body: { inputs: {} }, ...options });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.run;
}

async function listJobs(run: string): Promise<string[]> {
  const rows = await app.database.rows<{ name: string }>(sql`
    select name from jobs where org_id = ${app.organization.id} and input::text like ${`%${run}%`}`);
  return rows.map(({ name }) => name);
}

/** Starts a run of two steps, the second of this kind. */
async function startWith(kind: NodeKind) {
  const flow = await world.workflow([form(), ...chain(2)]);
  const checkStart: RunsDeps['checkStart'] = async () => ({ values: {}, authors: [] });
  let planned = 0;
  const usual = createNodeKinds({ ...nodes.deps, checkStart });
  const TRANSFORM: NodeKind = {
    effect: 'none',
    computes: true,
    plan: (call) => {
      planned += 1;
      const { TRANSFORM: computes } = usual;
      const chosen = planned === 2 ? kind : computes;
      if (chosen?.effect !== 'none') throw new Error('the test carries out what computes');
      return chosen.plan(call);
    },
  };
  const deps: RunsDeps = {
    ...nodes.deps,
    jobs: app.app.jobs,
    log: { warn: (context, message) => warned.push({ ...context, message }), error: () => undefined },
    kinds: { ...usual, TRANSFORM },
    checkStart,
    checkRerun: async () => undefined,
    checkResponse: async () => ({ values: {} }),
    keptDays: 1,
  };
  const { actor } = nodes.callOf({ type: 'STOP' });
  return (await startRun(deps, actor, flow, { inputs: {} })).run;
}

test('a run whose steps only compute has ended when its start is answered, and leaves no job', async () => {
  const flow = await world.workflow([form(), ...chain(5)]);
  const run = await started(flow);
  expect(run).toMatchObject({ status: 'COMPLETED', result: 'SUCCESS', steps: 5, currentNode: null });
  expect(run.variables.outputs).toMatchObject({ 'step-0': { n: 1 }, 'step-4': { n: 1 } });
  expect(await listJobs(run.identifier)).toEqual([]);
  expect(await world.get(run.identifier)).toEqual(run);
  await world.foldsBack(run.identifier);
  const records = await app.database.rows<{ event: string; by: string }>(sql`
    select event, actor_id as by from journal
    where org_id = ${app.organization.id} and identifier = ${run.identifier} order by key`);
  const updates = Array.from({ length: 6 }, () => ({ event: 'workflow-run.updated', by: 'portolan' }));
  expect(records).toEqual([{ event: 'workflow-run.created', by: app.organization.clientId }, ...updates]);
});

test('it takes nine statements: the version, who stands behind it, its hold, pauses, the run, two records, and two around them', async () => {
  const flow = await world.workflow([form(), ...chain(5)]);
  expect(await app.countStatements(() => started(flow))).toBe(9);
});

test('a start goes no further than a step that writes, calls or may take long', async () => {
  const writes = await world.workflow([
    form(),
    computing('before'),
    upsert(await createBlueprint(app.request, 'kept')),
  ]);
  const run = await started(writes, { body: { inputs: { name: unique('thing') } } });
  expect(run).toMatchObject({ status: 'IN_PROGRESS', steps: 1 });
  expect(await listJobs(run.identifier)).toEqual(['workflows.advance']);
  await app.app.jobs.drain();
  expect(await world.get(run.identifier)).toMatchObject({ result: 'SUCCESS', steps: 2 });
  await world.foldsBack(run.identifier);

  const fetches = { identifier: 'read', config: { type: 'FETCH', blueprintIdentifier: '_user' } };
  const reads = await started(await world.workflow([form(), fetches]));
  expect(reads).toMatchObject({ status: 'IN_PROGRESS', steps: 0 });

  const call = { identifier: 'call', config: { type: 'WEBHOOK', url: 'http://127.0.0.1:9/' } };
  const calls = await started(await world.workflow([form(), computing('before'), call]));
  expect(calls).toMatchObject({ status: 'IN_PROGRESS', steps: 2, currentNode: 'call' });
  expect(await listJobs(calls.nodeRuns.at(-1).identifier)).toEqual(['workflows.dispatch-node']);
  await app.app.jobs.drain();
});

test('a start takes as many steps as one batch of a job, and leaves the others to the job', async () => {
  const flow = await world.workflow([form(), ...chain(60)]);
  // the time stands, so that the number of steps ends the batch on a slow machine too
  const time = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
  const run = await started(flow).finally(() => time.mockRestore());
  expect(run).toMatchObject({ status: 'IN_PROGRESS', steps: 50 });
  await app.app.jobs.drain();
  expect(await world.get(run.identifier)).toMatchObject({ result: 'SUCCESS', steps: 60 });
  await world.foldsBack(run.identifier);
});

test('a step that takes the time of a batch is the last of its start', async () => {
  const run = await startWith({
    effect: 'none',
    computes: true,
    plan: async () => {
      await new Promise((resolve) => setTimeout(resolve, 120));
      return { kind: 'ended', result: 'SUCCESS', raw: {} };
    },
  });
  expect(run).toMatchObject({ status: 'IN_PROGRESS', steps: 2 });
  expect(await listJobs(run.id)).toEqual(['workflows.advance']);
  await app.app.jobs.drain();
  expect(await world.get(run.id)).toMatchObject({ status: 'COMPLETED', result: 'SUCCESS' });
});

test('what fails unexpectedly in a start is left to its job, and the log says so', async () => {
  const error = new Error('unforeseen');
  const run = await startWith({ effect: 'none', computes: true, plan: () => Promise.reject(error) });
  expect(warned).toMatchObject([{ error, workflowRun: run.id, message: expect.stringContaining('left to its job') }]);
  expect(run).toMatchObject({ status: 'IN_PROGRESS', steps: 1 });
  expect(await listJobs(run.id)).toEqual(['workflows.advance']);
  await app.app.jobs.drain();
  expect(await world.get(run.id)).toMatchObject({ result: 'SUCCESS', steps: 2 });
});

test('one key at the same moment computes for one run alone', async () => {
  const flow = await world.workflow([form(), ...chain(2)]);
  const headers = { 'idempotency-key': unique('key') };
  const runs = await Promise.all([1, 2, 3].map(() => started(flow, { headers })));
  expect(new Set(runs.map(({ identifier }) => identifier)).size).toBe(1);
  expect(runs.map(({ status }) => status)).toEqual(['COMPLETED', 'COMPLETED', 'COMPLETED']);
  const { body } = await app.request('GET', `/v1/workflows/runs?workflow=${flow}`);
  expect(body.runs).toHaveLength(1);
  await world.foldsBack(runs[0].identifier);
});

test('a paused workflow keeps nothing of what its start computed', async () => {
  const flow = await world.workflow([form(), ...chain(2)]);
  const paused = await app.request('POST', `/v1/workflows/${flow}/pause`, { body: {} });
  expect(paused.status, JSON.stringify(paused.body)).toBe(200);
  const refused = await app.request('POST', `/v1/workflows/${flow}/runs`, { body: { inputs: {} } });
  expect(refused).toMatchObject({ status: 409, body: { error: 'trigger_paused' } });
  const { body } = await app.request('GET', `/v1/workflows/runs?workflow=${flow}`);
  expect(body.runs).toEqual([]);
});
