import sql from 'sql-template-tag';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { createBlueprint, createEntity, entityPath, unique } from '../../../../test/catalog-fixtures.ts';
import { type Receiver, startReceiver } from '../../../../test/receiver.ts';

let app: TestApp;
let receiver: Receiver;
beforeAll(async () => {
  app = await createTestApp();
  // an approver other than any requester
  const properties = { status: 'Active', port_role: 'Admin' };
  await createEntity(app.request, '_user', { identifier: 'ada@example.com', properties });
  receiver = await startReceiver();
});
afterAll(async () => {
  await app.close();
  await receiver.close();
});
beforeEach(async () => {
  await app.app.jobs.drain();
  receiver.received.length = 0;
  receiver.answer = () => ({ status: 200 });
});

const runs = '/v1/actions/runs';
const get = async (id: string) => (await app.request('GET', `${runs}/${id}?version=v2`)).body.run;
const readLogs = async (id: string): Promise<string[]> =>
  (await app.request('GET', `${runs}/${id}/logs`)).body.runLogs.map(({ message }: { message: string }) => message);

async function action(more: object = {}, trigger: object = {}): Promise<string> {
  const identifier = unique('act');
  const form = { type: 'self-service', operation: 'CREATE', userInputs: { properties: {} }, ...trigger };
  const invocationMethod = { type: 'WEBHOOK', url: `${receiver.url}/hook`, body: '{{ .inputs }}' };
  const created = await app.request('POST', '/v1/actions', {
    body: { identifier, trigger: form, invocationMethod, ...more },
  });
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  return identifier;
}

async function run(name: string, body: object = {}, options: object = {}): Promise<string> {
  const started = await app.request('POST', `/v1/actions/${name}/runs`, { body, ...options });
  expect(started.status, JSON.stringify(started.body)).toBe(202);
  await app.app.jobs.drain();
  return started.body.run.id;
}

async function person(team?: string): Promise<{ readonly id: string; readonly token: string }> {
  const id = `${unique('jo').toLowerCase()}@example.com`;
  const properties = { status: 'Active', port_role: 'Member' };
  await createEntity(app.request, '_user', { identifier: id, properties, ...(team ? { team } : {}) });
  return { id, token: await app.organization.personToken(id) };
}

describe('a run that waits for approval is told to the approvers', () => {
  const asking = (notification?: object) =>
    action({ requiredApproval: true, ...(notification ? { approvalNotification: notification } : {}) });
  const webhook = () => ({ type: 'webhook', url: `${receiver.url}/approvals` });

  test('as JSON, signed, and once', async () => {
    const name = await asking(webhook());
    const id = await run(name);
    const [sent, ...more] = receiver.received;
    expect([sent?.path, more]).toEqual(['/approvals', []]);
    expect(sent?.headers).toMatchObject({ 'x-port-signature': expect.stringMatching(/^v1,/), 'idempotency-key': id });
    expect(JSON.parse(sent?.body ?? '')).toMatchObject({
      action: name,
      status: 'WAITING_FOR_APPROVAL',
      context: { runId: id },
      url: `http://127.0.0.1:3000/runs/${id}`,
    });
    expect(await readLogs(id)).toEqual(['The approvers were notified']);
    const token = await app.organization.approverToken();
    await app.request('PATCH', `${runs}/${id}/approval`, { body: { status: 'APPROVE' }, token });
    await app.app.jobs.drain();
    expect(receiver.received.map(({ path }) => path)).toEqual(['/approvals', '/hook']);
  });

  test('as Slack reads it, with nothing of a title that Slack would take for a mark', async () => {
    const name = await action({
      title: 'Drop <!channel> & go',
      requiredApproval: true,
      approvalNotification: { ...webhook(), format: 'slack' },
    });
    await run(name);
    const { text, blocks } = JSON.parse(receiver.received[0]?.body ?? '');
    expect(text).toContain('Drop &lt;!channel&gt; &amp; go');
    expect(blocks[0].text.text).toBe(text);
  });

  test('a receiver that cannot be told leaves the run waiting, and the log tells', async () => {
    receiver.answer = () => ({ status: 404 });
    const id = await run(await asking(webhook()));
    expect((await get(id)).status).toBe('WAITING_FOR_APPROVAL');
    expect(await readLogs(id)).toEqual([expect.stringContaining('answered 404')]);
  });

  test.each([undefined, { type: 'email' }])('by e-mail it is not, and the log says so: %j', async (notification) => {
    expect(await readLogs(await run(await asking(notification)))).toEqual([
      expect.stringContaining('No e-mail was sent'),
    ]);
    expect(receiver.received).toEqual([]);
  });
});

