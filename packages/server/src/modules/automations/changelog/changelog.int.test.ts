import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { until } from '../../../../test/assistant-harness.ts';
import { createTestApp, type TestApp, type TestOrganization } from '../../../../test/build-test-app.ts';
import { createBlueprint, createEntity, entityPath, issuePaths } from '../../../../test/catalog-fixtures.ts';
import { type Receiver, startReceiver } from '../../../../test/receiver.ts';

let app: TestApp;
let receiver: Receiver;
let organization: TestOrganization;
beforeAll(async () => {
  app = await createTestApp();
  receiver = await startReceiver();
});
afterAll(async () => {
  await app.close();
  await receiver.close();
});
beforeEach(async () => {
  receiver.received.length = 0;
  receiver.answer = () => ({ status: 200 });
  organization = await app.createOrganization();
});

const destinations = '/v1/organization/changelog-destinations';
const request: TestApp['request'] = (...given) => organization.request(...given);
async function destination(path: string, more: object = {}): Promise<string> {
  const body = { type: 'WEBHOOK', url: receiver.url + path, ...more };
  const created = await request('POST', destinations, { body });
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  return created.body.destination.id;
}
const listed = async () => (await request('GET', destinations)).body.destinations;
const at = (path: string) => receiver.received.filter((each) => each.path === path);
const waiting = () => app.count('event_deliveries', organization.id);
async function settle(): Promise<void> {
  await app.app.jobs.drain();
}

test('every change is sent in order as a signed CloudEvent, with the record of the audit log', async () => {
  await destination('/all');
  await destination('/entities', { resources: ['entity'] });
  await destination('/off', { enabled: false });
  const blueprint = await createBlueprint(request, 'thing', { properties: { tier: { type: 'number' } } });
  await createEntity(request, blueprint, { identifier: 'ä:b' });
  await request('PATCH', entityPath(blueprint, 'ä:b'), { body: { properties: { tier: 2 } } });
  await settle();
  await until('all are sent', async () => (await waiting()) === 0);
  const { audits } = (await request('GET', `/v1/audit-log?blueprint=${blueprint}`)).body;
  const records = [...audits].reverse();
  const entities = records.filter(({ resourceType }) => resourceType === 'entity');
  expect(entities).toHaveLength(2);
  expect(at('/entities').map(({ body }) => JSON.parse(body))).toEqual(entities);
  expect(
    at('/all')
      .map(({ body }) => JSON.parse(body))
      .slice(-3),
  ).toEqual(records);
  expect(at('/off')).toEqual([]);
  const [sent] = at('/entities');
  const { headers, body } = sent as NonNullable<typeof sent>;
  expect(headers).toMatchObject({
    'ce-specversion': '1.0',
    'ce-id': entities[0].identifier,
    'ce-type': 'portolan.entity.created',
    'ce-source': `http://127.0.0.1:3000/organizations/${organization.id}`,
    'ce-subject': encodeURIComponent('ä:b'),
    'ce-time': entities[0].trigger.at,
    'idempotency-key': entities[0].identifier,
    'content-type': 'application/json',
  });
  const signed = `${headers['x-port-timestamp']}.${body}`;
  const signature = createHmac('sha256', organization.clientSecret).update(signed).digest('base64');
  expect(headers['x-port-signature']).toBe(`v1,${signature}`);
});

test('the destination of a blueprint gets the changes of its entities alone', async () => {
  const mine = await createBlueprint(request, 'mine', {
    changelogDestination: { type: 'WEBHOOK', url: `${receiver.url}/mine` },
  });
  const other = await createBlueprint(request, 'other', { changelogDestination: { type: 'KAFKA' } });
  await createEntity(request, mine, { identifier: 'a' });
  await createEntity(request, other, { identifier: 'b' });
  await settle();
  await until('it is sent', async () => (await waiting()) === 0);
  expect(receiver.received.map(({ path, body }) => [path, JSON.parse(body).context])).toEqual([
    ['/mine', { blueprint: mine, entity: 'a' }],
  ]);
  // deleting the destination drops unsent events
  receiver.answer = () => ({ status: 503 });
  await createEntity(request, mine, { identifier: 'c' });
  await settle();
  await until('it was tried', async () => receiver.received.length === 2);
  await request('PATCH', `/v1/blueprints/${mine}`, { body: { changelogDestination: null } });
  app.clock.advance(60_000);
  await settle();
  await until('it is forgotten', async () => (await waiting()) === 0);
  expect(await app.count('changelog_receivers', organization.id)).toBe(0);
});

