import sql from 'sql-template-tag';
import { afterEach, describe, expect, test } from 'vitest';
import { besideTransaction } from '../../../../test/beside-transaction.ts';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { readEntity } from '../../../../test/catalog-fixtures.ts';
import { onlyOn } from '../../../../test/database.ts';
import { importLines } from '../../../../test/import-lines.ts';
import { createHost, type ScriptedHost, scriptedSource } from '../../../../test/scripted-source.ts';
import type { Tx } from '../../../platform/db/database.ts';

let app: TestApp;
afterEach(() => app.close());

const things = (count: number) => Array.from({ length: count }, (_none, at) => ({ id: `t${at}`, size: at }));

async function open(host: ScriptedHost, body: object = {}) {
  app = await createTestApp({ sourceTypes: [scriptedSource(host)] });
  const created = await app.request('POST', '/v1/sources', {
    body: { type: 'scripted', identifier: 'host', secrets: { token: host.token }, scheduleMinutes: null, ...body },
  });
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  await app.app.jobs.drain();
}

const read = async (path: string) => (await app.request('GET', path)).body;
const count = async () => (await read('/v1/blueprints/thing/entities-count')).count;

async function sync(mode = 'full') {
  const started = await app.request('POST', '/v1/sources/host/syncs', { body: { mode } });
  expect(started.status, JSON.stringify(started.body)).toBe(202);
  await app.app.jobs.drain();
  return (await read(`/v1/sources/host/syncs/${started.body.sync.id}`)).sync;
}

describe('what was read and could not be stored is not gone', () => {
  const wrongs = [
    ['a value that the catalog refuses', { id: 't9', size: 'heavy' }],
    ['a target that is not there', { id: 't9', next: 'nowhere' }],
    ['an identifier that comes to nothing', { id: 't9', name: null }],
  ] as const;

  test.each(wrongs)('%s', async (_name, wrong) => {
    const host = createHost(things(10).map((each) => ({ ...each, name: each.id })));
    const mapping = {
      identifier: '.name',
      blueprint: '"thing"',
      properties: { size: '.size' },
      relations: { next: '.next' },
    };
    await open(host, {
      mapping: { resources: [{ kind: 'thing', port: { entity: { mappings: mapping } } }] },
      isPaused: true,
    });
    await app.request('POST', '/v1/blueprints', { body: scriptedSource(host).blueprints[0] });
    expect((await sync()).counts.created).toBe(10);
    host.things = [...host.things.slice(0, 9), { name: 't9', ...wrong }];
    const plan = await sync('plan');
    expect(plan.counts).toMatchObject({ refused: 1, deleted: 0, marked: 0 });
    expect((await read(`/v1/sources/host/syncs/${plan.id}/changes`)).changes).toEqual([]);
    expect((await sync()).counts).toMatchObject({ refused: 1, unchanged: 9, deleted: 0, released: 0 });
    expect((await read('/v1/sources/host/missing')).total).toBe(0);
    expect(await count()).toBe(10);
    host.things = [...host.things.slice(0, 9), { id: 't9', name: 't9', size: 11 }];
    expect((await sync()).counts).toMatchObject({ changed: 1, unchanged: 9 });
    host.things = host.things.slice(0, 9);
    expect((await sync()).counts.deleted).toBe(1);
  });

  test('nor is a line of a file', async () => {
    await open(createHost(things(1)));
    await app.request('POST', '/v1/sources', { body: { type: 'file', identifier: 'list' } });
    const query = 'blueprint=thing&source=list';
    await importLines(app.request, query, [{ identifier: 'a' }, { identifier: 'b' }]);
    const { done } = await importLines(app.request, query, [
      { identifier: 'a' },
      { identifier: 'b', properties: { size: 'heavy' } },
    ]);
    expect(done).toMatchObject({ unchanged: 1, refused: 1, missing: 0 });
  });
});

test('a plan keeps what could not be read, as the sync does', async () => {
  const host = createHost(things(10));
  await open(host);
  await sync();
  host.things = things(9);
  host.unread = ['thing#t9'];
  expect((await sync('plan')).counts).toMatchObject({ deleted: 0, marked: 0 });
});

