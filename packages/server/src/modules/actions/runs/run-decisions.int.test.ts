import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ActionWorld, createActionWorld, runsPath } from '../../../../test/action-world.ts';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { createBlueprint, createEntity, unique } from '../../../../test/catalog-fixtures.ts';

let app: TestApp;
let world: ActionWorld;
let approver: string;
beforeAll(async () => {
  app = await createTestApp();
  approver = await app.organization.approverToken();
  world = await createActionWorld(app);
});
afterAll(async () => {
  await app.close();
  await world.receiver.close();
});
beforeEach(async () => {
  await app.app.jobs.drain();
  world.receiver.received.length = 0;
  world.receiver.answer = () => ({ status: 200 });
});

describe('a policy', () => {
  const policyOf = (condition: string, rules: unknown[] = []) => ({
    queries: { mine: { combinator: 'and', rules } },
    conditions: [condition],
  });

  test('decides who runs, by what its queries find and by the inputs', async () => {
    const team = unique('crew');
    await createEntity(app.request, '_team', { identifier: team });
    const blueprint = await createBlueprint(app.request, 'quota', { properties: { left: { type: 'number' } } });
    await createEntity(app.request, blueprint, { identifier: team, properties: { left: 2 } });
    const [inside, outside] = [await world.person(unique('in'), team), await world.person(unique('out'))];
    const name = await world.action(world.hook(), {}, { properties: { n: { type: 'number' } } });
    const rules = [
      { property: '$blueprint', operator: '=', value: blueprint },
      { property: '$identifier', operator: 'in', value: '{{ .user.team }}' },
    ];
    const policy = policyOf(
      'any(.results.mine.entities[]; .properties.left >= ($n | tonumber))'.replace('$n', '"1"'),
      rules,
    );
    const patched = await app.request('PATCH', `/v1/actions/${name}/permissions`, { body: { execute: { policy } } });
    expect(patched.status, JSON.stringify(patched.body)).toBe(200);
    expect((await world.start(name, { properties: { n: 1 } }, { token: inside })).status).toBe(202);
    expect((await world.start(name, { properties: { n: 1 } }, { token: outside })).status).toBe(403);
    expect((await world.start(name, { properties: { n: 1 } })).status).toBe(202);
  });

  test('that fails or answers something else grants nothing', async () => {
    const token = await world.person(unique('jo'));
    for (const condition of ['error("no")', '"true"', 'null']) {
      const name = await world.action(world.hook());
      await app.request('PATCH', `/v1/actions/${name}/permissions`, {
        body: { execute: { policy: policyOf(condition) } },
      });
      expect((await world.start(name, { properties: {} }, { token })).status).toBe(403);
    }
  });

  test('names who approves', async () => {
    const ann = unique('ann');
    const token = await world.person(ann);
    const other = await world.person(unique('bob'));
    const name = await world.action(world.hook(), { requiredApproval: true });
    const policy = policyOf(`["${ann}@example.com"]`);
    await app.request('PATCH', `/v1/actions/${name}/permissions`, { body: { approve: { roles: ['Member'], policy } } });
    const { id } = (await world.start(name)).body.run;
    const decide = (as: string) =>
      app.request('PATCH', `${runsPath}/${id}/approval`, { token: as, body: { status: 'APPROVE' } });
    expect((await decide(other)).status).toBe(403);
    expect((await decide(token)).body.run.status).toBe('IN_PROGRESS');
  });
});

