import { afterEach, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { readEntity } from '../../../../test/catalog-fixtures.ts';
import { createHost, type ScriptedHost, scriptedSource } from '../../../../test/scripted-source.ts';
import { Postponed } from '../../../platform/jobs/job.ts';

let app: TestApp;
afterEach(() => app.close());

const things = (count: number) => Array.from({ length: count }, (_none, at) => ({ id: `t${at}`, size: at }));

async function open(host: ScriptedHost, body: object = {}, options: { graceDays?: number } = {}) {
  app = await createTestApp({ sourceTypes: [scriptedSource(host, options)] });
  await app.app.jobs.start();
  const created = await app.request('POST', '/v1/sources', {
    body: { type: 'scripted', identifier: 'host', secrets: { token: host.token }, scheduleMinutes: null, ...body },
  });
  expect(created.status, JSON.stringify(created.body)).toBe(201);
}

const read = async (path: string) => (await app.request('GET', path)).body;
const names = async () =>
  (await read('/v1/blueprints/thing/entities')).entities
    .map(({ identifier }: { identifier: string }) => identifier)
    .sort();

/** Reads the source once, and waits until that has ended. */
async function sync(mode = 'full') {
  const started = await app.request('POST', '/v1/sources/host/syncs', { body: { mode } });
  expect(started.status, JSON.stringify(started.body)).toBe(202);
  return ended(started.body.sync.id);
}

async function ended(id: string) {
  const look = async () => (await read(`/v1/sources/host/syncs/${id}`)).sync;
  await expect.poll(async () => (await look()).endedAt, { timeout: 20_000 }).not.toBeNull();
  return look();
}

const counts = ({
  counts: { read: seen, created, changed, unchanged, deleted, refused, marked, released },
}: never) => ({
  read: seen,
  created,
  changed,
  unchanged,
  deleted,
  refused,
  marked,
  released,
});
const none = { read: 0, created: 0, changed: 0, unchanged: 0, deleted: 0, refused: 0, marked: 0, released: 0 };

test('a source makes its blueprints, and brings what its host has, page by page', async () => {
  const host = createHost([...things(7), { id: 'h', hidden: true }, { id: 'x', next: 't1' }]);
  await open(host);
  const check = await app.request('POST', '/v1/sources/check', {
    body: { type: 'scripted', secrets: { token: 'wrong' } },
  });
  expect(check.body).toMatchObject({ ok: false, checks: [{ state: 'failed', fix: 'Replace the token' }] });
  expect(counts((await sync()) as never)).toEqual({ ...none, read: 9, created: 8 });
  expect(host.pagesRead).toBe(3);
  expect((await readEntity(app.request, 'thing', 'x')).relations).toEqual({ next: 't1' });
  expect(counts((await sync()) as never)).toEqual({ ...none, read: 9, unchanged: 8 });
  const source = (await read('/v1/sources/host')).source;
  expect(source).toMatchObject({ state: 'live', entities: { thing: 8 }, secrets: { token: { lastFour: '' } } });
  expect(JSON.stringify(source)).not.toContain('right-token');
});

test('what the catalog refuses is told with where its author finds it', async () => {
  const host = createHost([{ id: 'a' }, { id: 'b', size: 'heavy' }]);
  await open(host);
  const { id } = await sync();
  expect((await read(`/v1/sources/host/syncs/${id}/problems`)).problems).toMatchObject([
    { item: 'thing#b', place: { url: 'https://host.example/b', path: '/properties/size' } },
  ]);
});

describe('what is gone', () => {
  test('is deleted by a whole sync, but for what somebody else wrote since', async () => {
    const host = createHost(things(10));
    await open(host);
    await sync();
    await app.request('PATCH', '/v1/blueprints/thing/entities/t8', { body: { title: 'Mine' } });
    host.things = things(8);
    expect(counts((await sync()) as never)).toEqual({ ...none, read: 8, unchanged: 8, deleted: 1, released: 1 });
    expect(await names()).toEqual([...things(8).map(({ id }) => id), 't8'].sort());
  });

  test('stays where the host could not be read to its end', async () => {
    const host = createHost(things(10));
    await open(host);
    await sync();
    host.onPage = (from) => {
      if (from > 3) throw new Error('The host broke off');
    };
    host.things = things(9);
    const started = await app.request('POST', '/v1/sources/host/syncs', { body: { mode: 'full' } });
    // each attempt waits longer than the one before
    const look = async () => {
      app.clock.advance(120_000);
      return (await read(`/v1/sources/host/syncs/${started.body.sync.id}`)).sync.endedAt;
    };
    await expect.poll(look, { timeout: 20_000, interval: 300 }).not.toBeNull();
    const sorry = await ended(started.body.sync.id);
    expect([sorry.status, sorry.problem.code, sorry.counts.deleted]).toEqual(['incomplete', 'unreachable', 0]);
    expect((await names()).length).toBe(10);
  });

  test('stays while a part of the host cannot be read', async () => {
    const host = createHost(things(10));
    await open(host);
    await sync();
    host.things = things(9);
    host.unread = ['thing#t9'];
    expect((await sync()).counts.deleted).toBe(0);
    host.unread = [];
    expect((await sync()).counts.deleted).toBe(1);
  });

  test('is asked about where it is much, and deleted once that is confirmed', async () => {
    const host = createHost(things(10));
    await open(host);
    await sync();
    host.things = [];
    expect((await sync()).counts.deleted).toBe(0);
    const { source } = await read('/v1/sources/host');
    expect([source.state, source.problem.code]).toEqual(['failing', 'deletion_needs_confirmation']);
    expect((await names()).length).toBe(10);
    const decided = await app.request('POST', '/v1/sources/host/missing', { body: { decision: 'delete', total: 10 } });
    expect(decided.body).toMatchObject({ deleted: 10, left: 0 });
    expect((await read('/v1/sources/host')).source.problem).toBeNull();
  });

  test('is marked for its days of grace first', async () => {
    const host = createHost(things(10));
    await open(host, {}, { graceDays: 0.02 });
    await sync();
    host.things = things(9);
    expect(counts((await sync()) as never)).toMatchObject({ deleted: 0, marked: 1 });
    app.clock.advance(1_800_000);
    expect(counts((await sync()) as never)).toMatchObject({ deleted: 1 });
  });

  test('is deleted at once where the host says so', async () => {
    const host = createHost(things(4));
    await open(host, {}, { graceDays: 7 });
    await sync();
    host.things = things(4).slice(1);
    host.gone = ['thing#t0'];
    expect(counts((await sync()) as never)).toMatchObject({ deleted: 1 });
  });

  test('a plan says what would go, and nothing goes', async () => {
    const host = createHost(things(10));
    await open(host);
    await sync();
    host.things = [...things(9), { id: 'new', size: 1 }];
    const plan = await sync('plan');
    expect(plan.counts).toMatchObject({ created: 1, deleted: 1, unchanged: 9 });
    const { changes } = await read(`/v1/sources/host/syncs/${plan.id}/changes`);
    expect(changes.map(({ identifier, change }: never) => [identifier, change])).toEqual([
      ['new', 'created'],
      ['t9', 'deleted'],
    ]);
    expect((await names()).length).toBe(10);
    expect((await sync()).counts).toMatchObject({ created: 1, deleted: 1, unchanged: 9 });
  });
});

test('a refused token is said with what to do, and a new one goes on', async () => {
  const host = createHost(things(2));
  await open(host);
  await sync();
  host.token = 'another-token';
  const refused = await sync();
  expect(refused).toMatchObject({
    status: 'failed',
    problem: { code: 'credentials_refused', fix: 'Replace the token' },
  });
  expect((await read('/v1/sources/host')).source.state).toBe('failing');
  await app.request('PATCH', '/v1/sources/host', { body: { secrets: { token: 'another-token' } } });
  expect((await read('/v1/sources/host')).source.problem).toBeNull();
  expect((await names()).length).toBe(2);
});

test('waits as long as the host asks, and goes on from its page', async () => {
  const host = createHost(things(7));
  await open(host);
  let refusals = 0;
  host.onPage = (from) => {
    if (from !== 3 || refusals > 0) return;
    refusals += 1;
    throw new Postponed(new Date(app.clock.now().getTime() + 60_000), 'Waits for the host until 10:00');
  };
  const started = await app.request('POST', '/v1/sources/host/syncs', { body: { mode: 'full' } });
  const { id } = started.body.sync;
  await expect
    .poll(async () => (await read(`/v1/sources/host/syncs/${id}`)).sync.note)
    .toBe('Waits for the host until 10:00');
  expect((await names()).length).toBe(3);
  app.clock.advance(61_000);
  expect(counts((await ended(id)) as never)).toEqual({ ...none, read: 7, created: 7 });
  expect(host.pagesRead).toBe(3);
});

test('one at a time, and one that is cancelled ends', async () => {
  const host = createHost(things(7));
  await open(host);
  let goOn: () => void = () => undefined;
  host.onPage = (from) => (from === 3 ? new Promise((resolve) => (goOn = resolve)) : undefined);
  const first = await app.request('POST', '/v1/sources/host/syncs', { body: { mode: 'full' } });
  await expect.poll(async () => (await names()).length).toBe(3);
  const second = await app.request('POST', '/v1/sources/host/syncs', { body: { mode: 'full' } });
  expect([second.status, second.body.error]).toEqual([409, 'sync_in_progress']);
  const cancelled = await app.request('DELETE', `/v1/sources/host/syncs/${first.body.sync.id}`);
  expect(cancelled.body.sync.status).toBe('cancelled');
  goOn();
  host.onPage = () => undefined;
  await expect
    .poll(async () => (await app.request('POST', '/v1/sources/host/syncs', { body: { mode: 'plan' } })).status)
    .toBe(202);
  expect((await names()).length).toBe(3);
});

test('writes as whoever saved it, who may go', async () => {
  const host = createHost(things(1));
  await open(host);
  const member = await app.organization.memberToken();
  const refused = await app.request('POST', '/v1/sources', {
    body: { type: 'scripted', secrets: { token: 'right-token' } },
    token: member,
  });
  expect([refused.status, refused.body.error]).toEqual([403, 'missing_permissions']);
  expect((await app.request('POST', '/v1/sources/host/syncs', { body: {}, token: member })).status).toBe(403);
  const other = await app.createOrganization();
  expect((await other.request('GET', '/v1/sources/host')).status).toBe(404);
  expect((await other.request('GET', '/v1/sources')).body.sources).toEqual([]);
});
