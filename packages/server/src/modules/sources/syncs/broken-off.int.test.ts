import sql from 'sql-template-tag';
import { afterEach, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { createHost, type ScriptedHost, scriptedSource } from '../../../../test/scripted-source.ts';
import { Postponed } from '../../../platform/jobs/job.ts';

let app: TestApp;
afterEach(() => app.close());

const minuteMs = 60_000;
const things = (count: number) => Array.from({ length: count }, (_none, at) => ({ id: `t${at}`, size: at }));

async function open(host: ScriptedHost, scheduleMinutes: number | null = null) {
  app = await createTestApp({ sourceTypes: [scriptedSource(host)] });
  const body = { type: 'scripted', identifier: 'host', secrets: { token: host.token }, scheduleMinutes };
  const created = await app.request('POST', '/v1/sources', { body });
  expect(created.status, JSON.stringify(created.body)).toBe(201);
}

async function begin(): Promise<string> {
  const started = await app.request('POST', '/v1/sources/host/syncs', { body: { mode: 'full' } });
  expect(started.status, JSON.stringify(started.body)).toBe(202);
  return started.body.sync.id;
}

const look = async (id: string) => (await app.request('GET', `/v1/sources/host/syncs/${id}`)).body.sync;

/** As kill -9 leaves it, each time that the job is taken. */
async function loseProcesses(): Promise<void> {
  await app.database.transaction((tx) =>
    tx.execute(sql`update jobs set state = 'running', attempt = attempts_max, lease = 'w_dead',
      locked_until = ${app.clock.now()} where name = 'sources.run-sync' /* all organizations */`),
  );
  app.clock.advance(1_000);
  await app.app.jobs.drain();
}

test('a sync whose processes all died ends with a sentence, and the source is read again', async () => {
  const host = createHost(things(7));
  await open(host);
  const id = await begin();
  await loseProcesses();
  expect((await look(id)).endedAt).toBeNull();
  app.clock.advance(11 * minuteMs);
  await app.app.jobs.drain();
  expect(await look(id)).toMatchObject({
    status: 'incomplete',
    problem: { code: 'interrupted', fix: expect.any(String) },
    counts: { deleted: 0 },
  });
  const again = await begin();
  await app.app.jobs.drain();
  expect(await look(again)).toMatchObject({ status: 'completed', counts: { created: 7 } });
});

test('a source with a schedule is read again by itself', async () => {
  const host = createHost(things(2));
  await open(host, 60);
  await begin();
  await loseProcesses();
  app.clock.advance(11 * minuteMs);
  await app.app.jobs.drain();
  app.clock.advance(16 * minuteMs);
  await app.app.jobs.drain();
  const { syncs } = (await app.request('GET', '/v1/sources/host/syncs')).body;
  expect(syncs.map(({ status }: { status: string }) => status)).toEqual(['completed', 'incomplete']);
});

test('a sync that waits for its host for long is not taken for one that broke off', async () => {
  const host = createHost(things(7));
  await open(host);
  const until = new Date(app.clock.now().getTime() + 100 * minuteMs);
  host.onPage = () => {
    if (app.clock.now() < until) throw new Postponed(until, 'Waits for the host until 14:32');
  };
  const id = await begin();
  await app.app.jobs.drain();
  app.clock.advance(50 * minuteMs);
  await app.app.jobs.drain();
  expect(await look(id)).toMatchObject({ status: 'waiting', endedAt: null });
  app.clock.advance(51 * minuteMs);
  await app.app.jobs.drain();
  expect(await look(id)).toMatchObject({ status: 'completed', counts: { created: 7 } });
});

test('what is read again, because the process died or the host moved it, counts once, and as it is now', async () => {
  const host = createHost([
    { id: 'a', size: 1 },
    { id: 'b', size: 1 },
    { id: 'c', size: 1 },
    { id: 'a', size: 2 },
    { id: 'b', size: 1 },
  ]);
  await open(host);
  const id = await begin();
  await app.app.jobs.drain();
  expect(await look(id)).toMatchObject({
    status: 'completed',
    counts: { created: 3, changed: 1, unchanged: 0, refused: 0, problems: 0 },
  });
  const { entity } = (await app.request('GET', '/v1/blueprints/thing/entities/a')).body;
  expect(entity.properties.size).toBe(2);
});
