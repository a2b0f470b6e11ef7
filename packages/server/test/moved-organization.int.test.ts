import { operations } from '@portolan/contract/operations';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadDemo } from '../src/demo/load-demo.ts';
import { freezeOrganization, thawOrganization } from '../src/modules/backups/index.ts';
import { checkMasterKey } from '../src/modules/identity/index.ts';
import { systemActor } from '../src/platform/actor.ts';
import { claimJobs, insertJob } from '../src/platform/jobs/job.store.ts';
import { createTestApp, type TestApp } from './build-test-app.ts';
import { demoFolder } from './demo/organization.ts';
import { exported, imported, readMovedLines } from './move-world.ts';

/** That of every test application. */
const masterKey = Buffer.alloc(32, 7).toString('base64');
let source: TestApp;
let target: TestApp;
/** Before each change that the demo then saw. */
const moments: string[] = [];
let entity: { blueprint: string; identifier: string };
beforeAll(async () => {
  [source, target] = [await createTestApp(), await createTestApp()];
  await checkMasterKey(source.database, masterKey);
  await checkMasterKey(target.database, masterKey);
  await source.app.unitOfWork(systemActor(source.organization.id), (work) =>
    loadDemo(source.app.loading, work, { folder: demoFolder, publicUrl: 'http://localhost:3000' }),
  );
  const { request, clock } = source;
  const send = async (method: string, path: string, body: unknown) => {
    const answer = await request(method, path, { body });
    expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  };
  await send('POST', '/v1/organization/secrets', { secretName: 'moved', secretValue: 'kT9vQ2mXw7Lp4RzB' });
  const found = await request('GET', '/v1/blueprints/service/entities');
  entity = found.body.entities[0];
  const path = `/v1/blueprints/${entity.blueprint}/entities/${entity.identifier}`;
  for (const title of ['First', 'Second']) {
    clock.advance(60_000);
    moments.push(clock.now().toISOString());
    clock.advance(60_000);
    await send('PATCH', path, { title });
  }
  clock.advance(60_000);
  target.clock.set(clock.now());
});
afterAll(async () => {
  await source.close();
  await target.close();
});

test('the demo is the same in its new place: lists, entities, the past and the audit log', {
  timeout: 120_000,
}, async () => {
  const { id, token } = source.organization;
  const entityPath = `/v1/blueprints/${entity.blueprint}/entities/${entity.identifier}`;
  const lists = operations.filter(
    ({ method, path, answer }) => method === 'GET' && answer && !/\{|operator|demo/.test(path),
  );
  const { blueprints } = (await source.request('GET', '/v1/blueprints')).body;
  const paths = [
    ...lists.map(({ path }) => path),
    ...blueprints.map(({ identifier }: { identifier: string }) => `/v1/blueprints/${identifier}/entities`),
    ...moments.map((moment) => `${entityPath}?as_of=${encodeURIComponent(moment)}`),
    '/v1/audit-log?limit=1000',
    `/v1/audit-log?identifier=${entity.identifier}`,
  ];
  const readAll = async ({ app }: TestApp) => {
    const answers: Record<string, { status: number; body: string }> = {};
    for (const url of paths) {
      const { statusCode, body } = await app.http.inject({
        method: 'GET',
        url,
        headers: { authorization: `Bearer ${token}` },
      });
      // each answer says which request it was
      answers[url] = { status: statusCode, body: body.replace(/"(?:traceId|requestId)":"[^"]*"/g, '') };
    }
    return answers;
  };
  const bytes = await exported(source.database.engine, masterKey, id);
  const before = await readAll(source);
  expect(Object.values(before).filter(({ status }) => status === 200).length).toBeGreaterThan(50);
  expect(new Set(moments.map((moment) => before[`${entityPath}?as_of=${encodeURIComponent(moment)}`]?.body)).size).toBe(
    2,
  );

  await imported(target.database.engine, bytes, masterKey);
  expect(readMovedLines(await exported(target.database.engine, masterKey, id))).toEqual(readMovedLines(bytes));
  expect(await readAll(target)).toEqual(before);

  // and it goes on, with records after those that came along
  const renamed = await target.request('PATCH', entityPath, { token, body: { title: 'Third' } });
  expect(renamed.status).toBe(200);
  const log = await target.request('GET', `/v1/audit-log?identifier=${entity.identifier}`, { token });
  expect(JSON.stringify(log.body)).toContain('Third');
});

test('a frozen organization is read, takes no changes and leaves its jobs; thawed, it goes on', async () => {
  const { id, request } = source.organization;
  const { engine } = source.database;
  const path = `/v1/blueprints/${entity.blueprint}/entities/${entity.identifier}`;
  const other = await source.createOrganization();
  const hook = await request('POST', '/v1/webhooks', {
    body: { identifier: 'moving', title: 'Moving', enabled: true },
  });
  const sendEvent = () =>
    request('POST', new URL(hook.body.integration.url).pathname, { token: null, body: { number: 1 } });
  await freezeOrganization(engine, { orgId: id });
  const records = (await source.organization.journal()).length;
  const refused = await request('PATCH', path, { body: { title: 'Refused' } });
  expect([refused.status, refused.body.error, refused.headers['retry-after']]).toEqual([
    503,
    'service_unavailable',
    expect.any(String),
  ]);
  // what no audit record tells is refused too: it would stay behind
  const event = await sendEvent();
  expect([event.status, event.body.error, event.headers['retry-after']]).toEqual([
    503,
    'service_unavailable',
    expect.any(String),
  ]);
  const read = await request('GET', path);
  expect([read.status, read.body.entity.title]).toEqual([200, 'Second']);
  expect(await source.organization.journal()).toHaveLength(records);
  expect(
    (await other.request('POST', '/v1/organization/secrets', { body: { secretName: 'a', secretValue: 'b' } })).status,
  ).toBe(201);
  const claim = () =>
    source.database.transaction((tx) =>
      claimJobs(tx, {
        rooms: [{ names: ['of-a-test'], limit: 10 }],
        lease: 'l',
        now: source.clock.now(),
        lockedUntil: source.clock.now(),
      }),
    );
  await source.database.transaction(async (tx) =>
    insertJob(tx, {
      orgId: id,
      id: 'job_1',
      name: 'of-a-test',
      input: {},
      dedupeKey: undefined,
      attemptsMax: 1,
      runAt: source.clock.now(),
      now: source.clock.now(),
    }),
  );
  expect((await claim()).jobs).toEqual([]);
  // a file says nothing of it: the organization takes changes where it is imported
  const [head = '', row = ''] = readMovedLines(await exported(engine, masterKey, id));
  expect(JSON.parse(row)[JSON.parse(head).columns.indexOf('frozen_at')]).toBeNull();
  await thawOrganization(engine, id);
  expect((await claim()).jobs).toMatchObject([{ id: 'job_1' }]);
  expect((await request('PATCH', path, { body: { title: 'Taken' } })).status).toBe(200);
  expect((await sendEvent()).status).toBe(202);
  const { deliveries } = (await request('GET', '/v1/webhooks/moving/deliveries')).body;
  expect(deliveries).toHaveLength(1);
  await freezeOrganization(engine, { orgId: other.id });
  expect((await source.operator('DELETE', `/v1/operator/organizations/${other.id}`)).status).toBe(200);
  await expect(freezeOrganization(engine, { orgId: 'org_nobody' })).rejects.toThrow(/no organization org_nobody/);
});
