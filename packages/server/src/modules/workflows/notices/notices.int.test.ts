import sql from 'sql-template-tag';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { createEntity, unique } from '../../../../test/catalog-fixtures.ts';
import { followLive } from '../../../../test/live-reader.ts';
import { createNodeWorld } from '../../../../test/node-world.ts';

let app: TestApp;
let world: ReturnType<typeof createNodeWorld>;
let ada: Person;
let bo: Person;

interface Person {
  readonly id: string;
  readonly token: string;
}

beforeAll(async () => {
  app = await createTestApp();
  world = createNodeWorld(app);
});
afterAll(async () => {
  await world.close();
  await app.close();
});
beforeEach(async () => {
  [ada, bo] = [await person(), await person()];
});

async function person(status = 'Active'): Promise<Person> {
  const id = `${unique('jo').toLowerCase()}@example.com`;
  await createEntity(app.request, '_user', { identifier: id, properties: { status, port_role: 'Member' } });
  return { id, token: await app.organization.personToken(id) };
}
const noticesOf = async ({ token }: Person, query = '') =>
  (await app.request('GET', `/v1/me/notices${query}`, { token })).body;
const ask = async ({ token }: Person, path: string, body?: object) => {
  const answer = await app.request('POST', `/v1/me/notices${path}`, { token, ...(body ? { body } : {}) });
  return { status: answer.status, ...answer.body };
};
const tell = (config: object, nodeRun = unique('wfnr_x')) =>
  world.outcomeOf({ type: 'NOTIFY', target: 'portal', ...config } as never, { nodeRun: { id: nodeRun } });

/** A run of a workflow whose form everybody may fill in, and whose one step tells somebody. */
async function run(config: object, inputs: object = {}, more: object = {}) {
  const identifier = unique('flow');
  const userInputs = { properties: { x: { type: 'string' }, pin: { type: 'string', encryption: 'aes256-gcm' } } };
  const nodes = [
    { identifier: 'form', config: { type: 'SELF_SERVE_TRIGGER', userInputs } },
    { identifier: 'tell', config: { type: 'NOTIFY', target: 'portal', ...config } },
  ];
  const connections = [{ sourceIdentifier: 'form', targetIdentifier: 'tell' }];
  const body = { identifier, title: 'Deploy', nodes, connections, ...more };
  const saved = await app.request('POST', '/v1/workflows', { body });
  expect(saved.status, JSON.stringify(saved.body)).toBe(200);
  const started = await app.request('POST', `/v1/workflows/${identifier}/runs`, { body: { inputs } });
  await app.app.jobs.drain();
  return (await app.request('GET', `/v1/workflows/runs/${started.body.run.identifier}`)).body.run;
}

test('a notice goes to those named of this organization, says what came of its templates, and holds no secret', async () => {
  const gone = await person('Disabled').catch(() => ({ id: 'gone@example.com' }));
  const { identifier, result } = await run(
    {
      to: ['{{ .outputs.trigger.x }}', gone.id, 'stranger@elsewhere.example'],
      subject: 'Done',
      body: 'pin={{ .outputs.trigger.pin }}',
      link: 'https://ci.example/{{ "a b" | @uri }}',
    },
    { x: ada.id, pin: 'sesame-open' },
    { allowAnyoneToViewRuns: true },
  );
  expect(result).toBe('SUCCESS');
  const { notices, unread } = await noticesOf(ada);
  expect(unread).toBe(1);
  expect(notices).toMatchObject([
    {
      subject: 'Done',
      link: 'https://ci.example/a%20b',
      workflow: { title: 'Deploy' },
      workflowRun: { identifier },
      readAt: null,
    },
  ]);
  expect(notices[0].body).toMatch(/^pin=\*+$/);
  expect((await noticesOf(bo)).notices).toEqual([]);
});

test('a run is named only to those who may see it', async () => {
  const { identifier } = await run({ to: ada.id, subject: 'Done' });
  expect((await noticesOf(ada)).notices).toMatchObject([{ subject: 'Done', workflowRun: null }]);
  expect(JSON.stringify(await noticesOf(ada))).not.toContain(identifier);
});

test('a step that is carried out again after a crash tells nobody twice, even what was dismissed', async () => {
  const config = { to: [ada.id, bo.id], subject: 'Once' };
  expect(await tell(config, 'wfnr_once')).toMatchObject({ result: 'SUCCESS', raw: { told: 2 } });
  const { notices } = await noticesOf(ada);
  expect((await ask(ada, `/${notices[0].identifier}/dismiss`)).status).toBe(200);
  expect(await tell(config, 'wfnr_once')).toMatchObject({ result: 'SUCCESS', raw: { told: 2 } });
  expect(await noticesOf(ada)).toMatchObject({ notices: [], unread: 0 });
  expect((await noticesOf(bo)).notices).toHaveLength(1);
});

