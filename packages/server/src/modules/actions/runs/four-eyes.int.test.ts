import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ActionWorld, createActionWorld, runsPath } from '../../../../test/action-world.ts';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { createBlueprint, createEntity, unique } from '../../../../test/catalog-fixtures.ts';

/** The public address of the application under test; no server listens there. */
const home = 'http://127.0.0.1:3000';

let app: TestApp;
let world: ActionWorld;
beforeAll(async () => {
  app = await createTestApp();
  world = await createActionWorld(app);
});
afterAll(async () => {
  await app.close();
  await world.receiver.close();
});
beforeEach(async () => {
  await app.app.jobs.drain();
  world.receiver.received.length = 0;
});

interface Person {
  readonly id: string;
  readonly token: string;
}

async function person(role = 'Member'): Promise<Person> {
  const id = `${unique('jo').toLowerCase()}@example.com`;
  await createEntity(app.request, '_user', { identifier: id, properties: { status: 'Active', port_role: role } });
  return { id, token: await app.organization.personToken(id) };
}

const change = async (id: string, properties: object): Promise<void> => {
  const path = `/v1/blueprints/_user/entities/${encodeURIComponent(id)}`;
  expect((await app.request('PATCH', path, { body: { properties } })).status).toBe(200);
};
const remove = async (id: string): Promise<void> => {
  expect((await app.request('DELETE', `/v1/users/${encodeURIComponent(id)}`)).status).toBe(200);
};
const decide = (id: string, { token }: Pick<Person, 'token'>, body: object = { status: 'APPROVE' }) =>
  app.request('PATCH', `${runsPath}/${id}/approval`, { token, body });
const readStatus = async (id: string): Promise<string> => (await world.get(id)).status;
const readPending = async (id: string): Promise<string[]> => {
  const { body } = await app.request('GET', `${runsPath}/${id}/approvers?include_pending_approvers=true`);
  return body.approvers
    .filter(({ state }: { state: string }) => state === 'PENDING')
    .map(({ userId }: { userId: string }) => userId);
};

/** An action with these people as approvers. */
async function approvedBy(users: readonly Person[], type = 'ANY', method: object = world.hook()): Promise<string> {
  const name = await world.action(method, { requiredApproval: { type } });
  const approve = { roles: [], users: users.map(({ id }) => id) };
  expect((await app.request('PATCH', `/v1/actions/${name}/permissions`, { body: { approve } })).status).toBe(200);
  return name;
}

async function asked(name: string, { token }: Pick<Person, 'token'>, query = ''): Promise<string> {
  const started = await world.start(name, { properties: {} }, { token }, query);
  expect(started.status, JSON.stringify(started.body)).toBe(202);
  return started.body.run.id;
}

/** Makes the schedule due; the first drain only registers it. */
async function later(own: TestApp = app): Promise<void> {
  await own.app.jobs.drain();
  own.clock.advance(60_000);
  await own.app.jobs.drain();
}

async function refused(id: string, who: Pick<Person, 'token'>): Promise<void> {
  for (const status of ['APPROVE', 'DECLINE']) {
    const answered = await decide(id, who, { status });
    expect([answered.status, answered.body.message]).toEqual([403, expect.stringContaining('somebody else decides')]);
  }
  await app.app.jobs.drain();
  expect(await readStatus(id)).toBe('WAITING_FOR_APPROVAL');
  expect(world.receiver.received).toHaveLength(0);
}

