import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { unique } from '../../../../test/catalog-fixtures.ts';
import { type KafkaServer, startKafkaServer } from '../../../../test/kafka-server.ts';
import { createKafkaBroker, type MessageBroker } from '../../../platform/messages/message-broker.ts';

let kafka: KafkaServer;
let broker: MessageBroker;
let app: TestApp;
beforeAll(async () => {
  kafka = await startKafkaServer();
  broker = createKafkaBroker([kafka.address]);
  app = await createTestApp({ broker });
});
afterAll(async () => {
  await app.close();
  await broker.close();
  await kafka.close();
});

async function run(on: TestApp, invocationMethod: object) {
  const identifier = unique('act');
  const trigger = {
    type: 'self-service',
    operation: 'CREATE',
    userInputs: { properties: { who: { type: 'string' } } },
  };
  const created = await on.request('POST', '/v1/actions', { body: { identifier, trigger, invocationMethod } });
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  const started = await on.request('POST', `/v1/actions/${identifier}/runs`, { body: { properties: { who: 'me' } } });
  await on.app.jobs.drain();
  const { body } = await on.request('GET', `/v1/actions/runs/${started.body.run.id}?version=v2`);
  return { ...body.run, identifier };
}

describe('with a broker', () => {
  test('the payload of a run is on the topic of its organization, and the run waits for a report', async () => {
    const payload = { run: '{{ .run.id }}', who: '{{ .inputs.who }}', ü: 'ß'.repeat(300) };
    const { id, status } = await run(app, { type: 'KAFKA', payload });
    expect(status).toBe('IN_PROGRESS');
    const taken = kafka.taken.filter(({ key }) => key === id);
    expect(taken.map(({ topic, value }) => [topic, JSON.parse(value)])).toEqual([
      [`${app.organization.id}.runs`, { ...payload, run: id, who: 'me' }],
    ]);
  });

  test('an agent gets the call it is to make, signed', async () => {
    const url = 'http://inside.example/{{ .inputs.who }}';
    const { id, status, identifier } = await run(app, { type: 'WEBHOOK', url, agent: true, body: { a: 1 } });
    expect(status).toBe('IN_PROGRESS');
    const { headers, ...message } = JSON.parse(kafka.taken.find(({ key }) => key === id)?.value ?? '');
    expect(message).toMatchObject({
      action: identifier,
      resourceType: 'run',
      status: 'TRIGGERED',
      context: { runId: id },
      payload: { properties: { who: 'me' }, action: { invocationMethod: { url: 'http://inside.example/me' } } },
    });
    const timestamp = headers['X-Port-Timestamp'];
    const signed = JSON.stringify({ ...message, headers: { 'X-Port-Timestamp': timestamp } });
    const hmac = createHmac('sha256', app.organization.clientSecret).update(`${timestamp}.${signed}`);
    expect(headers['X-Port-Signature']).toBe(`v1,${hmac.digest('base64')}`);
  });
});

describe('without a broker', () => {
  let own: TestApp;
  beforeAll(async () => {
    own = await createTestApp();
  });
  afterAll(() => own.close());

  test('a run goes on, says why nothing was sent, and ends as whoever executes it reports', async () => {
    const { id, status } = await run(own, { type: 'KAFKA', payload: {} });
    expect(status).toBe('IN_PROGRESS');
    await own.app.jobs.drain();
    const { runLogs } = (await own.request('GET', `/v1/actions/runs/${id}/logs`)).body;
    expect(runLogs.map(({ message }: { message: string }) => message)).toEqual([
      expect.stringContaining('PORTOLAN_KAFKA_BROKERS'),
    ]);
    const ended = await own.request('PATCH', `/v1/actions/runs/${id}`, { body: { status: 'SUCCESS' } });
    expect([ended.status, ended.body.run.status]).toEqual([200, 'SUCCESS']);
  });

  test('what only an agent could call fails, and says which setting is missing', async () => {
    const failed = await run(own, { type: 'WEBHOOK', url: 'http://inside.example', agent: true });
    expect([failed.status, failed.statusLabel]).toEqual(['FAILURE', expect.stringContaining('PORTOLAN_KAFKA_BROKERS')]);
  });
});

test('a broker that is away is told as that, and the run is tried again', async () => {
  const away = await startKafkaServer();
  const { address } = away;
  await away.close();
  const lost = createKafkaBroker([address]);
  const own = await createTestApp({ broker: lost });
  try {
    const { id, status } = await run(own, { type: 'KAFKA', payload: {} });
    expect(status).toBe('IN_PROGRESS');
    const { runLogs } = (await own.request('GET', `/v1/actions/runs/${id}/logs`)).body;
    expect(runLogs.map(({ message }: { message: string }) => message)).toEqual([
      expect.stringMatching(/broker did not take it.*tried again/),
    ]);
  } finally {
    await own.close();
    await lost.close();
  }
});
