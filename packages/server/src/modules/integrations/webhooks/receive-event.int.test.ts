import { createHmac } from 'node:crypto';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { readEntity, unique } from '../../../../test/catalog-fixtures.ts';
import { createWebhooks, type Webhooks, webhookPath } from '../../../../test/webhook-fixtures.ts';
import { processDeliveriesJob } from './process-deliveries.ts';
import { createEventReceiver } from './receive-event.ts';

let app: TestApp;
let blueprint: string;
let create: Webhooks['create'];
let send: Webhooks['send'];
let deliveries: Webhooks['deliveries'];
let mapping: Webhooks['mapping'];
beforeAll(async () => {
  app = await createTestApp();
  ({ blueprint, create, send, deliveries, mapping } = await createWebhooks(app));
});
afterAll(() => app.close());

describe('what is not let in', () => {
  const sign = (secret: string, text: string) => `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`;
  const security = {
    secret: 'top secret',
    signatureHeaderName: 'X-Hub-Signature-256',
    signatureAlgorithm: 'sha256',
    signaturePrefix: 'sha256=',
  };

  test('is what is not signed byte for byte: 401, noted without its content, and nothing queued', async () => {
    const hook = await create({ security, mappings: [mapping()] });
    const text = '{ "id":  "x-1",\n "title": "é" }';
    const post = (signature: string, payload = text) =>
      send(hook, undefined, {
        payload,
        headers: { 'content-type': 'application/json', 'x-hub-signature-256': signature },
      });
    const jobs = await app.count('jobs', app.organization.id);
    const wrong = await post(sign('other', text));
    expect([wrong.status, wrong.body.error]).toEqual([401, 'unauthorized']);
    expect((await post(sign('top secret', text), text.replaceAll('  ', ' '))).status).toBe(401);
    expect((await send(hook, { id: 1 })).status).toBe(401);
    expect(await app.count('jobs', app.organization.id)).toBe(jobs);
    const refused = await deliveries(hook);
    expect(refused.map((each: { state: string }) => each.state)).toEqual(['refused', 'refused', 'refused']);
    expect(refused.at(-1)).toMatchObject({ reason: 'The signature does not match', bytes: Buffer.byteLength(text) });
    const one = await app.request('GET', webhookPath(hook.identifier, `/deliveries/${refused[0].id}`));
    expect(one.body.delivery.payload).toBeNull();
    const replayed = await app.request('POST', webhookPath(hook.identifier, `/deliveries/${refused[0].id}/replay`));
    expect([replayed.status, replayed.body.error]).toEqual([409, 'not_replayable']);
    expect((await post(sign('top secret', text))).status).toBe(202);
  });

  test('is a key that nobody has', async () => {
    const hook = await create();
    const key = hook.url.split('/').at(-1) as string;
    const keys = [
      `${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`,
      'x',
      "'; drop table webhooks; --",
      '../v1',
      `${key}${key}`,
    ];
    for (const wrong of keys) {
      const answer = await app.request('POST', `/ingest/${encodeURIComponent(wrong)}`, { token: null, body: {} });
      expect([answer.status, answer.body.error]).toEqual([404, 'not_found']);
    }
  });

  test('is more than 512 KiB', async () => {
    const hook = await create();
    const text = (bytes: number) => `"${'x'.repeat(bytes - 2)}"`;
    const post = (bytes: number) => send(hook, undefined, { payload: text(bytes) });
    expect((await post(512 * 1024)).status).toBe(202);
    const large = await post(512 * 1024 + 1);
    expect([large.status, large.body.error]).toEqual([413, 'payload_too_large']);
    expect(large.body.message).toContain('524288');
  });

  test('is no JSON, or none that can be kept', async () => {
    const hook = await create();
    const post = (payload: string, query = '') => send(hook, undefined, { payload, query });
    const answers = [
      await post('{"a":'),
      await post('{"__proto__": {"a": 1}}'),
      await post('{"a":"\\u0000"}'),
      await post(`${'['.repeat(300)}${']'.repeat(300)}`),
      await post('{}', '?a=%00'),
    ];
    expect(answers.map(({ status, body }) => [status, body.error])).toEqual([
      [400, 'invalid_json'],
      [400, 'invalid_json'],
      [422, 'invalid_request'],
      [422, 'invalid_request'],
      [422, 'invalid_request'],
    ]);
    expect(await deliveries(hook, '?state=waiting')).toEqual([]);
    expect((await deliveries(hook, '?state=refused')).length).toBe(5);
    expect((await post('')).status).toBe(202);
  });

  test('is what comes while the webhook is disabled: answered, dropped and noted', async () => {
    const hook = await create({ enabled: false, security, mappings: [mapping()] });
    const answer = await send(hook, { id: 'x' });
    expect([answer.status, answer.body.state]).toEqual([202, 'dropped']);
    expect(await deliveries(hook)).toMatchObject([{ state: 'dropped', reason: 'The webhook is disabled' }]);
  });

  test('is a request of an id that came before, also a signed one that is sent again', async () => {
    const hook = await create({
      security: { ...security, requestIdentifierPath: '.body.delivery' },
      mappings: [mapping()],
    });
    const id = unique('once');
    const post = (body: object) => {
      const payload = JSON.stringify(body);
      const headers = { 'content-type': 'application/json', 'x-hub-signature-256': sign('top secret', payload) };
      return send(hook, undefined, { payload, headers });
    };
    const first = { id, delivery: 7, title: 'First' };
    const together = await Promise.all([post(first), post(first), post(first)]);
    expect(together.map(({ body }) => body.state).sort()).toEqual(['dropped', 'dropped', 'waiting']);
    await app.app.jobs.drain();
    await post({ id, delivery: '7', title: 'Another id' });
    await post({ id, title: 'Without an id' });
    await post({ id, title: 'Without an id' });
    expect((await post(first)).body.state).toBe('dropped');
    const all = await deliveries(hook);
    expect(all.filter((each: { state: string }) => each.state === 'dropped').length).toBe(3);
    await app.app.jobs.drain();
    expect((await readEntity(app.request, blueprint, id)).title).toBe('Without an id');
  });
});