describe('whoever asked for a run does not approve it', () => {
  test.each(['ANY', 'ALL'])('being listed as an approver (%s)', async (type) => {
    const [asker, other] = [await person(), await person()];
    const id = await asked(await approvedBy([asker, other], type), asker);
    await refused(id, asker);
    expect(await readPending(id)).toEqual([other.id]);
    expect((await decide(id, other)).body.run.status).toBe('IN_PROGRESS');
  });

  test('being an administrator', async () => {
    const [asker, other] = [await person('Admin'), await person('Admin')];
    const id = await asked(await world.action(world.hook(), { requiredApproval: true }), asker);
    await refused(id, asker);
    expect((await decide(id, other)).status).toBe(201);
  });

  test('with an API token of theirs', async () => {
    const asker = await person();
    const id = await asked(await approvedBy([asker, await person()]), asker);
    const made = await app.request('POST', '/v1/users/me/tokens', { body: { name: 'mine' }, token: asker.token });
    await refused(id, { token: made.body.accessToken });
  });

  test('nor do the credentials that asked on their behalf', async () => {
    const [asker, other] = [await person(), await person()];
    const name = await approvedBy([asker, other]);
    const id = await asked(name, { token: app.organization.token }, `?run_as=${encodeURIComponent(asker.id)}`);
    await refused(id, asker);
    await refused(id, { token: app.organization.token });
  });

  test('nor whoever began the runs that led to it', async () => {
    const [asker, other] = [await person(), await person()];
    const inner = await approvedBy([asker, other]);
    const middle = await world.action({ type: 'WEBHOOK', url: `${home}/v1/actions/${inner}/runs`, body: {} });
    const outer = await world.action({ type: 'WEBHOOK', url: `${home}/v1/actions/${middle}/runs`, body: {} });
    await asked(outer, asker);
    await app.app.jobs.drain();
    const [{ id }] = (await app.request('GET', `${runsPath}?action=${inner}`)).body.runs;
    await refused(id, asker);
    expect((await decide(id, other)).status).toBe(201);
  });

  test('nor, behind an automation, who saved it and who did what it waited for', async () => {
    const blueprint = await createBlueprint(app.request, 'watched');
    const [author, doer, other] = [await person('Admin'), await person('Admin'), await person('Admin')];
    const inner = await world.action(world.hook(), { requiredApproval: true });
    const body = {
      identifier: unique('auto'),
      publish: true,
      trigger: { type: 'automation', event: { type: 'ENTITY_CREATED', blueprintIdentifier: blueprint } },
      invocationMethod: { type: 'WEBHOOK', url: `${home}/v1/actions/${inner}/runs`, body: {} },
    };
    expect((await app.request('POST', '/v1/actions', { body, token: author.token })).status).toBe(201);
    const made = { body: { identifier: 'one' }, token: doer.token };
    expect((await app.request('POST', `/v1/blueprints/${blueprint}/entities`, made)).status).toBe(201);
    await app.app.jobs.drain();
    const [{ id }] = (await app.request('GET', `${runsPath}?action=${inner}`)).body.runs;
    await refused(id, author);
    await refused(id, doer);
    expect((await decide(id, other)).status).toBe(201);
  });

  test('nor who filled in what a draft asks for; confirming it is no approval', async () => {
    const [asker, editor, other] = [await person(), await person(), await person()];
    const name = await approvedBy([asker, editor, other]);
    const id = await asked(name, asker, '?draft=true');
    const draft = await app.request('PATCH', `${runsPath}/${id}/draft`, {
      token: editor.token,
      body: { properties: {} },
    });
    expect(draft.status, JSON.stringify(draft.body)).toBe(200);
    const { inputsHash } = draft.body.run.draft;
    expect((await decide(id, asker, { status: 'APPROVE', inputsHash })).body.run.status).toBe('WAITING_FOR_APPROVAL');
    await refused(id, asker);
    await refused(id, editor);
    expect((await decide(id, other)).status).toBe(201);
  });

  test('they may withdraw it', async () => {
    const asker = await person();
    const id = await asked(await approvedBy([asker]), asker);
    const withdrawn = await app.request('PATCH', `${runsPath}/${id}`, {
      token: asker.token,
      body: { status: 'FAILURE' },
    });
    expect(withdrawn.body.run.status).toBe('FAILURE');
  });
});

describe('the organization', () => {
  const set = (own: TestApp, value: boolean | null, token = own.organization.token) =>
    own.request('PATCH', '/v1/organization', { body: { settings: { requestersMayApprove: value } }, token });

  test('may let requesters approve; no restricted token switches that on', async () => {
    const own = await createTestApp();
    const ownWorld = await createActionWorld(own);
    try {
      const token = (
        await own.request('POST', '/v1/users/me/tokens', { body: { name: 'less', scopes: ['update:organization'] } })
      ).body.accessToken;
      const less = await set(own, true, token);
      expect([less.status, less.body.error]).toEqual([403, 'insufficient_scope']);
      const body = { name: 'Test', settings: { requestersMayApprove: true } };
      expect((await own.request('PUT', '/v1/organization', { body, token })).status).toBe(403);
      const name = await ownWorld.action(ownWorld.hook(), { requiredApproval: true });
      const { id } = (await ownWorld.start(name)).body.run;
      const approve = () => own.request('PATCH', `${runsPath}/${id}/approval`, { body: { status: 'APPROVE' } });
      expect((await approve()).status).toBe(403);
      expect((await set(own, true)).status).toBe(200);
      expect((await approve()).body.run.status).toBe('IN_PROGRESS');
      expect((await set(own, null, token)).status).toBe(200);
      const { id: next } = (await ownWorld.start(name)).body.run;
      const again = await own.request('PATCH', `${runsPath}/${next}/approval`, { body: { status: 'APPROVE' } });
      expect(again.status).toBe(403);
    } finally {
      await own.close();
      await ownWorld.receiver.close();
    }
  });
});