test('a receiver that is dead keeps its events, is asked less often, and holds up nobody', async () => {
  const dead = await destination('/dead', { resources: ['entity'] });
  await destination('/well', { resources: ['entity'] });
  // both were created at the same time of the clock
  const deadOne = async () => (await listed()).find(({ id }: { id: string }) => id === dead);
  receiver.answer = ({ path }) => (path === '/dead' ? 'hang' : { status: 200 });
  const blueprint = await createBlueprint(request, 'thing');
  for (const identifier of ['a', 'b', 'c']) await createEntity(request, blueprint, { identifier });
  await settle();
  await until('the other got all', async () => at('/well').length === 3);
  await until('the dead one was asked', async () => at('/dead').length === 1);
  receiver.answer = ({ path }) => ({ status: path === '/dead' ? 500 : 200 });
  await until('it is given up for now', async () => (await deadOne()).delivery.failures === 1);
  expect(await deadOne()).toMatchObject({
    id: dead,
    delivery: { waiting: 3, failures: 1, lastError: expect.stringContaining('did not answer'), lastSentAt: null },
  });
  await settle();
  expect(at('/dead')).toHaveLength(1);
  app.clock.advance(10_000);
  await settle();
  await until('it is asked again', async () => (await deadOne()).delivery.failures === 2);
  receiver.answer = () => ({ status: 204, body: '' });
  app.clock.advance(10_000);
  await settle();
  await until('it has all', async () => (await waiting()) === 0);
  const ids = at('/dead').map(({ headers }) => headers['idempotency-key']);
  expect(ids.slice(0, 3)).toEqual([ids[0], ids[0], ids[0]]);
  expect(new Set(ids).size).toBe(3);
  expect((await deadOne()).delivery).toMatchObject({ waiting: 0, failures: 0, lastSentAt: expect.any(String) });
}, 60_000);

test('an event that the receiver refuses does not hold up those behind it', async () => {
  await destination('/hook', { resources: ['entity'] });
  receiver.answer = ({ body }) => ({ status: JSON.parse(body).context.entity === 'a' ? 422 : 200 });
  const blueprint = await createBlueprint(request, 'thing');
  for (const identifier of ['a', 'b']) await createEntity(request, blueprint, { identifier });
  await settle();
  await until('both were sent', async () => (await waiting()) === 0);
  expect(at('/hook')).toHaveLength(2);
  expect((await listed())[0].delivery).toMatchObject({ failures: 0, lastError: 'The receiver answered 422' });
});

test('destinations are written by administrators, and stay in their organization', async () => {
  const id = await destination('/a?key=hush-hush');
  const body = { type: 'WEBHOOK', url: `${receiver.url}/b`, resources: ['entity'] };
  const other = await app.createOrganization();
  for (const [method, path] of [
    ['PUT', `${destinations}/${id}`],
    ['DELETE', `${destinations}/${id}`],
  ] as const) {
    expect((await other.request(method, path, method === 'PUT' ? { body } : {})).status).toBe(404);
  }
  expect((await other.request('GET', destinations)).body.destinations).toEqual([]);
  const token = await organization.memberToken();
  expect((await request('GET', destinations, { token })).status).toBe(403);
  expect((await request('POST', destinations, { body, token })).status).toBe(403);
  for (const [wrong, path] of [
    [{ url: 'ftp://x.io' }, '/url'],
    [{ url: 'https://a:b@x.io' }, '/url'],
    [{ type: 'AMQP' }, '/type'],
    [{ type: 'KAFKA' }, '/url'],
    [{ resources: ['teapot'] }, '/resources/0'],
    [{ more: 1 }, '/more'],
  ] as const) {
    const refused = await request('POST', destinations, { body: { ...body, ...wrong } });
    expect(refused.status).toBe(422);
    expect(issuePaths(refused.body)).toEqual([path]);
  }
  const replaced = await request('PUT', `${destinations}/${id}`, { body });
  expect(replaced.body.destination).toMatchObject({ id, url: body.url, resources: ['entity'], enabled: true });
  expect((await request('DELETE', `${destinations}/${id}`)).body).toEqual({ ok: true });
  expect(await listed()).toEqual([]);
  const log = await request('GET', '/v1/audit-log?resources=organization');
  expect(JSON.stringify(log.body)).not.toContain('hush-hush');
});

test('what is sent is what whoever saved the destination may read in the audit log, then and today', async () => {
  const blueprint = await createBlueprint(request, 'told');
  const make = (identifier: string) => createEntity(request, blueprint, { identifier });
  const made = async (scopes: string[]) =>
    (await request('POST', '/v1/users/me/tokens', { body: { name: 'few', scopes } })).body.accessToken;
  const body = { type: 'WEBHOOK', url: `${receiver.url}/few`, resources: ['entity'] };
  const token = await made(['create:organization', 'update:organization']);
  const created = await request('POST', destinations, { body, token });
  expect([created.status, created.headers['warning']]).toEqual([201, expect.stringContaining('create:organization')]);
  await make('a');
  await settle();
  await until('it was withheld', async () => (await listed())[0].delivery.failures === 1);
  expect((await listed())[0].delivery.lastError).toContain('read:audit-log');
  expect(at('/few')).toEqual([]);

  const path = `${destinations}/${created.body.destination.id}`;
  const properties = { status: 'Active', port_role: 'Admin' };
  for (const identifier of ['jo@example.com', 'kim@example.com']) {
    await createEntity(request, '_user', { identifier, properties });
  }
  const jo = await organization.personToken('jo@example.com');
  await request('PUT', path, { body, token: jo });
  await request('PUT', path, { body, token });
  app.clock.advance(60_000);
  await settle();
  await until('it is sent', async () => at('/few').length > 0);

  await until('all was sent', async () => (await waiting()) === 0);
  expect((await request('DELETE', '/v1/users/jo@example.com')).status).toBe(200);
  receiver.received.length = 0;
  await make('b');
  await settle();
  await until('it is withheld again', async () => (await listed())[0].delivery.failures === 1);
  expect((await listed())[0].delivery.lastError).toContain('Nobody stands behind the destination');
  expect(at('/few')).toEqual([]);
});
