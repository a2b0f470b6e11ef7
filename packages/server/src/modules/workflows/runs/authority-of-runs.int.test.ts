import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { createBlueprint, createEntity, unique } from '../../../../test/catalog-fixtures.ts';
import { type MockModelServer, startMockModelServer } from '../../../../test/mock-model-server.ts';
import { type Receiver, startReceiver } from '../../../../test/receiver.ts';
import { createWorkflowWorld, form, type Node, upsert, type WorkflowWorld } from '../../../../test/workflow-world.ts';

let app: TestApp;
let world: WorkflowWorld;
let receiver: Receiver;
let model: MockModelServer;
beforeAll(async () => {
  model = await startMockModelServer();
  receiver = await startReceiver();
  app = await createTestApp({
    model: { provider: 'openai-compatible', model: 'mock', baseUrl: model.url, apiKey: 'sk-mock' },
  });
  world = createWorkflowWorld(app);
  // the last administrator has to stay one
  await world.person('stays', 'Admin');
});
afterAll(async () => {
  await model.close();
  await app.close();
  await receiver.close();
});
beforeEach(() => {
  receiver.received.length = 0;
  model.respondWith(() => undefined);
});

const step = (identifier: string, config: object): Node => ({ identifier, config });
const wait = step('wait', { type: 'DELAY', seconds: 60 });
const compute = (identifier: string) => step(identifier, { type: 'TRANSFORM', expression: '{n: 1}' });

async function change(person: string, properties: object): Promise<void> {
  const path = `/v1/blueprints/_user/entities/${encodeURIComponent(person)}`;
  const answer = await app.request('PATCH', path, { body: { properties } });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
}

/** Saves a workflow of these nodes in a row as a person, and starts it. */
async function startedOf(saver: string, nodes: readonly Node[], inputs: object = { name: unique('thing') }) {
  const identifier = unique('flow');
  const connections = nodes.slice(1).map((node, at) => ({
    sourceIdentifier: nodes[at]?.['identifier'],
    targetIdentifier: node['identifier'],
  }));
  const token = await app.organization.personToken(saver);
  const saved = await app.request('POST', '/v1/workflows', { token, body: { identifier, nodes, connections } });
  expect(saved.status, JSON.stringify(saved.body)).toBe(200);
  return world.start(identifier, inputs);
}

const lastStep = async (run: string) => {
  const shown = await world.get(run);
  expect(shown, JSON.stringify(shown)).toMatchObject({ status: 'COMPLETED', result: 'FAILED' });
  return shown.nodeRuns.at(-1);
};

describe('whoever saved a workflow and is disabled while it runs', () => {
  test('stands behind no step of any kind', async () => {
    const blueprint = await createBlueprint(app.request, 'kept');
    const saver = await world.person('ada', 'Admin');
    const item = [step('item', { type: 'ITEM_TRIGGER' }), compute('inside')];
    const body = { nodes: item, connections: [{ sourceIdentifier: 'item', targetIdentifier: 'inside' }] };
    const url = `${receiver.url}/called`;
    const steps = [
      upsert(blueprint, 'last'),
      step('last', { type: 'DELETE_ENTITY', blueprintIdentifier: blueprint, identifier: 'x' }),
      step('last', { type: 'FETCH', blueprintIdentifier: blueprint }),
      step('last', { type: 'WEBHOOK', url }),
      step('last', { type: 'NOTIFY', target: 'webhook', to: url, body: 'Done' }),
      step('last', { type: 'AI', userPrompt: 'Hi', tools: [] }),
      step('last', { type: 'MAP', items: [1], body }),
      step('last', {
        type: 'RUN_WORKFLOW',
        workflowIdentifier: await world.workflow([form(), compute('one')]),
        inputs: {},
      }),
    ];
    const runs: string[] = [];
    for (const last of steps) runs.push(await startedOf(saver, [form(), last]));
    await change(saver, { status: 'Disabled' });
    await app.app.jobs.drain();
    for (const run of runs) {
      expect(await lastStep(run)).toMatchObject({
        node: { identifier: 'last' },
        result: 'FAILED',
        message: expect.stringContaining('Nobody stands behind version 1'),
      });
    }
    expect(receiver.received).toEqual([]);
    const entities = await app.request('GET', `/v1/blueprints/${blueprint}/entities`);
    expect(entities.body.entities).toEqual([]);
  });

  test('ends what waits for an answer or an event with the next look at it', async () => {
    const blueprint = await createBlueprint(app.request, 'kept');
    const saver = await world.person('eve', 'Admin');
    const event = { type: 'ENTITY_CREATED', blueprintIdentifier: blueprint };
    model.respondWith(() => ({ text: 'Late.', firstMs: 2_000 }));
    const asks = await startedOf(saver, [form(), step('last', { type: 'AI', userPrompt: 'Hi', tools: [] })]);
    const listens = await startedOf(saver, [form(), step('last', { type: 'WAIT_FOR_EVENT', event })]);
    await app.app.jobs.drain();
    await change(saver, { status: 'Disabled' });
    await createEntity(app.request, blueprint, { identifier: 'came' });
    app.clock.advance(5_000);
    await app.app.jobs.drain();
    for (const run of [asks, listens]) {
      const message = expect.stringContaining('Nobody can judge what came of it');
      expect(await lastStep(run)).toMatchObject({ node: { identifier: 'last' }, result: 'FAILED', message });
    }
  });

  test('by a step before it lets no later step of the same job read', async () => {
    const saver = await world.person('bo', 'Admin');
    const disables = step('disable', {
      type: 'UPSERT_ENTITY',
      blueprintIdentifier: '_user',
      mapping: { identifier: '{{ .outputs.trigger.name }}', properties: { status: 'Disabled' } },
    });
    const reads = step('read', { type: 'FETCH', blueprintIdentifier: '_user' });
    const kept = await createBlueprint(app.request, 'kept');
    // the job has asked for its authority before it changes
    const nodes = [form(), upsert(kept), compute('first'), disables, reads];
    const run = await startedOf(saver, nodes, { name: saver });
    await app.app.jobs.drain();
    expect(await lastStep(run)).toMatchObject({
      node: { identifier: 'read' },
      message: expect.stringContaining('Nobody stands behind'),
    });
  });

  test('is left with what they may do today where they are demoted', async () => {
    const blueprint = await createBlueprint(app.request, 'kept');
    const saver = await world.person('cy', 'Admin');
    const run = await startedOf(saver, [form(), wait, upsert(blueprint)]);
    await app.app.jobs.drain();
    await change(saver, { port_role: 'Member' });
    await world.later(120_000);
    expect(await lastStep(run)).toMatchObject({ node: { identifier: 'entity' }, result: 'FAILED' });
    const entities = await app.request('GET', `/v1/blueprints/${blueprint}/entities`);
    expect(entities.body.entities).toEqual([]);
  });
});

test('whoever started a run and is disabled while it waits asks no model by it', async () => {
  const before = model.requests.length;
  const starter = await world.person('dee', 'Admin');
  const flow = await world.workflow([form(), wait, step('ask', { type: 'AI', userPrompt: 'Hi', tools: [] })]);
  const run = await world.start(flow, {}, { token: await app.organization.personToken(starter) });
  await app.app.jobs.drain();
  await change(starter, { status: 'Disabled' });
  await world.later(120_000);
  expect(await lastStep(run)).toMatchObject({ node: { identifier: 'ask' }, result: 'FAILED' });
  expect(model.requests).toHaveLength(before);
});