describe('approvers are those of today', () => {
  test.each([
    ['deleted', ({ id }: Person) => remove(id)],
    ['disabled', ({ id }: Person) => change(id, { status: 'Disabled' })],
  ])('one who is %s holds up no run that all others approved', async (_what, end) => {
    const [first, second, asker] = [await person(), await person(), await person()];
    const id = await asked(await approvedBy([first, second], 'ALL'), asker);
    expect((await decide(id, first)).body.run.status).toBe('WAITING_FOR_APPROVAL');
    await later();
    expect(await readStatus(id)).toBe('WAITING_FOR_APPROVAL');
    await end(second);
    await later();
    expect(await readStatus(id)).toBe('IN_PROGRESS');
    expect(world.receiver.received).toHaveLength(1);
  });

  test('one who lost the right neither, and approving again is enough too', async () => {
    const [first, second, asker] = [await person(), await person(), await person()];
    const name = await approvedBy([first, second], 'ALL');
    const id = await asked(name, asker);
    await decide(id, first);
    const approve = { roles: [], users: [first.id] };
    await app.request('PATCH', `/v1/actions/${name}/permissions`, { body: { approve } });
    expect((await decide(id, second)).status).toBe(403);
    expect((await decide(id, first)).body.run.status).toBe('IN_PROGRESS');
  });

  test('an approval of somebody who lost the right counts no more', async () => {
    const [first, second, asker] = [await person(), await person(), await person()];
    const name = await approvedBy([first, second], 'ALL');
    const id = await asked(name, asker);
    await decide(id, first);
    await change(first.id, { status: 'Disabled' });
    await later();
    expect(await readStatus(id)).toBe('WAITING_FOR_APPROVAL');
    expect((await decide(id, second)).body.run.status).toBe('IN_PROGRESS');
  });

  test('a policy that names somebody who is gone waits for nobody', async () => {
    const [first, gone, asker] = [await person(), await person(), await person()];
    const name = await world.action(world.hook(), { requiredApproval: { type: 'ALL' } });
    const policy = {
      queries: { none: { combinator: 'and', rules: [{ property: '$identifier', operator: '=', value: 'x' }] } },
      conditions: [`["${first.id}", "${gone.id}", "nobody@example.com"]`],
    };
    const patched = await app.request('PATCH', `/v1/actions/${name}/permissions`, { body: { approve: { policy } } });
    expect(patched.status, JSON.stringify(patched.body)).toBe(200);
    const id = await asked(name, asker);
    await remove(gone.id);
    expect(await readPending(id)).toEqual([first.id]);
    expect((await decide(id, first)).body.run.status).toBe('IN_PROGRESS');
  });

  test('where none is left, an administrator decides', async () => {
    const [only, asker, administrator] = [await person(), await person(), await person('Admin')];
    const id = await asked(await approvedBy([only], 'ALL'), asker);
    await remove(only.id);
    await later();
    expect(await readStatus(id)).toBe('WAITING_FOR_APPROVAL');
    expect(await readPending(id)).toContain(administrator.id);
    expect((await decide(id, asker)).status).toBe(403);
    expect((await decide(id, administrator)).body.run.status).toBe('IN_PROGRESS');
  });

  test('a run that nobody else may approve says what to do', async () => {
    const own = await createTestApp();
    const ownWorld = await createActionWorld(own);
    try {
      const token = await ownWorld.person('solo');
      const path = '/v1/blueprints/_user/entities/solo@example.com';
      await own.request('PATCH', path, { body: { properties: { port_role: 'Admin' } } });
      const name = await ownWorld.action(ownWorld.hook(), { requiredApproval: true });
      const { id } = (await ownWorld.start(name, { properties: {} }, { token })).body.run;
      await own.app.jobs.drain();
      expect((await ownWorld.logsOf(id)).join()).toContain('No person but those who asked for it may approve this run');
      const { decision } = (await own.request('GET', `${runsPath}/${id}/decision`, { token })).body;
      expect(decision).toMatchObject({ mayDecide: false, obstacle: expect.stringContaining('Make somebody else') });
    } finally {
      await own.close();
      await ownWorld.receiver.close();
    }
  });
});