describe('running again', () => {
  const encrypted = {
    userInputs: {
      properties: { who: { type: 'string' }, bag: { type: 'object', encryption: 'aes256-gcm' } },
    },
  };

  test('is a new run of whoever asks, with the same inputs, encrypted ones too', async () => {
    const name = await action({}, encrypted);
    const first = await run(name, { properties: { who: 'me', bag: { a: 1 } } });
    const { id: who, token } = await person();
    const again = await app.request('POST', `${runs}/${first}/rerun`, { token });
    expect([again.status, again.body.run.createdBy]).toEqual([202, who]);
    expect(again.body.run.id).not.toBe(first);
    await app.app.jobs.drain();
    const [one, two] = receiver.received.map(({ body }) => JSON.parse(body));
    expect(two.who).toBe('me');
    // encrypted again, so it differs, but not twice, so it has the same length
    expect(two.bag).not.toBe(one.bag);
    expect(two.bag).toHaveLength(one.bag.length);
  });

  test('needs the right to run the action as it is now, and inputs that fit its form', async () => {
    const name = await action({}, encrypted);
    const first = await run(name, { properties: { who: 'me' } });
    const { token } = await person();
    await app.request('PATCH', `/v1/actions/${name}/permissions`, { body: { execute: { roles: ['Admin'] } } });
    expect((await app.request('POST', `${runs}/${first}/rerun`, { token })).status).not.toBe(202);
    const { action: stored } = (await app.request('GET', `/v1/actions/${name}`)).body;
    const body = { identifier: name, trigger: stored.trigger, invocationMethod: stored.invocationMethod };
    body.trigger.userInputs = { properties: { other: { type: 'string' } }, required: ['other'] };
    await app.request('PUT', `/v1/actions/${name}`, { body });
    expect((await app.request('POST', `${runs}/${first}/rerun`)).status).toBe(422);
    await app.request('DELETE', `/v1/actions/${name}`);
    expect((await app.request('POST', `${runs}/${first}/rerun`)).status).toBe(404);
    expect((await app.request('POST', `${runs}/r_aaaaaaaaaaaaaaaa/rerun`)).status).toBe(404);
    const other = await app.createOrganization();
    expect((await other.request('POST', `${runs}/${first}/rerun`)).status).toBe(404);
  });
});

describe('entities that are written for a run', () => {
  test('are listed, each once with what was done last, for those who may read them', async () => {
    const blueprint = await createBlueprint(app.request, 'thing');
    const id = await run(await action());
    await createEntity(app.request, blueprint, { identifier: 'a' }, `?run_id=${id}`);
    await app.request('PATCH', `${entityPath(blueprint, 'a')}?run_id=${id}`, { body: { title: 'A' } });
    await createEntity(app.request, blueprint, { identifier: 'b' }, `?run_id=${id}`);
    await app.request('DELETE', `${entityPath(blueprint, 'b')}?run_id=${id}`);
    await createEntity(app.request, blueprint, { identifier: 'c' });
    const list = async (token?: string) =>
      (await app.request('GET', `${runs}/${id}/affected-entities`, token ? { token } : {})).body.entities;
    const at = app.clock.now().toISOString();
    expect(await list()).toEqual([
      { identifier: 'a', blueprint, action: 'UPDATE', at },
      { identifier: 'b', blueprint, action: 'DELETE', at },
    ]);
    const nobody = { roles: ['Admin'], users: [], teams: [], ownedByTeam: false };
    await app.request('PATCH', `/v1/blueprints/${blueprint}/permissions`, { body: { entities: { read: nobody } } });
    expect(await list((await person()).token)).toEqual([]);
  });

  test('are refused once it has ended or while it waits, and then nothing is written', async () => {
    const blueprint = await createBlueprint(app.request, 'thing');
    const ended = await run(await action());
    await app.request('PATCH', `${runs}/${ended}`, { body: { status: 'SUCCESS' } });
    const waiting = await run(await action({ requiredApproval: true }));
    await createEntity(app.request, blueprint, { identifier: 'there' });
    const rows = await app.count('entities');
    for (const id of [ended, waiting]) {
      const path = `/v1/blueprints/${blueprint}/entities`;
      const tries: [string, string, object | undefined][] = [
        ['POST', `${path}?run_id=${id}`, { identifier: 'a' }],
        ['POST', `${path}?upsert=true&merge=true&run_id=${id}`, { identifier: 'there', title: 'T' }],
        ['POST', `${path}/bulk?run_id=${id}`, { entities: [{ identifier: 'a' }] }],
        ['PUT', `${entityPath(blueprint, 'there')}?run_id=${id}`, { identifier: 'there', title: 'T' }],
        ['PATCH', `${entityPath(blueprint, 'there')}?run_id=${id}`, { title: 'T' }],
        ['DELETE', `${entityPath(blueprint, 'there')}?run_id=${id}`, undefined],
      ];
      for (const [method, address, body] of tries) {
        const answer = await app.request(method, address, body ? { body } : {});
        expect([method, answer.status, answer.body.error]).toEqual([method, 422, 'run_ended']);
      }
    }
    expect(await app.count('entities')).toBe(rows);
    // a run of another organization, or of another system, is a name without meaning here
    const other = await app.createOrganization();
    const its = await createBlueprint(other.request, 'thing');
    await createEntity(other.request, its, { identifier: 'a' }, `?run_id=${ended}`);
  });
});