test('a source that is read again by its schedule goes on after a sync was cancelled', async () => {
  const host = createHost(things(7));
  await open(host, { scheduleMinutes: 30 });
  app.clock.advance(31 * 60_000);
  host.onPage = async (from) => {
    if (from !== 3) return;
    const [{ id }] = (await read('/v1/sources/host/syncs')).syncs;
    await app.request('DELETE', `/v1/sources/host/syncs/${id}`);
  };
  await app.app.jobs.drain();
  expect((await read('/v1/sources/host/syncs')).syncs[0].status).toBe('cancelled');
  const next = Date.parse((await read('/v1/sources/host')).source.nextSyncAt);
  expect(next - app.clock.now().getTime()).toBe(30 * 60_000);
});

test('a mapping that is saved while the source is read counts for all of it', async () => {
  const host = createHost(things(7));
  await open(host);
  const [resource] = scriptedSource(host).defaultMapping as [{ port: { entity: { mappings: object } } }];
  const { mappings } = resource.port.entity;
  const titled = { ...resource, port: { entity: { mappings: { ...mappings, title: '"New"' } } } };
  host.onPage = async (from) => {
    if (from !== 3) return;
    host.onPage = () => undefined;
    const answer = await app.request('PATCH', '/v1/sources/host', { body: { mapping: { resources: [titled] } } });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  };
  const first = await sync();
  expect(first).toMatchObject({ status: 'cancelled', problem: { code: 'source_changed' } });
  app.clock.advance(15_000);
  await app.app.jobs.drain();
  expect((await readEntity(app.request, 'thing', 't0')).title).toBe('New');
  expect((await readEntity(app.request, 'thing', 't6')).title).toBe('New');
});

onlyOn('postgres', 'two transactions are open at once', () => {
  /** Changes entities in a transaction that ends once `meanwhile` waits for it. */
  function changing<Result>(names: readonly string[], meanwhile: () => Promise<Result>): Promise<Result> {
    const change = (tx: Tx) =>
      tx.execute(sql`
        update entities set title = 'Mine', version = version + 1
        where org_id = ${app.organization.id} and identifier = any(${names}::text[])`);
    return besideTransaction(app.database, { begin: change }, meanwhile);
  }

  test('what somebody writes while a sync is about to delete it stays', async () => {
    const host = createHost(things(20));
    await open(host);
    await sync();
    host.things = things(18);
    const { counts } = await changing(['t18'], () => sync());
    expect(counts).toMatchObject({ deleted: 1, released: 1 });
    expect((await readEntity(app.request, 'thing', 't18')).title).toBe('Mine');
    expect(await count()).toBe(19);
  });

  test('what somebody writes while an import is taken back stays', async () => {
    await open(createHost(things(1)));
    await app.request('POST', '/v1/sources', { body: { type: 'file', identifier: 'list' } });
    const { id } = await importLines(app.request, 'blueprint=thing&source=list', [
      { identifier: 'a' },
      { identifier: 'b' },
    ]);
    const undone = await changing(['a'], () => app.request('POST', `/v1/imports/${id}/undo`));
    expect(undone.body).toMatchObject({ deleted: 1, left: 1 });
    expect((await readEntity(app.request, 'thing', 'a')).title).toBe('Mine');
  });
});

describe('taking back an import', () => {
  test('leaves what another source brings too', async () => {
    await open(createHost(things(1)));
    for (const identifier of ['one', 'two']) {
      await app.request('POST', '/v1/sources', { body: { type: 'file', identifier } });
    }
    const { id } = await importLines(app.request, 'blueprint=thing&source=one', [
      { identifier: 'a' },
      { identifier: 'b' },
    ]);
    await importLines(app.request, 'blueprint=thing&source=two', [{ identifier: 'a' }]);
    const undone = await app.request('POST', `/v1/imports/${id}/undo`);
    expect(undone.body).toMatchObject({ deleted: 1, left: 1 });
    expect((await app.request('GET', '/v1/blueprints/thing/entities/a')).status).toBe(200);
  });

  test('waits until another import of the source has ended', async () => {
    await open(createHost(things(1)));
    await app.request('POST', '/v1/sources', { body: { type: 'file', identifier: 'list' } });
    const query = 'blueprint=thing&source=list';
    const { id } = await importLines(app.request, query, [{ identifier: 'a' }]);
    const more = await importLines(app.request, `${query}&more=true`, [{ identifier: 'a' }, { identifier: 'b' }]);
    const refused = await app.request('POST', `/v1/imports/${id}/undo`);
    expect([refused.status, refused.body.error]).toEqual([409, 'not_undoable']);
    expect(refused.body.message).toContain(more.id);
    expect(await count()).toBe(2);
  });
});
