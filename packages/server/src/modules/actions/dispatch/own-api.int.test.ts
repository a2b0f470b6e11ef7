import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { createBlueprint, createEntity, readEntity, unique } from '../../../../test/catalog-fixtures.ts';

/** The public address of the application under test; no server listens there. */
const home = 'http://127.0.0.1:3000';

let app: TestApp;
beforeAll(async () => {
  // the guard against internal addresses is on: calls in process do not pass through it
  app = await createTestApp({ allowsPrivateNetwork: false });
});
afterAll(() => app.close());
beforeEach(() => app.app.jobs.drain());

const runs = '/v1/actions/runs';
const get = async (id: string, request = app.request) => (await request('GET', `${runs}/${id}?version=v2`)).body.run;

async function action(invocationMethod: object, more: object = {}): Promise<string> {
  const identifier = unique('act');
  const userInputs = { properties: { x: { type: 'string' } } };
  const trigger = { type: 'self-service', operation: 'CREATE', userInputs };
  const body = { identifier, trigger, invocationMethod: { type: 'WEBHOOK', ...invocationMethod }, ...more };
  const created = await app.request('POST', '/v1/actions', { body });
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  return identifier;
}

async function run(name: string, properties: object = {}, token?: string): Promise<string> {
  const options = { body: { properties }, ...(token === undefined ? {} : { token }) };
  const started = await app.request('POST', `/v1/actions/${name}/runs`, options);
  expect(started.status, JSON.stringify(started.body)).toBe(202);
  await app.app.jobs.drain();
  return started.body.run.id;
}

async function person(): Promise<{ readonly id: string; readonly token: string }> {
  const id = `${unique('jo').toLowerCase()}@example.com`;
  await createEntity(app.request, '_user', { identifier: id, properties: { status: 'Active', port_role: 'Member' } });
  return { id, token: await app.organization.personToken(id) };
}

