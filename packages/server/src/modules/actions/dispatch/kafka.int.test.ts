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
    expect(isAcceptedByAgent({ ...message, headers }, app.organization.clientSecret)).toBe(true);
    const other = { ...message, context: { ...message.context, runId: 'r_other' }, headers };
    expect(isAcceptedByAgent(other, app.organization.clientSecret)).toBe(false);
  });
});

/** The check of the public agent: over the message as it was sent, without what the two signature headers say. */
function isAcceptedByAgent({ headers, ...message }: { headers: Record<string, string> }, secret: string): boolean {
  const { 'X-Port-Signature': signature, 'X-Port-Timestamp': timestamp, ...others } = headers;
  const signed = JSON.stringify({ ...message, headers: others });
  const hmac = createHmac('sha256', secret).update(`${timestamp}.${signed}`);
  return signature === `v1,${hmac.digest('base64')}`;
}

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

  test('a call of an agent waits for one that asks for work', async () => {
    const waiting = await run(own, { type: 'WEBHOOK', url: 'http://inside.example', agent: true });
    expect(waiting).toMatchObject({
      status: 'IN_PROGRESS',
      installationId: '_PORT_EXEC_AGENT',
      pendingExecution: true,
    });
  });
});

describe('an agent that asks for work', () => {
  const claim = (on: TestApp) =>
    on.request('POST', '/v1/actions/runs/claim-pending', {
      body: { installationId: '_PORT_EXEC_AGENT', limit: 10, invocationMethod: 'WEBHOOK' },
      headers: { 'x-port-reserved-usage': 'true' },
    });
  const acknowledge = (on: TestApp, runIds: string[]) =>
    on.request('PATCH', '/v1/actions/runs/ack', { body: { runIds } });

  test('gets the call with its secrets, once for all that ask, and again a minute after nobody acknowledged it', async () => {
    const secretName = unique('token');
    await app.request('POST', '/v1/organization/secrets', { body: { secretName, secretValue: 'canary-of-the-agent' } });
    const { id } = await run(app, {
      type: 'WEBHOOK',
      url: 'http://inside.example/{{ .inputs.who }}',
      agent: true,
      headers: { authorization: `Bearer {{ .secrets["${secretName}"] }}` },
      body: { who: '{{ .inputs.who }}' },
    });
    const claims = await Promise.all([claim(app), claim(app), claim(app)]);
    const claimed = claims.flatMap(({ body }) => body.runs).filter((each) => each.id === id);
    expect(claimed.map(({ payload }) => payload)).toEqual([
      {
        type: 'WEBHOOK',
        url: 'http://inside.example/me',
        method: 'POST',
        agent: true,
        synchronized: false,
        headers: { authorization: 'Bearer canary-of-the-agent' },
        body: { who: 'me' },
      },
    ]);
    const shown = await app.request('GET', `/v1/actions/runs/${id}?version=v2`);
    expect(JSON.stringify(shown.body)).not.toContain('canary-of-the-agent');
    app.clock.advance(59_999);
    expect((await claim(app)).body.runs.map((each: { id: string }) => each.id)).not.toContain(id);
    app.clock.advance(1);
    expect((await claim(app)).body.runs.map((each: { id: string }) => each.id)).toContain(id);
    expect((await acknowledge(app, [id])).body).toEqual({ ok: true, ackedCount: 1 });
    // the agent goes on only with what it was the first to acknowledge
    expect((await acknowledge(app, [id, 'r_unknown'])).body).toEqual({ ok: true, ackedCount: 0 });
  });

  test('without a body of the action gets what the run knows, so that it can add to it', async () => {
    const { id } = await run(app, { type: 'WEBHOOK', url: 'http://inside.example', agent: true, synchronized: true });
    const claimed = (await claim(app)).body.runs.find((each: { id: string }) => each.id === id);
    expect(claimed.payload).toMatchObject({
      synchronized: true,
      headers: {},
      body: { inputs: { who: 'me' }, run: { id } },
    });
  });

  test('an acknowledgement names one run or several', async () => {
    for (const body of [{}, { runId: 'r_1', runIds: ['r_1'] }]) {
      expect((await app.request('PATCH', '/v1/actions/runs/ack', { body })).status).toBe(422);
    }
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