describe('the rights of the caller name the actions they may run', () => {
  const list = async (token?: string, query = '?action_version=v2'): Promise<string[]> =>
    (await app.request('GET', `/v1/auth/permissions${query}`, token ? { token } : {})).body.permissions;

  test('all for everybody, those of a team on what it owns, none that is not theirs', async () => {
    const blueprint = await createBlueprint(app.request, 'thing');
    const day2 = { operation: 'DAY-2', blueprintIdentifier: blueprint };
    const [open, owned, closed] = [await action(), await action({}, day2), await action()];
    const rights = (name: string, execute: object) =>
      app.request('PATCH', `/v1/actions/${name}/permissions`, { body: { execute } });
    await rights(owned, { roles: ['Admin'], ownedByTeam: true });
    await rights(closed, { roles: ['Admin'] });
    const team = unique('team');
    await createEntity(app.request, '_team', { identifier: team, title: team });
    const { token } = await person(team);
    const mine = (await list(token)).filter((scope) => [open, owned, closed].some((name) => scope.endsWith(name)));
    expect(mine).toEqual([`execute:actions:${open}`, `execute:team_entities:actions:${owned}`]);
    expect(await list()).toEqual(
      expect.arrayContaining([open, owned, closed].map((name) => `execute:actions:${name}`)),
    );
    expect((await list(token, '')).some((scope) => scope.endsWith(open))).toBe(false);
  });
});

describe('runs that ended', () => {
  test('are kept for a year, then go with their logs; those that go on stay', async () => {
    const own = await createTestApp();
    try {
      const identifier = unique('act');
      const trigger = { type: 'self-service', operation: 'CREATE', userInputs: { properties: {} } };
      const invocationMethod = { type: 'WEBHOOK', url: receiver.url };
      await own.request('POST', '/v1/actions', { body: { identifier, trigger, invocationMethod } });
      const start = async () => (await own.request('POST', `/v1/actions/${identifier}/runs`, { body: {} })).body.run.id;
      const [ended, open] = [await start(), await start()];
      await own.request('POST', `${runs}/${ended}/logs`, { body: { message: 'x', terminationStatus: 'SUCCESS' } });
      own.clock.advance(364 * 86_400_000);
      await own.app.jobs.drain();
      // tokens have expired by now, so this reads the table
      const { id: orgId } = own.organization;
      const left = sql`select id from action_runs where org_id = ${orgId} order by key`;
      expect(await own.database.rows(left)).toEqual([{ id: ended }, { id: open }]);
      own.clock.advance(2 * 86_400_000);
      await own.app.jobs.drain();
      expect(await own.database.rows(left)).toEqual([{ id: open }]);
      expect(await own.count('action_run_logs', orgId)).toBe(0);
    } finally {
      await own.close();
    }
  });
});
