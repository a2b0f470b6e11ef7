import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { createBlueprint, createEntity, unique } from '../../../../test/catalog-fixtures.ts';
import { type MockModelServer, startMockModelServer } from '../../../../test/mock-model-server.ts';

const home = 'http://127.0.0.1:3000';

let app: TestApp;
let model: MockModelServer;
let agent: string;
beforeAll(async () => {
  model = await startMockModelServer();
  app = await createTestApp({
    model: { provider: 'openai-compatible', model: 'mock', baseUrl: model.url, apiKey: 'sk-mock' },
  });
  agent = unique('agent');
  const properties = { description: 'd', status: 'active', prompt: 'p', execution_mode: 'Automatic', tools: [] };
  await createEntity(app.request, '_ai_agent', { identifier: agent, title: 'Agent', properties });
});
afterAll(async () => {
  await app.close();
  await model.close();
});
beforeEach(() => app.app.jobs.drain());

/** An automation's run with one step, right after dispatch and after the end of the invocation it asked for. */
async function stepRun(method: object): Promise<{ handedOver: string; ended: Json }> {
  const blueprint = await createBlueprint(app.request, 'thing');
  const identifier = unique('auto');
  const trigger = { type: 'automation', event: { type: 'ENTITY_CREATED', blueprintIdentifier: blueprint } };
  const invocationMethod = {
    type: 'WEBHOOK',
    url: `${home}/v1/agent/${agent}/invoke`,
    body: { prompt: 'Hi' },
    ...method,
  };
  const created = await app.request('POST', '/v1/actions', {
    body: { identifier, trigger, invocationMethod, publish: true },
  });
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  await createEntity(app.request, blueprint, { identifier: 'a' });
  await app.app.jobs.drain();
  const find = async () => (await app.request('GET', `/v1/actions/runs?action=${identifier}&version=v2`)).body.runs[0];
  const { status, response } = await find();
  const id = response?.[0]?.body?.invocation?.identifier;
  if (id) {
    const headers = { authorization: `Bearer ${app.organization.token}` };
    // answers once the stream has ended
    await app.app.http.inject({ method: 'GET', url: `/v1/ai/invoke/${id}/events`, headers });
  }
  let ended = await find();
  // the run is polled every few seconds
  for (let look = 0; look < 10 && ended.status === 'IN_PROGRESS'; look += 1) {
    app.clock.advance(60_000);
    await app.app.jobs.drain();
    ended = await find();
  }
  return { handedOver: status, ended };
}
type Json = Readonly<Record<string, unknown>>;

test('a synchronized step waits for the agent and carries its answer', async () => {
  model.respondWith(() => ({ text: 'All is well.' }));
  const { ended } = await stepRun({ synchronized: true });
  expect(ended).toMatchObject({
    status: 'SUCCESS',
    response: [{ statusCode: 200, body: { result: { status: 'Completed', message: 'All is well.' } } }],
  });
});

test('it fails when the invocation does, and says why', async () => {
  model.respondWith(() => ({ status: 401 }));
  const { ended } = await stepRun({ synchronized: 'true' });
  expect(ended).toMatchObject({
    status: 'FAILURE',
    statusLabel: expect.stringContaining('The invocation failed: '),
    response: [{ body: { result: { status: 'Failed', error: expect.any(String) } } }],
  });
});

test('no preference of the author makes it end before the agent has', async () => {
  model.respondWith(() => ({ status: 401 }));
  const { ended } = await stepRun({ synchronized: true, headers: { Prefer: 'handling=lenient' } });
  expect(ended['status']).toBe('FAILURE');
});

test('one that is not synchronized is handed over, and waits for a report', async () => {
  model.respondWith(() => ({ text: 'All is well.' }));
  const { handedOver, ended } = await stepRun({ synchronized: false });
  expect([handedOver, ended['status']]).toEqual(['IN_PROGRESS', 'IN_PROGRESS']);
  expect(ended['response']).toMatchObject([{ statusCode: 202 }]);
});

test('an agent that is not there fails it at once', async () => {
  const { handedOver } = await stepRun({ synchronized: true, url: `${home}/v1/agent/nobody/invoke` });
  expect(handedOver).toBe('FAILURE');
});