test('links lead to https or into the portal, and to nothing else', async () => {
  for (const link of ['http://a.example', 'javascript:alert(1)', '//a.example', '/\\a.example', '/\t/a.example']) {
    const outcome = await tell({ to: ada.id, link });
    expect(outcome, link).toMatchObject({ result: 'FAILED', message: expect.stringContaining('"link" must begin') });
  }
  expect((await noticesOf(ada)).notices).toEqual([]);
  expect(await tell({ to: ada.id, link: '/e/service/one' })).toMatchObject({ result: 'SUCCESS' });
  const nodes = [
    { identifier: 'form', config: { type: 'SELF_SERVE_TRIGGER' } },
    { identifier: 'a', config: { type: 'NOTIFY', target: 'portal', to: 'x', link: 'http://a.example' } },
    { identifier: 'b', config: { type: 'NOTIFY', target: 'portal', to: '{{ .secrets.A }}' } },
  ];
  const { body } = await app.request('POST', '/v1/workflows/validate', {
    body: { identifier: unique('flow'), nodes, connections: [] },
  });
  expect(body.issues.map(({ path, code }: { path: string; code: string }) => `${code} ${path}`)).toEqual([
    'address_needed /nodes/1/config/link',
    'secret_would_be_shown /nodes/2/config/to',
  ]);
});

test('a person keeps the newest 200', async () => {
  await app.database.transaction((tx) =>
    tx.execute(sql`
      insert into notices (org_id, user_key, id, about, workflow, run_id, started_by, subject, body, created_at)
      select u.org_id, u.key, 'ntc_' || ${unique('n')} || s.n, s.n::text, 'w', 'r', 'x', s.n::text, '', now()
      from users u, generate_series(1, 201) as s (n) where u.org_id = ${app.organization.id} and u.identifier = ${ada.id}
      order by s.n`),
  );
  await tell({ to: ada.id, subject: 'newest' });
  expect((await noticesOf(ada)).unread).toBe(200);
  const { notices, nextCursor } = await noticesOf(ada, '?limit=100');
  expect(notices[0].subject).toBe('newest');
  const rest = await noticesOf(ada, `?limit=100&cursor=${nextCursor}`);
  expect(rest.notices.at(-1).subject).toBe('3');
});

test('everybody reads and dismisses their own alone', async () => {
  for (const subject of ['1', '2', '3']) await tell({ to: ada.id, subject });
  const [newest, middle, oldest] = (await noticesOf(ada)).notices;
  for (const path of [`/${middle.identifier}/read`, `/${middle.identifier}/dismiss`]) {
    expect(await ask(bo, path)).toMatchObject({ status: 404, error: 'not_found' });
    expect((await app.request('POST', `/v1/me/notices${path}`)).status).toBe(404);
  }
  expect((await ask(bo, '/read', { upTo: middle.identifier })).status).toBe(404);
  expect((await noticesOf(ada)).unread).toBe(3);
  expect(await ask(ada, `/${oldest.identifier}/read`)).toMatchObject({ status: 200, unread: 2 });
  expect(await ask(ada, '/read', { upTo: middle.identifier })).toMatchObject({ status: 200, unread: 1 });
  expect(await ask(ada, `/${newest.identifier}/dismiss`)).toMatchObject({ status: 200, unread: 0 });
  expect((await noticesOf(ada)).notices.map(({ subject }: { subject: string }) => subject)).toEqual(['2', '1']);
  expect(await ask(ada, `/${newest.identifier}/read`)).toMatchObject({ status: 404 });
  expect((await app.request('GET', '/v1/me/notices')).body).toMatchObject({ notices: [], unread: 0 });
});

test('a reader of the live stream who was away is told that the own notices changed, and of nobody else', async () => {
  const address = await app.app.http.listen({ port: 0, host: '127.0.0.1' });
  // their being created is told to whoever was away since then
  app.clock.advance(60_000);
  const since = app.clock.now().getTime();
  const there = await followLive(address, ada.token);
  await run({ to: ada.id, subject: 'Meanwhile' });
  expect(await there.until(ada.id, 'notice')).toMatchObject({ event: 'notice.created' });
  there.leave();

  const told = { event: 'notice.updated', resource: 'notice', identifier: ada.id };
  const opened = await followLive(address, ada.token, {}, { since });
  const back = await followLive(address, ada.token, { 'last-event-id': String(since) });
  const other = await followLive(address, bo.token, {}, { since });
  expect([await opened.until(ada.id, 'notice'), await back.until(ada.id, 'notice')]).toEqual([told, told]);
  await run({ to: bo.id, subject: 'Later' });
  expect(await other.until(bo.id, 'notice')).toMatchObject({ event: 'notice.created' });
  expect(JSON.stringify(other.told())).not.toContain(ada.id);
  for (const each of [opened, back, other]) each.leave();
});
