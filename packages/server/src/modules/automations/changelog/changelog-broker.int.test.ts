import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { until } from '../../../../test/assistant-harness.ts';
import { createTestApp, type TestApp, type TestOrganization } from '../../../../test/build-test-app.ts';
import { createBlueprint, createEntity, entityPath, issuePaths } from '../../../../test/catalog-fixtures.ts';
import { type KafkaServer, startKafkaServer } from '../../../../test/kafka-server.ts';
import { createKafkaBroker, type MessageBroker } from '../../../platform/messages/message-broker.ts';

let kafka: KafkaServer;
let broker: MessageBroker;
let app: TestApp;
let organization: TestOrganization;
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
beforeEach(async () => {
  organization = await app.createOrganization();
});

const destinations = '/v1/organization/changelog-destinations';
const request: TestApp['request'] = (...given) => organization.request(...given);
const taken = () => kafka.taken.filter(({ topic }) => topic === `${organization.id}.change.log`);
const waiting = () => app.count('event_deliveries', organization.id);
async function settle(): Promise<void> {
  await app.app.jobs.drain();
  await until('all is sent', async () => (await waiting()) === 0);
}

test('changes of the organization are on its topic, in order and as CloudEvents, with the record of the audit log', async () => {
  const body = { type: 'KAFKA', resources: ['entity'] };
  const created = await request('POST', destinations, { body });
  const topic = `${organization.id}.change.log`;
  expect([created.status, created.body.destination]).toEqual([201, expect.objectContaining({ ...body, topic })]);
  expect(created.body.destination).not.toHaveProperty('url');
  const blueprint = await createBlueprint(request, 'thing', { properties: { tier: { type: 'number' } } });
  await createEntity(request, blueprint, { identifier: 'ä:b' });
  await request('PATCH', entityPath(blueprint, 'ä:b'), { body: { properties: { tier: 2 } } });
  await createEntity(app.request, await createBlueprint(app.request, 'others'), { identifier: 'not-theirs' });
  await settle();
  const { audits } = (await request('GET', `/v1/audit-log?blueprint=${blueprint}&resources=entity`)).body;
  const records = [...audits].reverse();
  expect(taken().map(({ value }) => JSON.parse(value))).toEqual(records);
  expect(taken().map(({ key }) => key)).toEqual([`entity/${blueprint}/ä:b`, `entity/${blueprint}/ä:b`]);
  expect(taken()[0]?.headers).toEqual({
    'content-type': 'application/json',
    ce_specversion: '1.0',
    ce_id: records[0].identifier,
    ce_source: `http://127.0.0.1:3000/organizations/${organization.id}`,
    ce_type: 'portolan.entity.created',
    ce_time: records[0].trigger.at,
    ce_subject: 'ä:b',
  });
  const [shown] = (await request('GET', destinations)).body.destinations;
  expect(shown.delivery).toMatchObject({ waiting: 0, failures: 0, lastError: null, lastSentAt: expect.any(String) });
});

test('a destination moves between address and broker, and one is told apart from the other', async () => {
  const { id } = (await request('POST', destinations, { body: { type: 'KAFKA' } })).body.destination;
  const change = (body: object) => request('PUT', `${destinations}/${id}`, { body });
  const moved = await change({ type: 'WEBHOOK', url: 'https://example.com/hook' });
  expect([moved.status, moved.body.destination.url]).toEqual([200, 'https://example.com/hook']);
  const back = await change({ type: 'KAFKA', enabled: false });
  expect(back.body.destination).toMatchObject({ type: 'KAFKA', enabled: false });
  for (const body of [{ type: 'KAFKA', url: 'https://example.com' }, { type: 'WEBHOOK' }, { type: 'AMQP' }]) {
    expect((await change(body)).status, JSON.stringify(body)).toBe(422);
  }
  expect((await request('DELETE', `${destinations}/${id}`)).body).toEqual({ ok: true });
});

test('entities of a blueprint go there alone; where an agent is to call, the message says what', async () => {
  const changelogDestination = { type: 'WEBHOOK', url: 'http://inside.example/hook', agent: true };
  const plain = await createBlueprint(request, 'plain', { changelogDestination: { type: 'KAFKA' } });
  const agent = await createBlueprint(request, 'agent', { changelogDestination });
  const silent = await createBlueprint(request, 'silent');
  for (const each of [plain, agent, silent]) await createEntity(request, each, { identifier: 'a' });
  await settle();
  const found = taken().map(({ value }) => JSON.parse(value));
  expect(found.map(({ context }) => context.blueprint).sort()).toEqual([agent, plain].sort());
  const by = (name: string) => found.find(({ context }) => context.blueprint === name);
  expect(by(agent).changelogDestination).toEqual(changelogDestination);
  expect(by(plain)).not.toHaveProperty('changelogDestination');
});

test('a broker that is away keeps the events, and gets them when it is back', async () => {
  const away = await startKafkaServer();
  await away.close();
  const lost = createKafkaBroker([away.address]);
  const own = await createTestApp({ broker: lost });
  try {
    await own.request('POST', destinations, { body: { type: 'KAFKA', resources: ['entity'] } });
    await createEntity(own.request, await createBlueprint(own.request, 'thing'), { identifier: 'a' });
    await own.app.jobs.drain();
    const delivery = async () => (await own.request('GET', destinations)).body.destinations[0].delivery;
    await until('it was tried', async () => (await delivery()).failures === 1);
    expect(await delivery()).toMatchObject({
      waiting: 1,
      lastError: expect.stringContaining('broker did not take it'),
    });
  } finally {
    await own.close();
    await lost.close();
  }
}, 60_000);

test('without a broker an organization cannot choose one, and what a blueprint asks for is not noted', async () => {
  const own = await createTestApp();
  try {
    const refused = await own.request('POST', destinations, { body: { type: 'KAFKA' } });
    expect([refused.status, issuePaths(refused.body), refused.body.message]).toEqual([
      422,
      ['/type'],
      expect.stringContaining('PORTOLAN_KAFKA_BROKERS'),
    ]);
    const name = await createBlueprint(own.request, 'plain', { changelogDestination: { type: 'KAFKA' } });
    await createEntity(own.request, name, { identifier: 'a' });
    expect([await own.count('event_deliveries'), await own.count('changelog_destinations')]).toEqual([0, 0]);
  } finally {
    await own.close();
  }
});

test('a stop does not wait for a broker that does not answer, and what was not taken is kept', async () => {
  const mute: MessageBroker = { send: () => new Promise(() => undefined), close: async () => undefined };
  const own = await createTestApp({ broker: mute });
  await own.request('POST', destinations, { body: { type: 'KAFKA', resources: ['entity'] } });
  await createEntity(own.request, await createBlueprint(own.request, 'thing'), { identifier: 'a' });
  await own.app.jobs.drain();
  expect(await own.count('event_deliveries')).toBe(1);
  const startedAt = performance.now();
  await own.close();
  expect(performance.now() - startedAt).toBeLessThan(8_000);
});