describe('a webhook at our own address', () => {
  test('is called with the rights of whoever saved it, without a token, and what it writes is of the run', async () => {
    const blueprint = await createBlueprint(app.request, 'thing');
    const url = `${home}/v1/blueprints/${blueprint}/entities`;
    const name = await action({ url, synchronized: true, body: { identifier: '{{ .inputs.x }}' } });
    const { id: who, token } = await person();
    const id = await run(name, { x: 'made' }, token);
    expect(await get(id)).toMatchObject({ status: 'SUCCESS', response: [{ statusCode: 201 }] });
    expect(await readEntity(app.request, blueprint, 'made')).toMatchObject({ identifier: 'made', createdBy: who });
    const { audits } = (await app.request('GET', `/v1/audit-log?run_id=${id}&resources=entity`)).body;
    // not the origin of a person, because runs may not decide on runs
    expect(audits).toMatchObject([{ trigger: { origin: 'AUTOMATION' } }]);
  });

  test('with a token of its own has the rights of that token alone', async () => {
    const member = await app.organization.memberToken();
    const url = `${home}/v1/actions`;
    const trigger = { type: 'self-service', operation: 'CREATE', userInputs: { properties: {} } };
    const body = { identifier: unique('sly'), trigger, invocationMethod: { type: 'KAFKA', payload: {} } };
    const refused = await run(
      await action({ url, synchronized: true, headers: { Authorization: `Bearer ${member}` }, body }),
    );
    expect(await get(refused)).toMatchObject({ status: 'FAILURE', response: [{ statusCode: 403 }] });
    const allowed = await run(await action({ url, synchronized: true, body }));
    expect(await get(allowed)).toMatchObject({ status: 'SUCCESS' });
  });

  test('reaches no other organization and nothing of the operator', async () => {
    const other = await app.createOrganization();
    const path = `/v1/operator/organizations/${other.id}`;
    const id = await run(await action({ url: `${home}${path}`, method: 'GET', synchronized: true }));
    const answered = await get(id);
    expect(answered).toMatchObject({ status: 'FAILURE', statusLabel: expect.stringContaining('may not call') });
    expect(answered.response).toBeUndefined();
  });

  test.each([
    'http://127.0.0.1:3001/v1/blueprints',
    'https://127.0.0.1:3000/v1/blueprints',
    'http://127.0.0.1:3000.example.com/v1/blueprints',
    'http://127.0.0.1:3000@127.0.0.2/v1/blueprints',
    'http://a:b@127.0.0.1:3000/v1/blueprints',
    'http://localhost:3000/v1/blueprints',
  ])('%s is not ours', async (url) => {
    const answered = await get(await run(await action({ url, method: 'GET', synchronized: true })));
    expect(answered.status).toBe('FAILURE');
    expect(answered.response).toBeUndefined();
  });

  test('does not leave its path by what is put into it', async () => {
    const url = `${home}/v1/blueprints/{{ .inputs.x }}/entities`;
    const name = await action({ url, method: 'GET', synchronized: true });
    for (const x of ['../actions?', '..', '%2e%2e', 'a/./b', '..\\actions', 'a/entities/b?', 'a#', '_user', '']) {
      const answered = await get(await run(name, { x }));
      expect([x, answered.status, answered.response]).toEqual([x, 'FAILURE', undefined]);
    }
  });

  test('cannot decide on a run', async () => {
    const waiting = await run(await action({ url: `${home}/v1/blueprints` }, { requiredApproval: true }));
    const url = `${home}${runs}/${waiting}/approval`;
    const name = await action({ url, method: 'PATCH', synchronized: true, body: { status: 'APPROVE' } });
    const answered = await get(await run(name));
    expect(answered).toMatchObject({ status: 'FAILURE', statusLabel: expect.stringContaining('decides on runs') });
    expect(answered.response).toBeUndefined();
    expect((await get(waiting)).status).toBe('WAITING_FOR_APPROVAL');
  });

  test('that starts itself comes to an end', async () => {
    const identifier = unique('loop');
    const trigger = { type: 'self-service', operation: 'CREATE', userInputs: { properties: {} } };
    const invocationMethod = {
      type: 'WEBHOOK',
      url: `${home}/v1/actions/${identifier}/runs`,
      synchronized: true,
      body: {},
    };
    await app.request('POST', '/v1/actions', { body: { identifier, trigger, invocationMethod } });
    await run(identifier);
    const { body } = await app.request('GET', `${runs}?version=v2&limit=100&action=${identifier}`);
    expect(body.runs).toHaveLength(21);
    expect(body.runs[0]).toMatchObject({ status: 'FAILURE', statusLabel: expect.stringContaining('loop') });
  });

  test('a run that another started can be approved', async () => {
    const inner = await action({ url: `${home}/v1/blueprints`, method: 'GET' }, { requiredApproval: true });
    await run(await action({ url: `${home}/v1/actions/${inner}/runs`, body: {} }), {}, (await person()).token);
    const [started] = (await app.request('GET', `${runs}?action=${inner}`)).body.runs;
    const token = await app.organization.approverToken();
    const body = { status: 'APPROVE' };
    const approved = await app.request('PATCH', `${runs}/${started.id}/approval`, { body, token });
    expect([approved.status, approved.body.run.status]).toEqual([201, 'IN_PROGRESS']);
  });

  describe('that starts a run of another action', () => {
    const restricted = async () => {
      const inner = await action({ url: `${home}/v1/blueprints`, method: 'GET' }, { requiredApproval: true });
      const rights = { execute: { roles: ['Admin'] } };
      expect((await app.request('PATCH', `/v1/actions/${inner}/permissions`, { body: rights })).status).toBe(200);
      return inner;
    };
    const starting = async (inner: string, token: string, query = '') => {
      const identifier = unique('outer');
      const trigger = { type: 'self-service', operation: 'CREATE', userInputs: { properties: {} } };
      const url = `${home}/v1/actions/${inner}/runs${query}`;
      const body = { identifier, trigger, invocationMethod: { type: 'WEBHOOK', url, synchronized: true, body: {} } };
      const created = await app.request('POST', '/v1/actions', { body, token });
      expect(created.status, JSON.stringify(created.body)).toBe(201);
      return identifier;
    };
    const setRole = (id: string, properties: object) =>
      app.request('PATCH', `/v1/blueprints/_user/entities/${encodeURIComponent(id)}`, { body: { properties } });
    const administrator = async () => {
      const someone = await person();
      // an organization must keep one administrator, so there is another
      for (const { id } of [await person(), someone]) {
        expect((await setRole(id, { port_role: 'Admin' })).status).toBe(200);
      }
      return { ...someone, token: await app.organization.personToken(someone.id) };
    };
    const approve = async (inner: string) => {
      const [started] = (await app.request('GET', `${runs}?action=${inner}`)).body.runs;
      const approved = await app.request('PATCH', `${runs}/${started.id}/approval`, { body: { status: 'APPROVE' } });
      return approved.status;
    };

    test('does so with the rights of whoever saved it last, while they have them', async () => {
      const inner = await restricted();
      const author = await administrator();
      const outer = await starting(inner, author.token);
      const { token } = await person();
      expect(await get(await run(outer, {}, token))).toMatchObject({ status: 'SUCCESS' });
      expect(await approve(inner)).toBe(201);

      await setRole(author.id, { port_role: 'Member' });
      expect(await get(await run(outer, {}, token))).toMatchObject({
        status: 'FAILURE',
        // actions that they may not run are invisible to them
        response: [{ statusCode: 404 }],
      });
    });

    test.each([
      ['are an administrator no more', (id: string) => setRole(id, { port_role: 'Member' })],
      ['are disabled', (id: string) => setRole(id, { status: 'Disabled' })],
    ])('cannot have it approved once they %s', async (_what, change) => {
      const inner = await restricted();
      const author = await administrator();
      // the run in the address must not count as the one that started the other
      const decoy = await run(await action({ url: `${home}/v1/blueprints`, method: 'GET', synchronized: true }));
      const outer = await starting(inner, author.token, `?run_id=${decoy}`);
      await run(outer, {}, (await person()).token);
      expect((await change(author.id)).status).toBe(200);
      expect(await approve(inner)).toBe(403);
      const [kept] = (await app.request('GET', `${runs}?action=${inner}`)).body.runs;
      expect(kept.status).toBe('WAITING_FOR_APPROVAL');
    });

    test('cannot have it approved once the action that started it is gone', async () => {
      const inner = await restricted();
      const outer = await starting(inner, (await administrator()).token);
      await run(outer, {}, (await person()).token);
      expect((await app.request('DELETE', `/v1/actions/${outer}`)).status).toBe(200);
      expect(await approve(inner)).toBe(403);
    });
  });

  test('asks an assistant as the person who runs, not as an administrator', async () => {
    const url = `${home}/v1/ai/invoke`;
    const body = { userPrompt: 'How many services?', tools: [] };
    const spellings = [`${home}//v1/ai/invoke`, `${home}/v1/ai/invoke/`];
    for (const spelling of [url, `${home}/v1/%61i/invoke`, ...spellings]) {
      const name = await action({ url: spelling, synchronized: true, body });
      const { id: who, token } = await person();
      const answered = await get(await run(name, {}, token));
      const asked = (await app.request('GET', `/v1/ai/invocations?user=${encodeURIComponent(who)}`)).body.invocations;
      const organization = (await app.request('GET', `/v1/ai/invocations?user=${app.organization.clientId}`)).body;
      expect(organization.invocations).toEqual([]);
      // the person's rights apply, and members may not ask without a grant
      expect(asked).toHaveLength(0);
      expect(answered.status).toBe('FAILURE');
      if (!spellings.includes(spelling)) expect(answered.response[0].statusCode).toBe(403);
      // an address spelled unlike the operation names no operation
      else expect(answered.statusLabel).toContain('names');
    }
    const id = await run(await action({ url, synchronized: true, body }));
    // the question was accepted; the run ends with the invocation, which may be over already
    const { status, response } = await get(id);
    const accepted = ['IN_PROGRESS', 202];
    expect([accepted, ['SUCCESS', 200]]).toContainEqual([status, response[0].statusCode]);
  });
});