test('events that come at once share commits, and each is judged and told for itself', async () => {
  const hook = await create({ security: { requestIdentifierPath: '.body.delivery' }, mappings: [mapping()] });
  const ids = Array.from({ length: 60 }, () => unique('burst'));
  const jobs = await app.count('jobs', app.organization.id);
  const answers = await Promise.all(
    ids.map((id, at) =>
      at % 6 === 5
        ? send(hook, undefined, { payload: '{"a":' })
        : send(hook, { id, title: `T${at}`, delivery: at % 6 === 4 ? 'the same' : id }),
    ),
  );
  expect((await app.count('jobs', app.organization.id)) - jobs).toBeLessThan(41);
  const told = (remainder: number) =>
    answers.filter((_, at) => at % 6 === remainder).map(({ status, body }) => `${status} ${body.state ?? body.error}`);
  for (const remainder of [0, 1, 2, 3]) expect(told(remainder)).toEqual(Array(10).fill('202 waiting'));
  expect(told(4).sort()).toEqual([...Array(9).fill('202 dropped'), '202 waiting']);
  expect(told(5)).toEqual(Array(10).fill('400 invalid_json'));
  const kept = await deliveries(hook, '?limit=200');
  const ofState = (state: string) => kept.filter((each: { state: string }) => each.state === state);
  expect([ofState('waiting').length, ofState('dropped').length, ofState('refused').length]).toEqual([41, 9, 10]);
  expect(new Set(kept.map(({ id }: { id: string }) => id))).toEqual(
    new Set([...answers.flatMap(({ body }) => body.deliveryId ?? []), ...ofState('refused').map(({ id }) => id)]),
  );
  await app.app.jobs.drain();
  const mapped = (await deliveries(hook, '?state=processed&limit=200')).length;
  expect(mapped).toBe(41);
});

test('a burst to one address is let in whole', async () => {
  const hook = await create({ mappings: [mapping()] });
  const answers = await Promise.all(Array.from({ length: 300 }, () => send(hook, { other: true })));
  expect(answers.filter(({ status }) => status !== 202)).toEqual([]);
  await app.request('DELETE', webhookPath(hook.identifier));
});

test('of events that come at once, as many are let in as may still wait', async () => {
  const hook = await create({ mappings: [mapping()] });
  const { database, clock, organization, app: parts } = app;
  await database.executeAlone(sql`
    insert into webhook_deliveries (org_id, webhook_key, id, state, payload, bytes, received_at)
    select w.org_id, w.key, w.identifier || n, 'waiting', '{}', 2, now() from webhooks w, generate_series(1, 4997) n
    where w.org_id = ${organization.id} and w.identifier = ${hook.identifier}`);
  const deps = {
    database,
    clock,
    unitOfWork: parts.unitOfWork,
    secrets: parts.identity,
    catalog: parts.loading.catalog,
  };
  const receive = createEventReceiver({ ...deps, process: processDeliveriesJob(deps) });
  const event = { bytes: Buffer.from('{}'), headers: {}, query: {} };
  const key = hook.url.split('/').at(-1) as string;
  const told = await Promise.allSettled(Array.from({ length: 12 }, () => receive(key, event)));
  const refusal = { status: 'rejected', reason: { code: 'too_many_requests', retryAfterSeconds: 10 } };
  expect(told.slice(0, 3)).toMatchObject(Array(3).fill({ status: 'fulfilled', value: { state: 'waiting' } }));
  expect(told.slice(3)).toMatchObject(Array(9).fill(refusal));
  await app.request('DELETE', webhookPath(hook.identifier));
});

test.each([
  ['begins with a letter of two units', '\u{1F600} hello'],
  ['is cut within one where it is quoted', `${'x'.repeat(5)}${'\u{1F600}'.repeat(30)}`],
  ['is U+0000', '\0'],
])('a body that %s is refused and noted, and takes no other event along', async (_what, payload) => {
  const hook = await create({ mappings: [mapping()] });
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      at === 10
        ? send(hook, undefined, { payload, headers: { 'content-type': 'application/json' } })
        : send(hook, { id: unique('beside') }),
    ),
  );
  const odd = answers.splice(10, 1)[0];
  expect([odd?.status, odd?.body.error]).toEqual([400, 'invalid_json']);
  expect(answers.map(({ status }) => status)).toEqual(Array(19).fill(202));
  expect(await deliveries(hook, '?state=refused')).toHaveLength(1);
});

test('an event that the database does not take goes alone', async () => {
  const hook = await create({ mappings: [mapping()] });
  await app.database.executeAlone(sql`
    create function refuse_odd() returns trigger language plpgsql as $$
    begin if new.payload->'body'->>'id' = 'odd' then raise 'odd'; end if; return new; end $$`);
  await app.database.executeAlone(sql`
    create trigger refuse_odd before insert on webhook_deliveries for each row execute function refuse_odd()`);
  try {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => send(hook, { id: at === 10 ? 'odd' : unique('beside') })),
    );
    expect(answers.splice(10, 1)[0]?.status).toBe(500);
    expect(answers.map(({ status }) => status)).toEqual(Array(19).fill(202));
    expect(await deliveries(hook)).toHaveLength(19);
  } finally {
    await app.database.executeAlone(sql`drop trigger refuse_odd on webhook_deliveries`);
  }
});