describe('approval', () => {
  const ask = (id: string, status: string, token = approver) =>
    app.request('PATCH', `${runsPath}/${id}/approval`, {
      body: { status, description: 'because' },
      token,
    });

  test('nothing is sent before it, and once after it', async () => {
    const name = await world.action(world.hook(), { requiredApproval: true });
    const { id, status } = (await world.start(name)).body.run;
    expect(status).toBe('WAITING_FOR_APPROVAL');
    await app.app.jobs.drain();
    expect(world.receiver.received).toHaveLength(0);
    const member = await app.organization.memberToken();
    expect((await ask(id, 'APPROVE', member)).status).toBe(403);
    const approved = await ask(id, 'APPROVE');
    expect([approved.status, approved.body.run.status]).toEqual([201, 'IN_PROGRESS']);
    expect(approved.body.run.approval).toMatchObject({ state: 'APPROVED', description: 'because' });
    expect((await ask(id, 'APPROVE')).status).toBe(201);
    await app.app.jobs.drain();
    expect(world.receiver.received).toHaveLength(1);
    expect((await ask(id, 'DECLINE')).body.error).toBe('run_ended');
  });

  test('declined is the end', async () => {
    const name = await world.action(world.hook(), { requiredApproval: true });
    const { id } = (await world.start(name)).body.run;
    expect((await ask(id, 'DECLINE')).body.run.status).toBe('DECLINED');
    expect((await ask(id, 'APPROVE')).status).toBe(422);
    expect((await app.request('PATCH', `${runsPath}/${id}`, { body: { status: 'SUCCESS' } })).status).toBe(422);
    await app.app.jobs.drain();
    expect(world.receiver.received).toHaveLength(0);
  });

  test('of all who may, each must', async () => {
    const [ann, bob] = [unique('ann'), unique('bob')];
    const tokens = [await world.person(ann), await world.person(bob)] as const;
    const users = [ann, bob].map((name) => `${name}@example.com`);
    const name = await world.action(world.hook(), { requiredApproval: { type: 'ALL' } });
    await app.request('PATCH', `/v1/actions/${name}/permissions`, { body: { approve: { roles: [], users } } });
    const { id } = (await world.start(name)).body.run;
    const pending = await app.request('GET', `${runsPath}/${id}/approvers?include_pending_approvers=true`);
    expect(pending.body.approvers.map(({ userId }: { userId: string }) => userId).sort()).toEqual(users.sort());
    expect((await ask(id, 'APPROVE', tokens[0])).body.run.status).toBe('WAITING_FOR_APPROVAL');
    expect((await ask(id, 'APPROVE', tokens[0])).body.run.status).toBe('WAITING_FOR_APPROVAL');
    expect((await ask(id, 'APPROVE', tokens[1])).body.run.status).toBe('IN_PROGRESS');
  });

  test('is refused, and leaves no trace, once whoever asked may not run the action any more', async () => {
    const asker = unique('asker');
    const token = await world.person(asker);
    const name = await world.action(world.hook(), { requiredApproval: true });
    const allow = (users: readonly string[]) =>
      app.request('PATCH', `/v1/actions/${name}/permissions`, { body: { execute: { roles: [], users } } });
    expect((await allow([`${asker}@example.com`])).status).toBe(200);
    const { id } = (await world.start(name, { properties: {} }, { token })).body.run;
    await allow([]);
    const refused = await ask(id, 'APPROVE');
    expect([refused.status, refused.body]).toMatchObject([
      403,
      { error: 'missing_permissions', message: `"${asker}@example.com" may not run the action any more` },
    ]);
    await app.app.jobs.drain();
    expect(world.receiver.received).toHaveLength(0);
    const waiting = await world.get(id);
    expect(waiting.status).toBe('WAITING_FOR_APPROVAL');
    expect(waiting).not.toHaveProperty('approval.state');
    await allow([`${asker}@example.com`]);
    expect((await ask(id, 'APPROVE')).body.run.status).toBe('IN_PROGRESS');
  });

  test('whoever asked may withdraw what waits, and nobody may call it a success', async () => {
    const token = await world.person(unique('asker'));
    const name = await world.action(world.hook(), { requiredApproval: true });
    const { id } = (await world.start(name, { properties: {} }, { token })).body.run;
    expect((await app.request('PATCH', `${runsPath}/${id}`, { token, body: { status: 'SUCCESS' } })).status).toBe(422);
    const withdrawn = await app.request('PATCH', `${runsPath}/${id}`, { token, body: { status: 'FAILURE' } });
    expect(withdrawn.body.run.status).toBe('FAILURE');
    expect((await ask(id, 'APPROVE')).status).toBe(422);
  });
});

describe('logs', () => {
  test('are read in order, and one can end the run, once', async () => {
    const name = await world.action(world.hook());
    const { id } = (await world.start(name)).body.run;
    const add = (body: object) => app.request('POST', `${runsPath}/${id}/logs`, { body });
    const first = await add({ message: 'one' });
    expect([first.status, first.body.runLog]).toMatchObject([201, { runId: id, message: 'one' }]);
    await add({ message: 'two', terminationStatus: 'SUCCESS', statusLabel: 'Fine' });
    expect(await world.get(id)).toMatchObject({ status: 'SUCCESS', statusLabel: 'Fine' });
    expect((await add({ message: 'three' })).body.error).toBe('run_ended');
    expect(await world.logsOf(id)).toEqual(['one', 'two']);
    const page = await app.request('GET', `${runsPath}/${id}/logs?limit=1&offset=1`);
    expect(page.body.runLogs).toHaveLength(1);
    expect((await app.request('GET', `${runsPath}/${id}/logs?limit=51`)).status).toBe(422);
  });
});

describe('executors that pull', () => {
  const invocation = (installationId: string) => ({
    type: 'INTEGRATION_ACTION',
    installationId,
    integrationActionType: 'dispatch_workflow',
    integrationActionExecutionProperties: { org: 'o', repo: '{{ .inputs.repo }}' },
  });
  const claim = (installationId: string, more: object = {}) =>
    app.request('POST', `${runsPath}/claim-pending`, {
      body: { installationId, limit: 5, visibilityTimeoutMs: 60_000, ...more },
      headers: { 'x-port-reserved-usage': 'true' },
    });

  test('get a run each to one at a time, and again when a claim has ended', async () => {
    const installation = unique('gh');
    const name = await world.action(invocation(installation), {}, { properties: { repo: { type: 'string' } } });
    const { id } = (await world.start(name, { properties: { repo: 'cart' } })).body.run;
    await app.app.jobs.drain();
    const [first, second] = await Promise.all([claim(installation), claim(installation)]);
    const taken = [...first.body.runs, ...second.body.runs];
    expect(taken.map((run) => run.id)).toEqual([id]);
    expect(taken[0]).toMatchObject({
      status: 'IN_PROGRESS',
      action: { identifier: name },
      payload: { ...invocation(installation), integrationActionExecutionProperties: { org: 'o', repo: 'cart' } },
    });
    app.clock.advance(60_000);
    expect((await claim(installation, { exclude: [name] })).body.runs).toEqual([]);
    // Ocean asks for as many runs as its queue has room for
    expect((await claim(installation, { limit: 300, visibilityTimeoutMs: 1 })).body.runs).toHaveLength(1);
    const ack = () => app.request('PATCH', `${runsPath}/ack`, { body: { runId: id } });
    const acks = await Promise.all([ack(), ack()]);
    expect(acks.map(({ status }) => status).sort()).toEqual([200, 409]);
    app.clock.advance(600_000);
    expect((await claim(installation)).body.runs).toEqual([]);
    const response = await app.request('POST', `${runsPath}/${id}/response`, { body: { response: { ok: 1 } } });
    expect(response.body.run.response).toEqual([{ ok: 1 }]);
  });

  test('are programs of the organization, and of no other', async () => {
    const installation = unique('gh');
    const name = await world.action(invocation(installation));
    await world.start(name);
    await app.app.jobs.drain();
    const member = await app.organization.memberToken();
    const body = { installationId: installation, limit: 5 };
    expect((await app.request('POST', `${runsPath}/claim-pending`, { body, token: member })).status).toBe(403);
    const other = await app.createOrganization();
    expect((await other.request('POST', `${runsPath}/claim-pending`, { body })).body.runs).toEqual([]);
  });
});

describe('who sees a run', () => {
  test('everybody, unless the action keeps them to those concerned', async () => {
    const asker = await world.person(unique('asker'));
    const other = await world.person(unique('other'));
    const open = await world.action(world.hook());
    const kept = await world.action(world.hook(), { allowAnyoneToViewRuns: false });
    const ids = [];
    for (const name of [open, kept])
      ids.push((await world.start(name, { properties: {} }, { token: asker })).body.run.id);
    const see = async (id: string, token: string) => (await app.request('GET', `${runsPath}/${id}`, { token })).status;
    expect([await see(ids[0], other), await see(ids[1], other)]).toEqual([200, 404]);
    expect([await see(ids[0], asker), await see(ids[1], asker)]).toEqual([200, 200]);
    const listed = (await app.request('GET', `${runsPath}?limit=1000`, { token: other })).body.runs;
    expect(JSON.stringify(listed)).not.toContain(ids[1]);
  });

  test('on behalf of somebody, for the credentials of the organization alone', async () => {
    const name = unique('someone');
    const token = await world.person(name);
    const act = await world.action(world.hook());
    const run = (await world.start(act, { properties: {} }, {}, `?run_as=${name}@example.com`)).body.run;
    expect(run).toMatchObject({ createdBy: `${name}@example.com`, impersonatedBy: app.organization.clientId });
    expect((await world.start(act, { properties: {} }, { token }, `?run_as=${name}@example.com`)).status).toBe(403);
    expect((await world.start(act, { properties: {} }, {}, '?run_as=nobody@example.com')).status).toBe(404);
  });

  test('a run survives its action', async () => {
    const name = await world.action(world.hook());
    const { id } = (await world.start(name)).body.run;
    await app.request('DELETE', `/v1/actions/${name}`);
    expect((await world.get(id)).action).toEqual({ identifier: name, title: 'Act', deleted: true });
  });
});
